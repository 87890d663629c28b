// Creates a world from the declarations of the resources, in sets of servers. So 10,000 servers take seconds and the
// process stays responsive.
import { setImmediate } from 'node:timers/promises';
import type { Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { type InstalledResource, resources, servers as serverResource } from '../../access/contracts/index.ts';
import { insertObjects, parentOf, type SyntheticObject, syntheticObjects } from '../../resources/objects/index.ts';
import { type SyntheticServer, syntheticServers } from '../../resources/servers/index.ts';
import { countTicketNumbers } from '../../resources/tickets/index.ts';
import { authoriseServers, markChangesAutomatic } from '../../tenancy/installations/index.ts';
import { fillObjects, hasStoredObjects, splitIntoBatches } from './fill-objects.ts';
import { upsertWorld } from './store.ts';
import { PRESET_KINDS, type WorldSize, type WorldSpec } from './world.ts';

const BELOW_SERVERS = resources.filter(({ parent, sandbox }) => parent && sandbox);
/** The objects on servers that the sandbox makes, and those that it makes in the place of the app. */
const SEEDED = BELOW_SERVERS.filter(({ origin }) => origin === 'seeded');
const MADE = BELOW_SERVERS.filter(({ origin }) => origin === 'made');

interface WorldPlan {
  servers: SyntheticServer[];
  /** Returns the objects of a resource on a server. */
  objectsOf(resource: InstalledResource, server: SyntheticServer): SyntheticObject[];
}

/** Returns the content of a world: a pure function of the app and the world's spec. */
export function planWorld(
  appId: string,
  spec: WorldSpec,
  size: WorldSize = PRESET_KINDS[spec.preset].counts,
): WorldPlan {
  const { script } = PRESET_KINDS[spec.preset];
  const sizes: Readonly<Record<string, number>> = size;
  function objectsOf(resource: InstalledResource, server: SyntheticServer): SyntheticObject[] {
    const { parent, plural, sandbox } = resource;
    if (!parent) return [server];
    const count = sizes[plural] ?? sandbox?.count ?? 0;
    return objectsOf(parent, server).flatMap((one) => syntheticObjects(resource, parentOf(parent, one), count, script));
  }
  const world = { appId, seed: spec.seed, epoch: spec.epoch, script };
  return { servers: syntheticServers(world, size.servers), objectsOf };
}

/** Creates the world of an app that has none. */
export async function makeWorld(tenant: TenantTransaction, spec: WorldSpec, size?: WorldSize): Promise<void> {
  markChangesAutomatic(tenant, 'The world was made.');
  if (hasStoredObjects) await fillObjects(tenant, spec);
  else {
    const plan = planWorld(tenant.appId, spec, size);
    await fillWorld(tenant, plan, new Set());
    await fillMade(tenant, plan);
  }
  await upsertWorld(tenant, spec);
}

/**
 * Creates the servers with their seeded objects. `existing` are servers that already exist; their grants stay unchanged.
 */
export async function fillWorld(tenant: Tenant, plan: WorldPlan, existing: ReadonlySet<string>): Promise<void> {
  await storeBatches(tenant, plan, SEEDED, async (servers, storeRows) => {
    await insertObjects(tenant, serverResource, servers);
    await storeRows();
    const fresh = servers.map((server) => server.serverId).filter((id) => !existing.has(id));
    if (fresh.length > 0) await authoriseServers(tenant, fresh);
  });
}

/** Creates the objects that apps make. The app has none. */
export async function fillMade(tenant: Tenant, plan: WorldPlan): Promise<void> {
  await storeBatches(tenant, plan, MADE, (_servers, storeRows) => storeRows());
  await countTicketNumbers(tenant);
}

/** Makes the objects of a batch of servers while Postgres stores those of the previous batch. */
async function storeBatches(
  tenant: Tenant,
  plan: WorldPlan,
  of: readonly InstalledResource[],
  store: (servers: SyntheticServer[], storeRows: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let stored = Promise.resolve();
  for (const servers of splitIntoBatches(plan.servers)) {
    const made = await makeRows(plan, servers, of);
    await stored;
    stored = store(servers, async () => {
      for (const [resource, rows] of made) await insertObjects(tenant, resource, rows);
    });
    stored.catch(() => {}); // the next turn reports the failure
  }
  await stored;
}

async function makeRows(
  { objectsOf }: WorldPlan,
  servers: readonly SyntheticServer[],
  of: readonly InstalledResource[],
): Promise<[InstalledResource, SyntheticObject[]][]> {
  const made = of.map((resource): [InstalledResource, SyntheticObject[]] => [resource, []]);
  for (const server of servers) {
    for (const [resource, rows] of made) rows.push(...objectsOf(resource, server));
    await setImmediate(); // the connection sends the rest of the previous statement
  }
  return made;
}
