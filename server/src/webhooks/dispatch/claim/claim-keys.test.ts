// Endpoints with several keys: a claim chooses the first usable key in the statement that reads the stop epoch, and a
// delivery continues through the next key after a revocation.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { runAsTenant } from '../../../access/authority/index.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import { sql } from '../../../kit/db/sql.ts';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import { revokeKeyRow } from '../../../tenancy/keys/store.ts';
import { cancelDeliveriesOfKey } from '../../webhooks/access-change-store.ts';
import { moveEndpointsToKey } from '../../webhooks/endpoint-keys-store.ts';
import { type DeliveryState, type DispatchFixture, deliveriesOf, testWorld } from '../dispatch.fixture.ts';
import { claimDeliveries } from './claim-round.ts';
import { lockDueDeliveries } from './claim-store.ts';

let world: DispatchFixture;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

const DEAD_URL = 'http://127.0.0.1:1/hooks';
const first = async (): Promise<DeliveryState | undefined> => (await deliveriesOf(world))[0];
const endOf = (): Promise<DeliveryState> =>
  until(async () => {
    const delivery = await first();
    return delivery !== undefined && ['succeeded', 'failed', 'cancelled'].includes(delivery.status) && delivery;
  });

/** Claims one delivery of the endpoint. */
async function claimOne(endpointId: string) {
  const registration = { workerId: newUuid(), leaseUntilMs: monotonicMs() + 60_000 };
  const queue = { appId: world.appId, endpointId, slots: 1, examineLimit: 1, ratePerSecond: null };
  const { claims } = await claimDeliveries(world.worker, registration, [queue]);
  return claims[0];
}

const OBSTACLES: [string, () => Promise<string>][] = [
  [
    'has expired',
    async () => {
      const keyId = await world.addKey({ lifetime: '50 milliseconds' });
      const left = (): Promise<unknown[]> =>
        world.rows('select from keys where key_id = $1 and expires_at > clock_timestamp()', [keyId]);
      await until(async () => (await left()).length === 0);
      return keyId;
    },
  ],
  ['lacks events:read', () => world.addKey({ scopes: '{servers:read}' })],
  [
    'is revoked',
    async () => {
      const keyId = await world.addKey();
      await world.revokeKey(keyId);
      return keyId;
    },
  ],
  [
    'is past its dated end',
    async () => {
      const keyId = await world.addKey();
      await world.rows('update keys set ends_at = clock_timestamp() where key_id = $1', [keyId]);
      return keyId;
    },
  ],
];

test('a claim chooses the first key and not the last', async () => {
  const keyIds = [await world.addKey(), await world.addKey(), await world.addKey()];
  const { endpointId } = await world.addEndpoint(DEAD_URL, keyIds);
  await world.emit();
  const claim = await claimOne(endpointId);
  expect(claim?.token.keyId).toBe(keyIds[0]);
  expect(await world.rows('select key_id from queue')).toEqual([{ key_id: keyIds[0] }]);
});

test.each(OBSTACLES)('a claim does not choose a first key that %s', async (_, addUnusable) => {
  const unusable = await addUnusable();
  const [second, third] = [await world.addKey({ lifetime: '10 seconds' }), await world.addKey()];
  const { endpointId } = await world.addEndpoint(DEAD_URL, [unusable, second, third]);
  await world.emit();
  const askedMs = monotonicMs();
  const claim = await claimOne(endpointId);
  expect(claim?.token.keyId).toBe(second);
  // The claim ends with its own key.
  expect(claim?.token.beginByMs).toBeLessThanOrEqual(askedMs + 10_000);
});

test('a claim judges the key that it chose at the time of the choice', async () => {
  const [ending, next] = [await world.addKey(), await world.addKey()];
  const { endpointId } = await world.addEndpoint(DEAD_URL, [ending, next]);
  await world.emit();
  await world.rows("update keys set ends_at = clock_timestamp() + interval '90 minutes' where key_id = $1", [ending]);
  // Each reading of this clock is one hour after the previous reading.
  await world.rows('create schema test_clock');
  await world.rows('grant usage on schema test_clock to slipway_worker');
  await world.rows('create sequence test_clock.readings');
  await world.rows(`create function test_clock.clock_timestamp() returns timestamptz language sql volatile security definer
    as $$ select pg_catalog.clock_timestamp() + nextval('test_clock.readings') * interval '1 hour' $$`);
  const claimed = await world.worker.transaction((tx) => {
    tx.send(sql`set local search_path = test_clock, pg_catalog, public`);
    return lockDueDeliveries(tx, [{ endpointId, examineLimit: 1 }]);
  });
  expect(claimed).toMatchObject([{ key_id: ending, key_state: 'active', is_key_expired: false }]);
});

test('a claim never chooses a key of another app', async () => {
  const [own, foreign] = [await world.addKey(), await world.addKey()];
  await world.rows('set session_replication_role = replica');
  const { endpointId } = await world.addEndpoint(DEAD_URL, [own, foreign]);
  await world.emit();
  await world.rows('update keys set app_id = gen_random_uuid() where key_id = $1', [foreign]);
  await world.rows('set session_replication_role = origin');
  await world.revokeKey(own);
  expect(await claimOne(endpointId)).toBeUndefined();
});

test('a revocation aborts attempts through its key, and the same delivery continues through the next key', async () => {
  let isOpen = false;
  const { url, received } = await world.receiver((response) => isOpen && response.end());
  const keyIds = [await world.addKey(), await world.addKey()];
  await world.addEndpoint(url, keyIds);
  await world.dispatcher();
  await world.emit();
  await until(() => received.length === 1);
  await world.revokeKey(keyIds[0] ?? '');
  isOpen = true;
  await world.stop({ keyId: keyIds[0] ?? '' });
  expect(await endOf()).toMatchObject({
    status: 'succeeded',
    outcomes: ['aborted_by_revoke', 'response'],
    keyIds,
  });
  // The secret of the endpoint did not change: the fixture verifies every request with it.
  expect(received).toHaveLength(2);
});

test('the revocation of another key leaves attempts in flight alone', async () => {
  let release = (): void => {};
  const { url, received } = await world.receiver((response) => {
    release = () => response.end();
  });
  const keyIds = [await world.addKey(), await world.addKey()];
  await world.addEndpoint(url, keyIds);
  await world.dispatcher();
  await world.emit();
  await until(() => received.length === 1);
  await world.revokeKey(keyIds[1] ?? '');
  await world.stop({ keyId: keyIds[1] ?? '' });
  release();
  expect(await endOf()).toMatchObject({ status: 'succeeded', outcomes: ['response'], keyIds: [keyIds[0]] });
});

test('the revocation of the last key cancels what waits and what is in flight', async () => {
  const hanging = await world.hangingReceiver();
  const keyIds = [await world.addKey(), await world.addKey()];
  await world.addEndpoint(hanging.url, keyIds);
  await world.dispatcher();
  await world.emit(5);
  await until(() => hanging.seen.firstBytesAtMs.length > 0);
  for (const keyId of keyIds) {
    await world.revokeKey(keyId);
    await world.stop({ keyId });
  }
  const ended = await until(async () => {
    const all = await deliveriesOf(world);
    return all.every(({ status }) => status === 'cancelled') && all;
  });
  expect(ended.map(({ reason }) => reason)).toEqual(Array(5).fill('key_revoked'));
});

test('two revocations at the same time of the last two keys leave no delivery waiting', async () => {
  const keyIds = [await world.addKey(), await world.addKey()];
  await world.addEndpoint(DEAD_URL, keyIds);
  await world.emit(3);
  const revoked: string[] = [];
  const revoke = (keyId: string, index: number): Promise<void> =>
    world.asMember(async (tenant) => {
      // Connections share four rows of revisions. With one row, the second transaction would wait for the first.
      await tenant.query(sql`select set_config('slipway.revision_slot', ${String(index)}, true)`);
      revoked.push((await revokeKeyRow(tenant, keyId, 'a test'))?.kid ?? '');
      await until(() => revoked.length === 2); // neither transaction sees the other one
      void cancelDeliveriesOfKey(tenant, keyId);
    });
  await Promise.all(keyIds.map(revoke));
  expect(await world.rows('select from queue')).toEqual([]);
});

test('no request through a revoked key begins after the response, and the deliveries continue through the second key', async () => {
  const revoked: { keyId: string; answeredAtMs: number }[] = [];
  const seconds = new Set<string>();
  const endpoints: { url: string; keyId: string; seen: { firstBytesAtMs: number[] } }[] = [];
  for (let round = 0; round < 8; round += 1) {
    const { url, seen } = await world.hangingReceiver((socket) => {
      setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 3);
    });
    const [keyId, second] = [await world.addKey(), await world.addKey()];
    await world.addEndpoint(url, [keyId, second]);
    endpoints.push({ url, keyId, seen });
    seconds.add(second);
  }
  await Promise.all([world.dispatcher(), world.dispatcher()]);
  await world.emit(60);
  for (const { keyId, seen } of endpoints) {
    await until(() => seen.firstBytesAtMs.length > 3);
    await world.revokeKey(keyId);
    await world.stop({ keyId });
    revoked.push({ keyId, answeredAtMs: performance.now() });
  }
  await until(async () => (await world.rows('select from queue')).length === 0);
  const late = revoked.flatMap(({ keyId, answeredAtMs }) =>
    world.begun.filter((one) => one.keyId === keyId && one.atMs > answeredAtMs),
  );
  expect(late).toEqual([]);
  const continued = world.begun.filter(({ keyId }) => keyId !== undefined && seconds.has(keyId));
  expect(new Set(continued.map(({ url }) => url)).size).toBeGreaterThan(0);
  expect((await deliveriesOf(world)).every(({ status }) => status === 'succeeded')).toBe(true);
});

test('a rotation replaces the key in its place', async () => {
  const [one, two, three] = [await world.addKey(), await world.addKey(), await world.addKey()];
  await world.addEndpoint(DEAD_URL, [one, two, three]);
  const successors = [await world.addKey(), await world.addKey()];
  const move = (from: string, to: string): Promise<void> =>
    runAsTenant(world.plane.db.manager, world.appId, async (tenant) => moveEndpointsToKey(tenant, from, to));
  await move(one, successors[0] ?? '');
  await move(three, successors[1] ?? '');
  expect(await world.rows('select key_id || further_key_ids as keys from endpoints')).toEqual([
    { keys: [successors[0], two, successors[1]] },
  ]);
});
