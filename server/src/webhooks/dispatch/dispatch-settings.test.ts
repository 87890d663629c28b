// Settings of an endpoint that the dispatcher applies: rate, order per subject, and a faster schedule.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { runAsTenant } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { cancelDeliveriesOfEndpoint } from '../webhooks/access-change-store.ts';
import type { ReceivedRequest } from '../webhooks/hook-receiver.fixture.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from './dispatch.fixture.ts';
import type { Dispatcher } from './dispatch-webhooks.job.ts';

let world: DispatchFixture;
let keyId: string;
let running: Dispatcher[] = [];
beforeAll(async () => {
  world = await testWorld();
  keyId = await world.addKey();
});
afterAll(() => world.close());
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  running = [];
  for (const table of ['queue', 'attempts', 'deliveries', 'endpoints']) await world.rows(`delete from ${table}`);
});

async function start(...options: Parameters<DispatchFixture['dispatcher']>): Promise<Dispatcher> {
  const dispatcher = await world.dispatcher(...options);
  running.push(dispatcher);
  return dispatcher;
}
const bringForward = () =>
  world.rows(`update queue set due_at = clock_timestamp() where state = 'waiting' and due_at < 'infinity'`);
const areAll = async (status: string) => (await deliveriesOf(world)).every((one) => one.status === status);
const sequenceOf = ({ body }: ReceivedRequest): number => JSON.parse(body.toString()).sequence;
const subjectOf = ({ body }: ReceivedRequest): string => JSON.parse(body.toString()).subject.id;

/**
 * Records the time of each claim of an endpoint with a rate. The delay until its worker sends depends on the machine.
 * The returned function stops recording and returns the times in milliseconds, oldest first.
 */
async function recordClaims(): Promise<() => Promise<number[]>> {
  await world.rows(`create table claims_seen as select endpoint_id, claimed_at from queue where false;
    create function see_claim() returns trigger language plpgsql security definer as
      $$ begin insert into public.claims_seen values (new.endpoint_id, new.claimed_at); return null; end $$;
    create trigger see_claim after update on queue for each row
      when (new.state = 'in_flight' and old.state <> new.state) execute function see_claim()`);
  return async () => {
    const begun = await world.rows<{ at: number }>(`select extract(epoch from claimed_at)::float8 * 1000 as at
      from claims_seen join endpoints using (endpoint_id) where rate_per_second is not null order by claimed_at`);
    await world.rows('drop trigger see_claim on queue; drop function see_claim; drop table claims_seen');
    return begun.map(({ at }) => at);
  };
}

/** Expects that no span of time between two claims has more claims than the rate and the depth of its bucket allow. */
function expectWithinRate(begun: readonly number[], { rate, depth }: { rate: number; depth: number }): void {
  // A claim happens a few milliseconds before its rate is spent, and that time varies.
  const SLACK_MS = 25;
  for (const [first, from] of begun.entries()) {
    for (const [last, to] of begun.entries()) {
      if (last <= first) continue;
      expect(last - first + 1).toBeLessThanOrEqual(((to - from + SLACK_MS) * rate) / 1000 + depth);
    }
  }
}

describe('rate of an endpoint', () => {
  test.each([
    [5, 4, 1],
    [60, 30, 6],
  ])('a rate of %i per second limits every span of time across two workers', async (rate, count, depth) => {
    const { url, received } = await world.receiver((response) => response.end());
    const free = await world.receiver((response) => response.end());
    await world.addEndpoint(url, keyId, {}, { ratePerSecond: rate });
    await world.addEndpoint(free.url, keyId);
    const claims = await recordClaims();
    await world.emit(count);
    await Promise.all([start(), start()]);
    await until(() => areAll('succeeded'));
    expect([received.length, free.received.length]).toEqual([count, count]);
    const begun = await claims();
    expect(begun).toHaveLength(count);
    expectWithinRate(begun, { rate, depth });
  });

  test('a changed rate limits deliveries that already wait for a retry', async () => {
    let status = 500;
    const count = 4;
    const { url, received } = await world.receiver((response) => response.writeHead(status).end());
    const { endpointId } = await world.addEndpoint(url, keyId, {}, { ratePerSecond: 100 });
    await world.emit(count);
    const dispatcher = await start();
    await until(
      async () => (await world.rows(`select from queue where attempt_no = 1 and state = 'waiting'`))[count - 1],
    );
    status = 200;
    const claims = await recordClaims();
    await world.rows('update endpoints set rate_per_second = 5 where endpoint_id = $1', [endpointId]);
    await bringForward();
    dispatcher.wake();
    await until(() => areAll('succeeded'));
    expect(received.length).toBe(2 * count);
    const begun = await claims();
    expect(begun).toHaveLength(count);
    expectWithinRate(begun, { rate: 5, depth: 1 });
  });

  test('a rate makes deliveries wait at most one second after the clock was set back', async () => {
    const { url } = await world.receiver((response) => response.end());
    await world.addEndpoint(url, keyId, {}, { ratePerSecond: 10 });
    await world.rows(`update endpoint_health set paced_until = clock_timestamp() + interval '2 hours'`);
    await world.emit();
    await start();
    await until(() => areAll('succeeded'), 3_000);
  });
});

describe('order per subject', () => {
  test('an event waits until the earlier event of its subject has succeeded, and other subjects are not delayed', async () => {
    let isWell = false;
    const [ill, well] = [newUuid(), newUuid()];
    const illId = () => received.find((one) => sequenceOf(one) === 1);
    const { url, received } = await world.receiver((response, one) =>
      response
        .writeHead(isWell || subjectOf(one) !== (illId() && subjectOf(illId() as ReceivedRequest)) ? 200 : 500)
        .end(),
    );
    await world.addEndpoint(url, keyId, {}, { isOrdered: true });
    const dispatcher = await start();
    await world.emit(1, { uuid: ill, from: 1 });
    await until(() => received.length === 1);
    await world.emit(3, { uuid: ill, from: 2 });
    await world.emit(5, { uuid: well, from: 11 });
    await until(() => received.length === 6);
    expect(received.map(sequenceOf)).toEqual([1, 11, 12, 13, 14, 15]);
    // The first delivery is attempted again and again, and those behind it are not.
    await until(async () => (await world.rows(`select from queue where state = 'in_flight'`)).length === 0);
    await bringForward();
    dispatcher.wake();
    await until(() => received.length === 7);
    expect(received.map(sequenceOf).at(-1)).toBe(1);
    await until(async () => (await world.rows(`select from queue where state = 'in_flight'`)).length === 0);
    isWell = true;
    await bringForward();
    dispatcher.wake();
    await until(() => areAll('succeeded'));
    expect(received.map(sequenceOf).slice(7)).toEqual([1, 2, 3, 4]);
  });

  test('an event follows after the earlier one has failed or was cancelled, and never concurrently with it', async () => {
    const uuid = newUuid();
    const { url, received } = await world.receiver((response, one) =>
      response.writeHead(sequenceOf(one) === 1 ? 500 : 200).end(),
    );
    const { endpointId } = await world.addEndpoint(url, keyId, {}, { isOrdered: true });
    await world.emit(4, { uuid, from: 1 });
    await world.rows(`update queue set attempt_no = 9 where sequence = 1`);
    await start();
    await until(async () => (await world.rows('select from queue')).length === 0);
    expect((await deliveriesOf(world)).map(({ status }) => status)).toEqual([
      'failed',
      'succeeded',
      'succeeded',
      'succeeded',
    ]);
    expect(received.map(sequenceOf)).toEqual([1, 2, 3, 4]);
    // Cancelling all of them together releases nothing.
    await running[0]?.stop();
    await world.emit(3, { uuid, from: 5 });
    await runAsTenant(world.plane.db.manager, world.appId, (tenant) =>
      cancelDeliveriesOfEndpoint(tenant, endpointId, 'endpoint_deleted'),
    );
    expect(await world.rows('select from queue')).toEqual([]);
  });

  test('the order per subject holds between two workers with many subjects', async () => {
    const seen = new Map<string, number[]>();
    const inFlight = new Set<string>();
    const overlaps: string[] = [];
    const { url } = await world.receiver((response, one) => {
      const subject = subjectOf(one);
      if (inFlight.has(subject)) overlaps.push(subject);
      inFlight.add(subject);
      seen.set(subject, [...(seen.get(subject) ?? []), sequenceOf(one)]);
      setTimeout(() => {
        inFlight.delete(subject);
        response.end();
      }, 2);
    });
    await world.addEndpoint(url, keyId, {}, { isOrdered: true });
    const subjects = Array.from({ length: 6 }, () => newUuid());
    await Promise.all([start(), start()]);
    for (let from = 1; from <= 9; from += 4) await Promise.all(subjects.map((uuid) => world.emit(4, { uuid, from })));
    await until(() => areAll('succeeded'));
    expect([...seen.values()]).toEqual(subjects.map(() => Array.from({ length: 12 }, (_, index) => index + 1)));
    expect(overlaps).toEqual([]);
  });

  test('a delivery is released if its predecessor ended while it was inserted', async () => {
    const { url, received } = await world.receiver((response) => response.end());
    await world.addEndpoint(url, keyId, {}, { isOrdered: true });
    await world.emit(1, { uuid: newUuid(), from: 7 });
    // As if the earlier delivery had left the queue between the look and the insert.
    await world.rows(`update queue set due_at = 'infinity'`);
    await start();
    await until(() => received.length === 1);
  });
});

describe('faster schedule', () => {
  const schedule = (environment: 'sandbox' | 'production') => async () => {
    const { url, received } = await world.receiver((response) => response.writeHead(500).end());
    await world.addEndpoint(url, keyId, {}, { scheduleSpeed: 3600 });
    await world.emit();
    await start({ environment });
    return received;
  };

  test('the schedule x3600 divides the delays by 3,600', async () => {
    const received = await schedule('sandbox')();
    // Attempts come after 0 s, 5 s and 5 min: more than five minutes in real time.
    await until(() => received.length === 3);
    const [next] = await until(async () => {
      const rows = await world.rows<{ in_ms: number }>(
        `select extract(epoch from due_at - clock_timestamp())::float8 * 1000 as in_ms from queue where state = 'waiting'
         and attempt_no = 3`,
      );
      return rows.length === 1 && rows;
    });
    expect(next?.in_ms).toBeLessThan((30 * 60_000 * 1.2) / 3600 + 5);
  });

  test('a faster schedule in the row has no effect outside the sandbox', async () => {
    await schedule('production')();
    const [next] = await until(async () => {
      const rows = await world.rows<{ in_ms: number }>(
        `select extract(epoch from due_at - clock_timestamp())::float8 * 1000 as in_ms from queue where state = 'waiting'
         and attempt_no = 1`,
      );
      return rows.length === 1 && rows;
    });
    expect(next?.in_ms).toBeGreaterThan(3_000);
  });
});
