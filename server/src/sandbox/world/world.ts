// A world: the spec from which an app's synthetic servers are derived, and the clock on which they change.
import { type CharacterSet, contract, type ResourcePlural, resources } from '../../access/contracts/index.ts';
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

export const PRESET_KINDS = contract.presets;
export type Preset = keyof typeof PRESET_KINDS;
export const PRESETS = Object.keys(PRESET_KINDS) as [Preset, ...Preset[]]; // Object.keys loses the literal types

/** The number of servers, and of each other resource per server. */
export type WorldSize = Readonly<Record<keyof (typeof PRESET_KINDS)[Preset]['counts'], number>>;

/** Equal specs of one app give equal worlds, including identifiers. */
export interface WorldSpec {
  preset: Preset;
  seed: string;
  epoch: number;
}

const DEFAULT_PRESET = PRESETS.find((name) => name === 'small') ?? PRESETS[0];
export const DEFAULT_WORLD: WorldSpec = { preset: DEFAULT_PRESET, seed: 'slipway', epoch: 0 };

/** Returns true for a world without objects, which never changes. */
export const isEmpty = ({ preset }: Pick<WorldSpec, 'preset'>): boolean =>
  Object.values(PRESET_KINDS[preset].counts).every((each) => each === 0);

/** The speeds of a clock, with their factors. */
export const SPEEDS = { paused: 0, '1x': 1, '10x': 10, '60x': 60, '3600x': 3600 } as const;
export type Speed = keyof typeof SPEEDS;
const SPEED_NAMES = Object.keys(SPEEDS) as [Speed, ...Speed[]]; // Object.keys loses the literal types

const speed = oneOf(SPEED_NAMES, 'Speed of the world, as a multiple of its normal speed.');
const meanings = Object.values(PRESET_KINDS).map(({ meaning }) => meaning);
const preset = oneOf(PRESETS, `The amount of content: ${meanings.join('; ')}.`);
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

const numbers = resources.map(({ plural, kind }) => [plural, count(`Number of ${kind.replaceAll('_', ' ')}s.`)]);
const WorldCounts = namedObject(
  'WorldCounts',
  'The number of objects in the world.',
  Object.fromEntries(numbers) as Record<ResourcePlural, ReturnType<typeof count>>, // all resources
);
export type WorldCounts = Static<typeof WorldCounts>;

export const World = namedObject('World', "An app's synthetic world.", {
  preset,
  seed,
  epoch,
  createdAt: dateTime('When the world was created or last reset.'),
  counts: WorldCounts,
  clock: WorldClock,
});
export type World = Static<typeof World>;

export interface WorldRow extends WorldSpec {
  made_at: Date;
  speed: number;
  speed_until: Date | null;
  tick: number;
  due_at: Date | null;
}

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
      elapsedSeconds: Math.floor((row.tick * tickMs) / 1000),
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
