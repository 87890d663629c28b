// The SQL of the objects of any resource.
import { readRevised, type Tenant } from '../../access/authority/index.ts';
import type { InstalledResource, ResourceKind } from '../../access/contracts/index.ts';
import { deleteSome } from '../../kit/db/bounded-deletion-store.ts';
import { sql } from '../../kit/db/sql.ts';
import type { ObjectRow } from './object.ts';
import { INSERTS, TABLES, tableOf } from './tables-store.ts';

/** Lists a server's objects after the position, newest first. */
export async function listRows(
  tenant: Tenant,
  kind: ResourceKind,
  serverId: string,
  after: string | undefined,
  limit: number,
): Promise<{ revision: number; rows: ObjectRow[] }> {
  const { table, id, columns, collection } = TABLES[kind];
  const beyond = after === undefined ? sql`` : sql`and ${id} < ${after}`;
  const rows = sql`select ${columns} from ${table} where app_id = ${tenant.appId} and server_id = ${serverId} ${beyond}
    order by ${id} desc limit ${limit}`;
  const found = await readRevised<unknown>(tenant, collection, rows, sql`order by ${id} desc`);
  return { revision: found.revision, rows: found.rows as ObjectRow[] }; // each table has a server_id
}

export async function findRow(
  tenant: Tenant,
  kind: ResourceKind,
  objectId: string,
): Promise<{ revision: number; row: ObjectRow | undefined }> {
  const { table, id, columns, collection, condition } = tableOf(kind);
  const { revision, rows } = await readRevised<unknown>(
    tenant,
    collection,
    sql`select ${columns} from ${table} where app_id = ${tenant.appId} and ${id} = ${objectId} ${condition}`,
  );
  return { revision, row: rows[0] as ObjectRow | undefined }; // each table has a server_id
}

/** Counts the app's objects of a kind: of all servers or of one, in all states or in one. */
export async function countObjects(
  tenant: Tenant,
  kind: ResourceKind,
  { serverId, status }: { serverId?: string; status?: string } = {},
): Promise<number> {
  const { table, status: statusOf, condition } = tableOf(kind);
  const onServer = serverId === undefined ? sql`` : sql`and server_id = ${serverId}`;
  const inStatus = status === undefined ? sql`` : sql`and ${statusOf} = ${status}`;
  const rows = await tenant.query<{ count: number }>(sql`select count(*)::int as count from ${table}
    where app_id = ${tenant.appId} ${condition} ${onServer} ${inStatus}`);
  return rows[0]?.count ?? 0;
}

/**
 * Deletes the objects of these servers. The caller limits the number of servers, because a statement has a timeout of
 * seconds.
 */
export async function deleteObjects(tenant: Tenant, kind: ResourceKind, serverIds: readonly string[]): Promise<void> {
  await tenant.query(sql`delete from ${TABLES[kind].table}
    where app_id = ${tenant.appId} and server_id = any(${serverIds}::uuid[])`);
}

/** The number of objects that one statement inserts, because a statement has a timeout of seconds. */
const INSERTED_AT_ONCE = 5_000;

/** Inserts objects, each under the names of its identifiers and fields, with the defaults of the resource. */
export async function insertObjects(
  tenant: Tenant,
  { name, kind, defaults }: InstalledResource,
  objects: readonly object[],
): Promise<void> {
  const insert = INSERTS[kind];
  if (!insert) throw new Error(`${name} has no objects in new sandbox data.`);
  for (let at = 0; at < objects.length; at += INSERTED_AT_ONCE) {
    const some = objects.slice(at, at + INSERTED_AT_ONCE);
    const rows = JSON.stringify(defaults ? some.map((one) => ({ ...defaults, ...one })) : some);
    await tenant.query(insert(sql`${tenant.appId}::uuid`, sql`json_to_recordset(${rows}::json)`));
  }
}

/** The number of objects that one statement deletes. */
const DELETED_AT_ONCE = 5_000;

/** Deletes all objects of a kind of the app. */
export async function deleteAllObjects(tenant: Tenant, kind: ResourceKind, limit = DELETED_AT_ONCE): Promise<void> {
  const { table: from, id: by, condition } = tableOf(kind);
  const all = { from, where: sql`app_id = ${tenant.appId} ${condition}`, by, limit };
  while ((await deleteSome(tenant, all)) === limit);
}
