// The SQL of servers.
import { type Sql, sql } from '../../kit/sql.ts';
import { readRevised, type Tenant } from '../authority/index.ts';
import type { ServerRow } from './server.ts';
import type { SyntheticServer } from './synthetic-servers.ts';

const COLUMNS: Sql = sql`s.server_id, s.name, s.slug, s.description, s.icon_url, s.locale, s.timezone, s.member_count,
  s.created_at, i.installation_id, i.state as installation_state,
  (select coalesce(json_agg(g), '[]') from (
    select distinct on (scope) scope, state from installation_scopes
    where app_id = i.app_id and installation_id = i.installation_id order by scope, grant_id desc) g) as scopes`;

/** The servers that allow this app to read them, newest first, after the position. */
export function listReadableServers(
  tenant: Tenant,
  after: string | undefined,
  limit: number,
): Promise<{ revision: number; rows: ServerRow[] }> {
  const beyond = after === undefined ? sql`` : sql`and s.server_id < ${after}`;
  const rows = sql`
    select ${COLUMNS}
    from servers s
    join installations i on i.app_id = s.app_id and i.server_id = s.server_id and i.state = 'authorised'
    where s.app_id = ${tenant.appId} ${beyond} and exists (
      select from installation_scopes g
      where g.app_id = i.app_id and g.installation_id = i.installation_id
        and g.scope = 'servers:read' and g.state = 'authorised')
    order by s.server_id desc limit ${limit}`;
  return readRevised(tenant, 'servers', rows, sql`order by server_id desc`);
}

/** One server with the app's latest installation. Whether the app may read it is asked of authority. */
export async function findServer(
  tenant: Tenant,
  serverId: string,
): Promise<{ revision: number; row: ServerRow | undefined }> {
  const { revision, rows } = await readRevised<ServerRow>(
    tenant,
    'servers',
    sql`select ${COLUMNS}
      from servers s
      join installations i on i.app_id = s.app_id and i.server_id = s.server_id
      where s.app_id = ${tenant.appId} and s.server_id = ${serverId}
      order by i.installation_id desc limit 1`,
  );
  return { revision, row: rows[0] };
}

export async function insertServers(tenant: Tenant, servers: readonly SyntheticServer[]): Promise<void> {
  const column = <K extends keyof SyntheticServer>(name: K): SyntheticServer[K][] => servers.map((one) => one[name]);
  await tenant.query(sql`
    insert into servers (app_id, server_id, name, slug, description, icon_url, locale, timezone, member_count, created_at)
    select ${tenant.appId}::uuid, * from unnest(${column('serverId')}::uuid[], ${column('name')}::text[],
      ${column('slug')}::text[], ${column('description')}::text[], ${column('iconUrl')}::text[],
      ${column('locale')}::text[], ${column('timezone')}::text[], ${column('memberCount')}::int[],
      ${column('createdAt')}::timestamptz[])`);
}
