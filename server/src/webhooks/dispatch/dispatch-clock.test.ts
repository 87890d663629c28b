// The retry schedule on a simulated clock, and the effect of clock jumps. The simulation covers the database's clock in
// every statement of the server (through a schema that precedes Postgres's own) and the process's wall clock. Column
// defaults and functions with their own search path use the real clock. So do deadlines and leases, which are
// monotonic.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { until } from '../../../test/harness.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { DELAYS_MS } from './attempt/attempt-result.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from './dispatch.fixture.ts';

const SIMULATED_CLOCK = `
  create schema sim;
  create table sim.clock (ahead interval not null);
  insert into sim.clock values ('0');
  grant usage on schema sim to public;
  grant select on sim.clock to public;
  create function sim.clock_timestamp() returns timestamptz volatile language sql
    return pg_catalog.clock_timestamp() + (select ahead from sim.clock);
  create function sim.statement_timestamp() returns timestamptz stable language sql
    return pg_catalog.statement_timestamp() + (select ahead from sim.clock);
  create function sim.now() returns timestamptz stable language sql
    return pg_catalog.now() + (select ahead from sim.clock);
  do $$ begin execute format('alter database %I set search_path = sim, pg_catalog, public', current_database()); end $$`;

let world: DispatchFixture;
let keyId: string;
beforeEach(async () => {
  world = await testWorld();
  // Before the server opens a connection.
  await world.rows(SIMULATED_CLOCK);
  keyId = await world.addKey();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await world.close();
});

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const MONTH_MS = 30 * 24 * HOUR_MS;

/** Moves the database's clock and the worker's clock. */
async function jump(byMs: number): Promise<void> {
  const [now] = await world.rows<{ ahead_ms: number }>(
    `update sim.clock set ahead = ahead + $1 * interval '1 millisecond'
     returning extract(epoch from ahead)::float8 * 1000 as ahead_ms`,
    [byMs],
  );
  const real = Date.prototype.getTime;
  vi.restoreAllMocks();
  vi.spyOn(Date, 'now').mockImplementation(() => real.call(new Date()) + (now?.ahead_ms ?? 0));
}

interface WaitingDelivery {
  attempt_no: number;
  /** Milliseconds after the end of the previous attempt. */
  delay_ms: number;
  /** Milliseconds from now. */
  in_ms: number;
}
/** Waits until no attempt is in flight and each delivery has had `attemptNo` attempts. */
const waiting = (count: number, attemptNo?: number): Promise<WaitingDelivery[]> =>
  until(async () => {
    const rows = await world.rows<WaitingDelivery & { state: string }>(`
      select q.state, q.attempt_no,
        extract(epoch from q.due_at - a.started_at)::float8 * 1000 - a.duration_us / 1000.0 as delay_ms,
        extract(epoch from q.due_at - pg_catalog.clock_timestamp() - (select ahead from sim.clock))::float8 * 1000 as in_ms
      from queue q left join attempts a on a.delivery_id = q.delivery_id and a.attempt_no = q.attempt_no`);
    const isSo = rows.every((row) => row.state === 'waiting' && (attemptNo ?? row.attempt_no) === row.attempt_no);
    return rows.length === count && isSo && rows;
  });

test('a failing delivery gets ten attempts over 75 hours, each delayed by its step and up to a fifth more', async () => {
  const COUNT = 16;
  const { url, received } = await world.receiver((response) => response.writeHead(503).end());
  await world.addEndpoint(url, keyId);
  await world.emit(COUNT);
  const dispatcher = await world.dispatcher();
  let simulatedMs = 0;
  for (const [attemptNo, stepMs] of DELAYS_MS.entries()) {
    if (attemptNo === 0) continue;
    const rows = await waiting(COUNT, attemptNo);
    expect(received).toHaveLength(COUNT * attemptNo);
    const delaysMs = rows.map(({ delay_ms }) => delay_ms);
    // Time from the end of the attempt by the worker's clock to its record by the database's clock.
    const RECORDED_WITHIN_MS = 2 * SECOND_MS;
    expect(Math.min(...delaysMs)).toBeGreaterThanOrEqual(stepMs - 1);
    expect(Math.max(...delaysMs)).toBeLessThanOrEqual(1.2 * stepMs + RECORDED_WITHIN_MS);
    // Receivers that failed at the same time are not called at the same time.
    expect(Math.max(...delaysMs) - Math.min(...delaysMs)).toBeGreaterThan(0.05 * stepMs);
    const last = Math.max(...rows.map(({ in_ms }) => in_ms));
    await jump(last + 1);
    simulatedMs += last + 1;
    dispatcher.wake();
  }
  await until(async () => (await deliveriesOf(world)).every(({ status }) => status === 'failed'));
  expect(received).toHaveLength(COUNT * DELAYS_MS.length);
  expect((await deliveriesOf(world)).every(({ outcomes }) => outcomes.length === DELAYS_MS.length)).toBe(true);
  expect(simulatedMs / HOUR_MS).toBeGreaterThan(75);
  expect(simulatedMs / HOUR_MS).toBeLessThan(75.6 * 1.2 + 0.1);
}, 30_000);

describe('jump of the clock', () => {
  /** No key lives that long. Without its expiry, the schedule can be observed after a month. */
  async function letKeysLive(): Promise<void> {
    await world.rows(`do $$ declare name text; begin
      for name in select conname from pg_constraint
        where conrelid = 'keys'::regclass and pg_get_constraintdef(oid) like '%30 days%'
      loop execute format('alter table keys drop constraint %I', name); end loop; end $$`);
    await world.rows('alter table keys disable trigger user');
    await world.rows(`update keys set expires_at = expires_at + interval '1 year'`);
  }

  test('a jump of a month ahead makes each waiting attempt once, and the next one by the schedule', async () => {
    await letKeysLive();
    const COUNT = 20;
    let slow: (() => void) | undefined;
    const { url, received } = await world.receiver((response, _received, index) => {
      if (index === COUNT) slow = () => response.end();
      else response.writeHead(500).end();
    });
    await world.addEndpoint(url, keyId);
    await Promise.all([world.dispatcher(), world.dispatcher()]);
    await world.emit(COUNT);
    await waiting(COUNT, 1);
    // Spreads the attempts as over three days.
    await world.rows(`update queue set attempt_no = 1 + abs(hashtext(delivery_id::text)) % 8,
      due_at = due_at + abs(hashtext(delivery_id::text)) % 24 * interval '1 hour'`);
    await world.rows(
      `update attempts a set attempt_no = q.attempt_no from queue q where q.delivery_id = a.delivery_id`,
    );
    // One attempt is in flight at the jump.
    await world.emit();
    await until(() => slow !== undefined);
    await jump(MONTH_MS);
    await until(() => received.length >= 2 * COUNT + 1);
    slow?.();
    const rows = await until(async () => {
      const queueRows = await world.rows<{ state: string }>('select state from queue');
      if (queueRows.some(({ state }) => state !== 'waiting')) return false;
      const all = await waiting(queueRows.length);
      return all.every(({ in_ms }) => in_ms > 0) && all;
    });
    // Each was attempted once, and no worker was deregistered for it.
    const outcomes = (await deliveriesOf(world)).flatMap((one) => one.outcomes);
    expect(outcomes).toEqual(Array.from({ length: 2 * COUNT + 1 }, () => 'response'));
    expect(received).toHaveLength(2 * COUNT + 1);
    expect(world.lines.filter(({ event }) => event === 'webhook.worker_deregistered')).toEqual([]);
    for (const { attempt_no, delay_ms } of rows)
      expect(delay_ms).toBeGreaterThanOrEqual((DELAYS_MS[attempt_no] ?? Number.NaN) - 1);
    expect(await deliveriesOf(world)).toHaveLength(COUNT + 1);
  }, 30_000);

  test('a jump of two hours back loses nothing: new deliveries go immediately, waiting ones when they are due', async () => {
    let isWell = false;
    const { url, received } = await world.receiver((response) => response.writeHead(isWell ? 200 : 500).end());
    await world.addEndpoint(url, keyId);
    const dispatcher = await world.dispatcher();
    await world.emit(10);
    await waiting(10, 1);
    await jump(-2 * HOUR_MS);
    // A worker that died before the jump: its last heartbeat lies in the future after it.
    const dead = newUuid();
    await world.rows(
      `insert into workers (worker_id, beat_at) values ($1, pg_catalog.clock_timestamp() - interval '1 minute')`,
      [dead],
    );
    await world.rows(
      `update queue set state = 'in_flight', attempt_no = 2, worker_id = $1, claimed_at = now()
      where delivery_id = (select delivery_id from queue limit 1)`,
      [dead],
    );
    await world.emit(5);
    await until(() => received.length === 16);
    const rows = await waiting(15);
    expect(rows.filter(({ in_ms }) => in_ms > HOUR_MS)).toHaveLength(9);
    isWell = true;
    await jump(2 * HOUR_MS + 10 * 60 * SECOND_MS);
    dispatcher.wake();
    await until(async () => (await deliveriesOf(world)).every(({ status }) => status === 'succeeded'));
    expect(received).toHaveLength(16 + 15);
    expect((await deliveriesOf(world)).filter(({ outcomes }) => outcomes.includes('interrupted'))).toHaveLength(1);
  }, 30_000);

  test('a jump past the expiry of a key cancels its waiting deliveries with the reason', async () => {
    const { url, received } = await world.receiver((response) => response.writeHead(500).end());
    await world.addEndpoint(url, keyId);
    await world.dispatcher();
    await world.emit(3);
    await waiting(3, 1);
    await jump(MONTH_MS);
    const cancelled = await until(async () => {
      const all = await deliveriesOf(world);
      return all.every(({ status }) => status === 'cancelled') && all;
    });
    expect(cancelled.map(({ reason }) => reason)).toEqual(['key_expired', 'key_expired', 'key_expired']);
    expect(received).toHaveLength(3);
  });
});
