// With durable records, a response is not sent without its record.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { recordOf } from './raw-requests.fixture.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({ records: 'durable' });
  app = await sandbox.newApp();
  ({ token } = await app.key());
});
afterAll(() => sandbox.close());

async function withoutRecords<T>(run: () => Promise<T>): Promise<T> {
  const { superuser } = sandbox.database;
  await superuser.query('revoke insert on request_records from slipway_recorder');
  try {
    return await run();
  } finally {
    await superuser.query('grant insert on request_records to slipway_recorder');
  }
}

test('a response has its record', async () => {
  const { status, headers } = await sandbox.call('/v1/servers', token);
  expect([status, headers.get('etag') !== null]).toEqual([200, true]);
  expect(await recordOf(sandbox, headers.get('request-id'))).toBeDefined();
});

test('a response whose record is not stored is replaced by 503, and the loss is counted', async () => {
  const before = sandbox.recorder.lost();
  const { status, body, headers } = await withoutRecords(() => sandbox.call('/v1/servers', token));
  expect([status, body.code, body.requestId]).toEqual([503, 'unavailable', headers.get('request-id')]);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect([headers.get('etag'), headers.get('retry-after'), headers.get('cache-control')]).toEqual([
    null,
    '1',
    'no-store',
  ]);
  expect(sandbox.recorder.lost() - before).toBe(1);
});

test('a mutation whose record is not stored is answered when it is repeated under its Idempotency-Key', async () => {
  const path = `/v1/servers/${app.serverIds[0]}/tickets`;
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'durable-1' };
  const create = () => sandbox.call(path, token, { ...json({ subject: 'A subject', body: 'A body' }), headers });
  expect((await withoutRecords(create)).status).toBe(503);
  const repeated = await create();
  expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
});

test('a request without a valid key is answered although no record can be stored', async () => {
  expect((await withoutRecords(() => sandbox.call('/v1/servers', `${token}x`))).status).toBe(401);
});
