// The keys of an endpoint through the management API: their form, their order, and what a revocation answers and ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { createOutboundClient, type OutboundClient } from '../../kit/outbound/outbound.ts';
import { startDispatcher } from '../dispatch/index.ts';
import { MAX_CANCELLED_PER_CHANGE } from './access-change-store.ts';
import { startHookReceiver } from './hook-receiver.fixture.ts';

interface EndpointBody {
  id: string;
  keyId: string;
  keyIds: string[];
  keyState: string;
  keysEndAt: string | null;
  errors?: { pointer: string; detail: string }[];
}
interface DeliveryBody {
  id: string;
  status: string;
  reason: string | null;
  attempts: { outcome: string; keyId: string | null }[];
}

let sandbox: Sandbox;
let app: TestApp;
let keys: { id: string; token: string }[];
let hook: Awaited<ReturnType<typeof startHookReceiver>>;
let outbound: OutboundClient;
beforeAll(async () => {
  hook = await startHookReceiver();
  sandbox = await startSandbox({ webhookAllowHosts: [hook.host] });
  outbound = createOutboundClient({ allowHosts: [hook.host] });
});
afterAll(async () => {
  await outbound.close();
  await sandbox.close();
  hook.close();
});
beforeEach(async () => {
  app = await sandbox.newApp();
  keys = [await app.key(), await app.key(), await app.key()];
  hook.received.length = 0;
});

const idAt = (at: number): string => keys[at]?.id ?? '';
const idsOf = (...places: number[]): string[] => places.map(idAt);
const create = async (input: object): Promise<{ status: number; endpoint: EndpointBody; errors: unknown }> => {
  const made = await sandbox.manage<{ endpoint: EndpointBody; errors?: unknown }>('POST', `/apps/${app.id}/endpoints`, {
    url: hook.url,
    eventTypes: ['ticket.created'],
    ...input,
  });
  return { status: made.status, endpoint: made.body.endpoint, errors: made.body.errors };
};
const change = (endpoint: EndpointBody, body: object) =>
  sandbox.manage<EndpointBody>('PATCH', `/apps/${app.id}/endpoints/${endpoint.id}`, body);
const get = async (endpoint: EndpointBody): Promise<EndpointBody> =>
  (await sandbox.manage<EndpointBody>('GET', `/apps/${app.id}/endpoints/${endpoint.id}`)).body;
const revoke = (keyId: string) =>
  sandbox.manage<{ state: string; continuingEndpoints: object[] }>('POST', `/apps/${app.id}/keys/${keyId}/revoke`);
const createTicket = async (): Promise<void> => {
  const init = json({ subject: 's', body: '# Hello', requester: { name: 'Imke', reference: 'user-4711' } });
  const { token } = await app.key(['tickets:create']);
  expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, token, init)).status).toBe(201);
};
const listDeliveries = async (): Promise<DeliveryBody[]> =>
  (await sandbox.manage<{ data: DeliveryBody[] }>('GET', `/apps/${app.id}/deliveries?limit=100`)).body.data;
const rows = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, values)).rows as Row[];

describe('the keys of an endpoint', () => {
  test('are an ordered list, and the first key delivers', async () => {
    const { endpoint } = await create({ keyIds: idsOf(2, 0) });
    expect(endpoint).toMatchObject({ keyId: idAt(2), keyIds: idsOf(2, 0), keyState: 'active' });
    const { body } = await change(endpoint, { keyIds: idsOf(0, 1, 2) });
    expect(body).toMatchObject({ keyId: idAt(0), keyIds: idsOf(0, 1, 2) });
    expect((await change(endpoint, { keyIds: idsOf(1) })).body).toMatchObject({ keyId: idAt(1), keyIds: idsOf(1) });
  });

  test('can be one keyId, as before', async () => {
    const { endpoint } = await create({ keyId: idAt(0) });
    expect(endpoint).toMatchObject({ keyId: idAt(0), keyIds: idsOf(0) });
  });

  test('keep the further keys when keyId replaces the first one', async () => {
    const { endpoint } = await create({ keyIds: idsOf(0, 1) });
    expect((await change(endpoint, { keyId: idAt(2) })).body.keyIds).toEqual(idsOf(2, 1));
    expect((await change(endpoint, { keyId: idAt(1) })).body.keyIds).toEqual(idsOf(1));
  });

  test.each<[string, () => Promise<object>, object]>([
    ['no key', async () => ({}), { pointer: '/keyIds', detail: 'requires a key, in keyIds or keyId' }],
    [
      'both forms',
      async () => ({ keyId: idAt(0), keyIds: idsOf(1) }),
      { pointer: '/keyIds', detail: 'must not be given together with keyId' },
    ],
    [
      'a second key that lacks events:read',
      async () => ({ keyIds: [idAt(0), (await app.key(['servers:read'])).id] }),
      { pointer: '/keyIds/1', detail: 'lacks events:read: choose an active key with events:read' },
    ],
    [
      'a second key of another app',
      async () => ({ keyIds: [idAt(0), (await (await sandbox.newApp()).key()).id] }),
      { pointer: '/keyIds/1', detail: 'must be a key of this app' },
    ],
  ])('are refused: %s', async (_, input, error) => {
    expect(await create(await input())).toMatchObject({ status: 400, errors: [error] });
  });

  test('report the end of the last usable key', async () => {
    const short = await app.key(undefined, 2);
    const { endpoint } = await create({ keyIds: [short.id, idAt(0)] });
    const listed = await sandbox.manage<{ data: { id: string; expiresAt: string }[] }>('GET', `/apps/${app.id}/keys`);
    const expiryOf = (id: string) => listed.body.data.find((key) => key.id === id)?.expiresAt;
    expect(endpoint.keysEndAt).toBe(expiryOf(idAt(0)));
    await revoke(idAt(0));
    expect((await get(endpoint)).keysEndAt).toBe(expiryOf(short.id));
    await revoke(short.id);
    expect(await get(endpoint)).toMatchObject({ keysEndAt: null, keyState: 'revoked', keyIds: [short.id, idAt(0)] });
  });

  test('follow a rotation in their place', async () => {
    const { endpoint } = await create({ keyIds: idsOf(0, 1, 2) });
    const rotate = async (id: string): Promise<string> =>
      (
        await sandbox.manage<{ key: { id: string } }>('POST', `/apps/${app.id}/keys/${id}/rotate`, {
          expiresInDays: 30,
          overlapHours: 0,
        })
      ).body.key.id;
    const successors = [await rotate(idAt(0)), await rotate(idAt(2))];
    expect((await get(endpoint)).keyIds).toEqual([successors[0], idAt(1), successors[1]]);
  });
});

test('a process of the previous release that sets the first key alone repeats no key', async () => {
  const { endpoint } = await create({ keyIds: idsOf(0, 1, 2) });
  const uuids = [fromId('key', idAt(2)), fromId('whe', endpoint.id)];
  await rows('update endpoints set key_id = $1 where endpoint_id = $2', uuids);
  expect((await get(endpoint)).keyIds).toEqual(idsOf(2, 1));
});

test('a rotation to a key without events:read leaves the old key on an endpoint that got it meanwhile', async () => {
  const { endpoint } = await create({ keyIds: idsOf(1) });
  await createTicket();
  // The rotation has read that the key has no endpoints, and waits before it writes.
  await rows('begin');
  await rows('lock table keys in share mode');
  const input = { expiresInDays: 7, overlapHours: 0, scopes: ['servers:read'] };
  const rotation = sandbox.manage('POST', `/apps/${app.id}/keys/${idAt(0)}/rotate`, input);
  await untilLocksWaited(sandbox.database.superuser, 1);
  const changed = await change(endpoint, { keyIds: idsOf(0) });
  await rows('commit');
  expect([changed.status, (await rotation).status]).toEqual([200, 201]);
  expect(await get(endpoint)).toMatchObject({ keyIds: idsOf(0), keyState: 'revoked' });
  await change(endpoint, { keyIds: idsOf(2) });
  expect(await listDeliveries()).toMatchObject([{ status: 'cancelled', reason: 'key_revoked' }]);
});

describe('a revocation', () => {
  test('names the enabled endpoints that continue, with their next key', async () => {
    const { endpoint } = await create({ keyIds: idsOf(0, 1) });
    await create({ keyIds: idsOf(0) });
    await create({ keyIds: idsOf(1) });
    const { endpoint: disabled } = await create({ keyIds: idsOf(0, 1) });
    await change(disabled, { state: 'disabled' });
    const continuing = [{ endpointId: endpoint.id, url: hook.url, keyId: idAt(1) }];
    expect((await revoke(idAt(0))).body).toMatchObject({ state: 'revoked', continuingEndpoints: continuing });
    // Repeated, it answers the same.
    expect((await revoke(idAt(0))).body).toMatchObject({ continuingEndpoints: continuing });
    expect((await revoke(idAt(1))).body).toMatchObject({ continuingEndpoints: [] });
    expect(await get(endpoint)).toMatchObject({ keyState: 'revoked' });
  });

  test('of the first key cancels no delivery, and each delivery names the key that sent it', async () => {
    await create({ keyIds: idsOf(0, 1) });
    await createTicket();
    await revoke(idAt(0));
    const dispatcher = await startTestDispatcher();
    await until(async () => (await listDeliveries())[0]?.status === 'succeeded').finally(() => dispatcher.stop());
    const [{ id = '' } = {}] = await listDeliveries();
    const { body } = await sandbox.manage<DeliveryBody>('GET', `/apps/${app.id}/deliveries/${id}`);
    expect(body.attempts).toMatchObject([{ outcome: 'response', keyId: idAt(1) }]);
  });

  test('of the last key cancels waiting deliveries, and a key that is added later sends none of them', async () => {
    const { endpoint } = await create({ keyIds: idsOf(0, 1) });
    await createTicket();
    await queueCopies(2 * MAX_CANCELLED_PER_CHANGE + 10);
    await revoke(idAt(0));
    expect((await rows('select from queue where app_id = $1', [uuidOf()])).length).toBe(
      2 * MAX_CANCELLED_PER_CHANGE + 11,
    );
    await revoke(idAt(1));
    // A revocation cancels a limited number of deliveries, so some still wait.
    expect((await rows('select from queue where app_id = $1', [uuidOf()])).length).toBe(MAX_CANCELLED_PER_CHANGE + 11);
    expect((await change(endpoint, { keyIds: idsOf(2) })).status).toBe(200);
    expect((await rows('select from queue where app_id = $1', [uuidOf()])).length).toBe(11);
    await createTicket();
    const dispatcher = await startTestDispatcher();
    await until(async () => (await rows('select from queue where app_id = $1', [uuidOf()])).length === 0).finally(() =>
      dispatcher.stop(),
    );
    expect(
      await rows('select status, reason, count(*)::int from deliveries where app_id = $1 group by 1, 2 order by 1', [
        uuidOf(),
      ]),
    ).toEqual([
      { status: 'cancelled', reason: 'key_revoked', count: 2 * MAX_CANCELLED_PER_CHANGE + 11 },
      { status: 'succeeded', reason: null, count: 1 },
    ]);
    expect(hook.received).toHaveLength(1);
  });

  test('of one key lets waiting deliveries use a key that is added while another key is valid', async () => {
    const { endpoint } = await create({ keyIds: idsOf(0, 1) });
    await createTicket();
    await revoke(idAt(0));
    await change(endpoint, { keyIds: idsOf(1, 2) });
    await revoke(idAt(1));
    const dispatcher = await startTestDispatcher();
    await until(async () => (await listDeliveries())[0]?.status === 'succeeded').finally(() => dispatcher.stop());
  });
});

const uuidOf = (): string => fromId('app', app.id) ?? '';

function startTestDispatcher() {
  const { masterKeys } = sandbox.plane.secrets;
  return startDispatcher({ environment: 'sandbox', db: sandbox.dispatch, outbound, masterKeys, log: () => {} });
}

/** Copies the app's waiting delivery `count` times. */
async function queueCopies(count: number): Promise<void> {
  await rows('create temporary table copies as select gen_random_uuid() as id from generate_series(1, $1)', [count]);
  await rows(
    `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status)
    select app_id, id, endpoint_id, event_id, key_id, server_id, trigger, status from deliveries, copies where app_id = $1`,
    [uuidOf()],
  );
  await rows(
    `insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, epoch)
    select app_id, id, endpoint_id, event_id, key_id, server_id, epoch from queue, copies where app_id = $1`,
    [uuidOf()],
  );
  await rows('drop table copies');
}
