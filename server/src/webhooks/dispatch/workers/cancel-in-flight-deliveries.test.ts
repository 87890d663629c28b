import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { type AccessCancellation, runAsTenant } from '../../../access/authority/index.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import type { Database } from '../../../kit/db/db.ts';
import type { Sql } from '../../../kit/db/sql.ts';
import { cancelDeliveriesOfKey } from '../../webhooks/access-change-store.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from '../dispatch.fixture.ts';

let world: DispatchFixture;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

interface StopReport {
  tookMs: number;
  answeredAtMs: number;
  /** Workers that the stop waited for in vain: without them, it was answered by their confirmations. */
  deregistered: string[];
  cancellation: AccessCancellation | undefined;
}

async function readWorkerIds(): Promise<string[]> {
  return (await world.rows<{ worker_id: string }>('select worker_id from workers')).map((row) => row.worker_id);
}

/** Stops a key. `npm run prove -- webhooks` measures the duration. */
async function stop(keyId: string): Promise<StopReport> {
  const before = await readWorkerIds();
  const beganMs = performance.now();
  const [cancellation] = await world.stop({ keyId });
  const answeredAtMs = performance.now();
  const after = await readWorkerIds();
  return {
    tookMs: answeredAtMs - beganMs,
    answeredAtMs,
    deregistered: before.filter((workerId) => !after.includes(workerId)),
    cancellation,
  };
}

test('a revocation aborts hanging attempts, and the receiver sees nothing more after its response', async () => {
  const keyId = await world.addKey();
  const hanging = await world.hangingReceiver();
  await world.addEndpoint(hanging.url, keyId);
  await world.dispatcher();
  await world.emit(30);
  await until(() => hanging.seen.firstBytesAtMs.length === 2);
  await world.revokeKey(keyId);
  const inFlight = await world.rows("select from queue where state = 'in_flight'");
  const [worker] = await readWorkerIds();
  const { deregistered, cancellation } = await stop(keyId);
  expect(cancellation).toMatchObject({
    attempts: inFlight.length,
    workers: [{ workerId: worker, outcome: 'confirmed', leaseMs: null }],
  });
  const seen = { ...hanging.seen, firstBytesAtMs: [...hanging.seen.firstBytesAtMs] };
  expect(deregistered).toEqual([]);
  await until(async () => (await deliveriesOf(world)).every((one) => one.status === 'cancelled'));
  await until(() => hanging.seen.closed === 2);
  expect(hanging.seen).toEqual({ ...seen, closed: 2 });
  const deliveries = await deliveriesOf(world);
  expect(deliveries.every((one) => one.reason === 'key_revoked')).toBe(true);
  expect(deliveries.filter((one) => one.outcomes.join() === 'aborted_by_revoke')).toHaveLength(2);
  expect(await world.rows('select from stops')).toEqual([]);
});

test('no request begins after a revocation has responded, whatever two workers were about to send', async () => {
  const stopped: { keyId: string; url: string; seen: { firstBytesAtMs: number[] } }[] = [];
  const answeredAtMs = new Map<string, number>();
  for (let round = 0; round < 12; round += 1) {
    const keyId = await world.addKey();
    // A quick response, so that new requests begin all the time.
    const { url, seen } = await world.hangingReceiver((socket) => {
      setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 3);
    });
    await world.addEndpoint(url, keyId);
    stopped.push({ keyId, url, seen });
  }
  await Promise.all([world.dispatcher(), world.dispatcher()]);
  await world.emit(60);
  for (const { keyId, url, seen } of stopped) {
    await until(() => seen.firstBytesAtMs.length > 3);
    await world.revokeKey(keyId);
    answeredAtMs.set(url, (await stop(keyId)).answeredAtMs);
  }
  await until(async () => (await world.rows('select from queue')).length === 0);
  // A request begins at its pre-send check, right before its first byte is written. A busy receiver may see it any time
  // later.
  expect(world.begun.filter(({ url, atMs }) => atMs > (answeredAtMs.get(url) ?? 0))).toEqual([]);
  for (const { url, seen } of stopped) {
    expect(seen.firstBytesAtMs.length).toBeLessThanOrEqual(world.begun.filter((one) => one.url === url).length);
  }
  const cancelled = (await deliveriesOf(world)).filter((one) => one.status === 'cancelled');
  expect(cancelled.length).toBeGreaterThan(20);
});

/** A database whose responses can be delayed: those of claims, and later those of everything else. */
function slowDatabase(db: Database) {
  const gate = () => {
    let open = (): void => {};
    const passed = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { passed, open: () => open() };
  };
  const [claims, rest] = [gate(), gate()];
  let isRestKept = false;
  const slow: Database = {
    ...db,
    async query<Row>(statement: Sql) {
      const rows = await db.query<Row>(statement);
      if (isRestKept) await rest.passed;
      return rows;
    },
    async transaction(run) {
      const result = await db.transaction(run);
      await claims.passed;
      return result;
    },
  };
  const keepRest = () => {
    isRestKept = true;
  };
  const releaseRest = () => {
    isRestKept = false;
    rest.open();
  };
  return { slow, releaseClaims: claims.open, keepRest, releaseRest };
}

test('a claim whose result is under way during a revocation is not sent', async () => {
  const keyId = await world.addKey();
  const { url, seen } = await world.hangingReceiver();
  await world.addEndpoint(url, keyId);
  const { slow, releaseClaims } = slowDatabase(world.worker);
  await world.dispatcher({ db: slow });
  await world.emit();
  await until(async () => (await world.rows(`select from queue where state = 'in_flight'`)).length === 1);
  await world.revokeKey(keyId);
  expect((await stop(keyId)).deregistered).toEqual([]);
  releaseClaims();
  await until(async () => (await deliveriesOf(world))[0]?.status === 'cancelled');
  expect(await deliveriesOf(world)).toMatchObject([{ reason: 'key_revoked', outcomes: ['aborted_by_revoke'] }]);
  expect(seen.bytes).toBe(0);
});

test('a worker that was cut off sends nothing when it returns, before it knows what it missed', async () => {
  const keyId = await world.addKey();
  const { url, seen } = await world.hangingReceiver();
  await world.addEndpoint(url, keyId);
  const { slow, releaseClaims, keepRest, releaseRest } = slowDatabase(world.worker);
  await world.dispatcher({ db: slow });
  await world.emit();
  await until(async () => (await world.rows(`select from queue where state = 'in_flight'`)).length === 1);
  const [old] = await world.rows<{ worker_id: string }>('select worker_id from workers');
  keepRest();
  await world.revokeKey(keyId);
  await stop(keyId);
  expect(await world.rows('select from workers')).toEqual([]);
  releaseClaims();
  // The worker connects and then sends nothing.
  await until(() => seen.bytes > 0 || seen.closed === 1);
  expect(seen.bytes).toBe(0);
  releaseRest();
  await until(async () => (await deliveriesOf(world))[0]?.status === 'cancelled');
  expect(seen.bytes).toBe(0);
  const [now] = await until(async () => {
    const rows = await world.rows<{ worker_id: string }>('select worker_id from workers');
    return rows.length === 1 && rows;
  });
  expect(now?.worker_id).not.toBe(old?.worker_id);
});

test('a stop of one key counts no attempt under another key', async () => {
  const [denied, kept] = [await world.addKey(), await world.addKey()];
  const hanging = await world.hangingReceiver();
  await world.addEndpoint(hanging.url, kept);
  await world.dispatcher();
  await world.emit();
  await until(() => hanging.seen.bytes > 0);
  await world.revokeKey(denied);
  expect((await stop(denied)).cancellation).toMatchObject({ attempts: 0, workers: [{ outcome: 'confirmed' }] });
});

test('a stop of one key does not affect other keys', async () => {
  const [denied, kept] = [await world.addKey(), await world.addKey()];
  const hanging = await world.hangingReceiver();
  await world.addEndpoint(hanging.url, kept);
  await world.dispatcher();
  await world.emit();
  await until(() => hanging.seen.bytes > 0);
  await world.revokeKey(denied);
  await stop(denied);
  expect(hanging.seen.closed).toBe(0);
  expect(await deliveriesOf(world)).toMatchObject([{ status: 'pending', outcomes: [] }]);
});

test.each([
  ['1.6 s, which is beyond its lease', 1_300, 1_590],
  ['2 s where it is of an older version, which says no lease', null, 1_990],
])('a worker whose heartbeat stops is deregistered after %s, and not before', async (_, leaseMs, leastMs) => {
  const keyId = await world.addKey();
  await world.dispatcher();
  const frozen = newUuid();
  expect(await world.rows('select lease_ms from workers')).toEqual([{ lease_ms: 1_300 }]);
  await world.rows('insert into workers (worker_id, lease_ms) values ($1, $2)', [frozen, leaseMs]);
  await world.revokeKey(keyId);
  const { tookMs, deregistered, cancellation } = await stop(keyId);
  expect(tookMs).toBeGreaterThan(leastMs);
  expect(deregistered).toEqual([frozen]);
  const named = cancellation?.workers.find(({ workerId }) => workerId === frozen);
  expect(named).toMatchObject({ outcome: 'deregistered', leaseMs: leaseMs ?? 1_700 });
  expect(named?.waitedMs).toBeGreaterThan(leastMs - 1);
  expect(await world.rows('select from workers')).toHaveLength(1);
});

test('a stop waits for a worker that sends heartbeats but does not confirm', async () => {
  const keyId = await world.addKey();
  const busy = newUuid();
  await world.rows('insert into workers (worker_id) values ($1)', [busy]);
  await world.revokeKey(keyId);
  let isStopped = false;
  const stopping = stop(keyId).finally(() => (isStopped = true));
  const beganMs = performance.now();
  // The worker sends heartbeats for longer than a silent one would be given, then confirms.
  while (performance.now() - beganMs < 3_000) {
    await world.rows('update workers set beat = beat + 1, beat_at = clock_timestamp()');
    expect(await world.rows('select from workers')).toHaveLength(1);
  }
  expect(isStopped).toBe(false);
  await world.rows('delete from stops');
  await stopping;
});

test('a stop without workers resolves, and leaves nothing to confirm', async () => {
  const keyId = await world.addKey();
  await world.revokeKey(keyId);
  await stop(keyId);
  expect(await world.rows('select from stops')).toEqual([]);
});

test('a revocation does not wait for a halted claim, and the deliveries of that claim are cancelled when they are claimed again', async () => {
  const keyId = await world.addKey();
  const { url, received } = await world.receiver((response) => response.end());
  await world.addEndpoint(url, keyId);
  await world.emit(3);
  await world.rows(`update keys set state = 'revoked', revoked_at = now(), revoked_by = 'a test'`);
  await world.rows('begin');
  await world.rows('select from queue limit 1 for update');
  await runAsTenant(world.plane.db.manager, world.appId, async (tenant) => void cancelDeliveriesOfKey(tenant, keyId));
  await world.rows('commit');
  const statuses = async () => (await deliveriesOf(world)).map(({ status }) => status).sort();
  expect(await statuses()).toEqual(['cancelled', 'cancelled', 'pending']);
  await world.dispatcher();
  await until(async () => (await statuses()).every((status) => status === 'cancelled'));
  expect(received).toEqual([]);
});

test('a revocation responds soon whatever the length of the backlog, and later claims cancel the rest', async () => {
  const keyId = await world.addKey();
  const { url, received } = await world.receiver((response) => response.end());
  await world.addEndpoint(url, keyId);
  await world.emit();
  await world.rows(`create temporary table copies as select gen_random_uuid() as id from generate_series(1, 1100)`);
  await world.rows(`insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status)
    select app_id, id, endpoint_id, event_id, key_id, server_id, trigger, status from deliveries, copies`);
  await world.rows(`insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id)
    select app_id, id, endpoint_id, event_id, key_id, server_id from queue, copies`);
  await world.revokeKey(keyId);
  const waiting = async () => (await world.rows('select from queue')).length;
  expect(await waiting()).toBe(851);
  await world.dispatcher();
  await until(async () => (await waiting()) === 0);
  expect(await world.rows('select status, reason, count(*)::int from deliveries group by 1, 2')).toEqual([
    { status: 'cancelled', reason: 'key_revoked', count: 1_101 },
  ]);
  expect(received).toEqual([]);
});
