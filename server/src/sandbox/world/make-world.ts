// Creates a world from the synthetic data of each feature, in sets of servers. So 10,000 servers take seconds and the
// process stays responsive.
import type { Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { insertPublications, syntheticPublications } from '../../resources/publications/index.ts';
import { insertRoadmapItems, syntheticRoadmap } from '../../resources/roadmap/index.ts';
import { type SyntheticServer, syntheticServers, upsertServers } from '../../resources/servers/index.ts';
import { replaceTickets, type SyntheticTicket, syntheticTickets } from '../../resources/tickets/index.ts';
import { syntheticWorkflows, upsertWorkflows } from '../../resources/workflows/index.ts';
import { authoriseServers, markChangesAutomatic } from '../../tenancy/installations/index.ts';
import { upsertWorld } from './store.ts';
import { PRESET_KINDS, type WorldSize, type WorldSpec } from './world.ts';

/** The number of servers that are created with all their objects by one round of statements. */
export const SERVERS_AT_ONCE = 100;

export interface WorldPlan {
  servers: SyntheticServer[];
  publicationsOf(server: SyntheticServer): ReturnType<typeof syntheticPublications>;
  roadmapOf(server: SyntheticServer): ReturnType<typeof syntheticRoadmap>;
  workflowsOf(server: SyntheticServer): ReturnType<typeof syntheticWorkflows>;
  ticketsOf(server: SyntheticServer): SyntheticTicket[];
}

/** Returns the content of a world: a pure function of the app and the world's spec. */
export function planWorld(
  appId: string,
  spec: WorldSpec,
  size: WorldSize = PRESET_KINDS[spec.preset].counts,
): WorldPlan {
  const { script } = PRESET_KINDS[spec.preset];
  return {
    servers: syntheticServers({ appId, seed: spec.seed, epoch: spec.epoch, script }, size.servers),
    publicationsOf: (server) => syntheticPublications(server, size.publications, script),
    roadmapOf: (server) => syntheticRoadmap(server, size.roadmapItems, script),
    workflowsOf: syntheticWorkflows,
    ticketsOf: (server) => syntheticTickets(server, size.tickets, script),
  };
}

/** Creates the world of an app that has none. */
export async function makeWorld(tenant: TenantTransaction, spec: WorldSpec, size?: WorldSize): Promise<void> {
  markChangesAutomatic(tenant, 'The world was made.');
  const plan = planWorld(tenant.appId, spec, size);
  await fillWorld(tenant, plan, new Set());
  await fillTickets(tenant, plan);
  await upsertWorld(tenant, spec);
}

/** Creates everything except tickets. `existing` are servers that already exist; their grants stay unchanged. */
export async function fillWorld(tenant: Tenant, plan: WorldPlan, existing: ReadonlySet<string>): Promise<void> {
  for (const servers of splitIntoBatches(plan.servers)) {
    await upsertServers(tenant, servers);
    await insertPublications(tenant, servers.flatMap(plan.publicationsOf));
    await insertRoadmapItems(tenant, servers.flatMap(plan.roadmapOf));
    await upsertWorkflows(tenant, servers.flatMap(plan.workflowsOf));
    const fresh = servers.map((server) => server.serverId).filter((id) => !existing.has(id));
    if (fresh.length > 0) await authoriseServers(tenant, fresh);
  }
}

export function fillTickets(tenant: Tenant, plan: WorldPlan): Promise<void> {
  return replaceTickets(tenant, plan.servers.flatMap(plan.ticketsOf));
}

export function* splitIntoBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += SERVERS_AT_ONCE) yield all.slice(at, at + SERVERS_AT_ONCE);
}
