// Requests with an unusual syntax. Each gets a problem with a request id, costs little and never gets a 500.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Sandbox, startSandbox, type TestApp } from './app.ts';
import { sendRaw } from './raw-socket.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.close();
});

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Answer> =>
  sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, token, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

const raw = (request: string): Promise<string> => sendRaw(sandbox.apiUrl, request);

describe('unusual bodies', () => {
  test.each([5_000, 100_000])('a body of %i nested brackets gets 400', async (depth) => {
    const { status, body } = await post('['.repeat(depth) + ']'.repeat(depth));
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    const objects = await post(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    expect([objects.status, objects.body.code]).toEqual([400, 'invalid_request']);
  });

  test('a body with 100,000 values gets 400 with one error', async () => {
    const { status, body } = await post(JSON.stringify({ subject: 's', body: 'b', labels: Array(100_000).fill(1) }));
    expect([status, body.errors]).toEqual([400, [{ pointer: '', detail: 'holds more than 10000 values' }]]);
  });

  test('a body that is not UTF-8 gets 400, and valid UTF-8 is stored unchanged', async () => {
    const bytes = new Uint8Array(Buffer.from('{"subject":"\xff\xfe","body":"b"}', 'latin1'));
    expect((await post(bytes)).body).toMatchObject({ code: 'invalid_request', detail: 'The body is not valid UTF-8.' });
    expect((await post('{"subject":"船台 🚢","body":"b"}')).body.subject).toBe('船台 🚢');
  });

  test('a body that is not JSON gets 400 with that reason', async () => {
    expect((await post('{"subject":')).body.detail).toBe('The body is not valid JSON.');
  });

  test.each([
    '{"__proto__":{"a":1}}',
    '{"subject":"s","metadata":{"\\u005f_proto__":1}}',
    '{"constructor":{"prototype":1}}',
  ])('a body with a property name of the prototype gets the right reason: %s', async (body) => {
    const { status, body: problem } = await post(body);
    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.detail).toMatch(/^The body has a field name that is not allowed: `__proto__`/);
  });

  test.each([
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json; charset="utf-16"' },
    { 'content-encoding': 'gzip' },
  ])('a body in another charset or encoding gets 415: %j', async (headers) => {
    const { body } = await post('{"subject":"s","body":"b"}', headers);
    expect(body.code).toBe('unsupported_media_type');
    expect(body.detail).toMatch(/^Send the body not packed, in UTF-8/);
  });

  test('a body of another media type gets 415 with the required type', async () => {
    const { body } = await post('subject=s', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(body.detail).toBe('Send `Content-Type: application/json`.');
  });

  test.each([
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/json; charset="UTF-8"' },
    { 'content-encoding': 'identity' },
  ])('a body with an explicit default charset or encoding is accepted: %j', async (headers) => {
    expect((await post('{"subject":"s","body":"b"}', headers)).status).toBe(201);
  });
});

describe('unusual headers', () => {
  test('an Accept header with thousands of spaces takes linear time', async () => {
    const accept = `a${' '.repeat(15_000)}b`;
    const startedAt = performance.now();
    for (let time = 0; time < 200; time++) {
      expect((await sandbox.call('/v1/openapi.json', undefined, { headers: { accept } })).status).toBe(406);
    }
    console.log(`200 of them took ${Math.round(performance.now() - startedAt)} ms`);
  });

  test('an Accept header may have parameters and any letter case', async () => {
    for (const accept of ['Application/JSON ; q=0.5', 'text/html, application/json;q=0.1', '*/*;q=1']) {
      expect((await sandbox.call('/v1/me', token, { headers: { accept } })).status).toBe(200);
    }
    expect((await sandbox.call('/v1/me', token, { headers: { accept: 'application/json;q=0' } })).status).toBe(406);
  });

  test('a missing Host header gets 400 with a problem and a request id', async () => {
    const answer = await raw('GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*request-id: req_[\s\S]*"detail":"The header Host is missing\."/i);
  });

  test('a request that is not HTTP gets 400 with a link to the documentation', async () => {
    const answer = await raw('GET /v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"detail":"The request could not be read: check /);
  });

  test('CONNECT gets 400 as unreadable, even if the client continues to send', async () => {
    const answer = await raw('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n');
    expect(answer).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*request-id: req_[\s\S]*"detail":"The request could not be read: check /i,
    );
  });

  test('an unknown Expect header is ignored', async () => {
    const answer = await raw('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\nExpect: bogus\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*request-id: req_/i);
  });
});

test('an Idempotency-Key with invalid characters gets 400 with the allowed ones', async () => {
  for (const key of ['\u00e9', 'x'.repeat(256)]) {
    const { status, body } = await post('{"subject":"s","body":"b"}', { 'idempotency-key': key });
    const detail = 'must have 1 to 255 characters of printable ASCII: letters, digits, signs and spaces';
    expect([status, body.errors]).toEqual([400, [{ pointer: '/header/Idempotency-Key', detail }]]);
  }
});

test('a query parameter that is given twice gets 400', async () => {
  const { status, body } = await sandbox.call('/v1/servers?limit=1&limit=2', token);
  expect([status, body.errors]).toEqual([400, [{ pointer: '/query/limit', detail: 'is given more than once' }]]);
});

test('a query parameter __proto__ is an unknown parameter, given once or twice', async () => {
  for (const query of ['__proto__=1', '__proto__=1&__proto__=2']) {
    const { status, body } = await sandbox.call(`/v1/servers?${query}`, token);
    expect([status, body.errors]).toEqual([400, [{ pointer: '/query/__proto__', detail: 'is not a known field' }]]);
  }
});

test.each([
  '\u202eevil',
  '\u200b\u200b',
  'a\u0007',
  '   ',
  'line\nbreak',
])('an unreadable name is refused: %j', async (name) => {
  const created = await sandbox.manage('POST', '/apps', { name });
  const detail = 'must hold visible characters, and none that hide or turn text';
  expect([created.status, created.body.errors]).toEqual([400, [{ pointer: '/name', detail }]]);
});

test.each(['Ticket bridge', '船台', 'مرحبا', '👩‍💻 tools', 'é'])('a readable name is accepted: %s', async (name) => {
  expect((await sandbox.manage('POST', '/apps', { name })).body.name).toBe(name);
});
