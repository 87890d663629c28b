// Settings of an endpoint through the management API: each setting changes alone, errors name their part, and waiting
// deliveries follow. endpoint-deliveries.test.ts tests the settings that reach a receiver.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';

interface Endpoint extends Record<string, unknown> {
  id: string;
}
interface EndpointBody extends Endpoint {
  code?: string;
  errors?: { pointer: string; detail: string }[];
}

const HOOKS = 'https://bridge.example.org/hooks';
const SECRET = 'Bearer of-a-secret-of-theirs';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
let endpoint: Endpoint;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  const input = {
    url: HOOKS,
    keyId: key.id,
    eventTypes: ['ticket.created', 'ping'],
    headers: { Authorization: SECRET },
  };
  endpoint = (await sandbox.manage<{ endpoint: Endpoint }>('POST', `/apps/${app.id}/endpoints`, input)).body.endpoint;
});
// The number of endpoints per app is limited.
afterEach(() => sandbox.manage('DELETE', at()));

const at = (): string => `/apps/${app.id}/endpoints/${endpoint.id}`;
const get = async (): Promise<Endpoint> => (await sandbox.manage<Endpoint>('GET', at())).body;
const change = (body: unknown): Promise<Answer<EndpointBody>> => sandbox.manage<EndpointBody>('PATCH', at(), body);
const query = async <Row>(text: string): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, [fromId('whe', endpoint.id)])).rows as Row[];
const deliveries = () =>
  query<{ status: string; reason: string | null; key_id: string }>(
    'select status, reason, key_id from deliveries where endpoint_id = $1 order by delivery_id',
  );
const ticket = async (): Promise<string> => {
  const init = json({ subject: 's', body: '# Hello', requester: { name: 'Imke', reference: 'user-4711' } });
  const made = await sandbox.call<{ id: string }>(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, init);
  expect(made.status).toBe(201);
  return made.body.id;
};

describe('change of an endpoint', () => {
  test.each<[object, object]>([
    [{ url: `${HOOKS}/new` }, { url: `${HOOKS}/new` }],
    [{ description: 'Another' }, { description: 'Another' }],
    [{ ratePerSecond: 5 }, { ratePerSecond: 5 }],
    [{ ratePerSecond: null }, { ratePerSecond: null }],
    [{ isOrdered: true }, { isOrdered: true }],
    [{ scheduleSpeed: 3600 }, { scheduleSpeed: 3600 }],
    [{ headers: { 'X-Tenant': 'a' } }, { headerNames: ['authorization', 'x-tenant'] }],
    [{ headers: { AUTHORIZATION: null } }, { headerNames: [] }],
    [{ schemaVersions: { 'ticket.created': 1 } }, { schemaVersions: { 'ticket.created': 1, ping: 1 } }],
    [{ eventTypes: ['ping'] }, { eventTypes: ['ping'], schemaVersions: { ping: 1 } }],
    [
      { eventTypes: ['ticket.closed', 'ticket.created'] },
      { eventTypes: ['ticket.closed', 'ticket.created'], schemaVersions: { 'ticket.closed': 1, 'ticket.created': 2 } },
    ],
    [{}, {}],
  ])('a change to %j changes that setting only', async (body, changed) => {
    const before = await get();
    expect(before).toEqual(endpoint);
    const { status, body: after } = await change(body);
    expect([status, after]).toEqual([200, { ...before, ...changed }]);
    expect(await get()).toEqual(after);
  });

  test('a change of the types keeps the version of the remaining types', async () => {
    await change({ schemaVersions: { 'ticket.created': 1 } });
    const { body } = await change({ eventTypes: ['ticket.created', 'server.updated'] });
    expect(body.schemaVersions).toEqual({ 'ticket.created': 1, 'server.updated': 1 });
  });

  test('a change to another host refuses to keep headers, because a member who may change the URL could read them there', async () => {
    for (const url of ['https://evil.example.org/hooks', 'https://bridge.example.org:8443/hooks']) {
      const refused = await change({ url, headers: { 'X-Tenant': 'a' } });
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [{ pointer: '/headers', detail: 'must be set again, or be null, for another host: authorization' }],
      ]);
      expect(await get()).toEqual(endpoint);
    }
    const url = 'https://other.example.org/hooks';
    expect((await change({ url, headers: { Authorization: null } })).body).toMatchObject({ url, headerNames: [] });
    expect((await change({ url: HOOKS })).status).toBe(200);
  });

  test('a change is in the audit log with its values, but only with header names and the origin of both URLs', async () => {
    const [url, masked] = [`${HOOKS}/a-secret-of-theirs`, `${new URL(HOOKS).origin}/*`];
    await change({ url, ratePerSecond: 5, headers: { 'x-b': 'another-secret-of-theirs', authorization: null } });
    const [entry] = (await sandbox.manage<{ data: object[] }>('GET', '/audit-entries?limit=1')).body.data;
    expect(entry).toMatchObject({
      action: 'endpoint.update',
      target: endpoint.id,
      detail: { url: { from: masked, to: masked }, ratePerSecond: 5, headers: ['x-b', 'authorization'] },
    });
  });

  test('no header value can be read from responses, tables or the log', async () => {
    const { text } = await change({ headers: { 'x-b': 'another-secret-of-theirs' } });
    const list = await sandbox.manage('GET', `/apps/${app.id}/endpoints`);
    const tables = await query<{ text: string }>(`select e::text as text from endpoints e where endpoint_id = $1
      union all select a::text from audit_entries a`);
    const kept = [text, list.text, ...tables.map((row) => row.text)].join('\n');
    expect(kept).toContain('x-b');
    for (const value of [SECRET, 'of-a-secret', 'another-secret-of-theirs']) {
      expect(kept).not.toContain(value);
      expect(kept).not.toContain(Buffer.from(value).toString('hex'));
    }
  });
});

describe('invalid change of an endpoint', () => {
  const LONG = `https://bridge.example.org/${'a'.repeat(2_030)}`;
  test.each([
    ...['http://bridge.example.org/', 'ftp://bridge.example.org/', 'file:///etc/passwd', 'nonsense', '//x.example/'],
    ...['https://a:b@bridge.example.org/', 'https://bridge.example.org/#a', 'https://bridge.example.org/ a', LONG],
    ...['https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0x7f000001/', 'https://localhost/'],
    ...['https://a.localhost/', 'https://[::1]/', 'https://[::ffff:10.0.0.1]/', 'https://[64:ff9b::a00:1]/'],
    ...['https://10.0.0.1/', 'https://169.254.169.254/latest/', 'https://[fd00:ec2::254]/', 'https://0/'],
    ...['https://bridge.example.org:99999/', 'https://bridge.example.org/\r\nHost: a', 'https://\u0000/'],
  ])('refuses the URL %s and changes nothing', async (url) => {
    for (const answer of [
      await change({ url }),
      await sandbox.manage<EndpointBody>('POST', `/apps/${app.id}/endpoints`, {
        url,
        keyId: key.id,
        eventTypes: ['ping'],
      }),
    ]) {
      expect([answer.status, answer.body.errors?.map(({ pointer }) => pointer)]).toEqual([400, ['/url']]);
    }
    expect(await get()).toEqual(endpoint);
  });

  test.each<[object, string]>([
    [{ eventTypes: [] }, '/eventTypes'],
    [{ eventTypes: ['no.such'] }, '/eventTypes/0'],
    [{ schemaVersions: { ping: 2 } }, '/schemaVersions/ping'],
    [{ ratePerSecond: 0 }, '/ratePerSecond'],
    [{ ratePerSecond: 1_001 }, '/ratePerSecond'],
    [{ ratePerSecond: 1.5 }, '/ratePerSecond'],
    [{ scheduleSpeed: 2 }, '/scheduleSpeed'],
    [{ isOrdered: 'yes' }, '/isOrdered'],
    [{ state: 'paused' }, '/state'],
    [{ disabledReason: 'Because.' }, '/disabledReason'],
    [{ state: 'enabled', disabledReason: 'Because.' }, '/disabledReason'],
    [{ headers: { host: 'a' } }, '/headers/host'],
    [{ headers: { 'Webhook-Signature': 'v1,a' } }, '/headers/Webhook-Signature'],
    [{ headers: { 'Transfer-Encoding': null } }, '/headers/Transfer-Encoding'],
    [{ headers: { 'x-a': 'b\r\nwebhook-id: c' } }, '/headers/x-a'],
    [{ headers: { 'x-a: b\r\nhost': 'c' } }, '/headers/x-a: b\r\nhost'],
    [{ signingSecret: 'whsec_' }, '/signingSecret'],
    [{ id: 'whe_' }, '/id'],
  ])('refuses the settings %j with a pointer to the error', async (body, pointer) => {
    const answer = await change({ description: 'Another', ...body });
    const pointers = new Set(answer.body.errors?.map((error) => error.pointer));
    expect([answer.status, [...pointers]]).toEqual([400, [pointer]]);
    expect(await get()).toEqual(endpoint);
  });

  test('refuses a key that does not exist, belongs to another app or cannot deliver, with the reason', async () => {
    const other = await (await sandbox.newApp()).key();
    const revoked = await app.key();
    await sandbox.manage('POST', `/apps/${app.id}/keys/${revoked.id}/revoke`);
    const expired = await app.key();
    const { superuser } = sandbox.database;
    await superuser.query('set session_replication_role = replica');
    await superuser.query(
      "update keys set created_at = now() - interval '2 days', expires_at = now() where key_id = $1",
      [fromId('key', expired.id)],
    );
    await superuser.query('set session_replication_role = origin');
    const scopeless = await app.key(['servers:read']);
    for (const [{ id: keyId }, detail] of [
      [{ id: toId('key', newUuid()) }, 'must be a key of this app'],
      [other, 'must be a key of this app'],
      [revoked, 'is revoked: choose an active key with events:read'],
      [expired, 'has expired: choose an active key with events:read'],
      [scopeless, 'lacks events:read: choose an active key with events:read'],
    ] as const) {
      const made = await sandbox.manage<EndpointBody>('POST', `/apps/${app.id}/endpoints`, {
        url: HOOKS,
        keyId,
        eventTypes: ['ping'],
      });
      for (const answer of [await change({ keyId }), made]) {
        expect([answer.status, answer.body.errors]).toEqual([400, [{ pointer: '/keyId', detail }]]);
      }
    }
    expect(await get()).toEqual(endpoint);
  });
});

describe('disabled endpoint', () => {
  test('disabling cancels waiting deliveries and skips new events, and an enabled endpoint receives again', async () => {
    await ticket();
    const disabled = await change({ state: 'disabled', disabledReason: 'It moves.' });
    expect(disabled.body).toMatchObject({ state: 'disabled', disabledReason: 'It moves.' });
    await ticket();
    expect(await deliveries()).toMatchObject([
      { status: 'cancelled', reason: 'endpoint_disabled' },
      { status: 'skipped', reason: 'endpoint_disabled' },
    ]);
    expect((await change({ state: 'enabled' })).body).toEqual(endpoint);
    await ticket();
    expect((await deliveries()).at(-1)).toMatchObject({ status: 'pending', reason: null });
    const { rows } = await sandbox.database.superuser.query<{ detail: object }>(
      "select detail from audit_entries where target = $1 and action = 'endpoint.update' order by sequence limit 1",
      [endpoint.id],
    );
    expect(rows[0]?.detail).toEqual({ state: 'disabled', disabledReason: 'It moves.', cancelled: 1 });
  });

  test('the default reason names the member who disabled the endpoint, and the reason can be changed later', async () => {
    expect((await change({ state: 'disabled' })).body.disabledReason).toBe('Disabled by tester@example.org.');
    expect((await change({ disabledReason: 'It moves.' })).body.disabledReason).toBe('It moves.');
    expect((await change({ state: 'disabled' })).body.disabledReason).toBe('It moves.');
  });
});

describe('another key', () => {
  test('a new key takes over waiting deliveries, so they are cancelled when it is revoked and not when the old one is', async () => {
    const [old, other] = [await app.key(), await app.key()];
    await change({ keyId: old.id });
    await ticket();
    expect((await change({ keyId: other.id })).body).toMatchObject({ keyId: other.id, keyState: 'active' });
    await sandbox.manage('POST', `/apps/${app.id}/keys/${old.id}/revoke`);
    expect(await deliveries()).toMatchObject([{ status: 'pending', reason: null }]);
    expect(await query('select state from queue where endpoint_id = $1')).toEqual([{ state: 'waiting' }]);
    await sandbox.manage('POST', `/apps/${app.id}/keys/${other.id}/revoke`);
    expect(await deliveries()).toMatchObject([{ status: 'cancelled', reason: 'key_revoked' }]);
  });

  test('an endpoint reports that its key was revoked later', async () => {
    const other = await app.key();
    await change({ keyId: other.id });
    await sandbox.manage('POST', `/apps/${app.id}/keys/${other.id}/revoke`);
    expect(await get()).toMatchObject({ keyId: other.id, keyState: 'revoked' });
  });
});
