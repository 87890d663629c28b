// A forecast over HTTP: it equals what happens after the change, states its gaps, continues by its cursor, and refuses
// other input. test/forecast-history.test.ts compares forecasts with an independent count.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { DAY_MS, dayAgo, requestUuid, type StoredRecord, store } from '../../../test/request-search.fixture.ts';
import { firstUuidAt, fromId, newUuid, toId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.close();
});
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
});

interface Forecast {
  since: string;
  oldestRecordAt: string | null;
  lostRecords: number;
  progress: number;
  requests: {
    since: string;
    examined: number;
    refused: number;
    shortened: number;
    unknown: number;
    newestId: string | null;
  };
  deliveries: {
    since: string;
    examined: number;
    skipped: number;
    held: number;
    unknown: number;
    newestId: string | null;
  };
  nextCursor: string | null;
  errors: { pointer: string; detail: string }[];
}
const forecast = (change: object) => sandbox.manage<Forecast>('POST', `/apps/${app.id}/access-forecasts`, change);
const ticketOn = (at: number, token = key.token) =>
  sandbox.call(`/v1/servers/${app.serverIds[at]}/tickets`, token, json({ subject: 's', body: 'b' }));
const addEndpoint = (keyIds: string[]) =>
  sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, {
    url: 'http://127.0.0.1:1/hooks',
    keyIds,
    eventTypes: ['ticket.created'],
  });

test('the forecast of a revoked key counts its requests and the deliveries of its endpoints', async () => {
  const other = await app.key();
  await addEndpoint([key.id]);
  await addEndpoint([key.id, other.id]);
  const last = await ticketOn(0);
  await ticketOn(0, other.token);
  await sandbox.call('/v1/servers', key.token);
  await sandbox.call('/v1/tickets/tkt_01j9z3v8k6e5t8m2n4p6q8r0s2', key.token); // fails, so it is not counted
  const { status, body } = await forecast({ key: { keyId: key.id, state: 'revoked' } });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    progress: 1,
    nextCursor: null,
    lostRecords: 0,
    requests: { examined: 3, refused: 2, shortened: 0, unknown: 0, keys: [{ keyId: key.id, refused: 2 }] },
    deliveries: { examined: 4, skipped: 2, held: 0, unknown: 0 },
  });
  expect(last.status).toBe(201);
  const again = await forecast({ key: { keyId: other.id, scopes: ['servers:read', 'events:read'] } });
  expect(again.body.requests).toMatchObject({ examined: 1, refused: 1 });
  expect(again.body.deliveries).toMatchObject({ skipped: 0, held: 0 });
});

test('a forecast agrees with the answers after the change', async () => {
  await ticketOn(0);
  await ticketOn(1);
  await sandbox.call('/v1/servers', key.token);
  const serverId = app.serverIds[0] ?? '';
  const { body } = await forecast({ grants: { serverIds: [serverId], scopes: ['tickets:create'], state: 'paused' } });
  expect(body.requests).toMatchObject({ refused: 1, shortened: 0 });
  const whole = await forecast({ grants: { serverIds: [serverId], state: 'paused' } });
  expect(whole.body.requests).toMatchObject({ refused: 1, shortened: 1 });
  const path = `/apps/${app.id}/servers/${serverId}/installation`;
  expect((await sandbox.manage('PUT', path, { state: 'paused' })).status).toBe(200);
  expect((await ticketOn(0)).status).toBe(403);
  expect((await ticketOn(1)).status).toBe(201);
  // The state refuses the requests already, so the same change breaks nothing more.
  expect((await forecast({ grants: { serverIds: [serverId], state: 'paused' } })).body.requests).toMatchObject({
    refused: 0,
    shortened: 0,
  });
});

test('a forecast with conditions reads no body that the app may not read now', async () => {
  const { endpoint } = (await addEndpoint([key.id])).body;
  await ticketOn(0);
  const deliveriesWith = async (filter: object) =>
    (await forecast({ endpoint: { endpointId: endpoint.id, ...filter } })).body.deliveries;
  const subject = (equals: string) => ({ conditions: [{ pointer: '/data/subject', equals }] });
  expect(await deliveriesWith(subject('s'))).toMatchObject({ examined: 1, skipped: 0, unknown: 0 });
  expect(await deliveriesWith(subject('other'))).toMatchObject({ examined: 1, skipped: 1, unknown: 0 });
  const path = `/apps/${app.id}/servers/${app.serverIds[0]}/installation`;
  expect((await sandbox.manage('PUT', path, { state: 'paused' })).status).toBe(200);
  const withheld = await deliveriesWith(subject('s'));
  expect(withheld).toMatchObject({ examined: 1, skipped: 0, unknown: 1, newestId: null });
  expect(await deliveriesWith(subject('other'))).toEqual(withheld);
  // No body answers this question.
  expect(await deliveriesWith({ eventTypes: ['ping'], ...subject('s') })).toMatchObject({ skipped: 1, unknown: 0 });
  expect((await sandbox.manage('PUT', path, { state: 'revoked' })).status).toBe(200);
  expect(await deliveriesWith(subject('other'))).toMatchObject({ skipped: 0, unknown: 0 });
});

test('a forecast states the oldest record and the records that were lost', async () => {
  expect((await forecast({ key: { keyId: key.id, state: 'revoked' } })).body.oldestRecordAt).toBeNull();
  const atMs = dayAgo(3);
  await storeRequests([atMs, dayAgo(40)]);
  await sandbox.database.superuser.query(
    `insert into record_gaps (app_id, minute, lost) values ($1, now() - interval '2 days', 7), ($1, now() - interval '40 days', 5)`,
    [fromId('app', app.id)],
  );
  const { body } = await forecast({ key: { keyId: key.id, state: 'revoked' } });
  expect(body).toMatchObject({
    lostRecords: 7,
    oldestRecordAt: new Date(atMs).toISOString(),
    requests: { examined: 1, refused: 1, newestId: toId('req', requestUuid(atMs, 0)) },
  });
});

test('a forecast states since when requests and deliveries are stored, at most 30 days ago', async () => {
  const { superuser } = sandbox.database;
  const sinceMs = async () => {
    const { body } = await forecast({ key: { keyId: key.id, state: 'revoked' } });
    return [body.since, body.requests.since, body.deliveries.since].map((at) => Date.parse(at));
  };
  const addDay = (table: string, days: number) =>
    superuser.query(
      `create table ${table}_${days} partition of ${table}
       for values from ('${firstUuidAt(dayAgo(days))}') to ('${firstUuidAt(dayAgo(days - 1))}')`,
    );
  await addDay('request_records', 45);
  await addDay('deliveries', 45);
  const [since, ...whole] = await sinceMs();
  expect(Math.abs(Date.now() - 30 * DAY_MS - (since ?? 0))).toBeLessThan(60_000);
  expect(whole).toEqual([since, since]);
  await addDay('request_records', 9);
  await addDay('deliveries', 12);
  await superuser.query('drop table request_records_45, deliveries_45'); // as housekeeping does after the retention
  expect((await sinceMs()).slice(1)).toEqual([dayAgo(9), dayAgo(12)]);
  const setQuota = (days: number | null) =>
    superuser.query(
      `update organisations set max_request_days = $1
       where organisation_id = (select organisation_id from apps where app_id = $2)`,
      [days, fromId('app', app.id)],
    );
  await setQuota(5);
  const [, requests = 0, deliveries] = await sinceMs();
  expect(Math.abs(Date.now() - 5 * DAY_MS - requests)).toBeLessThan(60_000);
  expect(deliveries).toBe(dayAgo(12));
  // A record that waits for its deletion counts.
  await storeRequests([dayAgo(7)]);
  expect((await sinceMs())[1]).toBe(dayAgo(7));
  await setQuota(null);
  await superuser.query('drop table request_records_9, deliveries_12');
});

/** Stores requests of the key at these times. */
async function storeRequests(times: readonly number[]): Promise<void> {
  const records = times.map(
    (atMs, at): StoredRecord => ({
      request_id: requestUuid(atMs, at),
      atMs,
      status: 200,
      problem_code: null,
      operation_id: 'listServers',
      method: 'GET',
      path: '/v1/servers',
      key_id: fromId('key', key.id) ?? '',
      server_id: null,
      trace_id: null,
      duration_us: 900,
      simulated: null,
    }),
  );
  await store(sandbox, fromId('app', app.id) ?? '', records);
}

test('the requests of an ended key count for its successor', async () => {
  await sandbox.call('/v1/servers', key.token);
  const rotate = { expiresInDays: 30, overlapHours: 24 };
  const rotated = await sandbox.manage<{ key: { id: string } }>(
    'POST',
    `/apps/${app.id}/keys/${key.id}/rotate`,
    rotate,
  );
  const successor = rotated.body.key.id;
  const refusedOf = async (keyId: string) =>
    (await forecast({ key: { keyId, state: 'revoked' } })).body.requests.refused;
  // During the overlap, programs use both keys.
  expect([await refusedOf(key.id), await refusedOf(successor)]).toEqual([1, 0]);
  await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
  expect([await refusedOf(key.id), await refusedOf(successor)]).toEqual([0, 1]);
});

test('a cursor continues only the same change', async () => {
  const change = { key: { keyId: key.id, state: 'revoked' } };
  const refused = await forecast({ ...change, cursor: 'AAAA' });
  expect(refused.body.errors).toMatchObject([{ pointer: '/cursor' }]);
});

test.each<[object, string]>([
  [{}, ''],
  [{ key: { keyId: 'KEY', state: 'revoked' }, grants: { serverIds: ['SERVER'], state: 'paused' } }, ''],
  [{ key: { keyId: 'KEY' } }, '/key'],
  [{ key: { keyId: 'KEY', allowedCidrs: ['192.0.2.1/24'] } }, '/key/allowedCidrs/0'],
  [{ key: { keyId: toId('key', newUuid()), state: 'revoked' } }, '/key/keyId'],
  [{ grants: { serverIds: [toId('srv', newUuid())], state: 'paused' } }, '/grants/serverIds/0'],
  [{ endpoint: { endpointId: toId('whe', newUuid()) } }, '/endpoint'],
  [{ endpoint: { endpointId: toId('whe', newUuid()), state: 'disabled' } }, '/endpoint/endpointId'],
])('refuses the change %j', async (change, pointer) => {
  const text = JSON.stringify(change)
    .replaceAll('KEY', key.id)
    .replaceAll('SERVER', app.serverIds[0] ?? '');
  const { status, body } = await forecast(JSON.parse(text));
  expect([status, body.errors?.map((error) => error.pointer)]).toEqual([400, [pointer]]);
});

test('an app of another organisation has no forecast', async () => {
  const foreign = await sandbox.newApp(newUuid());
  const { status } = await sandbox.manage('POST', `/apps/${foreign.id}/access-forecasts`, {
    key: { keyId: key.id, state: 'revoked' },
  });
  expect(status).toBe(404);
});
