// The SQL of the first run: facts in the Console's database, for example the ids of the demo.

import type { Tenant } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

export async function findFact<T>(db: Queryable, name: string): Promise<T | undefined> {
  const rows = await db.query<{ value: T }>(sql`select value from facts where name = ${name}`);
  return rows[0]?.value;
}

export async function setFact(db: Queryable, name: string, value: unknown): Promise<void> {
  await db.query(sql`insert into facts (name, value) values (${name}, ${JSON.stringify(value)}::jsonb)
    on conflict (name) do update set value = excluded.value`);
}

export async function hasApp(tx: Queryable, organisationId: string): Promise<string | undefined> {
  const rows = await tx.query<{ app_id: string }>(
    sql`select app_id from apps where organisation_id = ${organisationId} order by app_id limit 1`,
  );
  return rows[0]?.app_id;
}

export async function newestServerId(tenant: Tenant): Promise<string | undefined> {
  const rows = await tenant.query<{ server_id: string }>(
    sql`select server_id from servers where app_id = ${tenant.appId} order by server_id desc limit 1`,
  );
  return rows[0]?.server_id;
}
