// Describes presets and clock speeds of the sandbox data.
import type { World } from '../../kit/api.ts';
import { grouped } from '../../kit/number.ts';
import { OWN_CONTRACT, toLabel } from '../../kit/own-contract.ts';
import type { Speed } from './use-simulation.ts';

type Preset = World['preset'];

export const PRESET_MEANING: Record<Preset, string> = OWN_CONTRACT?.presets ?? {
  empty: 'No data: for the empty states of an integration.',
  small: 'Five servers. The preset of a new app.',
  busy: 'Twenty servers with many publications and tickets. An event happens every minute.',
  unicode: 'Ten servers whose names and texts break code that assumes ASCII: right to left, emoji, combining marks.',
  large: '10,000 servers and 200,000 publications. Creating them takes about ten seconds.',
};
export const PRESETS = Object.keys(PRESET_MEANING) as Preset[]; // Object.keys loses the key type

export const SPEED_MEANING: Record<Speed, string> = {
  paused: 'No change happens without a call.',
  '1x': 'Changes happen at normal speed.',
  '10x': 'Ten minutes pass in a minute.',
  '60x': 'An hour passes in a minute.',
  '3600x': 'An hour passes in a second.',
};
export const SPEEDS = Object.keys(SPEED_MEANING) as Speed[]; // Object.keys loses the key type

const OWN_COUNTS =
  OWN_CONTRACT && Object.fromEntries(OWN_CONTRACT.resources.map(({ plural }) => [plural, toLabel(plural)]));

const COMMUNITY_COUNTS: Record<keyof World['counts'], string> = {
  servers: 'Servers',
  publications: 'Publications',
  roadmapItems: 'Roadmap items',
  tickets: 'Tickets',
  workflows: 'Workflows',
  workflowRuns: 'Workflow runs',
};

const COUNT_LABELS: Readonly<Record<string, string>> = OWN_COUNTS ?? COMMUNITY_COUNTS;

export function countsOf(counts: World['counts']): { label: string; count: number }[] {
  // The keys of the counts, which Object.entries loses.
  const labels = Object.entries(COUNT_LABELS) as [keyof World['counts'], string][];
  return labels.map(([name, label]) => ({ label, count: counts[name] }));
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns a span of simulated time in its two largest units. */
export function spanOf(seconds: number): string {
  let left = seconds;
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${grouped(count)} ${unit}${count === 1 ? '' : 's'}`];
  });
  return parts.slice(0, 2).join(' and ') || 'less than a minute';
}
