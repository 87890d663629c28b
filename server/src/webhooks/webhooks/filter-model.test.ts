// The preview of a filter against an independent evaluator: 1,200 random filters over random events, with fixed seeds. The
// evaluator flattens an event to its pointers and shares no code with the filter.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { firstUuidAt, fromId, newUuid } from '../../kit/crypto/ids.ts';
import type { Condition } from './endpoint-filter.ts';

const SEEDS = [1, 2, 3, 4];
const FILTERS_PER_SEED = 300;
const EVENTS = 130;
const TYPES = ['ticket.created', 'publication.published', 'ping'] as const;
type Type = (typeof TYPES)[number];

interface RandomEvent {
  type: Type;
  serverId: string | null;
  body: object;
}

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const one = <T>(values: readonly T[]): T => values[below(values.length)] as T; // no list is empty
  return { below, one, chance: (share: number): boolean => next() < share };
}
type Random = ReturnType<typeof randomOf>;

// Names and values that look alike: a number and its text, parts of pointers, items of lists, names of properties that
// objects inherit.
const NAMES = ['priority', 'a/b', 'a~b', '0', 'length', 'toString', 'ä', 'priority~1'] as const;
const SCALARS = ['urgent', 'urg', '', '1', 1, 0, -1.5, true, false, null, 'true', 'null', 'Grüße', '😀 crane'] as const;

function randomValue(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.5)) return random.one(SCALARS);
  const values = Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
  if (random.chance(0.3)) return values;
  return Object.fromEntries(values.map((value) => [random.one(NAMES), value]));
}

const randomEvent = (random: Random, servers: readonly string[]): RandomEvent => {
  const type = random.one(TYPES);
  const data = Object.fromEntries(NAMES.filter(() => random.chance(0.5)).map((name) => [name, randomValue(random, 2)]));
  return { type, serverId: random.one(servers), body: { type, data } };
};

/** Returns the values of a document by their pointers, for every object, list and scalar in it. */
function flatten(value: unknown, pointer = '', found = new Map<string, unknown>()): Map<string, unknown> {
  found.set(pointer, value);
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    flatten(inner, `${pointer}/${name.split('~').join('~0').split('/').join('~1')}`, found);
  }
  return found;
}

function randomCondition(random: Random, pointers: readonly string[]): Condition {
  const isKnown = random.chance(0.8);
  const pointer = isKnown
    ? random.one(pointers)
    : `/data/${random.one(['none', 'priority/length', '-1', '00', 'constructor'])}`;
  switch (random.below(4)) {
    case 0:
      return { pointer, equals: random.one(SCALARS) };
    case 1:
      return { pointer, in: Array.from({ length: 1 + random.below(4) }, () => random.one(SCALARS)) };
    case 2:
      return { pointer, exists: random.chance(0.5) };
    default:
      return { pointer, prefix: random.one(['u', 'urg', 'urgent', '1', 'Gr', '😀', 'true']) };
  }
}

interface RandomFilter {
  eventTypes: readonly (Type | '*')[];
  serverIds: readonly string[] | null;
  conditions: readonly Condition[];
}

function randomFilter(random: Random, servers: readonly string[], pointers: readonly string[]): RandomFilter {
  const types = TYPES.filter(() => random.chance(0.6));
  const chosen = servers.filter(() => random.chance(0.5));
  return {
    eventTypes: types.length === 0 || random.chance(0.3) ? ['*'] : types,
    serverIds: chosen.length === 0 || random.chance(0.4) ? null : chosen,
    conditions: Array.from({ length: random.below(4) }, () => randomCondition(random, pointers)),
  };
}

const sameText = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

function meets(values: ReadonlyMap<string, unknown>, condition: Condition): boolean {
  const isThere = values.has(condition.pointer);
  if ('exists' in condition) return isThere === condition.exists;
  const value = values.get(condition.pointer);
  if (!isThere || !isScalar(value)) return false;
  if ('prefix' in condition) return typeof value === 'string' && value.indexOf(condition.prefix ?? '') === 0;
  const accepted = 'in' in condition ? (condition.in ?? []) : [condition.equals];
  return accepted.some((one) => sameText(one, value));
}

const keeps = ({ eventTypes, serverIds, conditions }: RandomFilter, { type, serverId, body }: RandomEvent): boolean => {
  const values = flatten(body);
  const isOfType = eventTypes.some((one) => one === '*' || one === type);
  const isOfServer = serverIds === null || (serverId !== null && serverIds.includes(serverId));
  return isOfType && isOfServer && conditions.every((condition) => meets(values, condition));
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

test.each(
  SEEDS,
)('a preview counts what an independent evaluator keeps of random events, with seed %i', async (seed) => {
  const random = randomOf(seed);
  const app = await sandbox.newApp();
  const servers = app.serverIds.slice(0, 4);
  const [paused = ''] = servers;
  const state = { state: 'paused' };
  expect((await sandbox.manage('PUT', `/apps/${app.id}/servers/${paused}/installation`, state)).status).toBe(200);
  await sandbox.database.superuser.query('delete from events where app_id = $1', [fromId('app', app.id)]);

  const events = Array.from({ length: EVENTS }, () => randomEvent(random, servers));
  const beginMs = Date.now() - 86_400_000;
  for (const [at, { type, serverId, body }] of events.entries()) {
    const eventId = `${firstUuidAt(beginMs + at * 1_000).slice(0, 24)}${newUuid().slice(24)}`;
    await sandbox.database.superuser.query(
      `insert into events (app_id, event_id, type, schema_version, server_id, subject_type, subject_id, sequence, body)
       values ($1, $2, $3, 1, $4, 'server', $5, 1, $6)`,
      [fromId('app', app.id), eventId, type, fromId('srv', serverId ?? ''), newUuid(), JSON.stringify(body)],
    );
  }
  // An event without a resource needs no grant.
  const readable = events.filter(({ type, serverId }) => type === 'ping' || serverId !== paused);
  const pointers = [...new Set(events.flatMap(({ body }) => [...flatten(body).keys()]))].filter(
    (pointer) => pointer !== '' && /^(\/[^/]+)+$/.test(pointer),
  );
  const differences: object[] = [];
  const counts = new Set<number>();
  for (let at = 0; at < FILTERS_PER_SEED; at++) {
    const filter = randomFilter(random, servers, pointers);
    const { status, body } = await sandbox.manage<object>('POST', `/apps/${app.id}/filter-previews`, filter);
    const kept = readable.filter((event) => keeps(filter, event)).length;
    counts.add(kept);
    const expected = { kept, total: readable.length, isComplete: true };
    const actual = { ...body, since: undefined };
    if (status !== 200 || !sameText(actual, expected)) differences.push({ at, filter, status, actual, expected });
  }
  expect(differences).toEqual([]);
  // The filters differ in what they keep.
  expect(counts.size).toBeGreaterThan(20);
}, 120_000);
