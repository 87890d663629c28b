// A fault of Slipway during an attempt: before the request it leaves no attempt, after it the attempt is interrupted.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import type { OutboundClient, OutboundResult } from '../../../kit/outbound/outbound.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from '../dispatch.fixture.ts';

let world: DispatchFixture;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

/** Makes one attempt through a client whose `post` fails, and returns its log line and the delivery. */
async function attemptWith(post: OutboundClient['post']) {
  await world.addEndpoint('http://127.0.0.1:1/hooks', await world.addKey());
  await world.emit();
  await world.dispatcher({ outbound: { post, get: post, close: async () => {} } });
  const row = await until(async () => {
    const rows = await world.rows<{ in_s: number }>(
      `select extract(epoch from due_at - clock_timestamp())::float8 as in_s from queue
       where state = 'waiting' and due_at > clock_timestamp() + interval '30 seconds'`,
    );
    return rows[0];
  });
  const lines = world.lines.map(({ event }) => event).filter((event) => event?.endsWith('_failed'));
  return { inS: row.in_s, lines, delivery: (await deliveriesOf(world))[0] };
}

test('an exception after the request began is recorded as an interrupted attempt, and repeated after a minute', async () => {
  const unreadable: unknown = { kind: 'response', status: 200, headers: {}, body: undefined, durationUs: 5 };
  const { inS, lines, delivery } = await attemptWith(async ({ preSendCheck }) => {
    preSendCheck?.();
    return unreadable as OutboundResult; // its evaluation throws
  });
  expect(delivery).toMatchObject({ status: 'pending', outcomes: ['interrupted'] });
  expect(lines).toEqual(['webhook.attempt_failed']);
  expect(inS).toBeLessThanOrEqual(60);
});

test('an exception before the request began is recorded as no attempt', async () => {
  const { lines, delivery } = await attemptWith(() => Promise.reject(new Error('no socket')));
  expect(delivery).toMatchObject({ status: 'pending', outcomes: [] });
  expect(lines).toEqual(['webhook.attempt_failed']);
});
