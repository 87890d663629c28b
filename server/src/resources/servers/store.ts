// The SQL of servers.

import {
  currentInstallation,
  currentScopes,
  grantedCondition,
  readRevised,
  type Tenant,
} from '../../access/authority/index.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { ServerRow } from './server.ts';

const COLUMNS: Sql = sql`s.server_id, s.name, s.slug, s.description, s.icon_url, s.locale, s.timezone, s.member_count,
  s.created_at, i.installation_id, i.state as installation_state,
  ${currentScopes(sql`i.app_id`, sql`i.installation_id`)} as scopes`;

/** Lists the servers that allow this app to read them after the position, newest first. */
export function listReadableServers(
  tenant: Tenant,
  after: string | undefined,
  limit: number,
): Promise<{ revision: number; rows: ServerRow[] }> {
  const beyond = after === undefined ? sql`` : sql`and s.server_id < ${after}`;
  const rows = sql`
    select ${COLUMNS}
    from servers s
    join installations i on i.app_id = s.app_id and i.server_id = s.server_id
    where s.app_id = ${tenant.appId} ${beyond} and ${grantedCondition('servers:read')}
    order by s.server_id desc limit ${limit}`;
  return readRevised(tenant, 'servers', rows, sql`order by server_id desc`);
}

/** Returns one server with the app's latest installation. The caller checks whether the app may read the server. */
export async function findServer(
  tenant: Tenant,
  serverId: string,
): Promise<{ revision: number; row: ServerRow | undefined }> {
  const { revision, rows } = await readRevised<ServerRow>(
    tenant,
    'servers',
    sql`select ${COLUMNS}
      from servers s
      join installations i on i.app_id = s.app_id
        and i.installation_id = ${currentInstallation(sql`installation_id`, sql`s.app_id`, sql`s.server_id`)}
      where s.app_id = ${tenant.appId} and s.server_id = ${serverId}`,
  );
  return { revision, row: rows[0] };
}

/** Locks every server of the app until the transaction ends. A concurrent change of a grant waits. */
export async function lockServerIds(tenant: Tenant): Promise<string[]> {
  const rows = await tenant.query<{ server_id: string }>(sql`
    select server_id from servers where app_id = ${tenant.appId} order by server_id for no key update`);
  return rows.map((row) => row.server_id);
}

/** Removes the servers and their grants. No other row of the app may refer to these servers. */
export async function removeServers(tenant: Tenant, serverIds: readonly string[]): Promise<void> {
  await tenant.query(sql`select remove_servers(${textArray(serverIds)}::text[]::uuid[])`);
}

/** Returns the server for a drawn number, or the newest server. Returns undefined if the app has no server. */
export async function pickServerId(tenant: Tenant, drawn?: number): Promise<string | undefined> {
  const place =
    drawn === undefined
      ? sql`order by server_id desc`
      : sql`order by server_id offset ${drawn}::bigint % greatest(1, (select count(*) from servers where app_id = ${tenant.appId}))`;
  const rows = await tenant.query<{ server_id: string }>(
    sql`select server_id from servers where app_id = ${tenant.appId} ${place} limit 1`,
  );
  return rows[0]?.server_id;
}

/** Increments the event sequence of the server and changes its number of members. */
export function countServerEvent(
  tenant: Tenant,
  serverId: string,
  gained: number,
): Promise<{ event_sequence: number; member_count: number } | undefined> {
  return tenant.first(sql`
    update servers set event_sequence = event_sequence + 1, member_count = greatest(0, member_count + ${gained}::int)
    where app_id = ${tenant.appId} and server_id = ${serverId} returning event_sequence, member_count`);
}
