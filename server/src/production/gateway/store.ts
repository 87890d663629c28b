// The SQL of the gateway: the permissions of servers, read once per change, and the organisation of an app.

import { type GrantState, readRevised, type Scope, type Tenant } from '../../access/authority/index.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';

/** A server on which the app was ever installed, and its permissions. */
export interface AllowanceRow {
  server_id: string;
  installation_id: string | null;
  installation_state: GrantState | null;
  is_over_cap: boolean | null;
  scopes: { scope: Scope; state: GrantState }[];
  /** The last state that the upstream API reported; null if unknown. */
  upstream_state: GrantState | null;
  upstream_scopes: Partial<Record<Scope, GrantState>> | null;
  /** Restrictions of the organisation, by scope; `*` is the server as a whole. */
  restrictions: Partial<Record<Scope | '*', 'paused' | 'revoked'>>;
}

export function readAllowances(
  tenant: Tenant,
  serverIds: readonly string[],
): Promise<{ revision: number; rows: AllowanceRow[] }> {
  return readRevised<AllowanceRow>(
    tenant,
    'servers',
    sql`select s.server_id, i.installation_id, i.state as installation_state,
      coalesce(u.is_over_cap, i.is_over_cap) as is_over_cap, u.state as upstream_state, u.scopes as upstream_scopes,
      (select coalesce(json_object_agg(r.scope, r.state), '{}') from installation_restrictions r
        where r.app_id = s.app_id and r.server_id = s.server_id) as restrictions,
      (select coalesce(json_agg(g), '[]') from (
        select distinct on (scope) scope, state from installation_scopes
        where app_id = i.app_id and installation_id = i.installation_id order by scope, grant_id desc) g) as scopes
    from servers s
    left join upstream_installations u on u.app_id = s.app_id and u.server_id = s.server_id and u.stated_version = u.version
    left join lateral (
      select app_id, installation_id, state, is_over_cap from installations
      where app_id = s.app_id and server_id = s.server_id order by installation_id desc limit 1) i on true
    where s.app_id = ${tenant.appId} and s.server_id = any(${textArray(serverIds)}::text[]::uuid[])`,
  );
}

export async function findOrganisation(tenant: Tenant): Promise<string | undefined> {
  const rows = await tenant.query<{ organisation_id: string }>(
    sql`select organisation_id from apps where app_id = ${tenant.appId}`,
  );
  return rows[0]?.organisation_id;
}
