// Look-ups of mutations that share a transaction use an index by key, even if they were planned while the tables were
// empty. Such a plan is kept, and a plan with another index would read more with every mutation ever made
// (docs/decisions/0051).
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newUuid } from '../src/kit/crypto/ids.ts';
import type { Sql } from '../src/kit/db/sql.ts';
import { json, type Sandbox, startSandbox } from './app.ts';
import { issuedStatements } from './issued-statements.ts';

vi.mock('../src/kit/db/db-batch.ts', async (original) =>
  (await import('./issued-statements.ts')).recordStatements(await original()),
);

interface Workflow {
  id: string;
  enabled: boolean;
  inputSchema: { required?: string[]; properties?: Record<string, { type: string; minimum?: number }> };
}

/** Returns the smallest valid input. */
function inputFor(workflow: Workflow | undefined): object {
  const { required = [], properties = {} } = workflow?.inputSchema ?? {};
  const value = (name: string) => (properties[name]?.type === 'integer' ? (properties[name]?.minimum ?? 1) : 'Imke');
  return Object.fromEntries(required.map((name) => [name, value(name)]));
}

let sandbox: Sandbox;
let lookups: Sql[];
beforeAll(async () => {
  sandbox = await startSandbox();
  const app = await sandbox.newApp();
  const { token } = await app.key();
  const [serverId] = app.serverIds;
  const workflows = await sandbox.call<{ data: Workflow[] }>(`/v1/servers/${serverId}/workflows`, token);
  const workflow = workflows.body.data.find(({ enabled }) => enabled);
  const idempotent = (body: object): RequestInit => {
    const init = json(body);
    return { ...init, headers: { ...init.headers, 'idempotency-key': newUuid() } };
  };
  issuedStatements.length = 0;
  const answers = [
    await sandbox.call(`/v1/servers/${serverId}/tickets`, token, idempotent({ subject: 's', body: 'b' })),
    await sandbox.call(`/v1/workflows/${workflow?.id}/runs`, token, idempotent({ input: inputFor(workflow) })),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 202]);
  lookups = [
    ...new Map(
      issuedStatements
        .map(({ statement }) => statement)
        .filter(({ text }) => text.includes('json_to_recordset'))
        .map((one) => [one.name, one]),
    ).values(),
  ];
});
afterAll(() => sandbox.close());

const BY_KEY = /_pkey$/;
// Indexes for the latest grant of a scope on a server, and for the endpoints of an app. The number of their rows does
// not grow with mutations.
const OTHERS = ['installation_scopes_by_scope', 'installations_by_server', 'servers_app_id_server_id_key'];
// The first due delivery of an endpoint: the search ends at one entry.
const FIRST_ENTRY = ['queue_due'];

test('each look-up uses an index by key, and none scans a table', async () => {
  expect(lookups.length).toBeGreaterThan(8);
  const found: string[] = [];
  for (const { text, values } of lookups) {
    const explained = { text: `explain (format json) ${text}`, values, name: newUuid() } as Sql;
    const plan = JSON.stringify(await sandbox.plane.db.api.query(explained));
    const names = [...plan.matchAll(/"Index Name":"(\w+)"/g)].map(([, name = '']) => name);
    const scans = [...plan.matchAll(/"Node Type":"Seq Scan"[^}]*?"Relation Name":"(\w+)"/g)].map(([, name]) => name);
    found.push(...names.filter((name) => !BY_KEY.test(name)), ...scans.map((name) => `${name}, all of it`));
  }
  expect([...new Set(found)].filter((name) => ![...OTHERS, ...FIRST_ENTRY].includes(name))).toEqual([]);
});
