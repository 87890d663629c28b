// The SQL of the scopes that an event requires, derived from the table of event types.

import {
  grantedCondition,
  listGrants,
  type ResourceGrant,
  selectGrant,
  type Tenant,
} from '../../access/authority/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { EVENT_KINDS, EVENT_SCOPE, EVENT_TYPES, type ResourceScope, TYPES_WITHOUT_RESOURCE } from './event-types.ts';

const TYPES_WITH_RESOURCE = EVENT_TYPES.filter((type) => EVENT_KINDS[type].scope !== null);
const RESOURCE_TYPE_SCOPES = TYPES_WITH_RESOURCE.map((type) => EVENT_KINDS[type].scope);

/**
 * Selects the scope of the resource in an event of this type; null without a resource. A type that this process does
 * not know gets a scope that no server grants: access fails closed.
 */
export const resourceScopeOf = (
  type: Sql,
): Sql => sql`case when ${type} = any(${TYPES_WITHOUT_RESOURCE}::text[]) then null
  else coalesce((${RESOURCE_TYPE_SCOPES}::text[])[array_position(${TYPES_WITH_RESOURCE}::text[], ${type})], '') end`;

/**
 * Selects whether the app enforces the scopes of events. The subselect is separate, so that Postgres runs it once per
 * statement.
 */
const isEnforced = (appId: Sql): Sql => sql`(select enforces_event_scopes from apps where app_id = ${appId})`;

const isApproved = (appId: Sql, scope: Sql): Sql =>
  sql`${scope} = any((select approved_scopes from apps where app_id = ${appId})::text[])`;

/**
 * Builds the condition that installation i grants the app an event whose resource has this scope. It allows the same
 * events as GRANT_RULES and RESOURCE_RULES. Postgres omits other events from a list.
 */
export const isEventGranted = (scope: Sql, appId: Sql): Sql => sql`${grantedCondition(EVENT_SCOPE)}
  and (not ${isEnforced(appId)} or ${scope} is null or (${isApproved(appId, scope)} and exists (
    select from installation_scopes r where r.app_id = i.app_id and r.installation_id = i.installation_id
      and r.scope = ${scope} and r.state = 'authorised')))`;

/** Selects the ResourceGrant of a scope on a server as JSON, or null if the scope of the resource is not checked. */
export const resourceGrantOf = (scope: Sql, { appId, serverId }: { appId: Sql; serverId: Sql }): Sql => sql`
  case when ${scope} is not null and ${isEnforced(appId)} then (select json_build_object(
    'is_approved', ${isApproved(appId, scope)}, 'scope_state', g.scope_state,
    'scope_restriction', g.scope_restriction, 'upstream_scope_state', g.upstream_scope_state)
    from (select) always left join (${selectGrant({ appId, serverId, scope })}) g on true) end`;

/** Returns true if the app enforces the scopes of events, and false if it is still under the earlier rule. */
export async function enforcesEventScopes(tenant: Tenant): Promise<boolean> {
  const rows = await tenant.query<{ is_enforced: boolean | null }>(
    sql`select ${isEnforced(sql`${tenant.appId}`)} as is_enforced`,
  );
  return rows[0]?.is_enforced ?? true;
}

async function isScopeApproved(tenant: Tenant, scope: ResourceScope): Promise<boolean> {
  const rows = await tenant.query<{ is_approved: boolean | null }>(
    sql`select ${isApproved(sql`${tenant.appId}`, sql`${scope}`)} as is_approved`,
  );
  return rows[0]?.is_approved ?? false;
}

/** Lists the grants of a resource's scope by server, newest first, or returns the grant of one server. */
export async function listResourceGrants(
  tenant: Tenant,
  of: { scope: ResourceScope; serverId: string | undefined },
  limit: number,
): Promise<Map<string, ResourceGrant>> {
  const is_approved = await isScopeApproved(tenant, of.scope);
  const grants = await listGrants(tenant, of, limit);
  return new Map(grants.map((grant) => [grant.server_id, { ...grant, is_approved }]));
}

export async function findResourceGrant(
  tenant: Tenant,
  serverId: string,
  scope: ResourceScope,
): Promise<ResourceGrant | undefined> {
  return (await listResourceGrants(tenant, { scope, serverId }, 1)).get(serverId);
}
