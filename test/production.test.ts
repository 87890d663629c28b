// Production's API and worker as processes with an operator's upstream API: the settings that they need, a call that
// the upstream API answers, an event that it reports, and a crash during a mutation.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '../server/src/access/authority/index.ts';
import { readExposition } from '../server/test/exposition.ts';
import type { ReferenceUpstream } from '../server/test/reference-upstream.ts';
import { copyPreparedData } from './prepared-data.ts';
import { INGEST_KEY, type ProductionInstance, startProductionInstance } from './production-instance.ts';
import { type Run, type SlipwayInstance, until } from './slipway.ts';
import { ask, send } from './visitor.ts';

const API = ['api', '--environment', 'production'];
const WORKER = ['worker', '--environment', 'production'];
const subject = { subject: 'Once', body: 'From a test.' };

let production: ProductionInstance;
let instance: SlipwayInstance;
let upstream: ReferenceUpstream;
let api: Run;
let worker: Run;
let server: string;
let token: string;
let signingSecret: string;

beforeAll(async () => {
  production = await startProductionInstance(copyPreparedData);
  ({ instance, upstream } = production);
  server = upstream.serverIds[0] ?? '';
  api = startApi();
  worker = instance.start(production.settings, WORKER);
  await Promise.all([api.ready, worker.ready]);
});
afterAll(() => production?.remove());

const startApi = (): Run =>
  instance.start({ ...production.settings, SLIPWAY_MONITORING_PORT: String(instance.ports.monitoring) }, API);

const create = (key: string, at = production.apiUrl) =>
  send<Record<string, unknown>>(`${at}/v1/servers/${server}/tickets`, subject, {
    authorization: `Bearer ${token}`,
    'idempotency-key': key,
  });
const command = async (args: string[], given = production.settings) => {
  const run = instance.start(given, args);
  run.child.stdin?.on('error', () => {}); // a command that does not read standard input
  run.child.stdin?.end('a passphrase for tests, of no other use');
  return { code: await run.exited, stdout: run.stdout(), stderr: run.stderr() };
};
const posts = () => upstream.requests.filter(({ method }) => method === 'POST');

test('an approved app calls production, and the upstream API answers', async () => {
  const { manage, ingest, appId, apiUrl, receiver } = production;
  const order = { version: 1, name: 'Ticket bridge', scopes: SCOPES, maxServers: null, standing: 'active' };
  expect((await manage('PUT', '/live-access', order, 'itself')).status).toBe(200);
  const key = await manage<{ key: { id: string }; token: string }>('POST', '/keys', {
    name: 'Live',
    scopes: SCOPES,
    expiresInDays: 30,
  });
  expect(key.status).toBe(201);
  token = key.body.token;
  expect(token).toMatch(/^slw_live_/);
  const endpoint = await manage<{ signingSecret: string }>('POST', '/endpoints', {
    url: `http://${receiver}/hooks`,
    keyId: key.body.key.id,
    eventTypes: ['publication.published'],
  });
  expect(endpoint.status).toBe(201);
  signingSecret = endpoint.body.signingSecret;

  const headers = { authorization: `Bearer ${token}` };
  expect((await ask(`${apiUrl}/v1/servers/${server}`, { headers })).status).toBe(404);
  const scopes = SCOPES.map((scope) => ({ scope, state: 'authorised' }));
  const grant = { version: 1, serverName: 'Harbour 0', state: 'authorised', scopes };
  expect((await ingest('PUT', `/apps/${appId}/servers/${server}`, grant)).status).toBe(200);
  const answer = await ask(`${apiUrl}/v1/servers/${server}`, { headers });
  expect([answer.status, answer.body.id]).toEqual([200, server]);
  expect(upstream.requests.at(-1)?.claims).toMatchObject({ sub: appId, server, environment: 'production' });
  const { samples } = readExposition((await ask<string>(`${instance.monitoringUrl}/metrics`)).body);
  const read = (metric: string) =>
    samples.filter(({ name }) => name === metric).map(({ labels, value }) => [labels, value]);
  expect(read('slipway_upstream_request_duration_seconds_count')).toEqual([[{ outcome: 'response' }, 1]]);
  expect(read('slipway_upstream_breaker_open')).toEqual([[{}, 0]]);
});

test('an event of the upstream API arrives as a signed webhook, once for any number of reports', async () => {
  const { ingest, appId, apiUrl, messages } = production;
  const id = upstream.objects.publication(server);
  const data = (await ask(`${apiUrl}/v1/publications/${id}`, { headers: { authorization: `Bearer ${token}` } })).body;
  const event = { id: 'told-1', type: 'publication.published', serverId: server, occurredAt: data.publishedAt, data };
  for (const _ of [1, 2]) expect((await ingest('POST', '/events', event)).status).toBe(200);
  const last = { ...event, id: 'told-2' };
  expect((await ingest('POST', '/events', last)).status).toBe(200);
  await until(() => messages.length >= 2);
  const received = messages.map(({ headers, body }) => new Webhook(signingSecret).verify(body, headers));
  expect(received).toMatchObject([
    { type: 'publication.published', appId, data: { id } },
    { type: 'publication.published', appId, data: { id } },
  ]);
  expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
});

test('a crash during a mutation keeps it stored: it is not repeated before its lease ends, and the upstream API carries it out once', async () => {
  const { postgres } = production;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  upstream.before = () => held;
  const interrupted = create('killed').catch((error: Error) => error);
  await until(() => posts().length === 1);
  api.child.kill('SIGKILL');
  expect(await interrupted).toBeInstanceOf(Error);
  const pending = () =>
    postgres.query('select leased_until > now() as held from forwarded_mutations', 'slipway_production');
  expect(await pending()).toEqual([{ held: true }]);
  upstream.before = undefined;
  release();
  await until(() => upstream.mutations.tickets === 1);

  api = startApi();
  await api.ready;
  for (const _ of [1, 2]) {
    const early = await create('killed');
    expect([early.status, early.body.code]).toEqual([409, 'idempotency_in_progress']);
  }
  expect(posts().length).toBe(1);
  await postgres.query('update forwarded_mutations set leased_until = now()', 'slipway_production');
  const resolved = await create('killed');
  expect([resolved.status, resolved.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect(await pending()).toEqual([]);
  const replayed = await create('killed');
  expect([replayed.body, replayed.headers.get('idempotent-replayed')]).toEqual([resolved.body, 'true']);
  expect([posts().length, new Set(posts().map(({ headers }) => headers['idempotency-key'])).size]).toEqual([2, 1]);
  expect(upstream.mutations.tickets).toBe(1);
});

test('each environment refuses to start with the other’s database or secrets', async () => {
  const { postgres, settings } = production;
  const sandbox = Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => /_(DATABASE_URL|PEPPER|MASTER_KEY|MANAGEMENT_KEY)$/.test(name))
      .map(([name, value]) => [name.replace('PRODUCTION', 'SANDBOX'), value]),
  );
  const own = postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL;
  await instance.start({ ...sandbox, SLIPWAY_SANDBOX_DATABASE_URL: own }, ['worker', '--environment', 'sandbox']).ready;
  const refusals: [Record<string, string>, string[], string][] = [
    [sandbox, ['worker', '--environment', 'sandbox'], 'SLIPWAY_SANDBOX_DATABASE_URL'],
    [sandbox, ['api', '--environment', 'sandbox'], 'SLIPWAY_SANDBOX_DATABASE_URL'],
    [{ ...settings, SLIPWAY_PRODUCTION_DATABASE_URL: own }, WORKER, 'SLIPWAY_PRODUCTION_DATABASE_URL'],
    [
      { ...settings, SLIPWAY_SANDBOX_PEPPER: 'a pepper of the sandbox, of no other use' },
      API,
      'SLIPWAY_SANDBOX_PEPPER',
    ],
    [
      { ...sandbox, SLIPWAY_PRODUCTION_INGEST_KEY: INGEST_KEY },
      ['api', '--environment', 'sandbox'],
      'SLIPWAY_PRODUCTION_INGEST_KEY',
    ],
  ];
  await Promise.all(
    refusals.map(async ([given, role, setting]) => {
      const run = instance.start(given, role);
      expect([setting, await run.exited]).toEqual([setting, 1]);
      expect(run.stderr()).toContain(setting);
    }),
  );
});

test('the operator’s commands inspect and change production only', async () => {
  const of = '--environment production';
  const organisation = `--organisation ${production.organisationId}`;
  const lines = [`check api ${of}`, `check worker ${of}`, 'migrate', 'doctor'];
  const ofIts = [`audit-verify --of production ${organisation}`, `rotate-pepper ${of}`, `rotate-master-key ${of}`];
  const results = await Promise.all([...lines, ...ofIts].map((line) => command(line.split(' '))));
  const [doctor, audit, pepper, masterKey] = results.slice(3).map(({ stdout }) => stdout);
  expect(results.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
  expect(doctor).toMatch(/Production's database is up to date/);
  expect(audit).toMatch(/\d+ entries/);
  expect(pepper).toContain('SLIPWAY_PRODUCTION_OTHER_PEPPERS');
  expect(masterKey).toContain('SLIPWAY_PRODUCTION_OTHER_MASTER_KEYS');
  expect(results.map(({ stdout }) => stdout).join()).not.toContain('SLIPWAY_SANDBOX');
});

test('on SIGTERM requests in progress are answered, and both processes exit with code 0 and print no key', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  upstream.before = () => held;
  const before = posts().length;
  const last = create('stopping');
  await until(() => posts().length > before);
  for (const run of [api, worker]) run.child.kill('SIGTERM');
  await until(() =>
    ask(production.apiUrl).then(
      () => false,
      () => true,
    ),
  );
  release();
  expect((await last).status).toBe(201);
  for (const run of [api, worker]) {
    expect([await run.exited, run.stderr()]).toEqual([0, '']);
    expect(run.stdout()).not.toMatch(/slw_live_|whsec_/);
  }
});
