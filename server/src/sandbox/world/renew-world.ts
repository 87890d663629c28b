// Exchanges an app's world for another in one transaction: whoever reads meanwhile sees the old one, whole, and then the
// new one, whole. Keys, records and the grants of servers that stay are kept.

import { holdApp, type TenantTransaction } from '../../access/authority/index.ts';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import { continuePublicationSequences, deletePublications } from '../../resources/publications/index.ts';
import { continueRoadmapSequences, deleteRoadmapItems } from '../../resources/roadmap/index.ts';
import { lockServerIds, removeServers } from '../../resources/servers/index.ts';
import { continueTicketSequences } from '../../resources/tickets/index.ts';
import { deleteRuns, deleteWorkflows } from '../../resources/workflows/index.ts';
import { listEventSequences, setAutomatic } from '../../tenancy/installations/index.ts';
import { cancelDeliveriesOfServers } from '../../webhooks/webhooks/index.ts';
import { fillTickets, fillWorld, inSets, planWorld } from './make-world.ts';
import { continueServerSequences, lockWorld, planForGrowth, takeOwnSlot, tryResetLock, upsertWorld } from './store.ts';
import { FIRST_WORLD, type WorldSpec } from './world.ts';

export interface Renewal {
  spec: WorldSpec;
  /** The servers that are no more, and the grants with them. */
  vanished: number;
  /** The number of the last event of each installation that ended with its server. */
  ended: ReadonlyMap<string, number>;
}

export const beingReset = (): ProblemError =>
  problem('conflict', { detail: 'The world of this app is being reset. Try again when that is over.' });

export async function renewWorld(tenant: TenantTransaction, wish: Partial<WorldSpec>): Promise<Renewal> {
  if (!(await tryResetLock(tenant))) throw beingReset();
  planForGrowth(tenant);
  // Mutations go on until the app is held, each with a slot of its revisions that it waits for: never for ours.
  takeOwnSlot(tenant);
  setAutomatic(tenant, 'The world was reset.');
  const current = await lockWorld(tenant);
  const spec = specOf(wish, current);
  const plan = planWorld(tenant.appId, spec);
  // In this order: the servers are held before anything is counted, as by whoever changes what one of them allows.
  const before = await lockServerIds(tenant);
  for (const serverIds of inSets(before)) {
    await deletePublications(tenant, serverIds);
    await deleteRoadmapItems(tenant, serverIds);
  }
  await fillWorld(tenant, plan, new Set(before));
  // Up to here the app's mutations go on; what they write to comes last, and they wait for that.
  await holdApp(tenant);
  await deleteRuns(tenant);
  await fillTickets(tenant, plan);
  const after = new Set(plan.servers.map((server) => server.serverId));
  const vanished = before.filter((serverId) => !after.has(serverId));
  const ended = await endServers(tenant, vanished);
  await continuePublicationSequences(tenant);
  await continueRoadmapSequences(tenant);
  await continueTicketSequences(tenant);
  await continueServerSequences(tenant);
  await upsertWorld(tenant, spec);
  return { spec, vanished: vanished.length, ended };
}

const specOf = (wish: Partial<WorldSpec>, current: WorldSpec = FIRST_WORLD): WorldSpec => ({
  preset: wish.preset ?? current.preset,
  seed: wish.seed ?? current.seed,
  epoch: wish.epoch ?? current.epoch,
});

async function endServers(tenant: TenantTransaction, vanished: readonly string[]): Promise<Renewal['ended']> {
  const ended = new Map<string, number>();
  if (vanished.length === 0) return ended;
  await cancelDeliveriesOfServers(
    tenant,
    vanished.map((serverId) => ({ serverId, scope: null })),
  );
  for (const serverIds of inSets(vanished)) {
    for (const [installationId, last] of await listEventSequences(tenant, serverIds)) ended.set(installationId, last);
    await deleteWorkflows(tenant, serverIds);
    await removeServers(tenant, serverIds);
  }
  return ended;
}
