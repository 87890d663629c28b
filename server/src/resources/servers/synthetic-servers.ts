// The synthetic world: servers that are generated from a seed. Equal inputs return equal bytes on any machine.
import { type CharacterSet, createSeededRandom, derivedUuid, timeSlotOf } from '../synthetic.ts';
import type { Server } from './server.ts';
import { SERVER_VOCABULARY } from './server-vocabulary.ts';

export type SyntheticServer = Omit<Server, 'id' | 'installation'> & { serverId: string };

/** The values from which all data of a world is derived. */
export interface WorldOrigin {
  appId: string;
  seed: string;
  epoch: number;
  script: CharacterSet;
}

const FOUNDED_FROM_MS = Date.UTC(2022, 0, 1);
const FOUNDED_UNTIL_MS = Date.UTC(2025, 0, 1);
const HALF_TIME_COUNT = 20;

/** Returns `count` servers of an app. */
export function syntheticServers(world: WorldOrigin, count: number): SyntheticServer[] {
  const words = SERVER_VOCABULARY[world.script];
  return Array.from({ length: count }, (_, index) => {
    const origin = `${world.appId}/${world.seed}/${world.epoch}/server/${index}`;
    const draw = createSeededRandom(origin);
    const { atMs, spanMs } = timeSlotOf(FOUNDED_FROM_MS, FOUNDED_UNTIL_MS, index, HALF_TIME_COUNT);
    const createdMs = atMs + draw.number(spanMs);
    const called = `${draw.pick(words.first)} ${draw.pick(words.second)}`;
    const slug = `${slugOf(called)}-${index + 1}`;
    const [locale, timezone] = draw.pick(words.places);
    return {
      serverId: derivedUuid(origin, createdMs),
      name: index < words.first.length ? called : `${called} ${index + 1}`,
      slug,
      description: draw.pick(words.topics),
      iconUrl: `https://icons.sandbox.invalid/${slug}.png`,
      locale,
      timezone,
      memberCount: 12 + draw.number(25_000),
      createdAt: new Date(createdMs).toISOString(),
    };
  });
}

// A name without characters that are valid in an address has no words here.
function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.length > 0 ? words.join('-') : 'server';
}
