// Changes the state of one scope of an installation and applies the change to its pending deliveries.

import type { GrantState, Scope, TenantWork } from '../../access/authority/index.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { applyGrantChangesToDeliveries } from './apply-grant-changes.ts';
import { updateScopes } from './bulk-store.ts';
import { type EmittedEvent, emitGrantEvents } from './grant-events.ts';
import { type InstallationRow, planGrant } from './installation.ts';
import { findInstallationRow, insertScopes } from './store.ts';

/** Changes the state, and returns the installation and its events. The caller must hold the lock of the server. */
export async function changeScope(
  context: TenantWork,
  row: InstallationRow,
  scope: Scope,
  state: GrantState,
): Promise<{ now: InstallationRow; events: EmittedEvent[] }> {
  const { tenant } = context;
  if (row.installation_id === null || row.state === 'revoked') {
    throw problem('conflict', { detail: 'The app is not installed on this server; authorise the server first.' });
  }
  const plan = planGrant(row.scopes.find((grant) => grant.scope === scope)?.state, state);
  if (plan === 'refuse')
    throw problem('conflict', {
      detail: `The server has no grant of this scope that can be ${state}. Authorise the scope first.`,
    });
  if (plan === 'keep') return { now: row, events: [] };
  const grant = { installationId: row.installation_id, scope };
  // One round trip, because mutations of the server wait from the first change on.
  const [, , , now = row, events] = await Promise.all([
    plan === 'make' && insertScopes(tenant, [grant]),
    plan === 'change' && updateScopes(tenant, [grant], state),
    applyGrantChangesToDeliveries(context, [{ serverId: row.server_id, scope }], state),
    findInstallationRow(tenant, row.server_id),
    emitGrantEvents(context),
  ]);
  return { now, events };
}
