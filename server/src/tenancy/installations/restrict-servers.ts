// Applies a change of the organisation's restrictions in production. The upstream API is not called.

import type { GrantState, Scope, TenantWork } from '../../access/authority/index.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { countDeliveriesOfServers } from '../../webhooks/webhooks/index.ts';
import { applyGrantChangesToDeliveries, cancelInFlightOnServers } from './apply-grant-changes.ts';
import { updateInstallations, updateScopes } from './bulk-store.ts';
import { emitGrantEvents } from './grant-events.ts';
import type { InstallationRow } from './installation.ts';
import { planRestrictions, type RestrictionPlan, STATES } from './plan-restrictions.ts';
import { statementOf } from './restriction.ts';
import { deleteRestrictions, insertStatements, upsertRestrictions } from './restriction-store.ts';
import { findInstallationRow, insertInstallations, insertScopes } from './store.ts';

const WITHHELD_DETAILS = {
  upstream_withholds:
    'The upstream API withholds the grant, and only the upstream API can grant it. Your organisation does not restrict it.',
  over_cap:
    'The app has as many servers as it is approved for. The waiting server with the oldest installation goes on when another pauses or revokes its authorisation, or when more servers are approved under Live access. A server that your organisation withholds keeps its place.',
} as const;

/**
 * Gives a server, or one scope on it, the requested state as far as the upstream API allows. The caller must hold the
 * lock of the server.
 */
export async function restrictServer(
  context: TenantWork,
  row: InstallationRow,
  scope: Scope | null,
  state: GrantState,
): Promise<InstallationRow> {
  const { server_id: serverId } = row;
  const change = { state, includeRevoked: true, ...(scope !== null && { scopes: [scope] }) };
  const plan = planRestrictions(change, [serverId], new Map([[serverId, row]]));
  const reason = plan.items[0]?.reason;
  if (reason === 'upstream_withholds' || reason === 'over_cap')
    throw problem('conflict', { detail: WITHHELD_DETAILS[reason] });
  if (plan.items[0]?.outcome === 'changed') await executeRestrictionPlan(context, plan, state);
  else if (state !== 'authorised') cancelInFlightOnServers(context, [serverId]);
  return (await findInstallationRow(context.tenant, serverId)) ?? row;
}

/** Returns the number of pending deliveries that the change would affect. */
export async function countAffectedDeliveries(
  { tenant }: Pick<TenantWork, 'tenant'>,
  { changedGrants }: RestrictionPlan,
): Promise<number> {
  const counts = STATES.map((state) => countDeliveriesOfServers(tenant, changedGrants[state], state));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Writes the planned rows and returns the number of affected pending deliveries. */
export async function executeRestrictionPlan(
  context: TenantWork,
  plan: RestrictionPlan,
  state: GrantState,
): Promise<number> {
  const { tenant } = context;
  // One round trip, because mutations of the servers wait from the first change on.
  const writes = [
    plan.unstated.length > 0 && insertStatements(tenant, plan.unstated.map(toStatement)),
    plan.restrict.length > 0 && upsertRestrictions(tenant, plan.restrict, state),
    plan.lift.length > 0 && deleteRestrictions(tenant, plan.lift),
    ...groupByScopes(plan.make).map(({ serverIds, scopes }) => insertInstallations(tenant, serverIds, scopes)),
    plan.makeScopes.length > 0 && insertScopes(tenant, plan.makeScopes),
    ...STATES.map((one) => plan.change[one].length > 0 && updateInstallations(tenant, plan.change[one], one)),
    ...STATES.map((one) => plan.changeScopes[one].length > 0 && updateScopes(tenant, plan.changeScopes[one], one)),
  ];
  // A lifted restriction leaves the state that the upstream API states.
  const cause = state === 'authorised' ? 'server' : 'organisation';
  const deliveryCounts = STATES.map((one) =>
    applyGrantChangesToDeliveries(context, plan.changedGrants[one], one, cause),
  );
  const [counts] = await Promise.all([Promise.all(deliveryCounts), Promise.all(writes), emitGrantEvents(context)]);
  return counts.reduce((sum, count) => sum + count, 0);
}

function toStatement(row: InstallationRow) {
  const { state, scopes } = statementOf(row);
  const byScope = Object.fromEntries(scopes.map((grant) => [grant.scope, grant.state]));
  return { serverId: row.server_id, state, scopes: byScope, isOverCap: row.is_over_cap ?? false };
}

/** Groups servers with the same scopes, so that one SQL statement inserts each group. */
function groupByScopes(make: RestrictionPlan['make']): { serverIds: string[]; scopes: readonly Scope[] }[] {
  const groups = new Map<string, { serverIds: string[]; scopes: readonly Scope[] }>();
  for (const { serverId, scopes } of make) {
    const group = groups.get(scopes.join()) ?? { serverIds: [], scopes };
    group.serverIds.push(serverId);
    groups.set(scopes.join(), group);
  }
  return [...groups.values()];
}
