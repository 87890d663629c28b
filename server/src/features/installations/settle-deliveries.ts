// What a grant's new state means for what is on its way: paused holds, authorised releases, revoked cancels for good.
import type { AppContext, GrantState } from '../authority/index.ts';
import { cancelDeliveries, holdDeliveries, releaseDeliveries } from '../webhooks/index.ts';

export async function settleDeliveries(context: AppContext, serverId: string, state: GrantState): Promise<void> {
  const { tenant } = context;
  const denied = { keyId: null, serverId };
  if (state === 'authorised') {
    await releaseDeliveries(tenant, serverId);
    context.wakeAfterCommit();
    return;
  }
  if (state === 'paused') await holdDeliveries(tenant, denied, 'installation_paused');
  else await cancelDeliveries(tenant, denied, 'installation_revoked');
  context.stopAfterCommit(denied);
}
