// An event that a member sends to an endpoint, over HTTP with a real receiver: version, order, access and refusals.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import {
  type ListedDelivery,
  type RedeliveryApp,
  startRedeliverySandbox,
  uuidOf,
} from '../../../test/redelivery.fixture.ts';

type SendResult = ListedDelivery & { code?: string; detail?: string; errors?: { pointer: string }[] };

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

const send = (eventId: string, endpointId = shop.endpointId) =>
  shop.manage<SendResult>('POST', `/events/${eventId}/deliveries`, { endpointId });
const trigger = async (input: object): Promise<string> =>
  (await shop.manage<{ id: string }>('POST', '/world/events', { objectId: shop.serverId, ...input })).body.id;
const refusalOf = async (eventId: string, endpointId?: string): Promise<string> => {
  const { status, body } = await send(eventId, endpointId);
  return `${status} ${body.code}: ${body.detail}`;
};
const NOT_ALLOWED = '409 conflict: The delivery is not allowed now: ';
const grant = (scope: string, state: string) =>
  shop.manage('PUT', `/servers/${shop.serverId}/installation/scopes/${scope}`, { state });

test('an endpoint receives an event that is older than the endpoint, of a type that it does not select, despite its filter', async () => {
  const eventId = await trigger({ type: 'server.updated' });
  const conditions = [{ pointer: '/data/name', equals: 'another name' }];
  await shop.manage('PATCH', `/endpoints/${shop.endpointId}`, { conditions });
  expect(await shop.deliveries()).toEqual([]);
  const { status, body } = await send(eventId);
  expect([status, body.eventId, body.trigger, body.redeliveryOf]).toEqual([201, eventId, 'manual', null]);
  const [received] = await until(() => home.received.length === 1 && home.received);
  expect(JSON.parse(received?.body ?? '')).toMatchObject({ id: eventId, type: 'server.updated' });
  expect(received?.headers).toMatchObject({ 'slipway-trigger': 'manual', 'slipway-delivery-id': body.id });
  shop.webhook.verify(received?.body ?? '', received?.headers as Record<string, string>);
  const entries = await home.sandbox.manage<{ data: unknown[] }>('GET', `/audit-entries?target=${eventId}`);
  const detail = { endpointId: shop.endpointId, deliveryId: body.id };
  expect(entries.body.data).toMatchObject([{ action: 'event.send', detail }]);
});

test('a sent event has the schema version to which the endpoint is pinned now', async () => {
  const eventId = await trigger({ type: 'ticket.created' });
  await until(() => home.received.length === 1);
  await until(async () => (await shop.deliveries('?status=succeeded')).length === 1);
  await shop.manage('PATCH', `/endpoints/${shop.endpointId}`, { schemaVersions: { 'ticket.created': 2 } });
  expect((await send(eventId)).status).toBe(201);
  const received = await until(() => home.received.length === 2 && home.received);
  expect(received.map(({ headers }) => headers['slipway-schema-version'])).toEqual(['1', '2']);
});

test('an event waits behind an earlier event of its subject if the endpoint keeps the order', () =>
  home.withoutDispatcher(async () => {
    const first = await trigger({ type: 'server.updated' });
    const second = await trigger({ type: 'server.updated' });
    await shop.manage('PATCH', `/endpoints/${shop.endpointId}`, { isOrdered: true });
    await send(first);
    expect((await send(second)).body).toMatchObject({ status: 'pending', reason: 'earlier_event_first' });
    await shop.query('delete from queue where app_id = $1', shop.appUuid);
  }));

test('makes one delivery of two concurrent requests for the same event and endpoint', () =>
  home.withoutDispatcher(async () => {
    const eventId = await trigger({ type: 'ping' });
    await shop.query('begin');
    await shop.query('select from endpoints where endpoint_id = $1 for update', uuidOf(shop.endpointId));
    const requests = [send(eventId), send(eventId)];
    await untilLocksWaited(home.sandbox.database.superuser, 2);
    await shop.query('commit');
    expect((await Promise.all(requests)).map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await refusalOf(eventId)).toBe('409 conflict: A delivery of the event to this endpoint has not ended yet.');
    expect(await shop.query('select from queue where app_id = $1', shop.appUuid)).toHaveLength(1);
    await shop.query('delete from queue where app_id = $1', shop.appUuid);
  }));

test('refuses an event that access does not allow now, and creates no delivery', async () => {
  const eventId = await trigger({ type: 'server.updated' });
  await grant('servers:read', 'revoked');
  expect(await refusalOf(eventId)).toBe(`${NOT_ALLOWED}resource_scope_revoked.`);
  await grant('servers:read', 'authorised');
  await grant('events:read', 'revoked');
  expect(await refusalOf(eventId)).toBe(`${NOT_ALLOWED}installation_revoked.`);
  await shop.setEndpoint("state = 'disabled'");
  expect(await refusalOf(eventId)).toBe(`${NOT_ALLOWED}endpoint_disabled.`);
  await shop.setEndpoint("state = 'enabled'");
  await shop.manage('POST', `/keys/${shop.key.id}/revoke`);
  expect(await refusalOf(eventId)).toBe(`${NOT_ALLOWED}key_revoked.`);
  expect(await shop.deliveries()).toEqual([]);
  expect(home.received).toEqual([]);
});

test('an event goes through the next key of the endpoint after the revocation of its first key', async () => {
  const eventId = await trigger({ type: 'server.updated' });
  const made = await shop.manage<{ key: { id: string } }>('POST', '/keys', {
    name: 'Second key',
    scopes: ['events:read'],
    expiresInDays: 7,
  });
  const second = made.body.key.id;
  const change = await shop.manage('PATCH', `/endpoints/${shop.endpointId}`, { keyIds: [shop.key.id, second] });
  expect(change.status).toBe(200);
  await shop.manage('POST', `/keys/${shop.key.id}/revoke`);
  const { status, body } = await send(eventId);
  expect(status).toBe(201);
  const read = () => shop.manage<{ attempts: { keyId: string }[] }>('GET', `/deliveries/${body.id}`);
  expect(await until(async () => (await read()).body.attempts[0]?.keyId)).toBe(second);
});

test('a ping needs no grant of its server, and an event of a paused server is held', async () => {
  const ping = await trigger({ type: 'ping' });
  const updated = await trigger({ type: 'server.updated' });
  await grant('events:read', 'paused');
  expect((await send(updated)).body).toMatchObject({ status: 'held', reason: 'installation_paused' });
  expect((await send(ping)).body.status).toBe('pending');
  await until(() => home.received.length === 1);
});

test('refuses a test event, an unknown event, and an endpoint of another app', async () => {
  const eventId = await trigger({ type: 'ping' });
  const tested = await shop.manage<ListedDelivery>('POST', `/endpoints/${shop.endpointId}/test`, {
    type: 'ticket.created',
  });
  const other = await home.newShop();
  expect(await refusalOf(tested.body.eventId)).toMatch(/^409 conflict: A test event belongs to one endpoint\./);
  expect((await send('evt_01j9z3v8k6e5t8m2n4p6q8r0s4')).status).toBe(404);
  const { status, body } = await send(eventId, other.endpointId);
  expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/endpointId' })]]);
  const foreign = await other.manage('POST', `/events/${eventId}/deliveries`, { endpointId: other.endpointId });
  expect(foreign.status).toBe(404);
});
