// Production with an operator's contract, as the processes of an installation: the Console, the sandbox's API,
// production's API and worker, and the API of the operator. A member gets live access and a key in the Console.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../sdk/src/webhooks.ts';
import { codeOf } from '../server/test/second-factor.fixture.ts';
import type { InitialObject, UpstreamRequest } from './contract-upstream-process.ts';
import { copyPreparedData } from './prepared-data.ts';
import { type ProductionInstance, startProductionInstance } from './production-instance.ts';
import { type Run, root, type SlipwayInstance, until } from './slipway.ts';
import { type Answer, ask, PASSWORD, readNote, send, signIn, signUp } from './visitor.ts';

const CONTRACT = join(root, 'server/test/contracts/spaces');
const SCOPES = ['spaces:read', 'spaces:write', 'tasks:read', 'tasks:write', 'plans:read', 'events:read'];
const OBJECTS: InitialObject[] = [
  { kind: 'space', fields: { id: 1, name: 'Harbour' } },
  { kind: 'space', fields: { id: 2, name: 'Quay' } },
  { kind: 'task', fields: { id: 11, name: 'Kettle' }, parent: 0 },
  { kind: 'task', fields: { id: 21, name: 'Cup' }, parent: 1 },
];

let production: ProductionInstance;
let instance: SlipwayInstance;
let upstream: Run;
let processes: Run[];
/** Cookies of the sessions. The second factor continues a session under another cookie. */
const operator = { cookie: '' };
const member = { cookie: '' };
/** The path of production's app in the Console. */
let app: string;
let appId: string;
let key: { id: string; token: string };

beforeAll(async () => {
  production = await startProductionInstance(copyPreparedData);
  instance = production.instance;
  const own = { SLIPWAY_CONTRACT: CONTRACT };
  const script = ['scripts/run-ts.mjs', '--whole', 'test/contract-upstream-process.ts', JSON.stringify(OBJECTS)];
  upstream = instance.spawn(process.execPath, script, own);
  await upstream.ready;
  const { postgres, settings } = production;
  const upstreamUrl = /^The upstream API (\S+) is ready/.exec(upstream.stdout())?.[1] ?? '';
  const live = { ...settings, ...own, SLIPWAY_PRODUCTION_UPSTREAM_URL: upstreamUrl };
  const shared = { ...own, SLIPWAY_SANDBOX_MANAGEMENT_KEY: 'a management key of the sandbox, for tests' };
  const sandbox = {
    ...shared,
    SLIPWAY_SANDBOX_DATABASE_URL: postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL,
    SLIPWAY_SANDBOX_PEPPER: 'a pepper of the sandbox, of no other use',
    SLIPWAY_SANDBOX_MASTER_KEY: Buffer.alloc(32, 8).toString('base64'),
  };
  const console = {
    ...shared,
    SLIPWAY_CONSOLE_DATABASE_URL: postgres.settings.SLIPWAY_CONSOLE_DATABASE_URL,
    SLIPWAY_CONSOLE_SECRET: 'a secret of the Console, of no other use',
    SLIPWAY_SANDBOX_MANAGEMENT_URL: `http://127.0.0.1:${instance.ports.management}`,
    SLIPWAY_PRODUCTION_API_URL: production.apiUrl,
    SLIPWAY_PRODUCTION_MANAGEMENT_KEY: settings.SLIPWAY_PRODUCTION_MANAGEMENT_KEY ?? '',
    SLIPWAY_PRODUCTION_MANAGEMENT_URL: `http://127.0.0.1:${settings.SLIPWAY_PRODUCTION_MANAGEMENT_PORT}`,
  };
  processes = [
    instance.start(sandbox, ['api', '--environment', 'sandbox']),
    instance.start(live, ['api', '--environment', 'production']),
    instance.start(live, ['worker', '--environment', 'production']),
    instance.start(console, ['console']),
  ];
  await Promise.all(processes.map(({ ready }) => ready));
});
afterAll(() => production?.remove());

/** Calls the Console as a browser with this session. */
async function inConsole<Body = Record<string, unknown>>(
  session: { cookie: string },
  method: string,
  path: string,
  body?: object,
): Promise<Answer<Body>> {
  const answer = await ask<Body>(`${instance.consoleUrl}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'slipway-console': '1', cookie: session.cookie },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  if (cookies.length > 0) session.cookie = cookies.join('; ');
  expect([path, answer.status, answer.body]).toEqual([path, expect.toSatisfy((status) => status < 300), answer.body]);
  return answer;
}

const bearer = () => ({ authorization: `Bearer ${key.token}` });
const get = (path: string) => ask(`${production.apiUrl}/v1${path}`, { headers: bearer() });
const post = (path: string, body: object, idempotencyKey: string) =>
  send<Record<string, unknown>>(`${production.apiUrl}/v1${path}`, body, {
    ...bearer(),
    'idempotency-key': idempotencyKey,
  });
const outcome = ({ status, body }: Answer<Record<string, unknown>>) => [status, body.code];
const report = (id: string, space: number, task: number) =>
  production.ingest('POST', '/events', {
    ...{ id, type: 'task.created', grantorId: space, appId },
    data: { id: task, space_id: space, name: 'Tea' },
  });
const received = (): UpstreamRequest[] =>
  upstream
    .stdout()
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line));
const sent = () => received().map(({ method, path }) => `${method} ${path}`);

async function serverIdOf(name: string): Promise<string> {
  const { body } = await inConsole<{ data: { serverId: string; serverName: string }[] }>(
    member,
    'GET',
    `${app}/installations`,
  );
  return body.data.find(({ serverName }) => serverName === name)?.serverId ?? '';
}
const explain = async (serverId: string) => {
  const query = `keyId=${key.id}&serverId=${serverId}`;
  return (await inConsole(member, 'GET', `${app}/access/createTask?${query}`)).body;
};

test('an operator approves live access to scopes of the contract, and a member creates a key with them', async () => {
  operator.cookie = (await signIn(instance, readNote(instance).link)).cookie;
  await inConsole(operator, 'PUT', '/operator/sign-up-policy', { policy: 'open', domains: [] });
  member.cookie = await signUp(instance, operator.cookie, 'imke@example.org');
  const organisation = await inConsole<{ id: string }>(member, 'POST', '/organisations', { name: 'Tea friends' });
  const ofOrganisation = `organisations/${organisation.body.id}`;
  const sandboxApp = await inConsole<{ id: string }>(member, 'POST', `/sandbox/${ofOrganisation}/apps`, {
    name: 'Bridge',
  });
  const requests = `/${ofOrganisation}/live-access-requests`;
  const draft = await inConsole<{ id: string; version: number }>(member, 'POST', requests, {
    appId: sandboxApp.body.id,
  });
  const request = `${requests}/${draft.body.id}`;
  const scopes = SCOPES.map((scope) => ({ scope, purpose: 'Shows tasks.', dataUse: 'Kept for a day.' }));
  const edited = await inConsole<{ version: number }>(member, 'PUT', request, {
    ...{ version: draft.body.version, scopes },
    contacts: [{ kind: 'security', name: 'Imke', email: 'imke@example.org' }],
  });
  const submitted = await inConsole<{ version: number }>(member, 'POST', `${request}/submit`, {
    version: edited.body.version,
  });
  await inConsole(operator, 'POST', `/operator/live-access-requests/${draft.body.id}/approve`, {
    ...{ version: submitted.body.version, scopes: SCOPES, maxServers: null },
  });
  const { body } = await inConsole<{ liveAccess: { productionAppId: string } }>(member, 'GET', request);
  appId = body.liveAccess.productionAppId;
  app = `/production/${ofOrganisation}/apps/${appId}`;

  const { uri } = (await inConsole<{ uri: string }>(member, 'POST', '/second-factor', { currentPassword: PASSWORD }))
    .body;
  await inConsole(member, 'POST', '/second-factor/confirm', { code: codeOf(uri, 0) });
  const created = await inConsole<{ key: { id: string }; token: string }>(member, 'POST', `${app}/keys`, {
    ...{ name: 'Live', scopes: SCOPES, expiresInDays: 30 },
  });
  key = { id: created.body.key.id, token: created.body.token };
  expect(key.token).toMatch(/^slw_live_/);
});

test('a read and a change are forwarded once the operator’s API has reported access to the space', async () => {
  expect(outcome(await get('/spaces/1'))).toEqual([404, 'not_found']);
  expect(sent()).toEqual([]);
  const scopes = SCOPES.map((scope) => ({ scope, state: 'authorised' }));
  for (const [space, serverName] of [
    [1, 'Harbour'],
    [2, 'Quay'],
  ]) {
    const grant = { version: 1, serverName, state: 'authorised', scopes };
    expect((await production.ingest('PUT', `/apps/${appId}/grantors/${space}`, grant)).status).toBe(200);
  }
  const read = await get('/tasks/11');
  expect([read.status, read.body]).toEqual([200, { id: 11, space_id: 1, name: 'Kettle' }]);
  const created = await post('/spaces/1/tasks', { name: 'Pot' }, 'once');
  expect([created.status, created.body]).toEqual([201, { id: expect.any(Number), space_id: 1, name: 'Pot' }]);
  expect(created.headers.get('location')).toBe(`${production.apiUrl}/v1/tasks/${created.body.id}`);
  const repeated = await post('/spaces/1/tasks', { name: 'Pot' }, 'once');
  expect([repeated.status, repeated.body, repeated.headers.get('idempotent-replayed')]).toEqual([
    ...[201, created.body],
    'true',
  ]);
  await until(() => received().length >= 2);
  expect(sent()).toEqual(['GET /v1/tasks/11', 'POST /v1/spaces/1/tasks']);
  const [first, second] = received();
  expect(first?.claims).toMatchObject({ sub: appId, environment: 'production', key: key.id });
  expect(second?.headers['idempotency-key']).toMatch(/./);
});

test('a reported event arrives as a webhook with a valid signature, once for two reports', async () => {
  const { messages } = production;
  const endpoint = await inConsole<{ signingSecret: string }>(member, 'POST', `${app}/endpoints`, {
    url: `http://${production.receiver}/hooks`,
    keyId: key.id,
    eventTypes: ['task.created'],
  });
  for (const written of [1, 0]) expect((await report('one', 1, 11)).body).toMatchObject({ written });
  expect((await report('two', 2, 21)).body).toMatchObject({ written: 1 });
  await until(() => messages.length >= 2);
  const events = messages.map(({ headers, body }) => verify(body, headers, endpoint.body.signingSecret));
  expect(events.map(({ type, data }) => [type, data]).sort()).toEqual([
    ['task.created', { id: 11, space_id: 1, name: 'Tea' }],
    ['task.created', { id: 21, space_id: 2, name: 'Tea' }],
  ]);
  expect(() => verify(`${messages[0]?.body} `, messages[0]?.headers ?? {}, endpoint.body.signingSecret)).toThrow();
});

test('the Console shows the record of a forwarded change, and explains the access to its operation', async () => {
  const answer = await post('/spaces/1/tasks', { name: 'Jar' }, 'recorded');
  const id = answer.headers.get('request-id') ?? '';
  const record = await until(async () => {
    const { body } = await ask(`${instance.consoleUrl}/api${app}/requests/${id}`, {
      headers: { cookie: member.cookie },
    });
    return body.operationId !== undefined && body;
  });
  const serverId = await serverIdOf('Harbour');
  expect(record).toMatchObject({ operationId: 'createTask', status: 201 });
  expect(JSON.stringify(record)).toContain(serverId);
  expect(await explain(serverId)).toMatchObject({ scope: 'tasks:write', isAllowed: true, code: null });
});

test('a revocation of the space ends access to it: the next calls are answered 403 and are not sent', async () => {
  const serverId = await serverIdOf('Harbour');
  const before = sent().length;
  await inConsole(member, 'PUT', `${app}/servers/${serverId}/installation`, { state: 'revoked', reason: 'Moved.' });
  const refused = [
    await get('/spaces/1'),
    await get('/spaces/1/tasks'),
    await post('/spaces/1/tasks', { name: 'Late' }, 'late'),
    await post('/spaces/1/estimate', { hours: 2 }, 'estimate'),
  ];
  expect(refused.map(outcome)).toEqual(refused.map(() => [403, 'installation_revoked']));
  expect(outcome(await get('/tasks/11'))).toEqual([403, 'installation_revoked']);
  expect((await get('/tasks/21')).status).toBe(200);
  const last = 'GET /v1/tasks/21';
  await until(() => sent().includes(last));
  // An object whose path names no space is read before its space is known.
  expect(sent().slice(before)).toEqual(['GET /v1/tasks/11', last]);
  expect(await explain(serverId)).toMatchObject({ isAllowed: false, code: 'installation_revoked' });
  const { messages } = production;
  const delivered = messages.length;
  expect((await report('three', 1, 11)).body).toMatchObject({ written: 0 });
  expect((await report('four', 2, 21)).body).toMatchObject({ written: 1 });
  await until(() => messages.length > delivered);
  expect(messages.slice(delivered).map(({ body }) => JSON.parse(body).data.space_id)).toEqual([2]);
  expect(processes.map((one) => one.stderr())).toEqual(processes.map(() => ''));
});
