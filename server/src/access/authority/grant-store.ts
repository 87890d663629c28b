// The SQL of the current grant of a key on a server: the latest installation, and the latest grant of a scope in it.
import { defineItemRead } from '../../kit/db/item-statement-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { INSTALLED_SERVERS, joinCurrentGrant, SERVER_NAME } from './current-grants-store.ts';
import type { Scope } from './scopes.ts';
import {
  type GrantState,
  KEY_SCOPES,
  KEY_STATE_COLUMNS,
  type KeyState,
  type Tenant,
  type TenantReader,
} from './store.ts';

/** The grant on an existing server. */
export interface GrantRow {
  /** Both null if the app was never installed; the scope's state also if the scope was never granted. */
  installation_state: GrantState | null;
  scope_state: GrantState | null;
  /**
   * True if the server authorised the app, and the installation is paused because the app has reached its approved
   * number of servers.
   */
  is_over_cap: boolean | null;
  /** Production only: restrictions of the app's organisation, for the server as a whole and for the scope. */
  restriction: 'paused' | 'revoked' | null;
  scope_restriction: 'paused' | 'revoked' | null;
  /** The last statement of the upstream API; null if none is known. */
  upstream_state: GrantState | null;
  upstream_scope_state: GrantState | null;
}

/**
 * Selects server s with the app's latest installation i on it, and the latest grant g of the scope in that
 * installation.
 */
const grantTables = (scope: Sql): Sql => sql`${INSTALLED_SERVERS} ${joinCurrentGrant(scope)}
  left join installation_restrictions r on r.app_id = s.app_id and r.server_id = s.server_id and r.scope = '*'
  left join installation_restrictions q on q.app_id = s.app_id and q.server_id = s.server_id and q.scope = ${scope}`;

const grantColumns = (
  scope: Sql,
): Sql => sql`i.state as installation_state, coalesce(u.is_over_cap, i.is_over_cap) as is_over_cap,
  g.state as scope_state, r.state as restriction, q.state as scope_restriction, u.state as upstream_state,
  u.scopes ->> ${scope} as upstream_scope_state`;

const REQUESTED_GRANT = { appId: sql`asked.app_id`, serverId: sql`asked.server_id`, scope: sql`asked.scope` };

/** Selects the row of the latest grant of a scope on a server. No row: no such server exists. */
export const selectGrant = ({ appId, serverId, scope }: { appId: Sql; serverId: Sql; scope: Sql }): Sql => sql`
  select ${grantColumns(scope)} from ${grantTables(scope)}
  where s.app_id = ${appId} and s.server_id = ${serverId}`;

type AccessRow = KeyState & { scopes: Scope[]; now: Date } & GrantRow & { is_server: true | null };

const ACCESS = defineItemRead<{ key_id: string; server_id: string; scope: Scope }, AccessRow>(
  sql`key_id uuid, server_id uuid, scope text`,
  (rows) => sql`
    select asked.nth, ${KEY_STATE_COLUMNS}, ${KEY_SCOPES} as scopes, clock_timestamp() as now, g.*
    from (select * from ${rows}) asked
    join keys k on k.app_id = asked.app_id and k.key_id = asked.key_id
    join apps a on a.app_id = k.app_id
    left join lateral (select true as is_server, on_server.* from (${selectGrant(REQUESTED_GRANT)}) on_server) g on true`,
);

/**
 * Returns the facts that decide about a mutation: its key with the app, the latest grant of its scope on the server,
 * and the database's time.
 */
export async function findAccess(
  tenant: TenantReader,
  { keyId, serverId, scope }: { keyId: string; serverId: string; scope: Scope },
): Promise<{ key: KeyState & { scopes: Scope[] }; grant: GrantRow | undefined; now: Date } | undefined> {
  const [row] = await tenant.each(ACCESS, { key_id: keyId, server_id: serverId, scope });
  return row && { key: row, grant: row.is_server ? row : undefined, now: row.now };
}

/** Returns the latest grant of a scope on a server, or undefined if no such server exists. */
export function findGrant(tenant: Tenant, serverId: string, scope: Scope): Promise<GrantRow | undefined> {
  const on = { appId: sql`${tenant.appId}`, serverId: sql`${serverId}`, scope: sql`${scope}::text` };
  return tenant.first(selectGrant(on));
}

/**
 * Selects what GRANT_RULES allow in installation i, so that Postgres can filter a list. The state alone decides here:
 * the triggers `apply_limits` and `apply_scope_limits` set it to the strictest of the statement of the upstream API, the
 * restrictions of the organisation, and the cap, and a restriction or a statement that comes later updates it. The
 * unique indexes `installations_live` and `installation_scopes_live` admit one row that is not revoked, so no earlier
 * installation or grant allows anything.
 */
export const grantedCondition = (scope: Scope | Sql): Sql => sql`i.state = 'authorised' and exists (
  select from installation_scopes g where g.app_id = i.app_id and g.installation_id = i.installation_id
    and g.scope = ${scope} and g.state = 'authorised')`;

export interface ServerGrantRow extends GrantRow {
  server_id: string;
  server_name: string;
}

/** Returns the grants of a scope on all servers, newest first, or on one server. */
export function listGrants(
  tenant: Tenant,
  of: { scope: Scope; serverId: string | undefined },
  limit: number,
): Promise<ServerGrantRow[]> {
  const onServer: Sql = of.serverId === undefined ? sql`` : sql`and s.server_id = ${of.serverId}`;
  return tenant.query(sql`
    select s.server_id, ${SERVER_NAME} as server_name, ${grantColumns(sql`${of.scope}::text`)}
    from ${grantTables(sql`${of.scope}`)}
    where s.app_id = ${tenant.appId} ${onServer} order by s.server_id desc limit ${limit}`);
}

/** Returns the grants of a scope on these servers. A server that does not exist is missing. */
export function findGrants(tenant: Tenant, scope: Scope, serverIds: readonly string[]): Promise<ServerGrantRow[]> {
  return tenant.query(sql`
    select s.server_id, ${SERVER_NAME} as server_name, ${grantColumns(sql`${scope}::text`)} from ${grantTables(sql`${scope}`)}
    where s.app_id = ${tenant.appId} and s.server_id = any(${serverIds}::uuid[])`);
}

/** Returns the state and the scopes that a request with this key has now. */
export function findKeyState(tenant: Tenant, keyId: string): Promise<(KeyState & { scopes: Scope[] }) | undefined> {
  return tenant.first<KeyState & { scopes: Scope[] }>(sql`
    select ${KEY_STATE_COLUMNS}, ${KEY_SCOPES} as scopes from keys k join apps a using (app_id)
    where k.app_id = ${tenant.appId} and k.key_id = ${keyId}`);
}
