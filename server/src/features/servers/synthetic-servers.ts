// The synthetic world: servers made from a seed, so that equal inputs give equal bytes on any machine.
import { createHash } from 'node:crypto';
import { derivedUuid } from '../../kit/synthetic.ts';

export interface SyntheticServer {
  serverId: string;
  name: string;
  slug: string;
  description: string;
  iconUrl: string;
  locale: string;
  timezone: string;
  memberCount: number;
  createdAt: string;
}

const FIRST = ['Harbour', 'Copper', 'Quiet', 'Northern', 'Paper', 'Velvet', 'Signal', 'Amber', 'Tidal', 'Lantern'];
const SECOND = ['Lights', 'Workshop', 'Orchard', 'Collective', 'Observatory', 'Guild', 'Kitchen', 'Archive', 'Arcade'];
const TOPICS = [
  'Night photographers of the northern ports.',
  'Board games, from ancient to printed last week.',
  'Makers who repair rather than replace.',
  'Sourdough, ferments and long arguments about salt.',
  'A study group for the patient.',
  'Synthesisers, patch by patch.',
  'Translators helping translators.',
  'Open data about trains.',
];
const PLACES = [
  ['en-GB', 'Europe/London'],
  ['de-DE', 'Europe/Berlin'],
  ['fr-FR', 'Europe/Paris'],
  ['pt-BR', 'America/Sao_Paulo'],
  ['ja-JP', 'Asia/Tokyo'],
  ['en-US', 'America/Chicago'],
] as const;

const FOUNDING_DAY_MS = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

/** `count` servers of an app. */
export function syntheticServers(appId: string, seed: string, count: number): SyntheticServer[] {
  return Array.from({ length: count }, (_, index) => {
    const origin = `${appId}/${seed}/0/server/${index}`;
    const hash = createHash('sha256').update(`${origin}/fields`).digest();
    const pick = <T>(list: readonly T[], byte: number): T => list[hash.readUInt16BE(byte) % list.length] as T; // in range
    const name = `${pick(FIRST, 0)} ${pick(SECOND, 2)}${index < FIRST.length ? '' : ` ${index}`}`;
    const slug = `${name.toLowerCase().replaceAll(' ', '-')}-${hash.toString('hex', 20, 22)}`;
    const [locale, timezone] = pick(PLACES, 4);
    const createdMs = FOUNDING_DAY_MS + index * DAY_MS + (hash.readUInt32BE(6) % DAY_MS);
    return {
      serverId: derivedUuid(origin, createdMs),
      name,
      slug,
      description: pick(TOPICS, 10),
      iconUrl: `https://icons.sandbox.invalid/${slug}.png`,
      locale,
      timezone,
      memberCount: 12 + (hash.readUInt32BE(12) % 25_000),
      createdAt: new Date(createdMs).toISOString(),
    };
  });
}
