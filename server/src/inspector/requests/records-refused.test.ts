// Records of requests that are refused before routing or end in the middle: whose they are, and whether a response was
// sent.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { answerOn, recordOf, sendBytes } from './raw-requests.fixture.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(() => sandbox.close());

const rowOf = (requestId: string | null | undefined) => recordOf(sandbox, requestId);
const isRecorded = async (requestId: string | null | undefined): Promise<boolean> =>
  (await rowOf(requestId)) !== undefined;
const send = (requestLine: Buffer, userAgent: Buffer) => sendBytes(sandbox, key.token, requestLine, userAgent);

async function countRecords(): Promise<number> {
  const { rows } = await sandbox.database.superuser.query('select count(*)::int as count from request_records');
  return rows[0]?.count;
}

/** Sends a mutation whose body consists of the given bytes. */
async function sendBody(path: string, headers: string, body: string): Promise<Awaited<ReturnType<typeof send>>> {
  const line = Buffer.from(`POST ${path} HTTP/1.1\r\ncontent-type: application/json\r\n${headers}`);
  return send(line, Buffer.from(`bridge/1\r\n\r\n${body}`));
}

describe('a request that is refused before or within its body is recorded once under the identifier of its response', () => {
  const chunked = 'transfer-encoding: chunked';
  test.each([
    ['broken JSON to no path', '/v1/nowhere', 'content-length: 4', '{bad', 404],
    ['a body that is too long to no path', '/v1/nowhere', 'content-length: 9999999', '', 404],
    ['a chunk of no length', undefined, chunked, 'zz\r\n', 400],
    ['a chunk of no length after others', undefined, chunked, '1\r\n{\r\nzz\r\n', 400],
  ])('%s is refused and recorded once', async (_, path, headers, body, status) => {
    const before = await countRecords();
    const answer = await sendBody(path ?? `/v1/servers/${app.serverIds[0]}/tickets`, headers, body);
    expect(answer.status).toBe(status);
    expect(await isRecorded(answer.requestId)).toBe(true);
    await sandbox.recorder.flush();
    expect((await countRecords()) - before).toBe(1);
  });

  test('a body that breaks off after a refusal leaves no connection open', async () => {
    const path = `/v1/servers/${app.serverIds[0]}/tickets`;
    const line = `POST ${path} HTTP/1.1\r\ncontent-type: application/json\r\nauthorization: Bearer none\r\ntransfer-encoding: chunked`;
    const socket = connect(Number(new URL(sandbox.apiUrl).port), '127.0.0.1');
    socket.write(`${line}\r\nhost: sandbox\r\n\r\n1\r\n{\r\n`);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (/401/.test(text)) socket.write('zz\r\n');
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(text).toMatch(/^HTTP\/1.1 401/);
  });

  test('an identifier that is too long for a path gets 404 and is recorded', async () => {
    const answer = await send(Buffer.from(`GET /v1/servers/${'x'.repeat(600)} HTTP/1.1`), Buffer.from('bridge/1'));
    expect([answer.status, await isRecorded(answer.requestId)]).toEqual([404, true]);
  });
});

describe('a request that is refused for every caller is in the records of the key’s app', () => {
  const authorization = (): string => `authorization: Bearer ${key.token}\r\nconnection: close`;
  const server = (): string => `/v1/servers/${app.serverIds[0]}`;
  test.each<[string, () => string, number, Record<string, unknown>]>([
    [
      'a mistyped path',
      () => 'GET /v1/servers/42/ticket?a=b HTTP/1.1\r\nhost: a',
      404,
      { path: '/v1/servers/42/ticket' },
    ],
    [
      'a path with a name in the place of an identifier',
      () => 'GET /v1/servers/maren/tickets HTTP/1.1\r\nhost: a',
      404,
      { path: '/v1/servers/{serverId}/tickets' },
    ],
    ['a path with a secret of letters', () => 'GET /v1/mfkqzrtwxhbvnpls HTTP/1.1\r\nhost: a', 404, { path: '/v1/*' }],
    ['a path with a secret', () => 'GET /v1/s3cr3t/Zq7canaryVw3 HTTP/1.1\r\nhost: a', 404, { path: '/v1/*/*' }],
    ['a path that cannot be decoded', () => 'GET /v1/%zz?a=%zz HTTP/1.1\r\nhost: a', 400, { path: '/v1/*' }],
    [
      'an identifier that cannot be decoded',
      () => 'GET /v1/servers/%c3%28?limit=2 HTTP/1.1\r\nhost: a',
      400,
      { operation_id: 'getServer', path: '/v1/servers/{serverId}', query: '*=*' },
    ],
    ['a request without Host', () => `GET ${server()} HTTP/1.1`, 400, { operation_id: 'getServer' }],
    [
      'a URL that is too long',
      () => `GET ${server()}?a=${'a'.repeat(9_000)} HTTP/1.1\r\nhost: a`,
      414,
      { operation_id: 'getServer', query: '*=*' },
    ],
    ['an unknown method', () => `M-SEARCH ${server()} HTTP/1.1\r\nhost: a`, 405, { method: 'M-SEARCH' }],
  ])('%s is refused and recorded under the key', async (_, head, status, expected) => {
    const socket = connect(Number(new URL(sandbox.apiUrl).port), '127.0.0.1');
    socket.write(`${head()}\r\n${authorization()}\r\n\r\n`);
    const answer = await answerOn(socket);
    expect([answer.status, await rowOf(answer.requestId)]).toEqual([
      status,
      expect.objectContaining({ key_id: fromId('key', key.id), ...expected }),
    ]);
  });
});

describe('a client that disconnects within its body is recorded without a response', () => {
  const head = (token: string): string =>
    `POST /v1/servers/${app.serverIds[0]}/tickets HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 50\r\nexpect: 100-continue\r\n\r\n`;
  const newest = async (table: string) => {
    const { rows } = await sandbox.database.superuser.query(`select * from ${table} order by request_id desc limit 1`);
    return rows[0];
  };
  test.each<[string, (socket: Socket) => unknown]>([
    ['by closing', (socket) => socket.destroy()],
    ['by ending its side', (socket) => socket.end()],
    ['by a reset', (socket) => socket.resetAndDestroy()],
  ])('a record has status 499 when the client leaves %s', async (_, leave) => {
    const before = await countRecords();
    const socket = connect(Number(new URL(sandbox.apiUrl).port), '127.0.0.1');
    socket.write(head(key.token));
    await once(socket, 'data'); // wait for 100 Continue
    socket.write('{"subject"');
    leave(socket);
    await until(async () => (await countRecords()) > before);
    expect(await newest('request_records')).toMatchObject({
      status: 499,
      problem_code: null,
      error_context: null,
      operation_id: 'createTicket',
      request_bytes: 50,
      response_bytes: 0,
      client_address: '127.0.0.1',
    });
    expect((await countRecords()) - before).toBe(1);
  });
});
