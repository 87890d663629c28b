// What a grant's new state means for what is on its way: paused holds, authorised releases, revoked cancels for good.
import type { GrantState, TenantWork } from '../../access/authority/index.ts';
import {
  type ChangedGrant,
  cancelDeliveriesOfServers,
  holdDeliveriesOfServers,
  releaseDeliveriesOfServers,
} from '../../webhooks/webhooks/index.ts';

/** Beyond so many everything of the app that is on its way is stopped, and what may go on begins again. */
const STOPPED_ONE_BY_ONE = 5;

/**
 * Settles deliveries that wait under the changed grants; returns their number. Every scope is the scope of some event's resource, or of
 * all events, so each change also cancels in-flight attempts on its servers. An attempt that is still allowed begins again.
 */
export async function settleDeliveries(
  context: TenantWork,
  changed: readonly ChangedGrant[],
  state: GrantState,
): Promise<number> {
  const { tenant } = context;
  if (changed.length === 0) return 0;
  if (state === 'authorised') {
    context.wakeWorkers();
    return releaseDeliveriesOfServers(tenant, changed);
  }
  const serverIds = [...new Set(changed.map(({ serverId }) => serverId))];
  const stopped = serverIds.length > STOPPED_ONE_BY_ONE ? [null] : serverIds;
  for (const serverId of stopped) context.cancelInFlight({ keyId: null, serverId });
  return state === 'paused' ? holdDeliveriesOfServers(tenant, changed) : cancelDeliveriesOfServers(tenant, changed);
}
