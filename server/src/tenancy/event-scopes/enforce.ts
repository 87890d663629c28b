// Switches one app to the rule. The next claim judges waiting deliveries. In-flight deliveries are cancelled, and begin again if both
// grants allow them.
import type { TenantWork } from '../../access/authority/index.ts';
import { countStop } from '../../webhooks/webhooks/index.ts';
import { enforceRule } from './store.ts';

/** False when the app has the rule already: it is stopped all the same, because the first switch may have broken off. */
export async function enforce({ tenant, cancelInFlight }: TenantWork): Promise<boolean> {
  const isNew = await enforceRule(tenant);
  countStop(tenant);
  cancelInFlight({ keyId: null, serverId: null });
  return isNew;
}
