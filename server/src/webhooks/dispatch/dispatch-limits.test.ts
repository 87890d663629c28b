// The deliveries of one tenant must not affect those of others. Stored responses must not contain secrets.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { type DispatchFixture, testWorld } from './dispatch.fixture.ts';
import type { Dispatcher } from './dispatch-webhooks.job.ts';
import { listHeldGroups, releaseGroup } from './queue/held-deliveries-store.ts';

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

const start = async (): Promise<Dispatcher> => {
  running = await world.dispatcher();
  return running;
};
const hold = (): Promise<unknown> =>
  world.rows(`with held as (update queue set state = 'held') update deliveries set status = 'held'`);
const statesOf = async (endpointId: string): Promise<string[]> =>
  (
    await world.rows<{ state: string }>(
      `select concat_ws(' ', status, reason) as state from deliveries where endpoint_id = $1`,
      [endpointId],
    )
  ).map(({ state }) => state);

test('a delivery whose attempts are interrupted again and again fails, and other deliveries are claimed', async () => {
  const { url, received } = await world.receiver((response) => response.end());
  const worn = await world.addEndpoint(url, keyId);
  const well = await world.addEndpoint(url, keyId);
  await world.emit();
  await world.rows('update queue set attempt_no = 32767 where endpoint_id = $1', [worn.endpointId]);
  await start();
  await until(async () => (await world.rows('select from queue')).length === 0);
  expect(await statesOf(worn.endpointId)).toEqual(['cancelled too_many_attempts']);
  expect(await statesOf(well.endpointId)).toEqual(['succeeded']);
  expect(received).toHaveLength(1);
});

test('held deliveries are released in batches, and a group that cannot be released delays no other', async () => {
  const { url } = await world.receiver((response) => response.end());
  // Groups are processed in the order of their endpoints.
  const [stuck, free] = [await world.addEndpoint(url, keyId), await world.addEndpoint(url, keyId)];
  await world.emit(3);
  await hold();
  const [group] = (await listHeldGroups(world.worker)).filter((one) => one.endpoint_id === free.endpointId);
  if (group) await releaseGroup(world.worker, group, 2);
  expect((await statesOf(free.endpointId)).sort()).toEqual(['held', 'pending', 'pending']);
  await world.rows(`create function refuse() returns trigger language plpgsql as $$ begin raise 'too long'; end $$`);
  await world.rows(`create trigger refuse before update on queue for each row
    when (old.endpoint_id = '${stuck.endpointId}') execute function refuse()`);
  await start();
  await until(async () => (await statesOf(free.endpointId)).every((state) => state === 'succeeded'));
  expect(await statesOf(stuck.endpointId)).toEqual(['held', 'held', 'held']);
  await world.rows('drop function refuse cascade');
  await until(async () => (await statesOf(stuck.endpointId)).every((state) => state === 'succeeded'));
});

test('custom header values and signatures that a receiver echoes are not stored', async () => {
  const TOKEN = 'a-token-of-the-receiver';
  const { url, received } = await world.receiver((response, { headers }) => {
    const credentials = Buffer.from(String(headers.authorization)).toString('base64');
    response.writeHead(401, { 'x-got': String(headers.authorization), 'x-login': credentials });
    response.end(JSON.stringify({ message: 'Not this token.', headers }));
  });
  await world.addEndpoint(url, keyId, {}, { headers: new Map([['authorization', `Bearer ${TOKEN}`]]) });
  await world.emit();
  await start();
  const [kept] = await until(async () => {
    const rows = await world.rows<{ headers: Record<string, string>; body: string }>(
      'select response_headers as headers, response_body as body from attempts',
    );
    return rows.length === 1 && rows;
  });
  const signature = String(received[0]?.headers['webhook-signature']);
  expect(kept?.headers).toMatchObject({ 'x-got': '[secret]', 'x-login': '[secret]' });
  const echoed = JSON.parse(kept?.body ?? '');
  expect(echoed).toMatchObject({ message: 'Not this token.', headers: { authorization: '[secret]' } });
  expect(echoed.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  for (const secret of [TOKEN, signature.slice(3)]) expect(JSON.stringify(kept)).not.toContain(secret);
});

test('a probe waits for a token of its endpoint’s rate and takes it', async () => {
  const [RATE, COUNT] = [20, 6];
  const { url, received } = await world.receiver((response) => response.end());
  const { endpointId } = await world.addEndpoint(url, keyId, {}, { ratePerSecond: RATE });
  const dispatcher = await start();
  const [begun] = await world.rows<{ at: Date }>('select clock_timestamp() as at');
  const probe = { appId: world.appId, endpointId, buildRequest: () => ({ headers: {}, body: Buffer.from('{}') }) };
  await Promise.all(Array.from({ length: COUNT }, () => dispatcher.probe(probe)));
  expect(received).toHaveLength(COUNT);
  // Each token adds a twentieth of a second, except for the extra token of a full bucket.
  const [bucket] = await world.rows<{ taken: number; waited: boolean }>(
    `select (extract(epoch from greatest(paced_until, to_timestamp(0)) - $1) * ${RATE})::float8 as taken,
       clock_timestamp() >= paced_until - interval '1 second' / ${RATE} as waited from endpoint_health`,
    [begun?.at],
  );
  // Dates of the driver have milliseconds.
  expect(bucket?.taken).toBeGreaterThan(COUNT - 1.1);
  expect(bucket?.waited).toBe(true);
});
