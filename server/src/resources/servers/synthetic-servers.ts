// The synthetic world: servers that are generated from a seed. Equal inputs return equal bytes on any machine.
import { servers } from '../../access/contracts/index.ts';
import { type SyntheticObject, syntheticObjects } from '../objects/index.ts';
import type { CharacterSet } from '../synthetic.ts';
import type { Server } from './server.ts';

export type SyntheticServer = SyntheticObject & Omit<Server, 'id' | 'installation'> & { serverId: string };

/** The values from which all data of a world is derived. */
export interface WorldOrigin {
  appId: string;
  seed: string;
  epoch: number;
  script: CharacterSet;
}

const FOUNDED_FROM_MS = Date.UTC(2022, 0, 1);
const FOUNDED_UNTIL_MS = Date.UTC(2025, 0, 1);

/** Returns `count` servers of an app. */
export function syntheticServers({ appId, seed, epoch, script }: WorldOrigin, count: number): SyntheticServer[] {
  const world = {
    origin: `${appId}/${seed}/${epoch}`,
    ids: {},
    fromMs: FOUNDED_FROM_MS,
    untilMs: FOUNDED_UNTIL_MS,
    firstSlot: 0,
  } as const;
  return syntheticObjects(servers, world, count, script) as SyntheticServer[]; // defineContract checks the fields
}
