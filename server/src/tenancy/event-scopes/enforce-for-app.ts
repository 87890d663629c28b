// Enables the rule for one app. The next claim checks pending deliveries. In-flight deliveries are cancelled, and start
// again if both grants allow them.
import type { TenantWork } from '../../access/authority/index.ts';
import { incrementStopEpoch } from '../../webhooks/webhooks/index.ts';
import { enforceRule } from './store.ts';

/**
 * Returns false if the rule was already enabled. The cancellation runs in that case too, because the first call may
 * have failed.
 */
export async function enforceForOneApp({ tenant, cancelInFlight }: TenantWork): Promise<boolean> {
  const isNew = await enforceRule(tenant);
  incrementStopEpoch(tenant);
  cancelInFlight({ keyId: null, serverId: null });
  return isNew;
}
