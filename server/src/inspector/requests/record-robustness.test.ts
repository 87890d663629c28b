// Records under hard conditions: bytes that are not text, and a database that does not accept records.
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { createSandboxApi } from '../../listeners/sandbox-api.ts';
import { recordOf, sendBytes } from './raw-requests.fixture.ts';

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

describe('bytes that are not text do not lose the record', () => {
  const agent = Buffer.from('bridge/1');
  test.each([
    ['a NUL in the path', Buffer.from('GET /v1/servers/%00 HTTP/1.1'), agent, 404],
    ['a NUL in the query', Buffer.from('GET /v1/servers?cursor=%00 HTTP/1.1'), agent, 400],
    ['a NUL as the name of a parameter', Buffer.from('GET /v1/servers?%00=1 HTTP/1.1'), agent, 400],
    ['a truncated character in the query', Buffer.from('GET /v1/servers?cursor=%f0%9f HTTP/1.1'), agent, 400],
    ['a surrogate in the query', Buffer.from('GET /v1/servers?cursor=%ed%a0%80 HTTP/1.1'), agent, 400],
    [
      'bytes above ASCII in the user agent',
      Buffer.from('GET /v1/me HTTP/1.1'),
      Buffer.from([0x61, 0xff, 0xfe, 0x80]),
      200,
    ],
    [
      'a character that the limit of the user agent splits',
      Buffer.from('GET /v1/me HTTP/1.1'),
      Buffer.from(`${'a'.repeat(299)}😀`),
      200,
    ],
  ])('a request with %s is recorded', async (_, line, userAgent, status) => {
    const answer = await send(line, userAgent);
    expect(answer.status).toBe(status);
    expect(await isRecorded(answer.requestId)).toBe(true);
  });

  test('the record does not keep the part of an address after a #', async () => {
    const path = `/v1/servers/${app.serverIds[0]}`;
    for (const more of ['#text', '?a#text', ';text']) {
      const { requestId } = await send(Buffer.from(`GET ${path}${more} HTTP/1.1`), agent);
      const { rows } = await sandbox.database.superuser.query(
        "select concat_ws(' ', path, query, server_id) as kept from request_records where request_id = $1",
        [fromId('req', requestId ?? '')],
      );
      expect(rows.map(({ kept }) => kept.includes('text'))).toEqual([false]);
    }
  });

  test('the record does not keep the part before the path of an absolute address, with or without a key', async () => {
    for (const token of [key.token, 'wrong']) {
      const line = `GET http://user:text@text.example/v1/servers/${app.serverIds[0]} HTTP/1.1`;
      const { requestId, status } = await sendBytes(sandbox, token, Buffer.from(line), agent);
      expect(status).toBe(token === 'wrong' ? 401 : 200);
      const { rows } = await sandbox.database.superuser.query(
        'select path from request_records where request_id = $1 union all select path from unproved_requests where request_id = $1',
        [fromId('req', requestId ?? '')],
      );
      expect(rows).toEqual([{ path: `/v1/servers/${app.serverIds[0]}` }]);
    }
  });

  test('records with unusual texts do not lose the records of the same batch', async () => {
    const path = `/v1/servers/${app.serverIds[0]}/tickets`;
    const hard = [`${'a'.repeat(99)}😀`, '😀'.repeat(60), '\u0000', '\ud800', 'a/b~c', '"\\'].map((name) =>
      sandbox.call(path, key.token, json({ subject: 's', body: 'b', [name]: 1 })),
    );
    const answers = await Promise.all([...hard, ...hard.map(() => sandbox.call('/v1/me', key.token))]);
    for (const answer of answers) expect(await isRecorded(answer.headers.get('request-id'))).toBe(true);
    expect(sandbox.recorder.lost()).toBe(0);
  });
});

test('the recorder measures how long responses wait for their records', async () => {
  const before = sandbox.recorder.measures().waitMs;
  for (let calls = 0; calls < 5; calls++) await sandbox.call('/v1/me', key.token);
  const { count, sum, buckets } = sandbox.recorder.measures().waitMs;
  expect(count - before.count).toBe(5);
  expect(sum).toBeGreaterThan(before.sum);
  expect(buckets.at(-1)).toMatchObject({ atMost: 500, count });
});

test('clients that disconnect lose no records of other requests', async () => {
  const COUNT = 60;
  const lostBefore = sandbox.recorder.lost();
  const kept: string[] = [];
  await Promise.all(
    Array.from({ length: COUNT }, async (_, index) => {
      const controller = new AbortController();
      if (index % 2 === 1) setTimeout(() => controller.abort(), 2 + (index % 25));
      const init = { headers: { authorization: `Bearer ${key.token}` }, signal: controller.signal };
      const answer = await fetch(`${sandbox.apiUrl}/v1/servers?limit=${index + 1}`, init).catch(() => undefined);
      if (index % 2 === 0) kept.push(answer?.headers.get('request-id') ?? '');
    }),
  );
  for (const id of kept) expect([id, await isRecorded(id)]).toEqual([id, true]);
  expect(sandbox.recorder.lost()).toBe(lostBefore);
});

test('100 of 5,000 pipelined requests are answered and recorded, the next one ends the connection, and other clients are not delayed', async () => {
  const lostBefore = sandbox.recorder.lost();
  const socket = connect(Number(new URL(sandbox.apiUrl).port), '127.0.0.1');
  socket.write(`GET /v1/me HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key.token}\r\n\r\n`.repeat(5_000));
  const beside = Promise.all(Array.from({ length: 5 }, () => sandbox.call('/v1/servers', key.token)));
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString('latin1');
  const heads = [...text.matchAll(/HTTP\/1\.1 (\d+)[\s\S]*?^request-id: (\S+)/gim)];
  expect(heads.map(([, status]) => status)).toEqual([...Array.from({ length: 100 }, () => '200'), '400']);
  expect(text).toContain('More than 100 requests of this connection had no answer yet');
  const others = (await beside).map(({ headers }) => headers.get('request-id') ?? undefined);
  const { rows } = await sandbox.database.superuser.query(
    'select count(*)::int as kept from request_records where request_id = any($1)',
    [[...heads.map(([, , id]) => id), ...others].map((id) => fromId('req', id ?? ''))],
  );
  expect(rows).toEqual([{ kept: 101 + 5 }]);
  expect(sandbox.recorder.lost()).toBe(lostBefore);
});

test('input after the 100th pipelined request is read and discarded', async () => {
  const { recorder, plane } = sandbox;
  const api = createSandboxApi(plane, { recorder, trustedProxies: [], onInternalError: () => {} });
  let begun = 0;
  api.server.on('request', () => {
    begun += 1;
  });
  const { port } = new URL(await api.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  const { token } = await app.key();
  const slow = `GET /v1/me HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\nsandbox-simulate: latency=500\r\n\r\n`;
  socket.write(slow.repeat(100) + 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50_000));
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString('latin1');
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual([...Array.from({ length: 100 }, () => '200'), '400']);
  // Requests in the same chunk as the refused one have already begun.
  expect(begun).toBeLessThan(5_000);
  await api.close();
});

test('a client that waits for responses can send any number of requests on one connection', async () => {
  const socket = connect(Number(new URL(sandbox.apiUrl).port), '127.0.0.1');
  const batch = `GET /v1/me HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key.token}\r\n\r\n`.repeat(100);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  for (let sent = 100; sent <= 300; sent += 100) {
    socket.write(batch);
    await until(() => text.match(/HTTP\/1\.1 200/g)?.length === sent && text.endsWith('}'));
  }
  socket.destroy();
});

test('a connected client is answered and recorded after a graceful shutdown begins', async () => {
  const { recorder, plane, database } = sandbox;
  const api = createSandboxApi(plane, { recorder, trustedProxies: [], onInternalError: () => {} });
  const { port } = new URL(await api.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  const sendLine = (line: string, body = ''): void => {
    const length = `content-type: application/json\r\ncontent-length: ${body.length}`;
    socket.write(`${line} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key.token}\r\n${length}\r\n\r\n${body}`);
  };
  await database.superuser.query('begin');
  await database.superuser.query('lock table tickets in access exclusive mode');
  sendLine(`POST /v1/servers/${app.serverIds[0]}/tickets`, '{"subject":"s","body":"b"}');
  await untilLocksWaited(database.superuser, 1);
  const closed = api.close();
  await until(() => !api.server.listening);
  sendLine('GET /v1/me');
  await database.superuser.query('rollback');
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  await closed;
  const heads = [
    ...Buffer.concat(chunks)
      .toString()
      .matchAll(/HTTP\/1\.1 (\d+)[\s\S]*?request-id: (\S+)/gi),
  ];
  expect(heads.map(([, status]) => status)).toEqual(['201', '200']);
  for (const [, , requestId] of heads) expect(await isRecorded(requestId)).toBe(true);
});

describe('responses are sent and losses are counted when records cannot be kept', () => {
  const CALLS = 30;
  let lostBefore: number;
  beforeEach(() => {
    lostBefore = sandbox.recorder.lost();
  });
  const callMany = async (): Promise<number[]> =>
    (await Promise.all(Array.from({ length: CALLS }, () => sandbox.call('/v1/servers', key.token)))).map(
      ({ status }) => status,
    );
  const allFine = Array.from({ length: CALLS }, () => 200);

  async function expectRecordingResumes(): Promise<void> {
    await until(async () => {
      const answer = await sandbox.call('/v1/me', key.token);
      return (await isRecorded(answer.headers.get('request-id'))) || undefined;
    });
  }

  test('records are counted as lost when the role may not write', async () => {
    const { superuser } = sandbox.database;
    await superuser.query('revoke insert on request_records from slipway_recorder');
    expect(await callMany()).toEqual(allFine);
    expect(sandbox.recorder.lost() - lostBefore).toBe(CALLS);
    await sandbox.recorder.flush();
    const gaps = await sandbox.manage<{ data: { lost: number }[]; lost: number }>('GET', `/apps/${app.id}/record-gaps`);
    expect(gaps.body.lost).toBe(CALLS);
    expect(gaps.body.data.reduce((sum, { lost }) => sum + lost, 0)).toBe(CALLS);
    await superuser.query('grant insert on request_records to slipway_recorder');
    await expectRecordingResumes();
  });

  test('records are counted as lost when the table is locked', async () => {
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await superuser.query('lock table request_records in access exclusive mode');
    expect(await callMany()).toEqual(allFine);
    expect(sandbox.recorder.lost() - lostBefore).toBe(CALLS);
    await superuser.query('rollback');
    await expectRecordingResumes();
  });

  test('requests are answered when the recorder’s connections are terminated', async () => {
    const calls = callMany();
    await sandbox.database.superuser.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%into request_records%' and pid <> pg_backend_pid()",
    );
    expect(await calls).toEqual(allFine);
    await expectRecordingResumes();
  });
});
