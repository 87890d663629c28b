// Applies the new state of a grant to deliveries: paused holds them, authorised releases them, revoked cancels them
// permanently.
import type { GrantState, TenantWork } from '../../access/authority/index.ts';
import {
  type ChangeCause,
  cancelDeliveriesOfServers,
  holdDeliveriesOfServers,
  releaseDeliveriesOfServers,
  type ServerGrant,
} from '../../webhooks/webhooks/index.ts';

/**
 * Above this number of servers, all in-flight attempts of the app are cancelled. Attempts that are still allowed start
 * again.
 */
const MAX_SINGLE_CANCELLATIONS = 5;

/**
 * Cancels in-flight attempts on these servers before the operation responds. A removal that changes no grant calls it
 * too: it can repeat a removal that was committed but not answered, because the wait for the workers failed.
 */
export function cancelInFlightOnServers(
  { cancelInFlight }: Pick<TenantWork, 'cancelInFlight'>,
  serverIds: readonly string[],
): void {
  const distinct = [...new Set(serverIds)];
  const cancelled = distinct.length > MAX_SINGLE_CANCELLATIONS ? [null] : distinct;
  for (const serverId of cancelled) cancelInFlight({ keyId: null, serverId });
}

/**
 * Applies the changed grants to pending deliveries and returns the number of deliveries that changed. Every scope
 * applies to the resource of some event type or to all events, so each change also cancels in-flight attempts on its
 * servers. An attempt that is still allowed starts again. The receipt of the transaction names revoked grants.
 */
export async function applyGrantChangesToDeliveries(
  context: TenantWork,
  changed: readonly ServerGrant[],
  state: GrantState,
  cause?: ChangeCause,
): Promise<number> {
  const { tenant } = context;
  if (changed.length === 0) return 0;
  if (state === 'authorised') {
    context.wakeWorkers();
    return releaseDeliveriesOfServers(tenant, changed);
  }
  cancelInFlightOnServers(
    context,
    changed.map(({ serverId }) => serverId),
  );
  if (state === 'paused') return holdDeliveriesOfServers(tenant, changed, cause);
  const cancelled = cancelDeliveriesOfServers(tenant, changed, cause);
  context.certify({ grants: changed, cancelled });
  return cancelled;
}
