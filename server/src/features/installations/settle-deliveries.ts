// What a grant's new state means for what is on its way: paused holds, authorised releases, revoked cancels for good.
import type { AppContext, GrantState } from '../authority/index.ts';
import { cancelDeliveriesOfServers, holdDeliveriesOfServers, releaseDeliveriesOfServers } from '../webhooks/index.ts';

/** What whoever changes what servers allow works in. */
export type GrantContext = Pick<AppContext, 'plane' | 'tenant' | 'wakeAfterCommit' | 'stopAfterCommit'>;

/** Beyond so many everything of the app that is on its way is stopped, and what may go on begins again. */
const STOPPED_ONE_BY_ONE = 5;

/** How many deliveries waited. */
export async function settleDeliveries(
  context: GrantContext,
  serverIds: readonly string[],
  state: GrantState,
): Promise<number> {
  const { tenant } = context;
  if (serverIds.length === 0) return 0;
  if (state === 'authorised') {
    context.wakeAfterCommit();
    return releaseDeliveriesOfServers(tenant, serverIds);
  }
  const stopped = serverIds.length > STOPPED_ONE_BY_ONE ? [null] : serverIds;
  for (const serverId of stopped) context.stopAfterCommit({ keyId: null, serverId });
  return state === 'paused' ? holdDeliveriesOfServers(tenant, serverIds) : cancelDeliveriesOfServers(tenant, serverIds);
}
