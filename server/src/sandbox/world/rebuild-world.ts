// Replaces an app's world in one transaction: concurrent readers see the complete old world, and then the complete new
// one. Keys, records and the grants of servers that stay are kept.

import { lockApp, type TenantTransaction } from '../../access/authority/index.ts';
import { type InstalledResource, resources } from '../../access/contracts/index.ts';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import { deleteAllObjects, deleteObjects } from '../../resources/objects/index.ts';
import { lockServerIds, removeServers } from '../../resources/servers/index.ts';
import { deleteTicketNumbers } from '../../resources/tickets/index.ts';
import { listEventSequences, markChangesAutomatic } from '../../tenancy/installations/index.ts';
import { cancelDeliveriesOfServers } from '../../webhooks/webhooks/index.ts';
import { hasStoredObjects, replaceObjects, splitIntoBatches } from './fill-objects.ts';
import { fillMade, fillWorld, planWorld } from './make-world.ts';
import { continueSequences, lockWorld, planForGrowth, tryResetLock, upsertWorld, useOwnRevisionSlot } from './store.ts';
import { DEFAULT_WORLD, type WorldSpec } from './world.ts';

/** The resources below servers, with objects before the objects to which they refer. */
const BELOW_SERVERS = resources.filter(({ parent }) => parent).toReversed();
const MADE = BELOW_SERVERS.filter(({ origin }) => origin === 'made');
const SEEDED = BELOW_SERVERS.filter(({ origin }) => origin === 'seeded');
const isReferred = (resource: InstalledResource): boolean => MADE.some(({ parent }) => parent === resource);
/** Objects to which objects of the app refer cannot be deleted before the app is locked. They get new values. */
const KEPT = SEEDED.filter(isReferred);
const REPLACED = SEEDED.filter((resource) => !isReferred(resource));

interface WorldRebuild {
  spec: WorldSpec;
  /** The number of servers that were removed with their grants. */
  vanished: number;
  /** The sequence number of the last event, by installation that ended with its server. */
  ended: ReadonlyMap<string, number>;
}

export const resetInProgress = (): ProblemError =>
  problem('conflict', { detail: 'The world of this app is being reset. Try again when that is over.' });

export async function rebuildWorld(tenant: TenantTransaction, input: Partial<WorldSpec>): Promise<WorldRebuild> {
  if (!(await tryResetLock(tenant))) throw resetInProgress();
  planForGrowth(tenant);
  // Mutations continue until the app is locked, and each waits for a slot of the revisions. With its own slot the reset
  // never blocks them.
  useOwnRevisionSlot(tenant);
  markChangesAutomatic(tenant, 'The world was reset.');
  const current = await lockWorld(tenant);
  const spec = specOf(input, current);
  if (hasStoredObjects) {
    const vanished = await replaceObjects(tenant, spec);
    const ended = await removeVanishedServers(tenant, vanished, []);
    await continueSequences(tenant);
    await upsertWorld(tenant, spec);
    return { spec, vanished: vanished.length, ended };
  }
  const plan = planWorld(tenant.appId, spec);
  // The order matters: servers are locked before anything is counted, as in every change of a server's grants.
  const before = await lockServerIds(tenant);
  for (const serverIds of splitIntoBatches(before)) {
    for (const { kind } of REPLACED) await deleteObjects(tenant, kind, serverIds);
  }
  await fillWorld(tenant, plan, new Set(before));
  // Mutations of the app continue up to here. The tables that they write come last, and they wait from here on.
  await lockApp(tenant);
  for (const { kind } of MADE) await deleteAllObjects(tenant, kind);
  await deleteTicketNumbers(tenant);
  await fillMade(tenant, plan);
  const after = new Set(plan.servers.map((server) => server.serverId));
  const vanished = before.filter((serverId) => !after.has(serverId));
  const ended = await removeVanishedServers(tenant, vanished, KEPT);
  await continueSequences(tenant);
  await upsertWorld(tenant, spec);
  return { spec, vanished: vanished.length, ended };
}

const specOf = (input: Partial<WorldSpec>, current: WorldSpec = DEFAULT_WORLD): WorldSpec => ({
  preset: input.preset ?? current.preset,
  seed: input.seed ?? current.seed,
  epoch: input.epoch ?? current.epoch,
});

async function removeVanishedServers(
  tenant: TenantTransaction,
  vanished: readonly string[],
  withObjects: readonly InstalledResource[],
): Promise<WorldRebuild['ended']> {
  const ended = new Map<string, number>();
  if (vanished.length === 0) return ended;
  await cancelDeliveriesOfServers(
    tenant,
    vanished.map((serverId) => ({ serverId, scope: null })),
  );
  for (const serverIds of splitIntoBatches(vanished)) {
    for (const [installationId, last] of await listEventSequences(tenant, serverIds)) ended.set(installationId, last);
    for (const { kind } of withObjects) await deleteObjects(tenant, kind, serverIds);
    await removeServers(tenant, serverIds);
  }
  return ended;
}
