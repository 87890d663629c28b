// Records every statement that the server sends. A test replaces kit/db/db-batch.ts by `recording` and must have its
// modules to itself (`apart` in vitest.config.ts).
import type pg from 'pg';
import type * as batch from '../src/kit/db/db-batch.ts';
import type { Sql } from '../src/kit/db/sql.ts';

/** The statements in order, with the role of their connection; empty without a role. */
export const issuedStatements: { role: string; statement: Sql }[] = [];

type Client = pg.ClientBase & { connectionParameters?: { options?: string } };

export const recordStatements = (real: typeof batch): typeof batch => ({
  ...real,
  runBatch(client: Client, ...rest) {
    const role = /role=(\w+)/.exec(client.connectionParameters?.options ?? '')?.[1] ?? '';
    for (const statement of rest[0]) issuedStatements.push({ role, statement });
    return real.runBatch(client, ...rest);
  },
});
