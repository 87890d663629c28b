// Redelivery of deliveries that have not ended, over HTTP with a real receiver: their next attempt becomes due now, singly
// or by a job. Hold, order and in-flight attempts are respected.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import {
  type ListedDelivery,
  type RedeliveryApp,
  startRedeliverySandbox,
  uuidOf,
} from '../../../test/redelivery.fixture.ts';

type RedeliveryReply = ListedDelivery & { nextAttemptAt: string | null; code?: string; detail?: string };

let home: Awaited<ReturnType<typeof startRedeliverySandbox>>;
let shop: RedeliveryApp;
beforeAll(async () => {
  home = await startRedeliverySandbox();
});
afterAll(async () => {
  await home.close();
  expect(home.errors).toEqual([]);
});
beforeEach(async () => {
  shop = await home.newShop();
  home.received.length = 0;
});

const redeliver = (one: ListedDelivery | undefined) =>
  shop.manage<RedeliveryReply>('POST', `/deliveries/${one?.id}/redeliver`);
const refusalOf = async (one: ListedDelivery | undefined): Promise<string> => {
  const { status, body } = await redeliver(one);
  return `${status} ${body.code}: ${body.detail}`;
};
const queueOf = (one: ListedDelivery | undefined) =>
  shop.query<{ due_at: Date }>('select * from queue where delivery_id = $1', uuidOf(one?.id));

/** Opens tickets whose deliveries wait for an hour after their first attempt. Returns them, oldest first. */
async function waitForAnHour(many: number): Promise<ListedDelivery[]> {
  await shop.openTickets(many);
  const wait = "update queue set attempt_no = 1, due_at = clock_timestamp() + interval '1 hour' where app_id = $1";
  await shop.query(wait, shop.appUuid);
  return (await shop.deliveries()).reverse();
}

test('a waiting delivery becomes due now and stays the same delivery, with its remaining attempts', async () => {
  let waiting: ListedDelivery | undefined;
  await home.withoutDispatcher(async () => {
    [waiting] = await waitForAnHour(1);
    const [before] = await queueOf(waiting);
    const { status, body } = await redeliver(waiting);
    expect([status, body.id, body.status, body.redeliveryOf]).toEqual([200, waiting?.id, 'pending', null]);
    const [after] = await queueOf(waiting);
    expect({ ...after, due_at: null }).toEqual({ ...before, due_at: null });
    expect(before && after && before.due_at.getTime() - after.due_at.getTime()).toBeGreaterThan(3_500_000);
    expect(body.nextAttemptAt).toBe(after?.due_at.toISOString());
    // A delivery that is due already keeps its place before later ones.
    expect((await redeliver(waiting)).body.nextAttemptAt).toBe(body.nextAttemptAt);
    expect(await shop.deliveries()).toHaveLength(1);
    const entries = await home.sandbox.manage<{ data: unknown[] }>('GET', `/audit-entries?target=${waiting?.id}`);
    expect(entries.body.data).toMatchObject([
      { action: 'delivery.redeliver', detail: { wasDueAt: body.nextAttemptAt } },
      { action: 'delivery.redeliver', detail: { wasDueAt: before?.due_at.toISOString() } },
    ]);
  });
  const [sent] = await until(() => home.received.length === 1 && home.received);
  expect(sent?.headers).toMatchObject({ 'slipway-attempt': '2', 'slipway-trigger': 'scheduled' });
  await until(async () => (await shop.deliveries('?status=succeeded'))[0]?.id === waiting?.id);
});

test('a delivery behind an earlier event of its subject is refused, with the name of that event', () =>
  home.withoutDispatcher(async () => {
    const [first, second] = await waitForAnHour(2);
    await shop.query('update queue set subject_id = $1, sequence = 1 where app_id = $1', shop.appUuid);
    const behind = "update queue set sequence = 2, due_at = 'infinity' where delivery_id = $1";
    await shop.query(behind, uuidOf(second?.id));
    expect(await refusalOf(second)).toBe(
      `409 conflict: The endpoint keeps the order of the subject: ${first?.eventId} is delivered first.`,
    );
    const due = "select from queue where delivery_id = $1 and due_at = 'infinity'";
    expect(await shop.query(due, uuidOf(second?.id))).toHaveLength(1);
    expect((await redeliver(first)).status).toBe(200);
  }));

test('a held delivery is refused with the reason, and is not due', () =>
  home.withoutDispatcher(async () => {
    const [held] = await waitForAnHour(1);
    await shop.manage('POST', '/suspend');
    const before = await queueOf(held);
    expect(await refusalOf(held)).toBe(
      '409 conflict: The delivery is held: app_suspended. The delivery continues when that cause ends.',
    );
    expect(await queueOf(held)).toEqual(before);
  }));

test('a delivery that a claim puts in flight meanwhile is refused', () =>
  home.withoutDispatcher(async () => {
    const [claimed] = await waitForAnHour(1);
    await shop.query('begin');
    await shop.query('select from queue where delivery_id = $1 for update', uuidOf(claimed?.id));
    const refusal = refusalOf(claimed);
    await untilLocksWaited(home.sandbox.database.superuser, 1);
    await shop.query("update queue set state = 'in_flight' where delivery_id = $1", uuidOf(claimed?.id));
    await shop.query('commit');
    expect(await refusal).toBe('409 conflict: An attempt of the delivery is in flight.');
    await shop.query('delete from queue where app_id = $1', shop.appUuid);
  }));

const PENDING = { statuses: ['pending', 'failed'] };
/** Returns the rows of the queue, oldest delivery first. */
const queue = () =>
  shop.query<{ due_at: Date; is_due: boolean }>(
    'select *, due_at <= clock_timestamp() as is_due from queue where app_id = $1 order by delivery_id',
    shop.appUuid,
  );

test('a job with the status pending makes each waiting retry due, and then redelivers the failed deliveries', async () => {
  await shop.failTickets(2);
  await home.withoutDispatcher(async () => {
    await waitForAnHour(3);
    const before = await queue();
    const preview = await shop.start({ ...PENDING, isDryRun: true });
    expect(preview.body).toMatchObject({ total: 5, waiting: 3, isTotalExact: true });
    expect(await shop.start({ isDryRun: true })).toMatchObject({ body: { total: 2, waiting: 0 } });
    const { body } = await shop.start({ ...PENDING, ratePerSecond: 1000 });
    expect(body).toMatchObject({ total: 5, filter: { statuses: ['failed', 'pending'], reason: null } });
    expect(await shop.finish(body.id, home.run)).toMatchObject({ done: 5, skipped: 0 });
    const after = await queue();
    expect(before.map(({ is_due }) => is_due)).toEqual([false, false, false]);
    expect(after.map(({ is_due }) => is_due)).toEqual([true, true, true, true, true]);
    // Nothing else of a waiting delivery changes.
    const unmoved = (row: object) => ({ ...row, due_at: null, is_due: null });
    expect(after.slice(0, 3).map(unmoved)).toEqual(before.map(unmoved));
    const entries = await home.sandbox.manage<{ data: unknown[] }>('GET', `/audit-entries?target=${body.id}`);
    expect(entries.body.data).toMatchObject([{ action: 'redelivery.create', detail: { total: 5, waiting: 3 } }]);
  });
  await until(async () => (await shop.deliveries('?status=succeeded')).length === 5);
  expect(home.received.map(({ headers }) => headers['slipway-attempt']).sort()).toEqual(['1', '1', '2', '2', '2']);
});

test('a retry that fails again during the job keeps its schedule', () =>
  home.withoutDispatcher(async () => {
    const [first] = await waitForAnHour(3);
    const { body } = await shop.start({ statuses: ['pending'], ratePerSecond: 4 });
    expect(body).toMatchObject({ filter: { statuses: ['pending'] }, total: 3 });
    await until(async () => {
      await home.run();
      return (await shop.look(body.id)).done > 0;
    });
    const again =
      "update queue set attempt_no = 2, due_at = clock_timestamp() + interval '1 hour' where delivery_id = $1";
    await shop.query(again, uuidOf(first?.id));
    expect(await shop.finish(body.id, home.run)).toMatchObject({ done: 3, skipped: 0 });
    expect((await queue()).map(({ is_due }) => is_due)).toEqual([false, true, true]);
    await shop.query('delete from queue where app_id = $1', shop.appUuid);
  }));

test('a job moves no held, in-flight or first attempt, none behind an earlier event, and none outside its filter', () =>
  home.withoutDispatcher(async () => {
    const [one] = await waitForAnHour(1);
    const count = (wished: object = {}) => shop.count({ statuses: ['pending'], ...wished });
    const countAs = async (change: string): Promise<number> => {
      await shop.query(`update queue set ${change} where delivery_id = $1`, uuidOf(one?.id));
      const found = await count();
      const back =
        "state = 'waiting', attempt_no = 1, trigger = 'scheduled', due_at = clock_timestamp() + interval '1 hour'";
      await shop.query(`update queue set ${back} where delivery_id = $1`, uuidOf(one?.id));
      return found;
    };
    expect(await count()).toBe(1);
    expect(await countAs("state = 'held'")).toBe(0);
    expect(await countAs("state = 'in_flight'")).toBe(0);
    expect(await countAs('attempt_no = 0')).toBe(0);
    expect(await countAs("due_at = 'infinity'")).toBe(0);
    expect(await countAs("trigger = 'test'")).toBe(0);
    expect(await countAs('due_at = clock_timestamp()')).toBe(0);
    expect(await count({ endpointId: shop.endpointId, eventType: 'ticket.created' })).toBe(1);
    expect(await count({ eventType: 'ping' })).toBe(0);
    expect(await count({ since: '2999-01-01T00:00:00Z' })).toBe(0);
    expect(await count({ until: '2000-01-02T00:00:00Z' })).toBe(0);
    expect((await shop.start({ ...PENDING, since: '2999-01-01T00:00:00Z' })).body.code).toBe('conflict');
    const other = { url: 'https://other.example.org/hooks', keyId: shop.key.id, eventTypes: ['ticket.created'] };
    const { body } = await shop.manage<{ endpoint: { id: string } }>('POST', '/endpoints', other);
    expect(await count({ endpointId: body.endpoint.id })).toBe(0);
    const mixed = await shop.start({ statuses: ['pending', 'skipped'], reason: 'endpoint_disabled' });
    expect([mixed.status, mixed.body.errors]).toMatchObject([400, [{ pointer: '/statuses' }]]);
    await shop.query('delete from queue where app_id = $1', shop.appUuid);
  }));
