// Every response to an authenticated key has its record before it is sent. A record holds no secret, and responses do
// not wait for records that cannot be kept.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { fromId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(() => sandbox.close());

type Row = Record<string, unknown>;

async function recordsOf(requestId: string | null): Promise<Row[]> {
  const id = fromId('req', requestId ?? '');
  return (await sandbox.database.superuser.query('select * from request_records where request_id = $1', [id])).rows;
}
const count = async (): Promise<number> =>
  (await sandbox.database.superuser.query('select count(*)::int as n from request_records')).rows[0].n;

const tickets = (): string => `/v1/servers/${app.serverIds[0]}/tickets`;
const raw = (body: string, type: string): RequestInit => ({ method: 'POST', headers: { 'content-type': type }, body });
const CASES: [string, () => [string, RequestInit?], number, string | null, string | null][] = [
  ['a page', () => ['/v1/servers?limit=2'], 200, null, 'listServers'],
  ['what was created', () => [tickets(), json({ subject: 's', body: 'b' })], 201, null, 'createTicket'],
  ['HEAD', () => ['/v1/me', { method: 'HEAD' }], 200, null, 'getMe'],
  ['a wrong parameter', () => ['/v1/servers?limit=0'], 400, 'invalid_request', 'listServers'],
  ['a wrong body', () => [tickets(), json({ subject: 1 })], 400, 'invalid_request', 'createTicket'],
  ['broken JSON', () => [tickets(), raw('{', 'application/json')], 400, 'invalid_request', 'createTicket'],
  ['a server that is not there', () => ['/v1/servers/srv_01j9z3v8k6e5t8m2n4p6q8r0s2'], 404, 'not_found', 'getServer'],
  ['a path that is not there', () => ['/v1/nothing?a=1'], 404, 'not_found', null],
  ['a method that is not there', () => ['/v1/servers', { method: 'DELETE' }], 405, 'method_not_allowed', null],
  [
    'an Accept that is not acceptable',
    () => ['/v1/me', { headers: { accept: 'text/html' } }],
    406,
    'not_acceptable',
    'getMe',
  ],
  [
    'a body that is too large',
    () => [tickets(), json({ body: 'b'.repeat(300_000) })],
    413,
    'body_too_large',
    'createTicket',
  ],
  [
    'a form',
    () => [tickets(), raw('a=1', 'application/x-www-form-urlencoded')],
    415,
    'unsupported_media_type',
    'createTicket',
  ],
  ['use by a browser', () => ['/v1/me', { headers: { origin: 'https://a.example' } }], 403, 'browser_use', 'getMe'],
];

/** The recorded form of addresses with parts that the contract does not define. */
const KEPT: Record<string, string> = {
  '/v1/servers?limit=0': '/v1/servers?limit=*',
  '/v1/nothing?a=1': '/v1/*?*=*',
};

describe('a response to an authenticated key has exactly one record', () => {
  async function expectRecord(
    answer: Answer,
    url: string,
    init: RequestInit,
    keyId: string,
    operationId: string | null,
  ): Promise<void> {
    const [path, query] = (KEPT[url] ?? url).split('?');
    const rows = await recordsOf(answer.headers.get('request-id'));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      app_id: fromId('app', app.id),
      key_id: fromId('key', keyId),
      status: answer.status,
      method: init.method ?? 'GET',
      path,
      query: query ?? null,
      operation_id: operationId,
      client_address: '127.0.0.1',
      response_bytes: Buffer.byteLength(answer.text),
    });
    expect(rows[0]?.duration_us).toBeGreaterThan(0);
    expect(rows[0]?.authority_us).toBeGreaterThan(0);
    expect(rows[0]?.duration_us).toBeGreaterThanOrEqual(Number(rows[0]?.authority_us));
  }

  test.each(CASES)('%s has one record', async (_, request, status, code, operationId) => {
    const [url, init = {}] = request();
    const before = await count();
    const answer = await sandbox.call(url, key.token, init);
    expect(answer.status).toBe(status);
    await expectRecord(answer, url, init, key.id, operationId);
    const [row] = await recordsOf(answer.headers.get('request-id'));
    expect(row?.problem_code).toBe(code);
    if (code === null) expect(row?.error_context).toBeNull();
    else expect(row?.error_context).toMatchObject({ problem: answer.body });
    expect(await count()).toBe(before + 1);
  });

  test('a 304 has one record', async () => {
    const { headers } = await sandbox.call('/v1/servers', key.token);
    const init = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    const answer = await sandbox.call('/v1/servers', key.token, init);
    expect(answer.status).toBe(304);
    await expectRecord(answer, '/v1/servers', init, key.id, 'listServers');
    expect((await recordsOf(answer.headers.get('request-id')))[0]?.response_bytes).toBe(0);
  });

  test('refusals of a missing scope and a revoked key have one record each', async () => {
    const own = await app.key(['events:read']);
    const refused = await sandbox.call('/v1/servers', own.token);
    expect(refused.body.code).toBe('missing_scope');
    await expectRecord(refused, '/v1/servers', {}, own.id, 'listServers');
    await sandbox.manage('POST', `/apps/${app.id}/keys/${own.id}/revoke`);
    const revoked = await sandbox.call('/v1/servers', own.token);
    expect(revoked.body.code).toBe('revoked_key');
    await expectRecord(revoked, '/v1/servers', {}, own.id, 'listServers');
  });

  test('a record has the size of the body and the caller’s trace', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const answer = await sandbox.call('/v1/me', key.token, {
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    });
    const [row] = await recordsOf(answer.headers.get('request-id'));
    expect(row).toMatchObject({ response_bytes: Buffer.byteLength(answer.text), trace_id: trace });
  });

  test('a record has the duration of the operation, its server, its span and the size of the request body', async () => {
    const ticket = json({ subject: 'Grüße', body: 'b' });
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { ...ticket.headers, traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const made = await sandbox.call<{ id: string }>(tickets(), key.token, { ...ticket, headers });
    const requestId = made.headers.get('request-id');
    const [row] = await recordsOf(requestId);
    expect(row).toMatchObject({
      server_id: fromId('srv', app.serverIds[0] ?? ''),
      parent_span_id: Buffer.from('00f067aa0ba902b7', 'hex'),
      request_bytes: Buffer.byteLength(String(ticket.body)),
      is_replayed: null,
      idempotency_hash: null,
      parent_request_id: null,
    });
    expect(row?.operation_us).toBeGreaterThan(0);
    expect(Number(row?.operation_us) + Number(row?.authority_us)).toBeLessThanOrEqual(Number(row?.duration_us));
    const shown = await sandbox.manage('GET', `/apps/${app.id}/requests/${requestId}`);
    expect(shown.body).toMatchObject({
      serverId: app.serverIds[0],
      apiVersion: 'v1',
      parentSpanId: '00f067aa0ba902b7',
    });
    // Neither the path nor the cached page names the server.
    for (const _ of ['read', 'from the cache']) {
      const { headers: got } = await sandbox.call(`/v1/tickets/${made.body.id}`, key.token);
      const [read] = await recordsOf(got.get('request-id'));
      expect(read).toMatchObject({ server_id: row?.server_id, request_bytes: null });
    }
  });

  test('a record has the size of a chunked body and of a body that was announced and not read', async () => {
    const text = JSON.stringify({ subject: 's', body: 'b' });
    const stream = new ReadableStream({
      start(controller) {
        for (const piece of [text.slice(0, 9), text.slice(9)]) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
    const piecewise = { ...raw('', 'application/json'), body: stream, duplex: 'half' } as RequestInit; // an option of fetch that its types lack
    const made = await sandbox.call(tickets(), key.token, piecewise);
    expect((await recordsOf(made.headers.get('request-id')))[0]).toMatchObject({
      status: 201,
      request_bytes: text.length,
    });
    const large = json({ body: 'b'.repeat(300_000) });
    const refused = await sandbox.call(tickets(), key.token, large);
    const [row] = await recordsOf(refused.headers.get('request-id'));
    expect(row).toMatchObject({ status: 413, request_bytes: String(large.body).length });
  });

  test('a record has the hash of the idempotency key and names the request whose stored response was sent', async () => {
    const ticket = json({ subject: 's', body: 'b' });
    const init = { ...ticket, headers: { ...ticket.headers, 'idempotency-key': 'once' } };
    const rows: Row[] = [];
    for (const _ of ['first', 'again']) {
      const { headers } = await sandbox.call(tickets(), key.token, init);
      rows.push(...(await recordsOf(headers.get('request-id'))));
    }
    const hash = createHash('sha256').update('once').digest();
    expect(rows).toMatchObject([
      { idempotency_hash: hash, is_replayed: null, stored_answer_of: null },
      { idempotency_hash: hash, is_replayed: true, stored_answer_of: rows[0]?.request_id },
    ]);
  });
});

describe('a record holds no key', () => {
  const percent = (text: string): string =>
    [...text].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
  test.each<[string, (token: string) => [string, RequestInit?]]>([
    ['in the query', (token) => [`/v1/servers?api_key=${token}&limit=2`]],
    ['as the name of a parameter', (token) => [`/v1/servers?${token}=1`]],
    ['in the query, percent-encoded', (token) => [`/v1/servers?api_key=${percent(token)}&limit=2`]],
    ['in the query, with its underlines percent-encoded', (token) => [`/v1/servers?a=${token.replaceAll('_', '%5F')}`]],
    ['in the path', (token) => [`/v1/servers/${token}`]],
    ['in an unknown path', (token) => [`/v1/${token}/servers`]],
    ['in the user agent', (token) => ['/v1/me', { headers: { 'user-agent': `bridge ${token}` } }]],
    ['at the end of a long user agent', (token) => ['/v1/me', { headers: { 'user-agent': 'a'.repeat(260) + token } }]],
    ['as the name of a field', (token) => [tickets(), json({ subject: 's', body: 'b', [token]: 1 })]],
    ['as the value of a field', (token) => [tickets(), json({ subject: token, body: 'b', priority: token })]],
    [
      'in an idempotency key',
      (token) => [
        tickets(),
        { ...json({ subject: 1 }), headers: { 'content-type': 'application/json', 'idempotency-key': token } },
      ],
    ],
  ])('a key is not recorded with %s', async (_, request) => {
    const [url, init] = request(key.token);
    const answer = await sandbox.call(url, key.token, init);
    const rows = await recordsOf(answer.headers.get('request-id'));
    expect(rows).toHaveLength(1);
    const kept = JSON.stringify(rows);
    for (const text of [kept, decodeURIComponent(kept)]) {
      for (const part of [key.token, key.token.slice(22), key.token.slice(22, 54), key.token.slice(22, 34)])
        expect(text).not.toContain(part);
    }
  });

  test('a record keeps the other parameters of a query with a key', async () => {
    const answer = await sandbox.call(`/v1/servers?api_key=${key.token}&limit=2`, key.token);
    const [row] = await recordsOf(answer.headers.get('request-id'));
    expect(row?.query).toBe('*=*&limit=2');
  });
});
