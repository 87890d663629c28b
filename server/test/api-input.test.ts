// Requests to the sandbox API: tickets that are created, and all kinds of refused input.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  data: { id: string }[];
  nextCursor: string | null;
}
const firstServer = (): string => app.serverIds[0] ?? '';

describe('creating tickets', () => {
  const path = (): string => `/v1/servers/${firstServer()}/tickets`;

  test('a created ticket has a number, an event and a request record', async () => {
    const created = await sandbox.call(path(), key.token, json({ subject: 'Hello', body: 'World' }));
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ subject: 'Hello', category: 'question', priority: 'normal', status: 'open' });
    const { rows } = await sandbox.database.superuser.query(
      `select body from events where app_id = (select app_id from apps where name = 'An app' order by app_id limit 1)`,
    );
    const event = JSON.parse(rows.at(-1).body);
    expect(event).toMatchObject({
      type: 'ticket.created',
      schemaVersion: 2,
      environment: 'sandbox',
      appId: app.id,
      serverId: firstServer(),
      sequence: 1,
      requestId: created.headers.get('request-id'),
      data: { id: created.body.id, subject: 'Hello', bodyMarkdown: 'World' },
    });
  });

  test('a repeated Idempotency-Key gets the first response again, and another body under it is refused', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' };
    const send = (subject: string) =>
      sandbox.call(path(), key.token, { method: 'POST', headers, body: JSON.stringify({ subject, body: 'b' }) });
    const first = await send('one');
    const again = await send('one');
    expect(first.status).toBe(201);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await send('two')).body.code).toBe('idempotency_key_reused');
  });

  test('a stored response is not replayed to a key that was revoked meanwhile', async () => {
    const own = await app.key();
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'then revoked' };
    const init = { method: 'POST', headers, body: JSON.stringify({ subject: 's', body: 'b' }) };
    expect((await sandbox.call(path(), own.token, init)).status).toBe(201);
    await sandbox.manage('POST', `/apps/${app.id}/keys/${own.id}/revoke`);
    expect((await sandbox.call(path(), own.token, init)).body.code).toBe('revoked_key');
  });

  const raw = (body: string, type = 'application/json'): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  test.each([
    ['an unknown field', json({ subject: 's', body: 'b', colour: 'red' }), 400, '/colour'],
    ['a missing field', json({ subject: 's' }), 400, '/body'],
    ['a wrong type', json({ subject: 1, body: 'b' }), 400, '/subject'],
    ['a number as text', json({ subject: 's', body: 2 }), 400, '/body'],
    ['a NUL character', json({ subject: 'a\u0000b', body: 'b' }), 400, '/subject'],
    ['a NUL character in a name', json({ subject: 's', body: 'b', metadata: { 'a\u0000': 'x' } }), 400, '/metadata'],
    ['half a surrogate pair', raw('{"subject":"\\ud800","body":"b"}'), 400, '/subject'],
    ['broken JSON', raw('{"subject":'), 400, undefined],
    ['an array', json([]), 400, ''],
    ['null', raw('null'), 400, ''],
    ['no body', raw(''), 400, ''],
    ['a prototype in the body', raw('{"__proto__":{"a":1},"subject":"s","body":"b"}'), 400, undefined],
    ['an empty text', json({ subject: '', body: 'b' }), 400, '/subject'],
    ['an over-long text', json({ subject: 's'.repeat(201), body: 'b' }), 400, '/subject'],
  ])('a ticket with %s is refused with its pointer, and nothing is written', async (_, init, status, pointer) => {
    const count = async (): Promise<string> =>
      (await sandbox.database.superuser.query('select count(*) from tickets')).rows[0].count;
    const before = await count();
    const { body, ...answer } = await sandbox.call<{ code: string; errors?: { pointer: string }[] }>(
      path(),
      key.token,
      init,
    );
    expect([answer.status, body.code]).toEqual([status, 'invalid_request']);
    expect(body.errors?.[0]?.pointer).toBe(pointer);
    expect(await count()).toBe(before);
  });

  test.each([
    ['a form', raw('subject=s', 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type'],
    ['plain text', raw('hello', 'text/plain'), 415, 'unsupported_media_type'],
    ['an oversized body', json({ subject: 's', body: 'b'.repeat(300_000) }), 413, 'body_too_large'],
  ])('a ticket as %s is refused', async (_, init, status, code) => {
    const answer = await sandbox.call(path(), key.token, init);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('bad requests', () => {
  test.each([
    ['/v1/servers?limit=0', 400, 'invalid_request'],
    ['/v1/servers?limit=101', 400, 'invalid_request'],
    ['/v1/servers?limit=ten', 400, 'invalid_request'],
    ['/v1/servers?limit=1&limit=2', 400, 'invalid_request'],
    ['/v1/servers?colour=red', 400, 'invalid_request'],
    ['/v1/servers?cursor=nonsense', 400, 'invalid_request'],
    ['/v1/servers?cursor=', 400, 'invalid_request'],
    ['/v1/servers?cursor=%00', 400, 'invalid_request'],
    ['/v1/servers/%zz', 400, 'invalid_request'],
    ['/v1/servers/srv_nonsense', 404, 'not_found'],
    ['/v1/servers/%00', 404, 'not_found'],
    [`/v1/servers/${'a'.repeat(600)}`, 404, 'not_found'],
    ['/v1/nothing', 404, 'not_found'],
    ['/', 404, 'not_found'],
    [`/v1/servers?cursor=${'a'.repeat(9000)}`, 414, 'uri_too_long'],
    [`/v1/openapi.json?${'a'.repeat(9000)}`, 414, 'uri_too_long'], // public, so no key is required
  ])('GET %s gets %i %s', async (path, status, code) => {
    const answer = await sandbox.call(path, key.token);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('request-id')).toBe(answer.body.requestId);
  });

  test('a cursor that was changed or belongs to another app is refused', async () => {
    const { body } = await sandbox.call<List>('/v1/servers?limit=1', key.token);
    const cursor = body.nextCursor ?? '';
    const tampered = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA');
    expect((await sandbox.call(`/v1/servers?limit=1&cursor=${tampered}`, key.token)).body.code).toBe('invalid_request');
    const other = await (await sandbox.newApp()).key();
    expect((await sandbox.call(`/v1/servers?limit=1&cursor=${cursor}`, other.token)).body.code).toBe('invalid_request');
    expect((await sandbox.call(`/v1/servers?limit=1&cursor=${cursor}`, key.token)).status).toBe(200);
  });

  test.each([
    ['DELETE', '/v1/servers', 'GET, HEAD'],
    ['OPTIONS', '/v1/servers', 'GET, HEAD'],
    ['QUERY', '/v1/servers', 'GET, HEAD'],
    ['PUT', '/v1/servers/srv_any/tickets', 'GET, POST, HEAD'],
    ['HEAD', '/v1/workflows/wfl_any/runs', 'POST'],
    ['PROPFIND', '/v1/workflows/wfl_any/runs', 'POST'],
  ])('%s gets 405 with the allowed methods at %s', async (method, path, allow) => {
    const { status, body, headers } = await sandbox.call(path, key.token, { method });
    expect([status, headers.get('allow')]).toEqual([405, allow]);
    expect(method === 'HEAD' || body.code).toBe(method === 'HEAD' || 'method_not_allowed');
  });

  test('an Accept header without JSON gets 406', async () => {
    const accept = (value: string) => sandbox.call('/v1/servers', key.token, { headers: { accept: value } });
    expect((await accept('text/html')).body.code).toBe('not_acceptable');
    expect((await accept('application/json;q=0')).body.code).toBe('not_acceptable');
    expect((await accept('text/html, application/*;q=0.5')).status).toBe(200);
  });

  test('headers above the limit get 431', async () => {
    const { status, body } = await sandbox.call('/v1/servers', key.token, {
      headers: { 'x-long': 'a'.repeat(20_000) },
    });
    expect([status, body.code]).toEqual([431, 'headers_too_large']);
  });

  test('no request of this file caused an internal error', () => {
    expect(sandbox.errors).toEqual([]);
  });
});
