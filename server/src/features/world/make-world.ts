// A synthetic world: servers with what they publish, plan and let apps run, all of which have authorised the app.
import type { Tenant } from '../authority/index.ts';
import { authoriseServers } from '../installations/index.ts';
import { insertPublications, syntheticPublications } from '../publications/index.ts';
import { insertRoadmapItems, syntheticRoadmap } from '../roadmap/index.ts';
import { insertServers, syntheticServers } from '../servers/index.ts';
import { insertWorkflows, syntheticWorkflows } from '../workflows/index.ts';

export interface WorldSize {
  seed: string;
  servers: number;
  publicationsPerServer: number;
  roadmapItemsPerServer: number;
}

/** What a new app begins with, and the demo with more servers of it. */
export const SMALL_WORLD: WorldSize = {
  seed: 'small',
  servers: 5,
  publicationsPerServer: 12,
  roadmapItemsPerServer: 6,
};

export async function makeWorld(tenant: Tenant, size: WorldSize): Promise<void> {
  const servers = syntheticServers(tenant.appId, size.seed, size.servers);
  await insertServers(tenant, servers);
  await insertPublications(
    tenant,
    servers.flatMap((server) => syntheticPublications(server, size.publicationsPerServer)),
  );
  await insertRoadmapItems(
    tenant,
    servers.flatMap((server) => syntheticRoadmap(server, size.roadmapItemsPerServer)),
  );
  await insertWorkflows(tenant, servers.flatMap(syntheticWorkflows));
  await authoriseServers(
    tenant,
    servers.map((server) => server.serverId),
  );
}
