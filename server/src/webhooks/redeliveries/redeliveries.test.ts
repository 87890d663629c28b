// Redelivery over HTTP with a real receiver: of one delivery, and of many as a job that is counted, paused, resumed and
// cancelled. Each delivery is judged by the current authority.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import {
  type ListedDelivery,
  type RedeliveryApp,
  type RedeliveryJobBody,
  startRedeliverySandbox,
  uuidOf,
} from '../../../test/redelivery.fixture.ts';

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

const entriesOf = async (target: string | undefined): Promise<unknown[]> =>
  (await home.sandbox.manage<{ data: unknown[] }>('GET', `/audit-entries?target=${target}`)).body.data;
const redeliver = (one: ListedDelivery | undefined) =>
  shop.manage<ListedDelivery & RedeliveryJobBody>('POST', `/deliveries/${one?.id}/redeliver`);

test('a redelivery sends the first bytes under the same event id with a new signature, and both deliveries link to each other', async () => {
  const { received } = home;
  await shop.openTickets(1);
  const [original] = await until(async () => {
    const all = await shop.deliveries('?status=succeeded');
    return all.length === 1 && all;
  });
  // The endpoint's current pin has no effect.
  await shop.setEndpoint(`schema_versions = '{"ticket.created": 2}'`);
  const { status, body } = await redeliver(original);
  expect([status, body.trigger, body.redeliveryOf]).toEqual([201, 'manual', original?.id]);
  const [first, second] = await until(() => received.length === 2 && received);
  for (const one of received) shop.webhook.verify(one.body, one.headers as Record<string, string>);
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.headers).toMatchObject({
    'slipway-trigger': 'manual',
    'slipway-attempt': '1',
    'slipway-schema-version': '1',
    'slipway-delivery-id': body.id,
  });
  expect((await shop.deliveries()).find((one) => one.id === original?.id)?.redeliveredAs).toBe(body.id);
  expect(await entriesOf(original?.id)).toMatchObject([{ action: 'delivery.redeliver' }]);
});

test('refuses to redeliver a delivery that is pending, not allowed or past retention, and inserts none', async () => {
  await shop.failTickets(2);
  const [original, old] = await shop.deliveries();
  const answer = async (one = original): Promise<string> => {
    const { body } = await redeliver(one);
    return `${body.code}: ${body.detail}`;
  };
  const isNot = (reason: string): string => `conflict: The delivery is not allowed now: ${reason}.`;
  await shop.query('delete from events where event_id = $1', uuidOf(old?.eventId));
  expect(await answer(old)).toBe('conflict: The event is past its retention period, so its body is no longer stored.');
  const set = (status: string) =>
    shop.query('update deliveries set status = $2 where delivery_id = $1', uuidOf(original?.id), status);
  await set('held');
  expect(await answer()).toBe('conflict: A delivery of the event to this endpoint has not ended yet.');
  await set('failed');
  await shop.setEndpoint("state = 'disabled'");
  expect(await answer()).toBe(isNot('endpoint_disabled'));
  await shop.setEndpoint("state = 'enabled'");
  await shop.manage('POST', `/keys/${shop.key.id}/revoke`);
  expect(await answer()).toBe(isNot('key_revoked'));
  await shop.manage('DELETE', `/endpoints/${shop.endpointId}`);
  expect(await answer()).toBe(isNot('endpoint_deleted'));
  expect(await shop.query('select from deliveries where app_id = $1', shop.appUuid)).toHaveLength(2);
  expect(home.received).toEqual([]);
});

test('makes one redelivery of two concurrent requests for the same delivery', () =>
  home.withoutDispatcher(async () => {
    await shop.failTickets(1);
    const [original] = await shop.deliveries();
    await shop.query('begin');
    await shop.query('select from deliveries where delivery_id = $1 for update', uuidOf(original?.id));
    const requests = [redeliver(original), redeliver(original)];
    await untilLocksWaited(home.sandbox.database.superuser, 2);
    await shop.query('commit');
    expect((await Promise.all(requests)).map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await shop.query('select from queue where app_id = $1', shop.appUuid)).toHaveLength(1);
  }));

test('refuses to redeliver a delivery while the event that a member sent to the endpoint is under way', () =>
  home.withoutDispatcher(async () => {
    await shop.failTickets(1);
    const [original] = await shop.deliveries();
    const send = () => shop.manage('POST', `/events/${original?.eventId}/deliveries`, { endpointId: shop.endpointId });
    await shop.query('begin');
    await shop.query('select from endpoints where endpoint_id = $1 for update', uuidOf(shop.endpointId));
    const requests = [send(), redeliver(original)];
    await untilLocksWaited(home.sandbox.database.superuser, 2);
    await shop.query('commit');
    expect((await Promise.all(requests)).map(({ status }) => status).sort()).toEqual([201, 409]);
    await shop.query('delete from queue where app_id = $1', shop.appUuid);
    await shop.query("update deliveries set status = 'failed' where app_id = $1", shop.appUuid);
    expect((await send()).status).toBe(201);
    const { status, body } = await redeliver(original);
    expect([status, body.detail]).toEqual([409, 'A delivery of the event to this endpoint has not ended yet.']);
    await shop.query('delete from queue where app_id = $1', shop.appUuid);
  }));

test('a redelivered test event stays a test, and no job matches test events', async () => {
  const made = await shop.manage<ListedDelivery>('POST', `/endpoints/${shop.endpointId}/test`, {
    type: 'ticket.created',
  });
  await until(() => home.received.length === 1);
  await until(async () => (await shop.deliveries('?status=succeeded')).length === 1);
  const { body } = await redeliver(made.body);
  expect([body.trigger, body.redeliveryOf]).toEqual(['test', made.body.id]);
  const [, again] = await until(() => home.received.length === 2 && home.received);
  expect(again?.headers).toMatchObject({ 'slipway-trigger': 'test', 'webhook-id': made.body.eventId });
  await until(async () => (await shop.deliveries('?status=succeeded')).length === 2);
  await shop.query("update deliveries set status = 'failed' where app_id = $1", shop.appUuid);
  expect(await shop.count()).toBe(0);
});

test('a job counts its deliveries first, redelivers each once, and reports the outcomes', async () => {
  await shop.failTickets(5);
  const preview = await shop.start({ isDryRun: true, ratePerSecond: 2 });
  expect([preview.status, preview.body]).toMatchObject([200, { total: 5, isTotalExact: true, durationSeconds: 3 }]);
  expect(await shop.manage('GET', '/redeliveries')).toMatchObject({ body: { data: [] } });
  const started = await shop.start({ ratePerSecond: 1000 });
  const { id } = started.body;
  expect([started.status, started.body]).toMatchObject([201, { state: 'running', total: 5, done: 0 }]);
  expect(await shop.finish(id, home.run)).toMatchObject({ done: 5, skipped: 0, finishedBy: null });
  const sent = [{ status: 'succeeded', reason: null, count: 5 }];
  await until(async () => JSON.stringify((await shop.look(id)).deliveries) === JSON.stringify(sent));
  for (const { headers, body } of home.received) {
    shop.webhook.verify(body, headers as Record<string, string>);
    expect(headers['slipway-trigger']).toBe('replay');
  }
  const originals = await shop.deliveries('?status=failed');
  const received = home.received.map(({ headers }) => headers['webhook-id']);
  expect(received.sort()).toEqual(originals.map(({ eventId }) => eventId).sort());
  const made = await shop.deliveries(`?redeliveryId=${id}`);
  expect(made.map((one) => one.redeliveryOf).sort()).toEqual(originals.map((one) => one.id).sort());
  // A redelivered delivery does not match again.
  expect(await shop.count()).toBe(0);
  expect(await entriesOf(id)).toMatchObject([{ action: 'redelivery.create', detail: { total: 5 } }]);
});

test('a filter matches what it names, and a filter without matches or with an invalid time is refused', async () => {
  const { count, start } = shop;
  await shop.failTickets(3);
  const [skipped] = await shop.deliveries();
  await shop.query(
    "update deliveries set status = 'skipped', reason = 'endpoint_disabled' where delivery_id = $1",
    uuidOf(skipped?.id),
  );
  expect(await count()).toBe(2);
  expect(await count({ statuses: ['failed', 'skipped', 'cancelled'] })).toBe(3);
  expect(await count({ statuses: ['skipped'], reason: 'endpoint_disabled' })).toBe(1);
  expect(await count({ statuses: ['skipped'], reason: 'key_revoked' })).toBe(0);
  // Only skipped and cancelled deliveries have a reason, so these are the default statuses with a reason.
  expect(await count({ reason: 'endpoint_disabled' })).toBe(1);
  expect(await count({ statuses: ['failed', 'skipped'], reason: 'endpoint_disabled' })).toBe(1);
  expect(await count({ eventType: 'ticket.created', endpointId: shop.endpointId })).toBe(2);
  expect(await count({ eventType: 'ping' })).toBe(0);
  expect(await count({ since: '2999-01-01T00:00:00Z' })).toBe(0);
  expect(await count({ until: '2000-01-02T00:00:00Z' })).toBe(0);
  expect(await count({ until: '2999-01-02T00:00:00Z' })).toBe(2);
  const nothing = await start({ eventType: 'ping' });
  expect([nothing.status, nothing.body.detail]).toEqual([409, expect.stringContaining('No delivery matches ')]);
  // An endpoint of another app is treated like an endpoint that does not exist.
  for (const endpointId of [(await home.newShop()).endpointId, 'whe_01j9z3v8k6e5t8m2n4p6q8r0s8']) {
    const errors = [{ pointer: '/endpointId', detail: 'must be an endpoint of this app' }];
    expect(await start({ endpointId })).toMatchObject({ status: 400, body: { errors } });
  }
  const unmatched = await start({ statuses: ['failed'], reason: 'endpoint_disabled' });
  expect([unmatched.status, unmatched.body.errors]).toMatchObject([400, [{ pointer: '/statuses' }]]);
  expect((await start({ until: '2000-01-01T00:00:00Z' })).body.errors).toMatchObject([{ pointer: '/until' }]);
  expect((await start({ since: '2016-12-31T23:59:60Z' })).body.errors).toMatchObject([{ pointer: '/since' }]);
  expect((await start({ statuses: ['succeeded'] })).body.errors).toMatchObject([{ pointer: '/statuses/0' }]);
});

test('a job makes nothing while it is paused or its app is suspended, and cancels its waiting deliveries when it is cancelled', () =>
  home.withoutDispatcher(async () => {
    const { look, change } = shop;
    await shop.failTickets(5);
    const { id } = (await shop.start({ ratePerSecond: 1 })).body;
    await home.run();
    expect((await change(id, { state: 'paused' })).body.state).toBe('paused');
    // Repeated changes of the rate do not make a batch due earlier.
    await change(id, { state: 'running' });
    const due = () => shop.query('select due_at from redeliveries where app_id = $1', shop.appUuid);
    const before = await due();
    await change(id, { ratePerSecond: 2 });
    expect(await due()).toEqual(before);
    await change(id, { ratePerSecond: 1, state: 'paused' });
    const { done } = await look(id);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(4);
    await home.run();
    expect(await look(id)).toMatchObject({ state: 'paused', done });
    await shop.manage('POST', '/suspend');
    await change(id, { state: 'running' });
    await home.run();
    expect(await look(id)).toMatchObject({ state: 'running', done });
    await shop.manage('POST', '/resume');
    await home.run();
    const { done: count } = await look(id);
    expect(count).toBeGreaterThan(done);
    const cancelled = await change(id, { state: 'cancelled' });
    expect(cancelled.body).toMatchObject({ state: 'cancelled', finishedBy: 'tester@example.org' });
    await home.run();
    const deliveries = [{ status: 'cancelled', reason: 'redelivery_cancelled', count }];
    expect(await look(id)).toMatchObject({ state: 'cancelled', deliveries });
    expect(await shop.query('select from queue where app_id = $1', shop.appUuid)).toEqual([]);
    expect(await shop.query('select due_at from redeliveries where app_id = $1', shop.appUuid)).toEqual([
      { due_at: null },
    ]);
    const resumed = await change(id, { state: 'running' });
    expect(resumed.body).toMatchObject({ code: 'conflict', detail: 'The redelivery job has ended: cancelled.' });
    expect(await shop.count({ statuses: ['failed', 'cancelled'] })).toBe(5);
    expect((await entriesOf(id)).length).toBe(7);
  }));

test('records deliveries that a revocation forbids during a job as skipped, never sends them, and refuses a fourth job', async () => {
  await shop.failTickets(4);
  const { id } = (await shop.start({ ratePerSecond: 1 })).body;
  await home.run();
  await until(async () => (await shop.look(id)).deliveries[0]?.status === 'succeeded');
  const { done } = await shop.look(id);
  await shop.manage('POST', `/keys/${shop.key.id}/revoke`);
  const sent = home.received.length;
  await shop.change(id, { ratePerSecond: 1000 });
  const job = await shop.finish(id, home.run);
  const count = 4 - done;
  expect(count).toBeGreaterThan(0);
  expect(job).toMatchObject({ done: 4, skipped: count });
  expect(job.deliveries).toContainEqual({ status: 'skipped', reason: 'key_revoked', count });
  expect(home.received).toHaveLength(sent);
  // Skipped deliveries can be redelivered later.
  const again = { statuses: ['skipped'], reason: 'key_revoked' };
  expect(await shop.count(again)).toBe(count);
  for (let at = 0; at < 3; at++) await shop.change((await shop.start(again)).body.id, { state: 'paused' });
  expect((await shop.start(again)).body.code).toBe('quota_exceeded');
});
