// Endpoint health is recorded, reported and acted upon, and deliveries that wait for too long are cancelled.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import { runHousekeeping } from '../../../platform/housekeeping/index.ts';
import { type HealthRow, toHealth } from '../../webhooks/health.ts';
import { findEndpointRow } from '../../webhooks/store.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from '../dispatch.fixture.ts';
import { warnOfFailures } from './warn-of-failures.job.ts';

let world: DispatchFixture;
let keyId: string;
/** Status of the receiver's response; 0 means no response until the sender closes the connection. */
let status = 500;
let held: ServerResponse | undefined;
let url: string;
let endpointId: string;
beforeAll(async () => {
  world = await testWorld();
  keyId = await world.addKey();
  ({ url } = await world.receiver((response) => {
    if (status === 0) held = response;
    else response.writeHead(status, { 'x-hint': 'why' }).end();
  }));
  await world.dispatcher();
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const table of ['queue', 'attempts', 'deliveries', 'notices', 'endpoints'])
    await world.rows(`delete from ${table}`);
  status = 500;
  ({ endpointId } = await world.addEndpoint(url, keyId));
});

const health = async (): Promise<ReturnType<typeof toHealth> | undefined> => {
  const row = await world.asMember((tenant) => findEndpointRow(tenant, endpointId));
  return row && toHealth(row satisfies HealthRow);
};
const attempt = async (answer: number): Promise<void> => {
  status = answer;
  const { length } = await world.rows('select from attempts');
  await world.emit();
  await until(async () => (await world.rows('select from attempts')).length > length);
};
const notices = () =>
  world.rows<{ kind: string; days_failing: number | null; disabled_reason: string | null; endpoint_host: string }>(
    'select kind, days_failing, disabled_reason, endpoint_host from notices order by notice_id',
  );
const noticeKinds = async () => (await notices()).map(({ kind, days_failing }) => days_failing ?? kind);
const stateOf = async () =>
  (
    await world.rows<{ state: string; disabled_reason: string | null }>('select state, disabled_reason from endpoints')
  )[0];

describe('health of an endpoint', () => {
  test('health reports consecutive failures until a success, and the success rate of the latest attempts', async () => {
    expect(await health()).toMatchObject({ lastSuccessAt: null, failingSince: null, successRate: null });
    await attempt(500);
    await attempt(404);
    const ill = await until(async () => {
      const now = await health();
      return now?.consecutiveFailures === 2 && now;
    });
    expect(ill).toMatchObject({ lastSuccessAt: null, recentAttempts: 2, successRate: 0 });
    expect(ill.failingSince).not.toBeNull();
    expect(Date.parse(ill.failingSince ?? '')).toBeLessThanOrEqual(Date.parse(ill.lastFailureAt ?? ''));
    await attempt(200);
    // Written before its attempt: a caller that sees the success never finds the endpoint failing.
    expect(await health()).toMatchObject({ consecutiveFailures: 0, failingSince: null, recentAttempts: 3 });
    expect((await health())?.successRate).toBeCloseTo(1 / 3);
  });

  test('health ignores attempts that Slipway stopped itself, and is deleted with its endpoint', async () => {
    status = 0;
    await world.emit();
    await until(() => held !== undefined);
    await world.rows('delete from workers');
    await until(async () => (await deliveriesOf(world))[0]?.outcomes.includes('interrupted'));
    await attempt(200);
    // Earlier outcomes were written with this success or before it.
    await until(async () => ((await health())?.recentAttempts ?? 0) > 0);
    expect(await health()).toMatchObject({ lastFailureAt: null, successRate: 1 });
    await world.rows('delete from endpoints');
    expect(await world.rows('select from endpoint_health')).toEqual([]);
  });

  test('an attempt keeps the response of the receiver with its headers', async () => {
    await attempt(503);
    expect(await world.rows(`select status, response_headers ->> 'x-hint' as hint from attempts`)).toEqual([
      { status: 503, hint: 'why' },
    ]);
  });
});

describe('endpoint with nothing but failures', () => {
  /** Sets the time of the first failure and of the last warning; the last failure is now. */
  const fail = (since: string, warnedDays = 0, warnedAgo: string | null = null) =>
    world.rows(
      `update endpoint_health set failing_since = now() - $1::interval, last_failure_at = now(), consecutive_failures = 9,
         warned_days = $2, warned_at = now() - $3::interval`,
      [since, warnedDays, warnedAgo],
    );
  const warn = () => Promise.all([warnOfFailures(world.worker), warnOfFailures(world.worker)]);

  test('warns after one day and after three days, and disables after five, each once', async () => {
    await fail('23 hours');
    await warn();
    expect(await noticeKinds()).toEqual([]);
    await fail('1 day');
    await warn();
    await warn();
    expect(await noticeKinds()).toEqual([1]);
    await fail('3 days', 1, '2 days');
    await warn();
    await warn();
    expect(await noticeKinds()).toEqual([1, 3]);
    await fail('4 days 23 hours', 3, '47 hours');
    await warn();
    expect(await stateOf()).toMatchObject({ state: 'enabled' });
    await fail('5 days', 3, '2 days');
    await warn();
    await warn();
    expect(await noticeKinds()).toEqual([1, 3, 'endpoint_disabled']);
    expect(await stateOf()).toEqual({ state: 'disabled', disabled_reason: 'Every attempt failed for five days.' });
    expect((await notices())[2]).toMatchObject({
      disabled_reason: 'Every attempt failed for five days.',
      endpoint_host: new URL(url).host,
    });
    // From now on missed events are recorded.
    await world.emit();
    expect(await deliveriesOf(world)).toMatchObject([{ status: 'skipped', reason: 'endpoint_disabled' }]);
  });

  test('is never disabled without both warnings and the time to act on them, whatever the clock says', async () => {
    await fail('60 days');
    await warn();
    await warn();
    expect([await noticeKinds(), (await stateOf())?.state]).toEqual([[1], 'enabled']);
    await fail('60 days', 1, '2 days');
    await warn();
    expect([await noticeKinds(), (await stateOf())?.state]).toEqual([[1, 3], 'enabled']);
  });

  test('is not warned if the failures were long ago and no attempt followed', async () => {
    await world.rows(
      `update endpoint_health set failing_since = now() - interval '9 days', last_failure_at = now() - interval '8 days 1 hour'`,
    );
    await warn();
    expect(await noticeKinds()).toEqual([]);
  });

  test('starts again after a success, and after a member enables the endpoint', async () => {
    const forgotten = { failing_since: null, consecutive_failures: 0, warned_days: 0, warned_at: null };
    const row = () =>
      world.rows('select failing_since, consecutive_failures, warned_days, warned_at from endpoint_health');
    await fail('5 days', 3, '2 days');
    await attempt(204);
    expect(await row()).toMatchObject([{ failing_since: null, consecutive_failures: 0 }]);
    await warn();
    await warn();
    expect(await row()).toEqual([forgotten]);
    expect(await noticeKinds()).toEqual(['endpoint_recovered']);
    await fail('5 days', 3, '2 days');
    await warn();
    await world.rows(`update endpoints set state = 'enabled', disabled_reason = null`);
    expect(await row()).toEqual([forgotten]);
    await attempt(500);
    await until(async () => (await health())?.consecutiveFailures === 1);
    await warn();
    expect(await stateOf()).toMatchObject({ state: 'enabled' });
  });

  test('is reported as recovered if it failed again after the success, and its new failures are counted from zero', async () => {
    await fail('4 days', 3, '1 day');
    await attempt(204);
    await attempt(500);
    await until(async () => (await health())?.consecutiveFailures === 1);
    await warn();
    expect(await noticeKinds()).toEqual(['endpoint_recovered']);
    expect(await world.rows('select warned_days, consecutive_failures from endpoint_health')).toEqual([
      { warned_days: 0, consecutive_failures: 1 },
    ]);
  });

  test('is warned even if the host of another endpoint is too long for a notice', async () => {
    await world.addEndpoint(url, keyId);
    await world.rows(
      `update endpoints set url = 'https://' || repeat('a.', 300) || 'example.org/' where endpoint_id = $1`,
      [endpointId],
    );
    await fail('1 day');
    await warn();
    expect(await noticeKinds()).toEqual([1, 1]);
  });

  test('is not warned while its app is suspended', async () => {
    await fail('1 day');
    await world.rows(`update apps set state = 'suspended'`);
    await warn();
    expect(await noticeKinds()).toEqual([]);
    await world.rows(`update apps set state = 'active'`);
  });
});

test('a receiver that responds 410 disables its endpoint, with one notice', async () => {
  await world.emit(3);
  status = 410;
  await attempt(410);
  await until(async () => (await stateOf())?.state === 'disabled');
  expect(await notices()).toMatchObject([
    { kind: 'endpoint_disabled', disabled_reason: 'The receiver responded with 410 Gone.' },
  ]);
});

describe('delivery that waits for too long', () => {
  /** Creates a delivery whose id and row are so many days old. */
  async function old(state: 'held' | 'waiting', idDays: number, rowDays = idDays): Promise<void> {
    const [row] = await world.rows<{ id: string }>(
      `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status, created_at)
       values ($1, overlay(uuid_floor(now() - $5 * interval '1 day')::text placing right($2::text, 12) from 25)::uuid, $3, $2::text::uuid, $4, $7,
         'scheduled', case $6 when 'held' then 'held' else 'pending' end, now() - $8 * interval '1 day')
       returning delivery_id as id`,
      [world.appId, newUuid(), endpointId, keyId, idDays, state, world.serverId, rowDays],
    );
    await world.rows(
      `insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, state, due_at)
       select app_id, delivery_id, endpoint_id, event_id, key_id, server_id, $2, now() + interval '1 day'
       from deliveries where delivery_id = $1`,
      [row?.id, state],
    );
  }

  test('is cancelled with the reason, and no other delivery is', async () => {
    await world.rows(`update installations set state = 'paused'`);
    await old('waiting', 21);
    await old('held', 19);
    // Each is slightly younger, because deliveries of the same millisecond have no order.
    await old('waiting', 18.9);
    await old('held', 11);
    await old('waiting', 10.9);
    // From a node whose clock was wrong.
    await old('held', 10.5, 1);
    await old('held', 9);
    await runHousekeeping(world.worker, { requestDays: 30, eventDays: 20, heldDays: 10 });
    const ended = (await deliveriesOf(world)).map((one) => [one.status, one.reason].join(' ').trim());
    const queueLength = (await world.rows('select from queue')).length;
    await world.rows(`update installations set state = 'authorised'`);
    expect([ended, queueLength]).toEqual([
      [
        'cancelled event_expired',
        'cancelled held_too_long',
        'pending',
        'cancelled held_too_long',
        'pending',
        'held',
        'held',
      ],
      4,
    ]);
  });
});
