// The SQL of organisations' restrictions in production, and of the statements to which the restrictions apply.

import type { GrantState, Tenant } from '../../access/authority/index.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';
import type { RestrictionTarget } from './restriction.ts';

const WHOLE_SERVER = '*';

/** Writes the restrictions. A trigger applies each restriction to the grants. */
export async function upsertRestrictions(
  tenant: Tenant,
  cells: readonly RestrictionTarget[],
  state: GrantState,
): Promise<void> {
  await tenant.query(sql`
    insert into installation_restrictions (app_id, server_id, scope, state)
    select ${tenant.appId}::uuid, server_id::uuid, scope, ${state}
    from unnest(${textArray(cells.map((cell) => cell.serverId))}::text[],
      ${textArray(cells.map((cell) => cell.scope ?? WHOLE_SERVER))}::text[]) as meant (server_id, scope)
    on conflict (app_id, server_id, scope) do update
      set state = excluded.state, at = excluded.at, actor = excluded.actor, reason = excluded.reason`);
}

/** Removes the restrictions. The grants keep their states until they are written. */
export async function deleteRestrictions(tenant: Tenant, cells: readonly RestrictionTarget[]): Promise<void> {
  await tenant.query(sql`
    delete from installation_restrictions r
    using unnest(${textArray(cells.map((cell) => cell.serverId))}::text[],
      ${textArray(cells.map((cell) => cell.scope ?? WHOLE_SERVER))}::text[]) as meant (server_id, scope)
    where r.app_id = ${tenant.appId} and r.server_id = meant.server_id::uuid and r.scope = meant.scope`);
}

/** Stores statements for servers without a known complete statement. */
export async function insertStatements(
  tenant: Tenant,
  statements: readonly { serverId: string; state: GrantState; scopes: object; isOverCap: boolean }[],
): Promise<void> {
  await tenant.query(sql`
    insert into upstream_installations as u (app_id, server_id, version, stated_version, state, scopes, is_over_cap)
    select ${tenant.appId}::uuid, server_id::uuid, 0, 0, state, scopes::jsonb, is_over_cap::boolean
    from unnest(${textArray(statements.map((one) => one.serverId))}::text[],
      ${textArray(statements.map((one) => one.state))}::text[],
      ${textArray(statements.map((one) => JSON.stringify(one.scopes)))}::text[],
      ${textArray(statements.map((one) => String(one.isOverCap)))}::text[]) as stated (server_id, state, scopes, is_over_cap)
    on conflict (app_id, server_id) do update set stated_version = u.version, state = excluded.state,
      scopes = excluded.scopes, is_over_cap = excluded.is_over_cap
      where u.stated_version is distinct from u.version`);
}
