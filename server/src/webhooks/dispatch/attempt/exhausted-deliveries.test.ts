// A delivery whose last attempt failed causes a notice, in the transaction that records the attempt: one for each
// endpoint and hour, with any number of failures and workers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '../../../kit/crypto/ids.ts';
import { type DispatchFixture, testWorld } from '../dispatch.fixture.ts';
import { type AttemptResultRow, recordAttempts } from './attempt-store.ts';

let world: DispatchFixture;
let keyId: string;
const endpoints: string[] = [];
const workerId = newUuid();
beforeAll(async () => {
  world = await testWorld();
  keyId = await world.addKey();
  for (const host of ['one', 'two'])
    endpoints.push((await world.addEndpoint(`https://${host}.example.org/hooks`, keyId)).endpointId);
  await world.emit();
});
afterAll(() => world.close());

/** Inserts copies of the queued deliveries, which are in flight at their last attempt, and returns their results. */
async function fly(copies: number, next: AttemptResultRow['next'] = 'failed'): Promise<AttemptResultRow[]> {
  const rows = await world.rows<{ delivery_id: string; now: number }>(
    `with copied as (
       insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status)
       select d.app_id, (left(d.delivery_id::text, 24) || right(gen_random_uuid()::text, 12))::uuid, d.endpoint_id, d.event_id,
         d.key_id, d.server_id, d.trigger, 'pending'
       from (select distinct on (endpoint_id) * from deliveries order by endpoint_id, delivery_id) d, generate_series(1, $1)
       returning *)
     insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, state, attempt_no, worker_id, claimed_at)
     select app_id, delivery_id, endpoint_id, event_id, key_id, server_id, 'in_flight', 10, $2, now() from copied
     returning delivery_id, extract(epoch from now())::float8 * 1000 as now`,
    [copies, workerId],
  );
  return rows.map(({ delivery_id, now }) => ({
    ...{ app_id: world.appId, delivery_id, worker_id: workerId, attempt_no: 10, key_id: keyId, next, delay_ms: 0 },
    ...{ started_at_ms: now, duration_us: 1, outcome: 'http_error', status: 500, detail: null },
    ...{ response_headers: null, response_body: null, is_body_cut: false, url: null },
  }));
}

async function record(results: AttemptResultRow[]): Promise<void> {
  const batches: AttemptResultRow[][] = [];
  for (let at = 0; at < results.length; at += 64) batches.push(results.slice(at, at + 64));
  const lane = async (): Promise<void> => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) await recordAttempts(world.dispatch, batch, false);
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
}

/** Returns the number of notices of each endpoint, and the number of hours in which they were written. */
const notices = () =>
  world.rows<{ notices: number; hours: number }>(
    `select count(*)::int as notices, count(distinct date_trunc('hour', created_at))::int as hours from notices
     where kind = 'delivery_exhausted' and delivery_id is not null group by endpoint_id`,
  );

test('10,000 failed deliveries of two endpoints cause one notice for each endpoint and hour', async () => {
  await record(await fly(5_000));
  expect(await world.rows(`select count(*)::int as count from deliveries where status = 'failed'`)).toEqual([
    { count: 10_000 },
  ]);
  const written = await notices();
  expect(written).toHaveLength(2);
  for (const { notices: count, hours } of written) expect(count).toBe(hours);
});

test('a failed delivery in a later hour causes another notice', async () => {
  await world.rows(`update notices set created_at = created_at - interval '2 hours'`);
  const before = await world.rows('select from notices');
  await record(await fly(1));
  expect(await world.rows('select from notices')).toHaveLength(before.length + 2);
});

test('a delivery that succeeds or is attempted again causes no notice', async () => {
  await world.rows('delete from notices');
  await record(await fly(1, 'succeeded'));
  await record(await fly(1, 'waiting'));
  expect(await world.rows('select from notices')).toEqual([]);
});

test('the notice names the key that delivers now if the key of the delivery was revoked', async () => {
  const [first, second] = [await world.addKey(), await world.addKey()];
  const { endpointId } = await world.addEndpoint('https://three.example.org/hooks', [first, second]);
  await world.emit();
  await world.revokeKey(first);
  await record(await fly(1));
  const named = await world.rows('select key_id from notices where endpoint_id = $1', [endpointId]);
  expect(named).toEqual([{ key_id: second }]);
});

test.each([1, 2])('the notice names the first of %i keys if no key can deliver', async (count) => {
  const keyIds: string[] = [];
  while (keyIds.length < count) keyIds.push(await world.addKey());
  const { endpointId } = await world.addEndpoint(`https://ended-${count}.example.org/hooks`, keyIds);
  await world.emit();
  for (const one of keyIds) await world.revokeKey(one);
  await record(await fly(1));
  const named = await world.rows('select key_id from notices where endpoint_id = $1', [endpointId]);
  expect(named).toEqual([{ key_id: keyIds[0] }]);
});
