// The SQL of what a server allows a key at this moment: the latest installation, and the latest grant of a scope in it.
import { type Sql, sql } from '../../kit/sql.ts';
import type { Scope } from './scopes.ts';
import { type GrantState, KEY_FACTS, type KeyState, type Tenant } from './store.ts';

/** On a server that exists. */
export interface GrantRow {
  /** Both null where the app was never installed; the latter also where the scope was never granted. */
  installation_state: GrantState | null;
  scope_state: GrantState | null;
}

/** What decides about a mutation: its key with its app, and the latest grant of its scope on the server. */
export async function findAccess(
  tenant: Tenant,
  of: { keyId: string; serverId: string; scope: Scope },
): Promise<{ key: KeyState; grant: GrantRow | undefined } | undefined> {
  const [row] = await tenant.query<KeyState & GrantRow & { is_server: true | null }>(sql`
    select ${KEY_FACTS}, g.*
    from keys k
    join apps a using (app_id)
    left join lateral (select true as is_server, on_server.* from (${grantOn(sql`k.app_id`, of.serverId, of.scope)})
      on_server) g on true
    where k.app_id = ${tenant.appId} and k.key_id = ${of.keyId}`);
  return row && { key: row, grant: row.is_server ? row : undefined };
}

const grantOn = (appId: Sql, serverId: string, scope: Scope): Sql => sql`
  select i.state as installation_state, g.state as scope_state
  from servers s
  left join lateral (select app_id, installation_id, state from installations
    where app_id = s.app_id and server_id = s.server_id order by installation_id desc limit 1) i on true
  left join lateral (select state from installation_scopes
    where app_id = i.app_id and installation_id = i.installation_id and scope = ${scope}
    order by grant_id desc limit 1) g on true
  where s.app_id = ${appId} and s.server_id = ${serverId}`;

/** The latest grant of a scope on a server, or undefined when there is no such server. */
export async function findGrant(tenant: Tenant, serverId: string, scope: Scope): Promise<GrantRow | undefined> {
  const rows = await tenant.query<GrantRow>(grantOn(sql`${tenant.appId}`, serverId, scope));
  return rows[0];
}
