// The SQL that lists the objects of the sandbox data, of any kind in one form.

import type { Tenant } from '../../access/authority/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { type ObjectTable, tableOf } from '../../resources/objects/index.ts';
import type { ObjectKind, WorldObjectRow } from './world-object.ts';

const selectFrom = (
  { table, id, title, status, condition: ofKind }: ObjectTable,
  { appId }: Tenant,
  condition: Sql,
  limit: number,
): Sql => sql`
  select ${id} as object_id, server_id, ${title} as title, ${status} as status, created_at from ${table} o
  where app_id = ${appId} ${ofKind} ${condition} order by ${id} desc limit ${limit}`;

/** Lists the objects of a kind below a position, of all servers or of one, newest first. */
export function listObjectRows(
  tenant: Tenant,
  { kind, serverId }: { kind: ObjectKind; serverId: string | undefined },
  after: string | undefined,
  limit: number,
): Promise<WorldObjectRow[]> {
  const { id } = tableOf(kind);
  const onServer = serverId === undefined ? sql`` : sql`and server_id = ${serverId}`;
  const beyond = after === undefined ? sql`` : sql`and ${id} < ${after}`;
  return tenant.query(selectFrom(tableOf(kind), tenant, sql`${onServer} ${beyond}`, limit));
}

export function findObjectRow(tenant: Tenant, kind: ObjectKind, uuid: string): Promise<WorldObjectRow | undefined> {
  return tenant.first(selectFrom(tableOf(kind), tenant, sql`and ${tableOf(kind).id} = ${uuid}`, 1));
}
