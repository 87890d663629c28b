// The queue age is the longest time that a due delivery has waited, over all endpoints.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPlane, testPlane } from '../../../../test/harness.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import { findQueueAge } from './queue-age-store.ts';

let plane: TestPlane;
beforeAll(async () => {
  plane = await testPlane();
});
afterAll(() => plane.close());

const put = (endpointId: string, state: string, due: string): Promise<unknown> =>
  plane.database.superuser.query(
    `insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, state, due_at)
     values ($1, $2, $3, $4, $5, $6, now() + $7::interval)`,
    [newUuid(), newUuid(), endpointId, newUuid(), newUuid(), state, due],
  );

test('the queue age is that of the oldest due delivery of any endpoint, and held or future deliveries do not count', async () => {
  const [one, other] = [newUuid(), newUuid()];
  expect(await findQueueAge(plane.worker)).toBeUndefined();
  await put(one, 'waiting', '1 hour');
  await put(one, 'held', '-1 day');
  await put(one, 'in_flight', '-1 day');
  expect(await findQueueAge(plane.worker)).toBeUndefined();
  await put(other, 'waiting', '-5 minutes');
  await put(one, 'waiting', '-2 minutes');
  await put(other, 'waiting', '-1 minute');
  const age = (await findQueueAge(plane.worker)) ?? 0;
  expect(age).toBeGreaterThanOrEqual(300);
  expect(age).toBeLessThan(330);
});
