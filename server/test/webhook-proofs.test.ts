// The short form of `npm run prove -- webhooks`: processes that die at each durable step, a revocation among thousands
// of deliveries, hanging endpoints, and the detection of a worker without the pre-send check.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { Check } from '../../prove/kit.ts';
import { crashEverywhere, crashHandOffs } from '../../prove/webhooks/crashes.ts';
import { proveIsolation } from '../../prove/webhooks/isolation.ts';
import { judgeRevokes, type RevokeOptions, watchRevokes } from '../../prove/webhooks/revoke.ts';
import { openWebhookSetup, type WebhookSetup } from '../../prove/webhooks/setup.ts';
import { cloneDatabase, type TestDatabase } from './harness.ts';

let database: TestDatabase;
let setup: WebhookSetup;
let folder: string;
beforeEach(async () => {
  database = await cloneDatabase('plane');
  const superuserUrl = new URL(inject('superuserUrl'));
  superuserUrl.pathname = new URL(database.url).pathname;
  setup = await openWebhookSetup(database.url, superuserUrl.href);
  folder = await mkdtemp(join(tmpdir(), 'slipway-proof-'));
});
afterEach(async () => {
  await setup.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const wrong = (checks: readonly Check[]): Check[] => checks.filter(({ ok }) => !ok);

test('a crash at each durable step from a mutation to its recorded attempt loses nothing, and duplicates are explained', async () => {
  const checks = await crashEverywhere(setup, folder, 1);
  expect(checks.length).toBeGreaterThan(8);
  expect(wrong(checks)).toEqual([]);
}, 120_000);

test('a crash after each step of a hand-off loses nothing, and duplicates are explained', async () => {
  const checks = await crashHandOffs(setup, folder, 1);
  expect(checks.length).toBeGreaterThan(8);
  expect(wrong(checks)).toEqual([]);
}, 120_000);

// The limit of the proof is for an idle machine, and a test's machine is busy.
const ANSWERED_MS = 1_500;
const ANSWERED_IN_FAULT_MS = 4_000;
const LOAD: RevokeOptions = {
  revokes: 2,
  workers: 2,
  waiting: 1_000,
  inFlight: 20,
  bystanders: 0,
  answerAfterMs: 5,
  fault: 'none',
};

test.each<[string, Partial<RevokeOptions>, number]>([
  ['with slow receivers', { answerAfterMs: 2_000 }, ANSWERED_MS],
  ['with a worker that stands still', { revokes: 1, inFlight: 1, fault: 'stopped' }, ANSWERED_IN_FAULT_MS],
  ['when the scope of publications is revoked', { isOfScope: true }, ANSWERED_MS],
])(
  'no worker begins a request after a revocation was answered, %s',
  async (_, changes, limitMs) => {
    const result = await watchRevokes(setup, folder, { ...LOAD, ...changes });
    expect(result.sent).toBeGreaterThan(10);
    expect(wrong(judgeRevokes('a revoke', result, limitMs))).toEqual([]);
  },
  60_000,
);

test.each([
  [false, 0],
  [true, 1],
])(
  'no handed-off delivery begins after a revocation was answered; if the barrier does not see hand-offs (%s), one does',
  async (hidesHandOffs, fewest) => {
    const input = { ...LOAD, inFlight: 1, handsOff: true, hidesHandOffs, revokes: hidesHandOffs ? 10 : 2, enough: 1 };
    const { late, handedOff } = await watchRevokes(setup, folder, input);
    expect(handedOff).toBeGreaterThan(1);
    expect(Math.min(late.length, 1)).toBe(fewest);
  },
  120_000,
);

test.each([
  true,
  false,
])('only the pre-send check stops in-flight deliveries of a suspended worker: without it (%s) they are sent', async (isWithoutPermit) => {
  const input = { ...LOAD, revokes: 1, fault: 'stopped', beginsLate: true, isWithoutPermit } as const;
  const { late } = await watchRevokes(setup, folder, input);
  expect(late.length > 0).toBe(isWithoutPermit);
}, 60_000);

test('a claim that does not judge the scope of the resource is detected, because it sends after the revocation', async () => {
  const { late } = await watchRevokes(setup, folder, { ...LOAD, isOfScope: true, isEarlier: true });
  expect(late.length).toBeGreaterThan(0);
}, 60_000);

test('after the revocation of the first of two keys, no request uses it, and the deliveries continue through the second', async () => {
  const result = await watchRevokes(setup, folder, { ...LOAD, hasSecondKey: true });
  expect(wrong(judgeRevokes('a revoke', result, ANSWERED_MS))).toEqual([]);
  expect(result.continued).toBeGreaterThan(0);
}, 60_000);

test('a worker that claims through a revoked key is detected, although the endpoint has a second key', async () => {
  const { late } = await watchRevokes(setup, folder, { ...LOAD, hasSecondKey: true, claimsRevokedKeys: true });
  expect(late.length).toBeGreaterThan(0);
}, 60_000);

test.each([
  true,
  false,
])('a revocation of the scope of publications stops in-flight deliveries, and a barrier for events:read only (%s) does not', async (stopsEventsReadOnly) => {
  const input = {
    ...LOAD,
    revokes: 1,
    fault: 'stopped',
    beginsLate: true,
    isOfScope: true,
    stopsEventsReadOnly,
  } as const;
  const { late } = await watchRevokes(setup, folder, input);
  expect(late.length > 0).toBe(stopsEventsReadOnly);
}, 60_000);

test.each([
  ['hang on hosts of their own', 'hang', false],
  ['hang on the host and port of the healthy ones', 'hang', true],
  ['never read on the host and port of the healthy ones', 'tarpit', true],
] as const)(
  'endpoints that %s delay no other endpoint, not even of the same app',
  async (_, manner, isShared) => {
    const times = { emitEveryMs: 60, warmUpMs: 500, withoutMs: 500, buildUpMs: 1_000 };
    const input = { apps: 3, endpoints: 6, slow: 12, manner, isShared, leastOpen: 9, ...times };
    // If the hanging endpoints took all slots, other deliveries would miss their limit by far.
    const checks = await proveIsolation(setup, folder, { ...input, withMs: 1_500, limit: 10 });
    expect(wrong(checks)).toEqual([]);
  },
  60_000,
);
