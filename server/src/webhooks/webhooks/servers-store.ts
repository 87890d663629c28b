// The SQL that applies a change of grants on many servers to waiting deliveries. Each function returns the number of
// examined deliveries that it changes.

import type { GrantState, Scope, Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { EVENT_SCOPE, resourceScopeOf } from '../../resources/events/index.ts';
import { CANCELLED_AT_ONCE, cancelSome, countStop, holdSome, lookedAt, releaseSome } from './stop-store.ts';

/** Names a changed grant on a server: one scope, or with null the installation as a whole. */
export interface ChangedGrant {
  serverId: string;
  scope: Scope | null;
}

/** The queue states of the deliveries that change when a grant gets this state. */
const CONCERNED: Record<GrantState, readonly string[]> = {
  authorised: ['held'],
  paused: ['waiting'],
  revoked: ['waiting', 'held'],
};

const isOfAllEvents = ({ scope }: ChangedGrant): boolean => scope === null || scope === EVENT_SCOPE;

/** Selects the servers on which all events are affected, because the installation or `events:read` changes. */
const wholeServers = (changed: readonly ChangedGrant[]): Sql =>
  sql`${textArray(changed.filter(isOfAllEvents).map(({ serverId }) => serverId))}::text[]::uuid[]`;

/**
 * Selects the scope of a queue row. A row of an earlier version names no scope; its event then determines the scope.
 */
export const SCOPE_OF_QUEUED: Sql = sql`coalesce(resource_scope, (select ${resourceScopeOf(sql`ev.type`)} from events ev
  where ev.app_id = looked.app_id and ev.event_id = looked.event_id))`;

/** Selects events with a resource of the changed scopes, if the app enforces them. */
function isOfResource(tenant: Tenant, changed: readonly ChangedGrant[]): Sql {
  const pairs = changed.filter((one) => !isOfAllEvents(one)).map(({ serverId, scope }) => `${serverId} ${scope}`);
  if (pairs.length === 0) return sql`false`;
  return sql`(select enforces_event_scopes from apps where app_id = ${tenant.appId})
    and server_id::text || ' ' || ${SCOPE_OF_QUEUED} = any(${textArray(pairs)}::text[])`;
}

const concerned = (tenant: Tenant, changed: readonly ChangedGrant[], state: GrantState): Sql => sql`
  state = any(${textArray(CONCERNED[state])}::text[])
  and (server_id = any(${wholeServers(changed)}) or (${isOfResource(tenant, changed)}))`;

/** Selects the reason for delivery d. */
const reasonOf = (changed: readonly ChangedGrant[], state: 'paused' | 'revoked'): Sql => sql`
  case when d.server_id = any(${wholeServers(changed)}) then ${`installation_${state}`} else ${`resource_scope_${state}`} end`;

export async function countDeliveriesOfServers(
  tenant: Tenant,
  changed: readonly ChangedGrant[],
  state: GrantState,
): Promise<number> {
  const rows = await tenant.query<{ count: number }>(
    sql`select count(*)::int as count from ${lookedAt(tenant)} where ${concerned(tenant, changed, state)}`,
  );
  const found = rows[0]?.count ?? 0;
  return state === 'revoked' ? Math.min(found, CANCELLED_AT_ONCE) : found;
}

/** Cancels waiting deliveries. In-flight attempts are stopped after the commit. */
export function cancelDeliveriesOfServers(
  tenant: TenantTransaction,
  changed: readonly ChangedGrant[],
): Promise<number> {
  countStop(tenant);
  return cancelSome(tenant, concerned(tenant, changed, 'revoked'), reasonOf(changed, 'revoked'));
}

/** Holds waiting deliveries until they are released. */
export function holdDeliveriesOfServers(tenant: TenantTransaction, changed: readonly ChangedGrant[]): Promise<number> {
  countStop(tenant);
  return holdSome(tenant, concerned(tenant, changed, 'paused'), reasonOf(changed, 'paused'));
}

/** Releases held deliveries. */
export function releaseDeliveriesOfServers(
  tenant: TenantTransaction,
  changed: readonly ChangedGrant[],
): Promise<number> {
  return releaseSome(tenant, concerned(tenant, changed, 'authorised'));
}
