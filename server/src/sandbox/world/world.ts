// A world: the spec from which an app's synthetic servers are derived, and the clock on which they change.
import {
  count,
  dateTime,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  Type,
  text,
} from '../../kit/http/schema.ts';
import type { CharacterSet } from '../../resources/synthetic.ts';

export const PRESETS = ['empty', 'small', 'busy', 'unicode', 'large'] as const;
export type Preset = (typeof PRESETS)[number];

export interface WorldSize {
  servers: number;
  /** Counts per server. */
  publications: number;
  roadmapItems: number;
  tickets: number;
}

interface PresetKind extends WorldSize {
  script: CharacterSet;
  /** Simulated milliseconds between two ticks. Each tick makes one change. */
  tickMs: number;
}

const MINUTE_MS = 60_000;

export const PRESET_KINDS: Record<Preset, PresetKind> = {
  empty: { servers: 0, publications: 0, roadmapItems: 0, tickets: 0, script: 'plain', tickMs: 10 * MINUTE_MS },
  small: { servers: 5, publications: 12, roadmapItems: 6, tickets: 3, script: 'plain', tickMs: 10 * MINUTE_MS },
  busy: { servers: 20, publications: 150, roadmapItems: 40, tickets: 30, script: 'plain', tickMs: MINUTE_MS },
  unicode: { servers: 10, publications: 20, roadmapItems: 8, tickets: 5, script: 'unicode', tickMs: 10 * MINUTE_MS },
  large: { servers: 10_000, publications: 20, roadmapItems: 2, tickets: 0, script: 'plain', tickMs: MINUTE_MS },
};

/** Equal specs of one app give equal worlds, including identifiers. */
export interface WorldSpec {
  preset: Preset;
  seed: string;
  epoch: number;
}

export const DEFAULT_WORLD: WorldSpec = { preset: 'small', seed: 'slipway', epoch: 0 };

/** The speeds of a clock, with their factors. */
export const SPEEDS = { paused: 0, '1x': 1, '10x': 10, '60x': 60, '3600x': 3600 } as const;
export type Speed = keyof typeof SPEEDS;
const SPEED_NAMES = Object.keys(SPEEDS) as [Speed, ...Speed[]]; // Object.keys loses the literal types

const speed = oneOf(SPEED_NAMES, 'Speed of the world, as a multiple of its normal speed.');
const preset = oneOf(
  PRESETS,
  'The amount of content: nothing; five servers; many objects and much activity; texts in many scripts; 10,000 servers.',
);
const seed = text('The seed that the world is derived from: equal seeds produce equal worlds.', {
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]*$',
  examples: ['friday'],
});
const epoch = integer(
  'Distinguishes worlds with the same seed: another epoch gives each object another identifier.',
  0,
  1_000_000,
);

export const WorldReset = namedObject(
  'WorldReset',
  'The world to create. A field that is left out keeps its value; an empty body recreates the same world.',
  { preset: Type.Optional(preset), seed: Type.Optional(seed), epoch: Type.Optional(epoch) },
);

export const WorldClockSetting = namedObject('WorldClockSetting', 'The speed to set.', { speed });

const WorldClock = namedObject('WorldClock', "The world's clock.", {
  speed,
  speedUntil: nullable(dateTime('When a faster clock returns to `1x`; null unless the clock is faster.')),
  elapsedSeconds: integer('Simulated time since the world was created.', 0, Number.MAX_SAFE_INTEGER),
  nextTickAt: nullable(dateTime('When the next change happens; null while the clock is paused.')),
});

export const World = namedObject('World', "An app's synthetic world.", {
  preset,
  seed,
  epoch,
  createdAt: dateTime('When the world was created or last reset.'),
  counts: namedObject('WorldCounts', 'The number of objects in the world.', {
    servers: count('Number of servers.'),
    publications: count('Number of publications.'),
    roadmapItems: count('Number of roadmap items.'),
    tickets: count('Number of tickets.'),
    workflows: count('Number of workflows.'),
    workflowRuns: count('Number of workflow runs.'),
  }),
  clock: WorldClock,
});
export type World = Static<typeof World>;

export interface WorldRow extends WorldSpec {
  made_at: Date;
  speed: number;
  speed_until: Date | null;
  turn: number;
  due_at: Date | null;
}

export type WorldCounts = World['counts'];

export function toWorld(row: WorldRow, counts: WorldCounts): World {
  const { tickMs } = PRESET_KINDS[row.preset];
  return {
    preset: row.preset,
    seed: row.seed,
    epoch: row.epoch,
    createdAt: row.made_at.toISOString(),
    counts,
    clock: {
      speed: SPEED_NAMES.find((name) => SPEEDS[name] === row.speed) ?? '1x',
      speedUntil: row.speed_until?.toISOString() ?? null,
      elapsedSeconds: Math.floor((row.turn * tickMs) / 1000),
      nextTickAt: row.due_at?.toISOString() ?? null,
    },
  };
}

/** The seed text from which every value of a change is derived. */
export interface ChangeSeed {
  origin: string;
  script: CharacterSet;
}

export const exampleWorld: World = {
  preset: 'small',
  seed: 'slipway',
  epoch: 0,
  createdAt: '2026-11-02T10:15:30.000Z',
  counts: { servers: 5, publications: 60, roadmapItems: 30, tickets: 15, workflows: 20, workflowRuns: 0 },
  clock: { speed: '1x', speedUntil: null, elapsedSeconds: 0, nextTickAt: '2026-11-02T10:25:30.000Z' },
};
