// The sandbox API from the perspective of an integration developer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../src/access/problems/index.ts';
import { json, type Sandbox, startSandbox, type TestApp } from './app.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(() => sandbox.close());

interface List {
  data: { id: string; installation: { state: string } }[];
  nextCursor: string | null;
}
const firstServer = (): string => app.serverIds[0] ?? '';

describe('reads of the sandbox API', () => {
  test('a valid key lists the servers of its own app, newest first', async () => {
    const { status, body, headers } = await sandbox.call<List>('/v1/servers', key.token);
    expect(status).toBe(200);
    expect(body.data.map((server) => server.id)).toEqual([...app.serverIds].sort().reverse());
    expect(headers.get('request-id')).toMatch(/^req_[0-7][0-9a-z]{25}$/);
    expect(headers.get('slipway-environment')).toBe('sandbox');
  });

  test('/v1/me describes the caller', async () => {
    const { body } = await sandbox.call('/v1/me', key.token);
    expect(body).toMatchObject({ environment: 'sandbox', appId: app.id, keyId: key.id });
    const daysLeft = (Date.parse(String(body.expiresAt)) - Date.now()) / 86_400_000;
    expect(daysLeft).toBeGreaterThan(29.9);
    expect(daysLeft).toBeLessThanOrEqual(30);
  });

  test('pages by cursor contain every server once', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { body: List } = await sandbox.call<List>(`/v1/servers?limit=2${query}`, key.token);
      seen.push(...page.body.data.map((server) => server.id));
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual([...app.serverIds].sort().reverse());
  });

  test('a page answers If-None-Match with 304 until its content changes', async () => {
    const first = await sandbox.call('/v1/servers', key.token);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    const conditional = { headers: { 'if-none-match': etag } };
    expect((await sandbox.call('/v1/servers', key.token, conditional)).status).toBe(304);
    const empty = await sandbox.call('/v1/servers', key.token, { headers: { 'if-none-match': '' } });
    expect([empty.status, empty.body.errors]).toMatchObject([400, [{ pointer: '/header/If-None-Match' }]]);
    const one = await sandbox.call('/v1/servers?limit=1', key.token);
    const again = { headers: { 'if-none-match': one.headers.get('etag') ?? '' } };
    const unchanged = await sandbox.call('/v1/servers?limit=1', key.token, again);
    // The client has the link to the next page from its stored response (RFC 9110, section 15.4.5).
    expect([unchanged.status, one.headers.has('link'), unchanged.headers.has('link')]).toEqual([304, true, false]);
    await sandbox.manage('PUT', `/apps/${app.id}/servers/${firstServer()}/installation`, { state: 'paused' });
    const changed = await sandbox.call<List>('/v1/servers', key.token, conditional);
    expect(changed.status).toBe(200);
    expect(changed.body.data.map((server) => server.id)).not.toContain(firstServer());
    await sandbox.manage('PUT', `/apps/${app.id}/servers/${firstServer()}/installation`, { state: 'authorised' });
    expect((await sandbox.call<List>('/v1/servers', key.token)).body.data.map((one) => one.id)).toContain(
      firstServer(),
    );
  });

  test('HEAD responds like GET, without a body', async () => {
    const { status, text, headers } = await sandbox.call('/v1/servers', key.token, { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(100);
  });

  test('the contract and the problem pages are public', async () => {
    expect((await sandbox.call('/v1/openapi.json')).body.openapi).toBe('3.1.0');
    const page = await sandbox.call('/problems/missing-scope');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('Missing scope');
    expect((await sandbox.call('/problems/no-such-problem')).status).toBe(404);
  });

  test('the contract omits the webhooks and their schemas for webhooks=false', async () => {
    interface Contract extends Record<string, unknown> {
      tags: { name: string }[];
      components: { schemas: object };
    }
    const [whole, part] = await Promise.all(
      ['', '?webhooks=false'].map((query) => sandbox.call<Contract>(`/v1/openapi.json${query}`)),
    );
    expect(whole?.body.webhooks).toBeDefined();
    expect(part?.body).not.toHaveProperty('webhooks');
    expect(part?.body.components.schemas).not.toHaveProperty('TicketUpdatedV1');
    expect(part?.body.tags.map(({ name }) => name)).not.toContain('Webhooks');
    expect(part?.body.paths).toEqual(whole?.body.paths);
    expect((await sandbox.call('/v1/openapi.json?webhooks=no')).status).toBe(400);
  });
});

describe('refusals of the sandbox API', () => {
  test('a missing scope gets exactly the specified response', async () => {
    const { token } = await app.key(['events:read']);
    const { status, body, headers } = await sandbox.call('/v1/servers', token);
    expect(status).toBe(403);
    expect(body).toEqual({
      type: 'http://sandbox.test/problems/missing-scope',
      title: 'Missing scope',
      status: 403,
      code: 'missing_scope',
      requestId: headers.get('request-id'),
    });
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="slipway", error="insufficient_scope", scope="servers:read"',
    );
  });

  const flip = (token: string): string => token.slice(0, 40) + (token[40] === 'a' ? 'b' : 'a') + token.slice(41);
  test.each([
    ['no key', undefined, 'missing_key'],
    ['no key at all after Bearer', '', 'invalid_key'],
    ['a malformed key', 'slw_test_nonsense', 'invalid_key'],
    ['a key with NUL characters', 'slw_test_%00', 'invalid_key'],
    ['a well-formed key that does not exist', `slw_test_${'0'.repeat(12)}_${'0'.repeat(38)}`, 'invalid_key'],
  ])('%s gets 401 with its code', async (_, token, code) => {
    const { status, body, headers } = await sandbox.call('/v1/servers', token);
    expect([status, body.code]).toEqual([401, code]);
    expect(headers.get('www-authenticate')).toContain('Bearer realm="slipway"');
  });

  test.each([
    ['a key alone', () => key.token],
    ['another scheme', () => `Basic ${key.token}`],
    ['Bearer and nothing', () => 'Bearer '],
    ['Bearer and two texts', () => `Bearer ${key.token} ${key.token}`],
  ])('an Authorization header with %s gets invalid_key with the required form', async (_, header) => {
    const { status, body, headers } = await sandbox.call('/v1/servers', undefined, {
      headers: { authorization: header() },
    });
    expect([status, body.code, headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_key',
      'Bearer realm="slipway", error="invalid_token"',
    ]);
    expect(body.detail).toContain('send `Authorization: Bearer <API_KEY>`');
  });

  test('every invalid key gets the same response', async () => {
    const wrong = ['x', 'slw_test_nonsense', `slw_test_${'0'.repeat(12)}_${'0'.repeat(38)}`, flip(key.token)];
    const details = await Promise.all(
      wrong.map(async (token) => (await sandbox.call('/v1/servers', token)).body.detail),
    );
    expect(new Set(details)).toEqual(new Set([PROBLEMS.invalid_key.fix]));
  });

  test('a key with one changed character is refused like any invalid key', async () => {
    expect((await sandbox.call('/v1/servers', flip(key.token))).body.code).toBe('invalid_key');
  });

  test('an expired key gets expired_key only with the right secret', async () => {
    const { id, token } = await app.key();
    await sandbox.database.superuser.query('alter table keys disable trigger guard_key');
    await sandbox.database.superuser.query(
      `update keys set created_at = created_at - interval '31 days', expires_at = expires_at - interval '31 days'
       where key_id = (select key_id from keys order by created_at desc limit 1)`,
    );
    await sandbox.database.superuser.query('alter table keys enable trigger guard_key');
    expect((await sandbox.call('/v1/servers', token)).body.code).toBe('expired_key');
    expect((await sandbox.call('/v1/servers', flip(token))).body.code).toBe('invalid_key');
    expect(id).toMatch(/^key_/);
  });

  test('a revoked key is refused from the next request on', async () => {
    const { id, token } = await app.key();
    expect((await sandbox.call('/v1/servers', token)).status).toBe(200);
    expect((await sandbox.manage('POST', `/apps/${app.id}/keys/${id}/revoke`)).status).toBe(200);
    expect((await sandbox.call('/v1/servers', token)).body.code).toBe('revoked_key');
  });

  test('a key of the other environment gets wrong_environment', async () => {
    const { newKeyToken } = await import('../src/access/authority/index.ts');
    const { token } = newKeyToken('production');
    expect((await sandbox.call('/v1/servers', token)).body.code).toBe('wrong_environment');
  });

  test.each([
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ])('a key in a browser page is refused: %o', async (headers) => {
    expect((await sandbox.call('/v1/servers', key.token, { headers })).body.code).toBe('browser_use');
  });

  test('a server of another app gets the same 404 as a missing server', async () => {
    const other = await sandbox.newApp();
    const foreign = await sandbox.call(`/v1/servers/${other.serverIds[0]}`, key.token);
    const missing = await sandbox.call('/v1/servers/srv_01j9z3v8k6e5t8m2n4p6q8r0s2', key.token);
    const without = (answer: { text: string; body: Record<string, unknown> }): string =>
      answer.text.replace(String(answer.body.requestId), '');
    expect(foreign.status).toBe(404);
    expect(without(foreign)).toBe(without(missing));
  });

  test.each([
    ['paused', 'installation_paused'],
    ['revoked', 'installation_revoked'],
  ])('a scope that is %s on one server is refused there, and other servers and scopes still work', async (state, code) => {
    const own = await sandbox.newApp();
    const { token } = await own.key();
    const [server = '', neighbour = ''] = own.serverIds;
    const path = `/apps/${own.id}/servers/${server}/installation/scopes/servers:read`;
    expect((await sandbox.manage('PUT', path, { state })).status).toBe(200);
    expect((await sandbox.call(`/v1/servers/${server}`, token)).body.code).toBe(code);
    expect((await sandbox.call(`/v1/servers/${neighbour}`, token)).status).toBe(200);
    expect((await sandbox.call(`/v1/servers/${server}/tickets`, token, json({ subject: 's', body: 'b' }))).status).toBe(
      201,
    );
  });
});

test('no request of this file caused an internal error', () => {
  expect(sandbox.errors).toEqual([]);
});
