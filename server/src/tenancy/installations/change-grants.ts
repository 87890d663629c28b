// Changes grants on behalf of a member: in the sandbox as the owner of the servers, in production by restrictions.

import {
  type GrantState,
  type ManagedAppContext,
  SCOPES,
  type Scope,
  type TenantWork,
} from '../../access/authority/index.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { applyGrantChangesToDeliveries, cancelInFlightOnServers } from './apply-grant-changes.ts';
import { type BulkPlan, planBulk } from './bulk-change.ts';
import { updateInstallations, updateScopes } from './bulk-store.ts';
import { type EmittedEvent, emitGrantEvents } from './grant-events.ts';
import type { InstallationRow, NewGrantState } from './installation.ts';
import { recordReason } from './record-reason.ts';
import { restrictServer } from './restrict-servers.ts';
import { findInstallationRow, insertInstallations, insertScopes, lockInstallationRow } from './store.ts';

/** Sets one grant of a server, or the installation as a whole if the scope is null. */
export async function setGrant(
  context: ManagedAppContext,
  serverId: string,
  scope: Scope | null,
  { state, reason }: NewGrantState,
): Promise<InstallationRow> {
  const { plane, tenant } = context;
  recordReason(tenant, reason);
  const row = await lockInstallationRow(tenant, serverId);
  if (!row) throw problem('not_found');
  if (plane.environment === 'production') return restrictServer(context, row, scope, state);
  return (await changeGrant(context, row, scope, state)).now;
}

/** Changes one grant in the sandbox, and returns the installation and the events. The caller must hold the server's lock. */
export async function changeGrant(
  context: TenantWork,
  row: InstallationRow,
  scope: Scope | null,
  state: GrantState,
): Promise<{ now: InstallationRow; events: EmittedEvent[] }> {
  const { server_id: serverId } = row;
  const change = { state, includeRevoked: true, ...(scope !== null && { scopes: [scope] }) };
  const plan = planBulk(change, [serverId], new Map([[serverId, row]]));
  const reason = plan.items[0]?.reason;
  if (reason) throw problem('conflict', { detail: explainImpossible(reason === 'not_installed', scope, state) });
  if (plan.changedGrants.length === 0) {
    if (state !== 'authorised') cancelInFlightOnServers(context, [serverId]);
    return { now: row, events: [] };
  }
  const [{ events }, now = row] = await Promise.all([
    executePlan(context, plan, state),
    findInstallationRow(context.tenant, serverId),
  ]);
  return { now, events };
}

function explainImpossible(isNotInstalled: boolean, scope: Scope | null, state: GrantState): string {
  if (isNotInstalled) return 'The app is not installed on this server; authorise the server first.';
  return scope === null
    ? `The app has no installation on this server that can be ${state}. Authorise the server first.`
    : `The server has no grant of this scope that can be ${state}. Authorise the scope first.`;
}

/** Writes the planned rows. Returns the number of affected pending deliveries, and the events of the change. */
export async function executePlan(
  context: TenantWork,
  plan: BulkPlan,
  state: GrantState,
): Promise<{ deliveries: number; events: EmittedEvent[] }> {
  const { tenant } = context;
  // One round trip, because mutations of the servers wait from the first change on.
  const [, , , , deliveries, events] = await Promise.all([
    plan.make.length > 0 && insertInstallations(tenant, plan.make, SCOPES),
    plan.change.length > 0 && updateInstallations(tenant, plan.change, state),
    plan.makeScopes.length > 0 && insertScopes(tenant, plan.makeScopes),
    plan.changeScopes.length > 0 && updateScopes(tenant, plan.changeScopes, state),
    applyGrantChangesToDeliveries(context, plan.changedGrants, state),
    emitGrantEvents(context),
  ]);
  return { deliveries, events };
}
