// Evidence for live access: actual behaviour of an app in the sandbox within the last month, without simulated or
// refused calls that only look like successes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import {
  DAY_MS,
  dayAgo,
  hourOf,
  makeHours,
  requestUuid,
  type StoredRecord,
  store,
} from '../../../test/request-search.fixture.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { compactDay } from '../../inspector/requests/compaction-store.ts';
import { newUuidBytes, uuidText } from '../../kit/crypto/ids.ts';
import type { Evidence } from './evidence.ts';

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(() => sandbox.close());

const read = async (of = app): Promise<Evidence> =>
  (await sandbox.manage<Evidence>('GET', `/apps/${of.id}/evidence`)).body;
const scopesOf = ({ scopes }: Evidence) => scopes.filter(({ outcome }) => outcome === 'ok').map(({ scope }) => scope);
const itemOf = ({ items }: Evidence, name: string) => items.find((item) => item.name === name);
const figuresOf = (evidence: Evidence, name: string) =>
  Object.fromEntries(itemOf(evidence, name)?.figures.map((figure) => [figure.name, figure.count]) ?? []);
const simulate = (code: string): RequestInit => ({ headers: { 'sandbox-simulate': `code=${code}` } });

const record = (atMs: number, rest: Partial<StoredRecord>): StoredRecord => ({
  request_id: requestUuid(atMs, Math.floor(Math.random() * 1e12)),
  atMs,
  status: 200,
  problem_code: null,
  operation_id: 'listServers',
  method: 'GET',
  path: '/v1/servers',
  key_id: uuidText(newUuidBytes()),
  server_id: null,
  trace_id: null,
  duration_us: 900,
  simulated: null,
  ...rest,
});

test('an app without requests has no evidence, and passes the items that only misuse can fail', async () => {
  app = await sandbox.newApp();
  const evidence = await read();
  expect(scopesOf(evidence)).toEqual([]);
  expect(evidence.items.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['error_handling', 'missing'],
    ['idempotent_retries', 'missing'],
    ['receiver_drill', 'ok'], // it has no receiver
    ['no_browser_use', 'ok'],
    ['current_versions', 'ok'],
  ]);
});

test('a scope counts if a call that requires it succeeded without a simulation', async () => {
  app = await sandbox.newApp();
  const { token } = await app.key();
  const { token: reader } = await app.key(['servers:read']);
  expect((await sandbox.call('/v1/servers', token)).status).toBe(200);
  expect((await sandbox.call('/v1/events', reader)).status).toBe(403);
  const evidence = await read();
  expect(scopesOf(evidence)).toEqual(['servers:read']);
  const path = `/apps/${app.id}/requests/${evidence.scopes[0]?.lastRequestId}`;
  expect((await sandbox.manage('GET', path)).body).toMatchObject({ operationId: 'listServers', status: 200 });
});

test('an error counts as handled if the same operation of the app succeeded within an hour after it', async () => {
  app = await sandbox.newApp();
  const { token } = await app.key();
  expect((await sandbox.call('/v1/servers', token)).status).toBe(200); // before all errors
  expect((await sandbox.call('/v1/servers', token, simulate('rate_limited'))).status).toBe(429);
  expect((await sandbox.call('/v1/servers', token, simulate('unavailable'))).status).toBe(503);
  expect((await sandbox.call('/v1/servers?limit=0', token)).status).toBe(400);
  expect((await sandbox.call('/v1/me', token)).status).toBe(200); // another operation
  const before = await read();
  const none = {
    refusedMet: 1,
    refusedRecovered: 0,
    rateLimitedMet: 1,
    rateLimitedRecovered: 0,
    failedMet: 1,
    failedRecovered: 0,
  };
  expect(figuresOf(before, 'error_handling')).toEqual(none);
  expect((await sandbox.call('/v1/servers', token)).status).toBe(200);
  const after = await read();
  expect(itemOf(after, 'error_handling')?.outcome).toBe('ok');
  expect(figuresOf(after, 'error_handling')).toMatchObject({ rateLimitedRecovered: 1, failedRecovered: 1 });

  const late = await sandbox.newApp();
  const hourAgo = Date.now() - 2 * 3_600_000;
  await store(sandbox, uuidOf(late.id), [
    record(hourAgo, { status: 429, problem_code: 'rate_limited' }),
    record(hourAgo + 3_601_000, {}),
  ]);
  expect(figuresOf(await read(late), 'error_handling')).toMatchObject({ rateLimitedMet: 1, rateLimitedRecovered: 0 });
});

test('a repeat with the same Idempotency-Key counts, and two separate tickets do not', async () => {
  app = await sandbox.newApp();
  const { token } = await app.key();
  const open = (key: string) =>
    sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, token, {
      ...json({ subject: 's', body: 'b' }),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    });
  await open('one');
  await open('another');
  expect(itemOf(await read(), 'idempotent_retries')?.outcome).toBe('missing');
  expect((await open('one')).headers.get('idempotent-replayed')).toBe('true');
  const evidence = await read();
  expect(figuresOf(evidence, 'idempotent_retries')).toEqual({ replays: 1 });
  expect(scopesOf(evidence)).toEqual(['tickets:create']);
});

test('each enabled endpoint must have passed its latest drill, and a key in a browser counts for a month', async () => {
  app = await sandbox.newApp();
  const { id: keyId, token } = await app.key();
  const made = await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, {
    url: 'http://127.0.0.1:1/hooks',
    keyId,
    eventTypes: ['ticket.created'],
  });
  const drill = (status: string, verdicts: readonly string[]) =>
    sandbox.database.superuser.query(
      `insert into drills (app_id, drill_id, endpoint_id, steps, created_by, status, finished_at)
       values ($1, $2, $3, $4, 'x', $5, case when $5 = 'running' then null else now() end)`,
      [
        uuidOf(app.id),
        uuidText(newUuidBytes()),
        uuidOf(made.body.endpoint.id),
        JSON.stringify(verdicts.map((verdict) => ({ verdict }))),
        status,
      ],
    );
  const outcome = async () => itemOf(await read(), 'receiver_drill')?.outcome;
  expect(await outcome()).toBe('missing');
  await drill('completed', ['passed', 'unseen']);
  expect(await outcome()).toBe('ok');
  await drill('running', []);
  expect(await outcome()).toBe('ok');
  await drill('completed', ['passed', 'not_sent']);
  expect(await outcome()).toBe('missing');

  await store(sandbox, uuidOf(app.id), [
    record(Date.now() - 31 * DAY_MS, { status: 403, problem_code: 'browser_use' }),
  ]);
  expect(itemOf(await read(), 'no_browser_use')?.outcome).toBe('ok');
  await sandbox.call('/v1/servers', token, { headers: { origin: 'https://shop.example' } });
  expect(itemOf(await read(), 'no_browser_use')?.outcome).toBe('missing');
});

test('evidence states since when requests are stored, at most 30 days ago', async () => {
  app = await sandbox.newApp();
  const { superuser } = sandbox.database;
  const sinceMs = async () => Date.parse((await read()).since);
  const setQuota = (days: number | null) =>
    superuser.query(
      `update organisations set max_request_days = $1
       where organisation_id = (select organisation_id from apps where app_id = $2)`,
      [days, uuidOf(app.id)],
    );
  await makeHours(sandbox, dayAgo(45), [0]);
  expect(Math.abs(Date.now() - 30 * DAY_MS - (await sinceMs()))).toBeLessThan(60_000);
  await makeHours(sandbox, dayAgo(9), [0]);
  await superuser.query(`drop table ${hourOf(dayAgo(45))}`); // as housekeeping does after the retention
  expect(await sinceMs()).toBe(dayAgo(9));
  await setQuota(5);
  expect(Math.abs(Date.now() - 5 * DAY_MS - (await sinceMs()))).toBeLessThan(60_000);
  // A record that waits for its deletion counts.
  await store(sandbox, uuidOf(app.id), [record(dayAgo(7), {})]);
  const evidence = await read();
  expect(Date.parse(evidence.since)).toBe(dayAgo(7));
  expect(scopesOf(evidence)).toEqual(['servers:read']);
  await setQuota(null);
  await superuser.query(`drop table ${hourOf(dayAgo(9))}`);
});

test('a deprecation is named while the app uses it', async () => {
  app = await sandbox.newApp();
  await sandbox.database.superuser.query(
    "insert into deprecated_uses values ($1, 'ticket-requester-external-id', current_date - 2, 3, now())",
    [uuidOf(app.id)],
  );
  expect(itemOf(await read(), 'current_versions')).toMatchObject({ outcome: 'missing', figures: [{ count: 1 }] });
});

test('a call of several days ago is found among many later calls, before and after its day is sealed', async () => {
  app = await sandbox.newApp();
  const day = dayAgo(3);
  await makeHours(sandbox, day);
  const dayStart = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const repeated = { operation_id: 'createTicket', method: 'POST', status: 201 };
  await store(sandbox, uuidOf(app.id), [
    record(day, { operation_id: 'createWorkflowRun', method: 'POST', status: 202 }),
    record(day + 1, { ...repeated, simulated: 'latency=1' }),
    record(day + 2, { operation_id: 'listEvents', status: 403 }),
    ...Array.from({ length: 7_000 }, (_, at) => record(Math.max(dayStart, Date.now() - 8_000) + at, {})),
  ]);
  const scopes = ['servers:read', 'workflows:run'];
  expect(scopesOf(await read())).toEqual(scopes);
  expect(await compactDay(sandbox.maintenance, () => {})).toBe(true);
  expect(scopesOf(await read())).toEqual(scopes);
});
