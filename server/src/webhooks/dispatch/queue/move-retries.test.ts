// Waiting retries move to the schedule of their endpoint after it changed, in bounded batches. No other delivery moves.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { openDatabase } from '../../../kit/db/db.ts';
import { type DispatchFixture, testWorld } from '../dispatch.fixture.ts';
import type { Dispatcher } from '../dispatch-webhooks.job.ts';
import { moveWaitingRetries } from './move-retries.ts';

let world: DispatchFixture;
let keyId: string;
let running: Dispatcher | undefined;
beforeAll(async () => {
  world = await testWorld();
  keyId = await world.addKey();
});
afterAll(() => world.close());
afterEach(async () => {
  await running?.stop();
  running = undefined;
  for (const table of ['queue', 'attempts', 'deliveries', 'endpoints']) await world.rows(`delete from ${table}`);
});

const refuse = (error: unknown): never => {
  throw error;
};
const move = (atOnce?: number): Promise<number> => moveWaitingRetries(world.dispatch, refuse, atOnce);
const setSpeed = (speed: number) => world.rows(`update endpoints set schedule_speed = $1`, [speed]);
/**
 * Returns the seconds between the end of the last attempt of each waiting delivery and its due time, in the order of
 * creation.
 */
async function waits(): Promise<number[]> {
  const rows = await world.rows<{ wait: number }>(`
    select extract(epoch from q.due_at - a.started_at - a.duration_us * interval '1 microsecond')::float8 as wait
    from queue q join attempts a on a.delivery_id = q.delivery_id and a.attempt_no = q.attempt_no
    where q.state = 'waiting' order by q.delivery_id`);
  return rows.map(({ wait }) => wait);
}

/** Creates deliveries whose fourth attempt just failed. The fifth is due two hours later, plus up to a fifth. */
async function fail(count: number, attempt: { outcome?: string; status?: number; headers?: object } = {}) {
  const { url } = await world.receiver((response) => response.writeHead(500).end());
  const { endpointId } = await world.addEndpoint(url, keyId);
  await world.emit(count);
  await world.rows(`update queue set attempt_no = 4, due_at = clock_timestamp() + interval '2 hours 10 minutes'`);
  await world.rows(
    `insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status, response_headers)
     select app_id, delivery_id, 4, clock_timestamp(), 1000, $1, $2, $3::jsonb from queue`,
    [attempt.outcome ?? 'response', attempt.status ?? 500, JSON.stringify(attempt.headers ?? {})],
  );
  return { endpointId, url };
}
const within = (all: readonly number[], from: number, to: number): boolean =>
  all.length > 0 && all.every((one) => one >= from && one <= to);
const TWO_HOURS = 7_200;

test('a faster schedule moves waiting retries forward, and a slower one moves them back', async () => {
  await fail(3);
  expect(await move()).toBe(0);
  await setSpeed(60);
  expect(await move()).toBe(3);
  expect(within(await waits(), TWO_HOURS / 60, (TWO_HOURS / 60) * 1.2)).toBe(true);
  await setSpeed(1);
  expect(await move()).toBe(3);
  expect(within(await waits(), TWO_HOURS, TWO_HOURS * 1.2)).toBe(true);
  expect(await move()).toBe(0);
});

test('a due time from Retry-After stays, and so does a due time that no schedule set', async () => {
  await fail(1, { status: 503, headers: { 'retry-after': '8000' } });
  await setSpeed(3600);
  await move();
  expect(within(await waits(), 8_000, 8_001)).toBe(true);
  await world.rows(`update attempts set outcome = 'interrupted', status = null, response_headers = null`);
  expect(await move()).toBe(0);
  await world.rows(`update attempts set outcome = 'response', status = 500`);
  await world.rows(`update queue set attempt_no = 0`);
  expect(await move()).toBe(0);
});

test('a held delivery keeps its due time when the schedule changes', async () => {
  await fail(1);
  await world.rows(`update queue set state = 'held'`);
  const due = () => world.rows<{ due_at: Date }>('select due_at from queue');
  const before = await due();
  await setSpeed(60);
  expect(await move()).toBe(0);
  expect(await due()).toEqual(before);
});

test('many retries are moved in batches, each once', async () => {
  await fail(25);
  await setSpeed(60);
  const db = openDatabase({
    url: world.options.databaseUrl,
    role: 'slipway_worker',
    max: 1,
    queryTimeoutMs: 5_000,
    connectTimeoutMs: 5_000,
  });
  const sizes: number[] = [];
  const counting: typeof db = {
    ...db,
    async query(statement) {
      if (statement.text.includes('update queue')) sizes.push((statement.values[0] as string[]).length); // the ids
      return db.query(statement);
    },
  };
  expect(await moveWaitingRetries(counting, refuse, 10)).toBe(25);
  expect([Math.max(...sizes), sizes.reduce((sum, one) => sum + one, 0)]).toEqual([10, 25]);
  await db.close();
});

test('an endpoint is examined until no attempt from before the change can be in flight', async () => {
  await fail(1);
  await setSpeed(60);
  const isNoted = async () => (await world.rows('select from endpoints where schedule_changed_at is not null')).length;
  await move();
  expect(await isNoted()).toBe(1);
  await world.rows(`update endpoints set schedule_changed_at = schedule_changed_at - interval '61 seconds'`);
  await move();
  expect(await isNoted()).toBe(0);
});

test('a running worker sends a retry when the new schedule says, and records the URL that each attempt called', async () => {
  const { url } = await fail(1);
  running = await world.dispatcher({ timing: { moveMs: 50 } });
  await setSpeed(3600);
  // The fifth attempt fails too, and the sixth is due five seconds later.
  await until(async () => (await world.rows('select from attempts where attempt_no = 5')).length === 1, 10_000);
  await world.rows(`update endpoints set url = 'https://moved.example.org/hooks'`);
  const urls = await world.rows<{ url: string | null }>('select url from attempts order by attempt_no');
  expect(urls.map((row) => row.url)).toEqual([null, url]);
});
