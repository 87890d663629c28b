// Settings of an endpoint that its receiver observes: custom headers, test events, and that no request begins with
// earlier settings after a change.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { eventErrors } from '../../../test/event-errors.ts';
import { until } from '../../../test/harness.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { createOutboundClient, type OutboundClient } from '../../kit/outbound/outbound.ts';
import { EVENT_TYPES } from '../../resources/events/index.ts';
import { MAX_PER_SLOW_ENDPOINT as SLOTS } from './attempt/in-flight-attempts.ts';
import { type Dispatcher, startDispatcher } from './index.ts';

interface Event {
  id: string;
  type: string;
  schemaVersion: number;
  serverId: string;
  subject: { id: string };
  sequence: number;
  data: Record<string, unknown>;
}
interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}
interface CreatedEndpointBody {
  endpoint: { id: string };
  signingSecret: string;
}
interface Delivery {
  id: string;
  status: string;
  reason: string | null;
  trigger: string;
  eventId: string;
}

let received: ReceivedRequest[] = [];
let hanging: ServerResponse[] = [];
/** Answers with a failure, or never, depending on its path. */
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const path = request.url ?? '';
  received.push({ path, headers: request.headers, body });
  if (path.startsWith('/hang')) hanging.push(response);
  else response.writeHead(path.startsWith('/fail') ? 500 : 204).end();
});
const receivedAt = (path: string): ReceivedRequest[] => received.filter((one) => one.path === path);

let sandbox: Sandbox;
let outbound: OutboundClient;
let dispatcher: Dispatcher;
let origin: string;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // it listens on TCP
  origin = `http://${host}`;
  sandbox = await startSandbox({ webhookAllowHosts: [host] });
  outbound = createOutboundClient({ allowHosts: [host] });
  const { masterKeys } = sandbox.plane.secrets;
  dispatcher = await startDispatcher({
    environment: 'sandbox',
    db: sandbox.dispatch,
    outbound,
    masterKeys,
    log: () => {},
  });
});
beforeEach(async () => {
  received = [];
  hanging = [];
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(async () => {
  await dispatcher.stop();
  await outbound.close();
  await sandbox.close();
  receiver.closeAllConnections();
  receiver.close();
});

const manage = <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> =>
  sandbox.manage<Body>(method, `/apps/${app.id}${path}`, body);
async function add(path: string, input: object = {}): Promise<CreatedEndpointBody> {
  const rest = { keyId: key.id, eventTypes: ['ticket.created', 'ping'], ...input };
  return (await manage<CreatedEndpointBody>('POST', '/endpoints', { url: origin + path, ...rest })).body;
}
const claimToken = async (): Promise<void> => {
  const init = json({ subject: 's', body: '# Hello', requester: { name: 'Imke', reference: 'user-4711' } });
  expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, init)).status).toBe(201);
};
const sendTest = (endpoint: CreatedEndpointBody, type = 'ticket.created'): Promise<Answer<Delivery>> =>
  manage('POST', `/endpoints/${endpoint.endpoint.id}/test`, { type });
const verified = (one: ReceivedRequest | undefined, { signingSecret }: CreatedEndpointBody): Event =>
  new Webhook(signingSecret).verify(one?.body ?? '', one?.headers as Record<string, string>) as Event;
const query = async <Row>(text: string): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, [fromId('app', app.id)])).rows as Row[];
const outcomesOf = ({
  endpoint,
}: CreatedEndpointBody): Promise<{ status: string; reason: string | null; outcomes: string[] }[]> =>
  query(`select status, reason, array(select outcome from attempts a where a.delivery_id = d.delivery_id order by attempt_no)
    as outcomes from deliveries d where app_id = $1 and endpoint_id = '${fromId('whe', endpoint.id)}'`);

describe('custom headers', () => {
  test('custom headers are sent at every attempt and never replace a header of the sender', async () => {
    const endpoint = await add('/fail', { headers: { Authorization: 'Bearer a', 'X-Tenant': 'Harbour  Lights' } });
    await claimToken();
    await until(() => receivedAt('/fail').length === 1);
    await manage('PATCH', `/endpoints/${endpoint.endpoint.id}`, { headers: { Authorization: 'Bearer b' } });
    await until(async () => {
      await query("update queue set due_at = clock_timestamp() where app_id = $1 and state = 'waiting'");
      dispatcher.wake();
      return receivedAt('/fail').length > 1;
    });
    const [first, second] = receivedAt('/fail');
    expect(first?.headers).toMatchObject({ authorization: 'Bearer a', 'x-tenant': 'Harbour  Lights' });
    expect(second?.headers).toMatchObject({ authorization: 'Bearer b', 'x-tenant': 'Harbour  Lights' });
    for (const one of [first, second]) {
      expect(verified(one, endpoint)).toMatchObject({ type: 'ticket.created' });
      expect(one?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Slipway-Webhooks/1' });
    }
  });
});

describe('test event', () => {
  test('a test event arrives at its endpoint only, signed, marked, in the pinned version, and is in no feed', async () => {
    const [endpoint, other] = [await add('/a', { schemaVersions: { 'ticket.created': 1 } }), await add('/b')];
    const answer = await sendTest(endpoint);
    expect([answer.status, answer.body]).toMatchObject([201, { trigger: 'test', status: 'pending', reason: null }]);
    await until(() => receivedAt('/a').length === 1);
    const [one] = receivedAt('/a');
    const event = verified(one, endpoint);
    expect(one?.headers).toMatchObject({ 'slipway-trigger': 'test', 'webhook-id': answer.body.eventId });
    expect([event.schemaVersion, event.sequence, eventErrors(event)]).toEqual([1, 1, []]);
    // A ping has no resource, so a feed would show it to every reader of events.
    const ping = (await sendTest(endpoint, 'ping')).body.eventId;
    await claimToken();
    await until(() => receivedAt('/b').length === 1);
    const feed = await until(async () => {
      const { body } = await sandbox.call<{ data: Event[] }>('/v1/events', key.token);
      return body.data.length > 0 && body.data;
    });
    expect(feed.map(({ id }) => id)).toEqual([verified(receivedAt('/b')[0], other).id]);
    for (const id of [event.id, ping]) expect((await sandbox.call(`/v1/events/${id}`, key.token)).status).toBe(404);
    const [entry] = await query<object>(
      "select detail from audit_entries where app_id = $1 and action = 'endpoint.test' order by sequence",
    );
    expect(entry).toEqual({ detail: { type: 'ticket.created', eventId: event.id, deliveryId: answer.body.id } });
  });

  test('a test event of every type conforms to the contract, names nothing that exists, and has a new subject each time', async () => {
    const endpoint = await add('/a', { eventTypes: EVENT_TYPES });
    for (const type of [...EVENT_TYPES, 'ping']) expect((await sendTest(endpoint, type)).status).toBe(201);
    await until(() => receivedAt('/a').length === EVENT_TYPES.length + 1);
    const events = receivedAt('/a').map((one) => verified(one, endpoint));
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(EVENT_TYPES));
    for (const event of events) {
      expect([event.type, eventErrors(event)]).toEqual([event.type, []]);
      expect(app.serverIds).not.toContain(event.serverId);
      if ('id' in event.data) expect(event.data.id).toBe(event.subject.id);
      if ('serverId' in event.data) expect(event.data.serverId).toBe(event.serverId);
    }
    expect(new Set(events.map(({ subject }) => subject.id)).size).toBe(events.length);
    const ids = (event: Event): string[] => JSON.stringify(event.data).match(/\b[a-z]{3}_[0-9a-z]{26}\b/g) ?? [];
    const known = await query<{ id: string }>('select server_id as id from servers where app_id = $1');
    expect(events.flatMap(ids).some((id) => known.some((row) => row.id === fromId(id.slice(0, 3), id)))).toBe(false);
  });

  test('a test event that may not be sent is recorded with the reason of its endpoint, key or app', async () => {
    const other = await app.key();
    const [off, dead, held] = [await add('/a'), await add('/a', { keyId: other.id }), await add('/a')];
    await manage('PATCH', `/endpoints/${off.endpoint.id}`, { state: 'disabled' });
    await manage('POST', `/keys/${other.id}/revoke`);
    expect((await sendTest(off)).body).toMatchObject({ status: 'skipped', reason: 'endpoint_disabled' });
    expect((await sendTest(dead)).body).toMatchObject({ status: 'skipped', reason: 'key_revoked' });
    await manage('POST', '/suspend');
    expect((await sendTest(held)).body).toMatchObject({ status: 'held', reason: 'app_suspended' });
    expect(received).toEqual([]);
  });

  test('a test event of a type that the endpoint does not receive is refused', async () => {
    const { status, body } = await sendTest(await add('/a'), 'ticket.closed');
    const errors = [{ pointer: '/type', detail: 'must be a type that the endpoint receives' }];
    expect([status, body]).toMatchObject([400, { errors }]);
    expect(await query('select from events where app_id = $1')).toEqual([]);
  });
});

describe('after the response to a change of an endpoint', () => {
  test('no request begins with the earlier settings, and in-flight attempts are aborted and made again with the new ones', async () => {
    const [endpoint, other] = [await add('/hang/old'), await add('/hang/other')];
    for (let sent = 0; sent < SLOTS + 2; sent++) await claimToken();
    await until(() => receivedAt('/hang/old').length === SLOTS && receivedAt('/hang/other').length === SLOTS);
    await manage('PATCH', `/endpoints/${endpoint.endpoint.id}`, { url: `${origin}/new` });
    await until(async () => (await outcomesOf(endpoint)).every(({ status }) => status === 'succeeded'));
    expect([receivedAt('/hang/old').length, receivedAt('/new').length]).toEqual([SLOTS, SLOTS + 2]);
    const outcomes = (await outcomesOf(endpoint)).map((one) => one.outcomes.join(' ')).sort();
    expect(outcomes).toEqual([...Array(SLOTS).fill('aborted_by_revoke response'), ...Array(2).fill('response')]);
    // The other endpoint uses the same key and is not affected.
    expect(hanging.filter(({ req, destroyed }) => req.url === '/hang/other' && !destroyed)).toHaveLength(SLOTS);
    expect((await outcomesOf(other)).flatMap((one) => one.outcomes)).toEqual([]);
  });

  test.each([
    ['disabled', (path: string) => manage('PATCH', path, { state: 'disabled' }), 'endpoint_disabled'],
    ['deleted', (path: string) => manage('DELETE', path), 'endpoint_deleted'],
  ])('a %s endpoint gets no further request, and its in-flight attempts end', async (_, change, reason) => {
    const endpoint = await add('/hang/old');
    for (let sent = 0; sent < SLOTS + 1; sent++) await claimToken();
    await until(() => receivedAt('/hang/old').length === SLOTS);
    await change(`/endpoints/${endpoint.endpoint.id}`);
    await until(async () => (await outcomesOf(endpoint)).every((one) => one.status === 'cancelled'));
    expect((await outcomesOf(endpoint)).map((one) => one.reason)).toEqual(Array(SLOTS + 1).fill(reason));
    expect(receivedAt('/hang/old')).toHaveLength(SLOTS);
  });

  test('a request through the old key is aborted and made again through the new key', async () => {
    const other = await app.key();
    const endpoint = await add('/hang/old', { keyId: other.id });
    await claimToken();
    await until(() => receivedAt('/hang/old').length === 1);
    await manage('PATCH', `/endpoints/${endpoint.endpoint.id}`, { keyId: key.id, url: `${origin}/new` });
    await manage('POST', `/keys/${other.id}/revoke`);
    await until(() => receivedAt('/new').length === 1);
    await until(async () => (await outcomesOf(endpoint)).every(({ status }) => status === 'succeeded'));
    expect(await outcomesOf(endpoint)).toMatchObject([{ outcomes: ['aborted_by_revoke', 'response'] }]);
  });

  test('a change of key does not wait for an event that is being written, and takes its delivery over', async () => {
    const other = await app.key();
    const { endpoint } = await add('/a', { keyId: other.id });
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await query('select pg_advisory_xact_lock_shared(access_lock($1, $1))');
    await query(`with d as (insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, trigger, status)
        select app_id, gen_random_uuid(), endpoint_id, gen_random_uuid(), key_id, 'scheduled', 'pending' from endpoints
        where app_id = $1 returning *)
      insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, due_at)
        select app_id, delivery_id, endpoint_id, event_id, key_id, now() + interval '1 hour' from d`);
    expect((await manage('PATCH', `/endpoints/${endpoint.id}`, { keyId: key.id })).status).toBe(200);
    await superuser.query('commit');
    const statuses = 'select status, reason from deliveries where app_id = $1';
    await manage('POST', `/keys/${other.id}/revoke`);
    expect(await query(statuses)).toEqual([{ status: 'pending', reason: null }]);
    await manage('POST', `/keys/${key.id}/revoke`);
    expect(await query(statuses)).toEqual([{ status: 'cancelled', reason: 'key_revoked' }]);
  });
});
