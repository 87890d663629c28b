// The sandbox opens no connection except for webhook deliveries, and its notices reach no chat. Its processes and the
// Console run with every other connection blocked and recorded, while all operations are called and a world has ticks.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Actor, SCOPES, signAssertion } from '../server/src/access/authority/index.ts';
import { newUuid, toId } from '../server/src/kit/crypto/ids.ts';
import { secret } from '../server/src/kit/crypto/secret.ts';
import type { AnyOperation } from '../server/src/kit/http/operation.ts';
import { publicOperations } from '../server/src/listeners/sandbox-api.ts';
import { sandboxManagement } from '../server/src/listeners/sandbox-management.ts';
import { EVENT_TYPES } from '../server/src/resources/events/index.ts';
import { type ExternalPostgres, startExternalPostgres } from './external-postgres.ts';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from './slipway.ts';
import { send as post, readNote, signIn } from './visitor.ts';

const MANAGEMENT_KEY = 'a management key for tests, of no other use';

let postgres: ExternalPostgres;
let instance: SlipwayInstance;
let receivers: Server[];
let received: string[];

beforeEach(async () => {
  postgres = await startExternalPostgres(copyPreparedData);
  instance = await createInstance();
  received = [];
  receivers = [await startReceiver(), await startReceiver()];
});
afterEach(async () => {
  for (const receiver of receivers) receiver.close();
  await instance.remove();
  await postgres.remove();
});

async function startReceiver(): Promise<Server> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(body);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const hostOf = (which: number): string => `127.0.0.1:${(receivers[which]?.address() as AddressInfo).port}`; // a TCP address

/** Returns the recorded connections of both processes, one line each: allowed or denied, and the host. */
const connections = (): string[] => {
  const lines = readFileSync(join(instance.dataDir, '../ways'), 'utf8').trim().split('\n');
  return [...new Set(lines)].sort();
};

const managementHost = (): string => `127.0.0.1:${instance.ports.management}`;

/**
 * Starts both processes, and the Console on request. Only the database, the first receiver, and for the Console the
 * management listener are allowed.
 */
async function startSandbox({ hasConsole = false } = {}): Promise<void> {
  const database = new URL(postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL).host;
  const settings = {
    SLIPWAY_SANDBOX_DATABASE_URL: postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL,
    SLIPWAY_CONSOLE_DATABASE_URL: postgres.settings.SLIPWAY_CONSOLE_DATABASE_URL,
    SLIPWAY_SANDBOX_PEPPER: 'a pepper for tests, of no other use at all',
    SLIPWAY_SANDBOX_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SLIPWAY_SANDBOX_MANAGEMENT_KEY: MANAGEMENT_KEY,
    SLIPWAY_WEBHOOK_ALLOW_HOSTS: `${hostOf(0)},${hostOf(1)}`,
    NODE_OPTIONS: `--import ${new URL('watch-sockets.mjs', import.meta.url).href}`,
    WATCH_ALLOWED: `${database},${hostOf(0)}${hasConsole ? `,${managementHost()}` : ''}`,
    WATCH_FILE: join(instance.dataDir, '../ways'),
  };
  const start = (role: string): Promise<void> => instance.start(settings, [role, '--environment', 'sandbox']).ready;
  await start('api');
  await start('worker');
  if (!hasConsole) return;
  const ofConsole = {
    SLIPWAY_CONSOLE_SECRET: 'a secret of the Console, for tests alone',
    SLIPWAY_SANDBOX_MANAGEMENT_URL: `http://${managementHost()}`,
  };
  await instance.start({ ...settings, ...ofConsole }, ['console']).ready;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function send(url: string, method: string, token: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, body: isJson ? JSON.parse(text) : {} };
}

/** Creates an app with a key, an endpoint for every type of event, and an object of each kind. */
async function makeApp(hookHost: string) {
  const organisationId = newUuid();
  const by = { kind: 'person', personId: 'p', name: 'a test', address: null } as const;
  const actor: Actor = { ...by, organisationId, role: 'owner' };
  const assertion = await signAssertion(actor, 'sandbox', secret(MANAGEMENT_KEY));
  const home = `http://127.0.0.1:${instance.ports.management}/organisations/${toId('org', organisationId)}`;
  const manage = (method: string, path: string, body?: unknown): Promise<Answer> =>
    send(home + path, method, assertion, body);
  const appId = String((await manage('POST', '/apps', { name: 'An app' })).body.id);
  const makeKey = async (name: string): Promise<{ key: { id: string }; token: string }> =>
    (await manage('POST', `/apps/${appId}/keys`, { name, scopes: SCOPES, expiresInDays: 30 })).body as never; // the operation's response
  const { key, token } = await makeKey('A key');
  const { token: leaked } = await makeKey('A key to be reported');
  const endpoint = { url: `http://${hookHost}/hooks`, keyId: key.id, eventTypes: EVENT_TYPES };
  const addEndpoint = async (): Promise<string> => {
    const { status, body } = await manage('POST', `/apps/${appId}/endpoints`, endpoint);
    expect(status).toBe(201);
    return (body.endpoint as { id: string }).id;
  };
  const endpointId = await addEndpoint();
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    send(instance.apiUrl + path, method, token, body);
  return { organisationId, appId, keyId: key.id, endpointId, addEndpoint, leaked, manage, call };
}

type App = Awaited<ReturnType<typeof makeApp>>;

/** Returns identifiers of existing objects by the names of path parameters. */
async function idsOf(app: App): Promise<Record<string, string>> {
  const { organisationId, appId, keyId, endpointId, leaked, manage, call } = app;
  const first = async (path: string): Promise<string> =>
    ((await call('GET', path)).body.data as { id: string }[] | undefined)?.at(-1)?.id ?? '';
  const serverId = await first('/v1/servers');
  const trigger = async (type: string): Promise<string> =>
    ((await manage('POST', `/apps/${appId}/world/events`, { type })).body.subject as { id: string }).id;
  const list = async (what: string): Promise<string> =>
    ((await manage('GET', `/apps/${appId}/${what}`)).body.data as { id: string }[])[0]?.id ?? '';
  // A rule that hits no call.
  const harmless = { operationId: null, share: 0, effect: { latencyMs: 1 } };
  const fault = await manage('POST', `/apps/${appId}/faults`, harmless);
  await call('POST', '/v1/leaked-keys', { key: leaked });
  const notices = (await manage('GET', '/notices')).body.data as { id: string }[];
  const receipts = (await manage('GET', '/revocation-receipts')).body.data as { id: string }[];
  const drill = await manage('POST', `/apps/${appId}/endpoints/${await app.addEndpoint()}/drills`);
  // Deliveries that a disabled endpoint missed can be redelivered.
  const disabledId = await app.addEndpoint();
  await manage('PATCH', `/apps/${appId}/endpoints/${disabledId}`, { state: 'disabled' });
  const [ticketId, workflowRunId] = [await trigger('ticket.created'), await trigger('workflow_run.started')];
  const missed = { since: new Date(Date.now() - 60_000).toISOString(), endpointId: disabledId, statuses: ['skipped'] };
  const redelivery = await manage('POST', `/apps/${appId}/redeliveries`, { ...missed, ratePerSecond: 1 });
  await manage('PATCH', `/apps/${appId}/redeliveries/${redelivery.body.id}`, { state: 'paused' });
  await manage('POST', `/apps/${appId}/world/events`, { type: 'ping' });
  // A request that can be replayed and shown as code.
  const requestId = await list('requests?method=GET&statusClass=2');
  return {
    organisationId: toId('org', organisationId),
    appId,
    keyId,
    serverId,
    publicationId: await first(`/v1/servers/${serverId}/publications`),
    roadmapItemId: await first(`/v1/servers/${serverId}/roadmap`),
    workflowId: await first(`/v1/servers/${serverId}/workflows`),
    ticketId,
    workflowRunId,
    eventId: await until(() => first('/v1/events')),
    // The newest delivery may be in flight, and one about a server may have lost its grant: neither can be redelivered.
    deliveryId: await until(() => list(`deliveries?endpointId=${endpointId}&eventType=ping&status=succeeded`)),
    endpointId,
    drillId: drill.body.id as string,
    redeliveryId: redelivery.body.id as string,
    requestId,
    tracedId: requestId,
    objectId: ticketId,
    faultId: fault.body.id as string,
    noticeId: notices[0]?.id ?? '',
    receiptId: receipts[0]?.id ?? '',
    operationId: 'listServers',
    deprecationId: 'ticket-requester-external-id',
    scope: 'servers:read',
    slug: 'missing-scope',
  };
}

/** Orders operations: reads first, and last those that end objects which others need. */
const inOrder = (operations: readonly AnyOperation<never>[]): AnyOperation<never>[] => {
  const rank = ({ id, method }: AnyOperation<never>): number =>
    method === 'GET' ? 0 : /^(delete|revoke|reset|setInstallation|changeInstallations)/.test(id) ? 2 : 1;
  return [...operations].sort((one, other) => rank(one) - rank(other));
};

test('all operations can be called and every type of event delivered without another outbound connection', async () => {
  await startSandbox();
  const app = await makeApp(hostOf(0));
  await app.manage('PUT', `/apps/${app.appId}/world/clock`, { speed: '3600x' });
  for (const type of EVENT_TYPES) {
    expect([type, (await app.manage('POST', `/apps/${app.appId}/world/events`, { type })).status]).toEqual([type, 201]);
  }
  await until(() => new Set(received.map((body) => JSON.parse(body).type)).size === EVENT_TYPES.length);
  await app.manage('POST', `/apps/${app.appId}/world/events`, { type: 'installation.resumed' });

  const ids = await idsOf(app);
  const fill = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
  const bodyOf = ({ id, body, examples }: AnyOperation<never>): unknown => {
    if (id === 'reportLeakedKey') return { key: app.leaked };
    return id === 'replayRequest' ? {} : body && Object.values(examples ?? {})[0];
  };
  const statuses: [string, number][] = [];
  for (const operation of inOrder(publicOperations as unknown as AnyOperation<never>[])) {
    const answer = await app.call(operation.method, fill(operation.path), bodyOf(operation));
    statuses.push([operation.id, answer.status]);
  }
  for (const operation of inOrder(sandboxManagement as unknown as AnyOperation<never>[])) {
    const path = fill(operation.path).replace(/^\/organisations\/[^/]+/, '');
    statuses.push([operation.id, (await app.manage(operation.method, path, bodyOf(operation))).status]);
  }
  // Some examples name a missing key or address, or are signed with another key. Their operations ran and were refused.
  expect(statuses.filter(([, status]) => status >= 500 || status === 401)).toEqual([]);
  const refused = statuses.filter(([, status]) => status >= 300).map(([id]) => id);
  expect(refused.sort()).toEqual([
    'createCall',
    'createEndpoint',
    'forecastAccess',
    'reportGithubMatches',
    'sendEvent',
  ]);

  const database = new URL(postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL).host;
  expect(connections()).toEqual([`allowed ${database}`, `allowed ${hostOf(0)}`].sort());
});

test('a connection to another host is detected and blocked', async () => {
  await startSandbox();
  // The service accepts this receiver like the other one; the watch does not.
  const app = await makeApp(hostOf(1));
  await app.manage('POST', `/apps/${app.appId}/world/events`, { type: 'ping' });
  await until(() => connections().includes(`denied ${hostOf(1)}`));
  expect(received).toEqual([]);
});

/** The messages of a cause. The notices of an environment are taken every 30 seconds. */
const NOTICE_MS = 90_000;

test('a cause in the sandbox reaches the webhook of its organisation, and opens no connection to a chat or an on-call service', async () => {
  await startSandbox({ hasConsole: true });
  const { cookie } = await signIn(instance, readNote(instance).link);
  const ask = <Body>(path: string, body: unknown) => post<Body>(`${instance.consoleUrl}/api${path}`, body, { cookie });
  const { body: organisation } = await ask<{ id: string }>('/organisations', { name: 'Harbour Tools' });
  const apps = `/sandbox/organisations/${organisation.id}/apps`;
  const { body: app } = await ask<{ id: string }>(apps, { name: 'Ticket bridge' });
  const input = { name: 'A key to be reported', scopes: ['servers:read'], expiresInDays: 30 };
  const { body: key } = await ask<{ token: string }>(`${apps}/${app.id}/keys`, input);
  const destinations = [
    { kind: 'webhook', url: `http://${hostOf(0)}/notices` },
    { kind: 'slack', url: 'https://hooks.slack.com/services/T000/B000/X000' },
    { kind: 'teams', url: 'https://example.logic.azure.com/workflows/1/triggers/manual' },
    { kind: 'pagerduty', url: 'https://events.pagerduty.com/v2/enqueue', routingKey: 'a'.repeat(32) },
  ];
  for (const destination of destinations) {
    const path = `/organisations/${organisation.id}/notice-destinations`;
    expect((await ask(path, { name: destination.kind, ...destination })).status).toBe(201);
  }
  // No operation lists the sandbox for a chat, and a check refuses it. The rule that sends must rely on neither.
  await postgres.query('alter table notice_destinations drop constraint notice_destinations_check', 'slipway_console');
  await postgres.query("update notice_destinations set environments = '{sandbox,production}'", 'slipway_console');

  expect((await send(`${instance.apiUrl}/v1/leaked-keys`, 'POST', key.token, { key: key.token })).status).toBeLessThan(
    300,
  );
  await until(() => received.some((body) => JSON.parse(body).kind === 'key_leaked'), NOTICE_MS);
  expect(JSON.parse(received[0] ?? '{}')).toMatchObject({ environment: 'sandbox', organisationId: organisation.id });
  // No message to another destination waits.
  const messages = `select d.kind from destination_messages m join notice_destinations d using (destination_id)`;
  expect(await postgres.query(messages, 'slipway_console')).toEqual([{ kind: 'webhook' }]);
  const database = new URL(postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL).host;
  expect(connections()).toEqual([database, hostOf(0), managementHost()].map((host) => `allowed ${host}`).sort());
});
