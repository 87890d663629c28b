import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from '../dispatch.fixture.ts';

let world: DispatchFixture;
let keyId: string;
beforeEach(async () => {
  world = await testWorld();
  keyId = await world.addKey();
});
afterEach(() => world.close());

const areAll = async (status: string) => (await deliveriesOf(world)).every((one) => one.status === status);

test('two workers share the deliveries, and each is sent once', async () => {
  const { url, received } = await world.receiver((response) => response.end());
  await world.addEndpoint(url, keyId);
  await world.emit(100);
  await Promise.all([world.dispatcher(), world.dispatcher()]);
  await until(() => areAll('succeeded'));
  expect(new Set(received.map((one) => one.headers['webhook-id'])).size).toBe(100);
  expect(received).toHaveLength(100);
  expect(await world.rows('select count(*)::int as count from attempts')).toEqual([{ count: 100 }]);
});

test('in-flight deliveries of a dead worker are immediately sent by the next worker, with the attempt marked as interrupted', async () => {
  const { url, received } = await world.receiver((response) => response.end());
  await world.addEndpoint(url, keyId);
  await world.emit();
  const dead = newUuid();
  await world.rows(`insert into workers (worker_id, beat_at) values ($1, now() - interval '6 seconds')`, [dead]);
  await world.rows(`update queue set state = 'in_flight', worker_id = $1, attempt_no = 1, claimed_at = now()`, [dead]);
  await world.dispatcher();
  await until(() => areAll('succeeded'));
  expect(await deliveriesOf(world)).toMatchObject([{ outcomes: ['interrupted', 'response'] }]);
  expect(received).toMatchObject([{ headers: { 'slipway-attempt': '2' } }]);
  expect(await world.rows('select from workers where worker_id = $1', [dead])).toEqual([]);
});

test('a worker that sends heartbeats keeps its deliveries', async () => {
  const hanging = await world.hangingReceiver();
  await world.addEndpoint(hanging.url, keyId);
  await world.emit();
  const timing = { heartbeatMs: 200, deadAfterMs: 2_000 };
  await world.dispatcher({ timing });
  await until(() => hanging.seen.bytes > 0);
  const [first] = await world.rows<{ worker_id: string }>('select worker_id from workers');
  await world.dispatcher({ timing });
  const beats = () =>
    world.rows<{ beat: number }>('select beat::int from workers where worker_id = $1', [first?.worker_id]);
  await until(async () => ((await beats())[0]?.beat ?? 0) > 12);
  expect(await deliveriesOf(world)).toMatchObject([{ status: 'pending', outcomes: [] }]);
  expect(hanging.seen.firstBytesAtMs).toHaveLength(1);
});

test('a worker that was deregistered aborts its attempts and returns under a new id', async () => {
  const hanging = await world.hangingReceiver();
  await world.addEndpoint(hanging.url, keyId);
  await world.emit();
  await world.dispatcher();
  await until(() => hanging.seen.firstBytesAtMs.length === 1);
  const [old] = await world.rows<{ worker_id: string }>('delete from workers returning worker_id');
  await until(() => hanging.seen.closed === 1);
  await until(() => hanging.seen.firstBytesAtMs.length === 2);
  const [now] = await world.rows<{ worker_id: string }>('select worker_id from workers');
  expect(now?.worker_id).not.toBe(old?.worker_id);
  expect(await deliveriesOf(world)).toMatchObject([{ status: 'pending', outcomes: ['interrupted'] }]);
});

test('a worker that shuts down lets attempts finish and hands the rest back', async () => {
  const slow = await world.receiver((response) => void setTimeout(() => response.end(), 500));
  const hanging = await world.hangingReceiver();
  await world.addEndpoint(slow.url, keyId);
  await world.addEndpoint(hanging.url, keyId);
  await world.emit();
  const dispatcher = await world.dispatcher({ timing: { finishMs: 1_000 } });
  await until(() => hanging.seen.bytes > 0 && slow.received.length === 1);
  await dispatcher.stop();
  const byOutcome = (await deliveriesOf(world)).map(({ status, outcomes }) => [status, ...outcomes].join(' ')).sort();
  expect(byOutcome).toEqual(['pending interrupted', 'succeeded response']);
  expect(await world.rows('select state, worker_id from queue')).toEqual([{ state: 'waiting', worker_id: null }]);
  expect(await world.rows('select from workers')).toEqual([]);
  await world.emit();
  expect(await world.rows(`select from queue where state = 'in_flight'`)).toEqual([]);
});
