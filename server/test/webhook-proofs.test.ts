// What `npm run prove -- webhooks` proves at length, once: processes that die at each durable step, a revoke in the middle of
// thousands, endpoints that hang, and that a worker without the permit is found out.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { Check } from '../../prove/kit.ts';
import { crashEverywhere } from '../../prove/webhooks/crashes.ts';
import { type Ground, openGround } from '../../prove/webhooks/ground.ts';
import { proveIsolation } from '../../prove/webhooks/isolation.ts';
import { judgeRevokes, type RevokeWish, watchRevokes } from '../../prove/webhooks/revoke.ts';
import { cloneDatabase, type TestDatabase } from './harness.ts';

let database: TestDatabase;
let ground: Ground;
let folder: string;
beforeEach(async () => {
  database = await cloneDatabase('plane');
  const superuserUrl = new URL(inject('superuserUrl'));
  superuserUrl.pathname = new URL(database.url).pathname;
  ground = await openGround(database.url, superuserUrl.href);
  folder = await mkdtemp(join(tmpdir(), 'slipway-proof-'));
});
afterEach(async () => {
  await ground.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const wrong = (checks: readonly Check[]): Check[] => checks.filter(({ ok }) => !ok);

test('killed at each durable step from a mutation to its recorded attempt: nothing is lost, and what comes twice is explained', async () => {
  const checks = await crashEverywhere(ground, folder, 1);
  expect(checks.length).toBeGreaterThan(8);
  expect(wrong(checks)).toEqual([]);
}, 120_000);

// A test's machine is busy with others: the limit of the proof is for one that is not.
const ANSWERED_MS = 1_500;
const ANSWERED_IN_FAULT_MS = 4_000;
const LOAD: RevokeWish = {
  revokes: 2,
  workers: 2,
  waiting: 1_000,
  inFlight: 20,
  bystanders: 0,
  answerAfterMs: 5,
  fault: 'none',
};

test.each<[string, Partial<RevokeWish>, number]>([
  ['with slow receivers', { answerAfterMs: 2_000 }, ANSWERED_MS],
  ['with a worker that stands still', { revokes: 1, inFlight: 1, fault: 'stopped' }, ANSWERED_IN_FAULT_MS],
  ['when the scope of publications is revoked', { isOfScope: true }, ANSWERED_MS],
])(
  'after a revoke has been answered no worker begins a request, %s',
  async (_, changes, limitMs) => {
    const story = await watchRevokes(ground, folder, { ...LOAD, ...changes });
    expect(story.sent).toBeGreaterThan(10);
    expect(wrong(judgeRevokes('a revoke', story, limitMs))).toEqual([]);
  },
  60_000,
);

test.each([
  true,
  false,
])('what a worker that stood still has in its hands is stopped by the permit alone: without it (%s) it begins', async (isWithoutPermit) => {
  const wish = { ...LOAD, revokes: 1, fault: 'stopped', beginsLate: true, isWithoutPermit } as const;
  const { late } = await watchRevokes(ground, folder, wish);
  expect(late.length > 0).toBe(isWithoutPermit);
}, 60_000);

test('a claim that does not judge the scope of the resource is found, because it sends after the revoke', async () => {
  const { late } = await watchRevokes(ground, folder, { ...LOAD, isOfScope: true, isEarlier: true });
  expect(late.length).toBeGreaterThan(0);
}, 60_000);

test.each([
  true,
  false,
])('a revoke of the scope of publications stops what a worker has in its hands; one that stops events:read only (%s) does not', async (stopsEventsReadOnly) => {
  const wish = {
    ...LOAD,
    revokes: 1,
    fault: 'stopped',
    beginsLate: true,
    isOfScope: true,
    stopsEventsReadOnly,
  } as const;
  const { late } = await watchRevokes(ground, folder, wish);
  expect(late.length > 0).toBe(stopsEventsReadOnly);
}, 60_000);

test.each([
  ['hang on hosts of their own', 'hang', false],
  ['hang on the host and port of the healthy ones', 'hang', true],
  ['never read on the host and port of the healthy ones', 'tarpit', true],
] as const)(
  'endpoints that %s delay no other, not even of the same app',
  async (_, manner, isShared) => {
    const times = { emitEveryMs: 60, warmUpMs: 500, withoutMs: 500, buildUpMs: 1_000 };
    const wish = { apps: 3, endpoints: 6, slow: 12, manner, isShared, leastOpen: 9, ...times };
    // A fair share of a second would be missed by far if the places were all taken.
    const checks = await proveIsolation(ground, folder, { ...wish, withMs: 1_500, limit: 10 });
    expect(wrong(checks)).toEqual([]);
  },
  60_000,
);
