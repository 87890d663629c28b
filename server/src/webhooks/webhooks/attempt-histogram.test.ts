// The histogram counts an endpoint's attempts by the time at which each began.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { HOUR_MS, requestUuid } from '../../../test/request-search.fixture.ts';
import { openTenant } from '../../access/authority/index.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import { MAX_HISTOGRAM_DELIVERIES, toAttemptHistogram } from './attempt-histogram.ts';
import { countAttempts } from './attempt-histogram-store.ts';

interface Histogram {
  data: { at: string; succeeded: number; failed: number }[];
  since: string;
  until: string;
  searchedUntil: string | null;
  code?: string;
}

const now = Date.now();
const at = (hours: number): string => new Date(now - hours * HOUR_MS).toISOString();

let sandbox: Sandbox;
let app: TestApp;
/** Two endpoints. The second one has the attempts that must not be counted. */
let endpoints: string[];

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  const key = await app.key();
  const input = { url: 'https://bridge.example.org/hooks', keyId: key.id, eventTypes: ['ping'] };
  const add = async (): Promise<string> =>
    (await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, input)).body.endpoint.id;
  endpoints = [await add(), await add()];
  // Created five hours ago, failed twice, and succeeded two hours ago.
  await deliver(0, 5, 2, ['timeout', 5], [500, 4], [204, 2]);
  await deliver(0, 2, undefined, ['interrupted', 2], ['aborted_by_revoke', 2], [301, 2]);
  // One attempt outside the period, and a delivery without an attempt.
  await deliver(0, 30, 30, [200, 30]);
  await deliver(0, 1, 1);
  await deliver(1, 2, 2, [200, 2]);
});
afterAll(() => sandbox.close());

type Attempt = readonly [status: number | string, hoursAgo: number];
let count = 0;

async function deliver(to: number, madeAgo: number, endedAgo: number | undefined, ...attempts: Attempt[]) {
  const { superuser } = sandbox.database;
  const ids = [fromId('app', app.id), requestUuid(now - madeAgo * HOUR_MS, ++count)];
  await superuser.query(
    `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, trigger, status, finished_at)
     values ($1, $2, $3, $4, $4, 'scheduled', $5, $6)`,
    [
      ...ids,
      fromId('whe', endpoints[to] ?? ''),
      newUuid(),
      endedAgo === undefined ? 'pending' : 'succeeded',
      endedAgo === undefined ? null : at(endedAgo),
    ],
  );
  for (const [index, [outcome, hoursAgo]] of attempts.entries()) {
    const [kind, status] = typeof outcome === 'number' ? ['response', outcome] : [outcome, null];
    await superuser.query(
      `insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status)
       values ($1, $2, $3, $4, 1000, $5, $6)`,
      [...ids, index + 1, at(hoursAgo), kind, status],
    );
  }
}

const readHistogram = (query: string, endpoint = endpoints[0]): Promise<Answer<Histogram>> =>
  sandbox.manage<Histogram>('GET', `/apps/${app.id}/endpoints/${endpoint}/attempt-histogram${query}`);

test('counts attempts when they began, whenever their delivery was created, and ignores those that Slipway stopped', async () => {
  const { status, body } = await readHistogram(`?since=${at(6)}&until=${at(0)}&buckets=3`);
  expect([status, body]).toEqual([
    200,
    {
      data: [
        { at: at(6), succeeded: 0, failed: 1 },
        { at: at(4), succeeded: 0, failed: 1 },
        { at: at(2), succeeded: 1, failed: 1 },
      ],
      since: at(6),
      until: at(0),
      searchedUntil: null,
    },
  ]);
});

test('covers the last day of the endpoint if no period is given', async () => {
  const sums = async (endpoint: string | undefined): Promise<number[]> => {
    const { data } = (await readHistogram('', endpoint)).body;
    expect(data).toHaveLength(48);
    return [data.reduce((sum, one) => sum + one.succeeded, 0), data.reduce((sum, one) => sum + one.failed, 0)];
  };
  expect(await sums(endpoints[0])).toEqual([1, 3]);
  expect(await sums(endpoints[1])).toEqual([1, 0]);
});

test('refuses an endpoint that does not exist or belongs to another app, and an invalid period', async () => {
  expect(
    (
      await readHistogram(
        '',
        endpoints[0]?.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      )
    ).status,
  ).toBe(404);
  const other = await sandbox.newApp();
  const path = `/apps/${other.id}/endpoints/${endpoints[0]}/attempt-histogram`;
  expect((await sandbox.manage('GET', path)).status).toBe(404);
  const leap = await readHistogram('?since=2016-12-31T23:59:60Z');
  expect([leap.status, leap.body.code]).toEqual([400, 'invalid_request']);
  expect((await readHistogram(`?since=${at(0)}&until=${at(6)}`)).body.data.every((one) => one.failed === 0)).toBe(true);
});

test('counts the newest deliveries if there are too many, and returns how far it looked back', async () => {
  const span = { sinceMs: now - 6 * HOUR_MS, untilMs: now };
  const counted = await sandbox.plane.db.manager.transaction((tx) =>
    countAttempts(openTenant(tx, fromId('app', app.id) ?? ''), fromId('whe', endpoints[0] ?? '') ?? '', span, {
      buckets: 1,
      size: 2,
    }),
  );
  expect(counted).toMatchObject({ examined: 2, buckets: [{ bucket: 1, succeeded: 0, failed: 1 }] });
  expect(toAttemptHistogram(span, 1, counted).searchedUntil).toBeNull();
  expect(toAttemptHistogram(span, 1, { ...counted, examined: MAX_HISTOGRAM_DELIVERIES }).searchedUntil).toBe(at(2));
});
