// The switch of one app to the rule. Deliveries that wait are judged by their next claim; those in flight are stopped, and begin again where
// both grants allow them.
import type { Denial, TenantTransaction } from '../../access/authority/index.ts';
import { countStop } from '../../webhooks/webhooks/index.ts';
import { enforceRule } from './store.ts';

interface SwitchContext {
  tenant: TenantTransaction;
  stopAfterCommit(denial: Omit<Denial, 'appId'>): void;
}

/** False when the app has the rule already: it is stopped all the same, because the first switch may have broken off. */
export async function enforce({ tenant, stopAfterCommit }: SwitchContext): Promise<boolean> {
  const isNew = await enforceRule(tenant);
  countStop(tenant);
  stopAfterCommit({ keyId: null, serverId: null });
  return isNew;
}
