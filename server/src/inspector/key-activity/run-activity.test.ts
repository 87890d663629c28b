// The parts of the activity of a key: cut after every statement, they add up to the same sum. The statements read large
// tables by index only.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { asManager } from '../../access/authority/index.ts';
import { firstUuidAt, fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Sql } from '../../kit/db/sql.ts';
import { cursorsOf } from '../../kit/http/page.ts';
import { planByValues, type SourcePosition } from '../requests/index.ts';
import { listWritesWithoutEvent, readDeliveries, readEvents, readRequests } from './activity-store.ts';
import { type ActivityEntry, ActivitySum } from './key-activity.ts';
import { type ActivityLimits, runActivity } from './run-activity.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
  for (let at = 0; at < 7; at++) {
    await sandbox.call(
      `/v1/servers/${app.serverIds[at % 2]}/tickets`,
      key.token,
      json({ subject: `${at}`, body: 'b' }),
    );
    await sandbox.call('/v1/servers', key.token);
  }
  await sandbox.call('/v1/nothing', key.token);
  await until(async () => (await activity()).requests === 15);
});
afterAll(() => sandbox.close());

interface Activity {
  since: string;
  oldestRecordAt: string | null;
  lostRecords: number;
  progress: number;
  requests: number;
  writesWithoutEvent: number;
  entries: ActivityEntry[];
  nextCursor: string | null;
  errors?: { pointer: string }[];
}
const pathOf = (keyId = key.id) => `/apps/${app.id}/keys/${keyId}/activity`;
const activity = async (query = ''): Promise<Activity> =>
  (await sandbox.manage<Activity>('GET', `${pathOf()}${query}`)).body;
const namesOf = (entries: readonly ActivityEntry[], kind: string) =>
  entries.filter((one) => one.kind === kind).map(({ name, count, succeeded }) => [name, count, succeeded]);

const inTenant = <T>(run: Parameters<typeof asManager<T>>[2]): Promise<T> =>
  asManager(sandbox.plane, { organisation_id: sandbox.organisationId, app_id: fromId('app', app.id) ?? '' }, run);

test('the activity of a key names its operations, servers, events and objects', async () => {
  const { entries, ...rest } = await activity();
  expect(rest).toMatchObject({ progress: 1, lostRecords: 0, writesWithoutEvent: 0, nextCursor: null });
  expect(namesOf(entries, 'operation').toSorted()).toEqual([
    [null, 1, 0],
    ['createTicket', 7, 7],
    ['listServers', 7, 7],
  ]);
  expect(namesOf(entries, 'server').toSorted()).toEqual(
    [
      [app.serverIds[0], 4, 4],
      [app.serverIds[1], 3, 3],
    ].toSorted(),
  );
  expect(namesOf(entries, 'event')).toEqual([['ticket.created', 7, null]]);
  expect(namesOf(entries, 'object')).toHaveLength(7);
  expect(namesOf(entries, 'object').every(([name]) => String(name).startsWith('tkt_'))).toBe(true);
  expect(namesOf(entries, 'member')).toEqual([]);
});

test('an activity that is cut after every statement adds up to the whole', async () => {
  const begin = (): SourcePosition => ({
    sinceMs: Date.now() - 86_400_000,
    untilMs: Date.now() + 1,
    source: undefined,
    before: undefined,
  });
  const whole = await inTenant((tenant) => runActivity(tenant, fromId('key', key.id) ?? '', begin(), 60_000));
  expect(whole.progress).toBe(1);
  const sum = new ActivitySum();
  const position = begin();
  const shares: number[] = [];
  const limits: ActivityLimits = { requests: 4, events: 2, deliveries: 2 };
  do {
    const part = await inTenant((tenant) => runActivity(tenant, fromId('key', key.id) ?? '', position, -1, limits));
    shares.push(part.progress);
    sum.requests += part.sum.requests;
    for (const { name, kind, count, succeeded, firstAt, lastAt } of part.sum.entries())
      sum.add([
        {
          kind,
          name,
          subject_type: null,
          count,
          succeeded,
          first_ms: Date.parse(firstAt),
          last_ms: Date.parse(lastAt),
        },
      ]);
  } while (shares.at(-1) !== 1);
  expect(shares.length).toBeGreaterThan(5);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(sum.requests).toBe(whole.sum.requests);
  const ordered = (entries: readonly ActivityEntry[]) => entries.map((entry) => JSON.stringify(entry)).toSorted();
  // Servers have an identifier already: a second sum adds no prefix to it.
  const withoutServers = (entries: readonly ActivityEntry[]) =>
    ordered(entries.filter(({ kind }) => kind !== 'server'));
  expect(withoutServers(sum.entries())).toEqual(withoutServers(whole.sum.entries()));
});

test('an activity states its gaps', async () => {
  const { superuser } = sandbox.database;
  const before = await activity();
  await superuser.query(`insert into record_gaps (app_id, minute, lost) values ($1, now(), 7)`, [
    fromId('app', app.id),
  ]);
  // As if the events had reached the end of their retention.
  await superuser.query('delete from events where app_id = $1', [fromId('app', app.id)]);
  const after = await activity();
  expect(after).toMatchObject({ requests: before.requests, lostRecords: 7, writesWithoutEvent: 7 });
  expect(after.oldestRecordAt).toBe(before.oldestRecordAt);
  expect(namesOf(after.entries, 'object')).toEqual([]);
  const later = await activity(`?since=${new Date(Date.now() + 3_600_000).toISOString()}`);
  expect(later).toMatchObject({ requests: 0, entries: [], oldestRecordAt: null, lostRecords: 0 });
});

test('a key of another app is not found, and a cursor continues only its own query', async () => {
  const foreign = await (await sandbox.newApp()).key();
  for (const id of [foreign.id, toId('key', newUuid())])
    expect((await sandbox.manage('GET', pathOf(id))).status).toBe(404);
  const since = '2026-01-01T00:00:00.000Z';
  const cursorOf = (owner: string, filter: object, operation = 'getKeyActivity'): string =>
    cursorsOf(fromId('app', owner) ?? '', operation, filter, sandbox.plane.secrets.cursorKey).seal(
      JSON.stringify({ sinceMs: 0, untilMs: Date.now() } satisfies Partial<SourcePosition>),
    );
  const keyId = fromId('key', key.id);
  expect((await activity(`?since=${since}&cursor=${cursorOf(app.id, { since, keyId })}`)).requests).toBe(15);
  for (const cursor of [
    'AAAA',
    cursorOf(app.id, { keyId }),
    cursorOf(app.id, { since, keyId: fromId('key', foreign.id) }),
    cursorOf((await sandbox.newApp()).id, { since, keyId }),
    cursorOf(app.id, { since, keyId }, 'forecastAccess'),
  ]) {
    expect((await activity(`?since=${since}&cursor=${cursor}`)).errors).toMatchObject([{ pointer: '/query/cursor' }]);
  }
});

test('another organisation reads no activity', async () => {
  const { status } = await sandbox.manage('GET', pathOf(), undefined, { organisationId: newUuid() });
  expect(status).toBe(404);
});

test('a period of any length is answered, and a time that is none is refused', async () => {
  for (const since of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z'])
    expect([since, (await activity(`?since=${since}`)).requests]).toEqual([since, 15]);
  for (const since of ['9999-12-31T23:59:59Z', '2100-01-01T00:00:00+14:00'])
    expect(await activity(`?since=${encodeURIComponent(since)}`)).toMatchObject({ requests: 0, progress: 1 });
  for (const since of ['2026-11-31T00:00:00Z%00', '%1b[2J', '=1+1', '1e99', '-1', '2016-12-31T23:59:60Z'])
    expect([since, (await activity(`?since=${since}`)).errors]).toMatchObject([since, [{ pointer: '/query/since' }]]);
});

test('the statements of an activity read large tables by index', async () => {
  const range = { from: firstUuidAt(Date.now() - 86_400_000), before: firstUuidAt(Date.now()) };
  const keyId = newUuid();
  const indexes = await inTenant(async (tenant) => {
    planByValues(tenant);
    const statements: Sql[] = [];
    const recording: typeof tenant = {
      ...tenant,
      appId: tenant.appId,
      query: async (statement) => {
        statements.push(statement);
        return [];
      },
    };
    await readRequests(recording, keyId, range, 5_000);
    await listWritesWithoutEvent(recording, keyId, { oldest: range.from, newest: range.before });
    await readEvents(recording, keyId, range.from, range, 5_000);
    await readDeliveries(recording, keyId, range.from, range, 5_000);
    const plans: string[] = [];
    for (const statement of statements) {
      const explained = { ...statement, text: `explain (format json) ${statement.text}`, name: newUuid() };
      plans.push(JSON.stringify(await tenant.query(explained)));
    }
    expect(plans.join()).not.toMatch(/"Seq Scan"/);
    return [...new Set([...plans.join().matchAll(/"Index Name":"(\w+)"/g)].map(([, name = '']) => name))];
  });
  const families = [
    ...new Set(indexes.map((name) => name.replace(/_(?:\d{8}(?:_\d\d)?|default)(?=_|$)/, ''))),
  ].toSorted();
  expect(families).toEqual([
    'attempts_pkey',
    'deliveries_pkey',
    'events_app_id_request_id_idx',
    'events_pkey',
    'request_records_key',
    'request_records_key_id_request_id_idx',
    'request_records_pkey',
  ]);
});
