// Changes the state of an installation and applies the change to its pending deliveries.

import { type GrantState, SCOPES, type Scope, type TenantWork } from '../../access/authority/index.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { applyGrantChangesToDeliveries } from './apply-grant-changes.ts';
import { updateInstallations } from './bulk-store.ts';
import { type EmittedEvent, emitGrantEvents } from './grant-events.ts';
import { type InstallationRow, planGrant } from './installation.ts';
import { findInstallationRow, insertInstallations } from './store.ts';

/** Changes the state, and returns the installation and its events. The caller must hold the lock of the server. */
export async function changeInstallation(
  context: TenantWork,
  row: InstallationRow,
  wanted: GrantState,
): Promise<{ now: InstallationRow; events: EmittedEvent[] }> {
  // One round trip, because mutations of the server wait from the first change on.
  const [now, events] = await Promise.all([
    changeInstallationWithoutEvents(context, row, wanted),
    emitGrantEvents(context),
  ]);
  return { now, events };
}

/** Changes the state without emitting events, for a call with further changes of the same server. */
export async function changeInstallationWithoutEvents(
  context: TenantWork,
  row: InstallationRow,
  wanted: GrantState,
  scopes: readonly Scope[] = SCOPES,
): Promise<InstallationRow> {
  const { tenant } = context;
  const plan = planGrant(row.state ?? undefined, wanted);
  if (plan === 'refuse')
    throw problem('conflict', {
      detail: `The app has no installation on this server that can be ${wanted}. Authorise the server first.`,
    });
  if (plan === 'keep') return row;
  const [, , , now = row] = await Promise.all([
    plan === 'make' && insertInstallations(tenant, [row.server_id], scopes),
    plan === 'change' && row.installation_id && updateInstallations(tenant, [row.installation_id], wanted),
    applyGrantChangesToDeliveries(context, [{ serverId: row.server_id, scope: null }], wanted),
    findInstallationRow(tenant, row.server_id),
  ]);
  return now;
}
