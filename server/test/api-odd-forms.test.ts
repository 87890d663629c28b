// Requests whose form is odd rather than their content: each has its problem and its id, costs little, and is never a 500.
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

describe('a body', () => {
  test.each([5_000, 100_000])('of %i brackets in each other is a 400', async (depth) => {
    const { status, body } = await post('['.repeat(depth) + ']'.repeat(depth));
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    const objects = await post(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    expect([objects.status, objects.body.code]).toEqual([400, 'invalid_request']);
  });

  test('of a hundred thousand values is a 400 that says so once', async () => {
    const { status, body } = await post(JSON.stringify({ subject: 's', body: 'b', labels: Array(100_000).fill(1) }));
    expect([status, body.errors]).toEqual([400, [{ pointer: '', detail: 'holds more than 10000 values' }]]);
  });

  test('that is not UTF-8 is a 400, and nothing of it is changed into something else', async () => {
    const bytes = new Uint8Array(Buffer.from('{"subject":"\xff\xfe","body":"b"}', 'latin1'));
    expect((await post(bytes)).body).toMatchObject({ code: 'invalid_request', detail: 'The body is not valid UTF-8.' });
    expect((await post('{"subject":"船台 🚢","body":"b"}')).body.subject).toBe('船台 🚢');
  });

  test('that is not JSON is told so', async () => {
    expect((await post('{"subject":')).body.detail).toBe('The body is not valid JSON.');
  });

  test.each([
    '{"__proto__":{"a":1}}',
    '{"subject":"s","metadata":{"\\u005f_proto__":1}}',
    '{"constructor":{"prototype":1}}',
  ])('that is JSON with a name that reaches a prototype is not called anything else: %s', async (body) => {
    const { status, body: told } = await post(body);
    expect([status, told.code]).toEqual([400, 'invalid_request']);
    expect(told.detail).toMatch(/^The body has a field name that is not allowed: `__proto__`/);
  });

  test.each([
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json; charset="utf-16"' },
    { 'content-encoding': 'gzip' },
  ])('in another charset or packed is a 415: %j', async (headers) => {
    const { body } = await post('{"subject":"s","body":"b"}', headers);
    expect(body.code).toBe('unsupported_media_type');
    expect(body.detail).toMatch(/^Send the body not packed, in UTF-8/);
  });

  test('of another type is told the type', async () => {
    const { body } = await post('subject=s', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(body.detail).toBe('Send `Content-Type: application/json`.');
  });

  test.each([
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/json; charset="UTF-8"' },
    { 'content-encoding': 'identity' },
  ])('that says what it is anyway is taken: %j', async (headers) => {
    expect((await post('{"subject":"s","body":"b"}', headers)).status).toBe(201);
  });
});

describe('a header', () => {
  test('Accept with thousands of spaces costs no more than its length', async () => {
    const accept = `a${' '.repeat(15_000)}b`;
    const startedAt = performance.now();
    for (let time = 0; time < 200; time++) {
      expect((await sandbox.call('/v1/openapi.json', undefined, { headers: { accept } })).status).toBe(406);
    }
    console.log(`200 of them took ${Math.round(performance.now() - startedAt)} ms`);
  });

  test('Accept names what is wanted with parameters and in any case', async () => {
    for (const accept of ['Application/JSON ; q=0.5', 'text/html, application/json;q=0.1', '*/*;q=1']) {
      expect((await sandbox.call('/v1/me', token, { headers: { accept } })).status).toBe(200);
    }
    expect((await sandbox.call('/v1/me', token, { headers: { accept: 'application/json;q=0' } })).status).toBe(406);
  });

  test('Host that is missing is a 400 with a problem and an id', async () => {
    const answer = await raw('GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*request-id: req_[\s\S]*"detail":"The header Host is missing\."/i);
  });

  test('that is no HTTP is a 400 that says where to look', async () => {
    const answer = await raw('GET /v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"detail":"The request could not be read: check /);
  });

  test('CONNECT is answered as what cannot be read, whatever the caller does next', async () => {
    const answer = await raw('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n');
    expect(answer).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*request-id: req_[\s\S]*"detail":"The request could not be read: check /i,
    );
  });

  test('Expect with something unknown is left aside', async () => {
    const answer = await raw('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\nExpect: bogus\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*request-id: req_/i);
  });
});

test('Idempotency-Key with other characters is told which it may have', async () => {
  for (const key of ['\u00e9', 'x'.repeat(256)]) {
    const { status, body } = await post('{"subject":"s","body":"b"}', { 'idempotency-key': key });
    const detail = 'must have 1 to 255 characters of printable ASCII: letters, digits, signs and spaces';
    expect([status, body.errors]).toEqual([400, [{ pointer: '/header/Idempotency-Key', detail }]]);
  }
});

test('a query parameter that is given twice is told so', async () => {
  const { status, body } = await sandbox.call('/v1/servers?limit=1&limit=2', token);
  expect([status, body.errors]).toEqual([400, [{ pointer: '/query/limit', detail: 'is given more than once' }]]);
});

test('a query parameter __proto__ is unknown like any other, once or twice', async () => {
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
])('a name that people cannot read is refused: %j', async (name) => {
  const made = await sandbox.manage('POST', '/apps', { name });
  const detail = 'must hold visible characters, and none that hide or turn text';
  expect([made.status, made.body.errors]).toEqual([400, [{ pointer: '/name', detail }]]);
});

test.each([
  'Ticket bridge',
  '船台',
  'مرحبا',
  '👩‍💻 tools',
  'é',
])('a name that people can read is taken: %s', async (name) => {
  expect((await sandbox.manage('POST', '/apps', { name })).body.name).toBe(name);
});
