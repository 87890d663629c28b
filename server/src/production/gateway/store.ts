// The SQL of the gateway: the permissions of servers, read once per change, and the organisation of an app.

import {
  currentScopes,
  type GrantState,
  INSTALLED_SERVERS,
  readRevised,
  type Scope,
  type Tenant,
} from '../../access/authority/index.ts';
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
      ${currentScopes(sql`i.app_id`, sql`i.installation_id`)} as scopes
    from ${INSTALLED_SERVERS}
    where s.app_id = ${tenant.appId} and s.server_id = any(${textArray(serverIds)}::text[]::uuid[])`,
  );
}

export async function findOrganisation(tenant: Tenant): Promise<string | undefined> {
  const rows = await tenant.query<{ organisation_id: string }>(
    sql`select organisation_id from apps where app_id = ${tenant.appId}`,
  );
  return rows[0]?.organisation_id;
}
