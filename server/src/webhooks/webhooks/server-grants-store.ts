// The SQL that applies a change of grants on many servers to waiting deliveries. Each function returns the number of
// examined deliveries that it changes.

import type { GrantState, Scope, Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { EVENT_SCOPE, resourceScopeOf } from '../../resources/events/index.ts';
import {
  cancelMatching,
  examinedDeliveries,
  holdMatching,
  incrementStopEpoch,
  MAX_CANCELLED_PER_CHANGE,
  releaseMatching,
} from './access-change-store.ts';
import type { DeliveryReason } from './delivery.ts';

/** Names a changed grant on a server: one scope, or with null the installation as a whole. */
export interface ServerGrant {
  serverId: string;
  scope: Scope | null;
}

/** The queue states of the deliveries that change when a grant gets this state. */
const AFFECTED_STATES: Record<GrantState, readonly string[]> = {
  authorised: ['held'],
  paused: ['waiting'],
  revoked: ['waiting', 'held'],
};

const affectsAllEvents = ({ scope }: ServerGrant): boolean => scope === null || scope === EVENT_SCOPE;

/** Selects the servers on which all events are affected, because the installation or `events:read` changes. */
const fullyAffectedServers = (changed: readonly ServerGrant[]): Sql =>
  sql`${textArray(changed.filter(affectsAllEvents).map(({ serverId }) => serverId))}::text[]::uuid[]`;

/**
 * Selects the scope of a queue row. A row of an earlier version names no scope; its event then determines the scope.
 */
export const QUEUED_SCOPE: Sql = sql`coalesce(resource_scope, (select ${resourceScopeOf(sql`ev.type`)} from events ev
  where ev.app_id = examined.app_id and ev.event_id = examined.event_id))`;

/** Selects events with a resource of the changed scopes, if the app enforces them. */
function hasAffectedResource(tenant: Tenant, changed: readonly ServerGrant[]): Sql {
  const pairs = changed.filter((one) => !affectsAllEvents(one)).map(({ serverId, scope }) => `${serverId} ${scope}`);
  if (pairs.length === 0) return sql`false`;
  return sql`(select enforces_event_scopes from apps where app_id = ${tenant.appId})
    and server_id::text || ' ' || ${QUEUED_SCOPE} = any(${textArray(pairs)}::text[])`;
}

const isAffected = (tenant: Tenant, changed: readonly ServerGrant[], state: GrantState): Sql => sql`
  state = any(${textArray(AFFECTED_STATES[state])}::text[])
  and (server_id = any(${fullyAffectedServers(changed)}) or (${hasAffectedResource(tenant, changed)}))`;

/** The cause of a change: the server or the upstream API, or a restriction of the organisation in production. */
export type ChangeCause = 'server' | 'organisation';

/** Selects the reason for delivery d. */
function reasonOf(changed: readonly ServerGrant[], state: 'paused' | 'revoked', cause: ChangeCause): Sql {
  const withheld = cause === 'organisation' ? (`${state}_by_organisation` as const) : state;
  const ofAll: DeliveryReason = `installation_${withheld}`;
  const ofResource: DeliveryReason = `resource_scope_${withheld}`;
  return sql`case when d.server_id = any(${fullyAffectedServers(changed)}) then ${ofAll} else ${ofResource} end`;
}

export async function countDeliveriesOfServers(
  tenant: Tenant,
  changed: readonly ServerGrant[],
  state: GrantState,
): Promise<number> {
  const rows = await tenant.query<{ count: number }>(
    sql`select count(*)::int as count from ${examinedDeliveries(tenant)} where ${isAffected(tenant, changed, state)}`,
  );
  const found = rows[0]?.count ?? 0;
  return state === 'revoked' ? Math.min(found, MAX_CANCELLED_PER_CHANGE) : found;
}

/** Cancels waiting deliveries. In-flight attempts are stopped after the commit. */
export function cancelDeliveriesOfServers(
  tenant: TenantTransaction,
  changed: readonly ServerGrant[],
  cause: ChangeCause = 'server',
): Promise<number> {
  incrementStopEpoch(tenant);
  return cancelMatching(tenant, isAffected(tenant, changed, 'revoked'), reasonOf(changed, 'revoked', cause));
}

/** Holds waiting deliveries until they are released. */
export function holdDeliveriesOfServers(
  tenant: TenantTransaction,
  changed: readonly ServerGrant[],
  cause: ChangeCause = 'server',
): Promise<number> {
  incrementStopEpoch(tenant);
  return holdMatching(tenant, isAffected(tenant, changed, 'paused'), reasonOf(changed, 'paused', cause));
}

/** Releases held deliveries. */
export function releaseDeliveriesOfServers(
  tenant: TenantTransaction,
  changed: readonly ServerGrant[],
): Promise<number> {
  return releaseMatching(tenant, isAffected(tenant, changed, 'authorised'));
}
