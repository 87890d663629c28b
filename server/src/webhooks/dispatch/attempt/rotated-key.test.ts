// Deliveries through a rotated key: cancelled at its end, as by a revocation, and sent through its successor if they
// were handed on.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { runAsTenant } from '../../../access/authority/index.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import { moveEndpointsToKey } from '../../webhooks/endpoint-keys-store.ts';
import { claimDeliveries } from '../claim/claim-round.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from '../dispatch.fixture.ts';

let world: DispatchFixture;
let keyId: string;
beforeEach(async () => {
  world = await testWorld();
  keyId = await world.addKey();
});
afterEach(() => world.close());

const endIn = (span: string) =>
  world.rows(`update keys set ends_at = clock_timestamp() + interval '${span}' where key_id = $1`, [keyId]);
const handOn = (to: string) =>
  runAsTenant(world.plane.db.manager, world.appId, async (tenant) => moveEndpointsToKey(tenant, keyId, to));
const first = async () => (await deliveriesOf(world))[0];

test('a waiting delivery is cancelled, not sent, when the overlap of its key ends', async () => {
  const { url, received } = await world.receiver((response) => response.end());
  await world.addEndpoint(url, keyId);
  await world.emit();
  await endIn('0 seconds');
  await world.dispatcher();
  const cancelled = await until(async () => (await first())?.status === 'cancelled' && first());
  expect(cancelled).toMatchObject({ reason: 'key_revoked', outcomes: [] });
  expect(received).toEqual([]);
});

test('a delivery claimed before the end of its key does not begin after it', async () => {
  const { endpointId } = await world.addEndpoint('http://127.0.0.1:1/hooks', keyId);
  await world.emit();
  await endIn('5 seconds');
  const askedMs = monotonicMs();
  const registration = { workerId: newUuid(), leaseUntilMs: askedMs + 60_000 };
  const queue = { appId: world.appId, endpointId, slots: 1, examineLimit: 1, ratePerSecond: null };
  const { claims } = await claimDeliveries(world.worker, registration, [queue]);
  const [claim] = claims;
  expect(claim?.token.beginByMs).toBeGreaterThan(askedMs);
  expect(claim?.token.beginByMs).toBeLessThanOrEqual(askedMs + 5_000);
});

test('a delivery that was handed on is sent through the successor after the old key ended', async () => {
  const { url, received } = await world.receiver((response) => response.end());
  await world.addEndpoint(url, keyId);
  await world.emit(2);
  await handOn(await world.addKey());
  await world.revokeKey(keyId);
  await world.dispatcher();
  await until(async () => (await deliveriesOf(world)).every(({ status }) => status === 'succeeded'));
  expect(received).toHaveLength(2);
});

test('an attempt through the old key is aborted when that key is revoked, and made again through the successor', async () => {
  let isOpen = false;
  const { url, received } = await world.receiver((response) => isOpen && response.end());
  await world.addEndpoint(url, keyId);
  await world.dispatcher();
  await world.emit();
  await until(() => received.length === 1);
  await handOn(await world.addKey());
  await world.revokeKey(keyId);
  isOpen = true;
  await world.stop({ keyId });
  const sent = await until(async () => (await first())?.status === 'succeeded' && first());
  expect(sent).toMatchObject({ outcomes: ['aborted_by_revoke', 'response'] });
  expect(received).toHaveLength(2);
});
