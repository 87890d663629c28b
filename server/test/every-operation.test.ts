// Rules for every operation of both APIs, in a loop over the lists, so that a new operation is covered immediately.
// sweep.test.ts covers the permitted callers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, SCOPES, signAssertion } from '../src/access/authority/index.ts';
import { newUuid, toId } from '../src/kit/crypto/ids.ts';
import { secret } from '../src/kit/crypto/secret.ts';
import type { AnyOperation, ReplySpec } from '../src/kit/http/operation.ts';
import { schemaErrors, type TSchema } from '../src/kit/http/schema.ts';
import { publicOperations } from '../src/listeners/sandbox-api.ts';
import { sandboxManagement } from '../src/listeners/sandbox-management.ts';
import { exampleNewRun } from '../src/resources/workflows/workflow-run.ts';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from './app.ts';
import { until } from './harness.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
let delivery: string;
let redelivery: string;
let endpoint: string;
let drill: string;
let receipt: string;
let objects: Record<string, string>;
let forged: string;

beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  app = await sandbox.newApp();
  key = await app.key();
  objects = await objectsOf(app);
  const by = { kind: 'person', personId: 'p', name: 'p', address: null } as const;
  const actor = { ...by, organisationId: sandbox.organisationId, role: 'owner' } as const;
  forged = await signAssertion(actor, 'sandbox', secret('an invented key of sufficient length'));
  const created = await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, {
    url: 'http://127.0.0.1:1/hooks',
    keyId: key.id,
    eventTypes: ['ticket.created'],
  });
  endpoint = created.body.endpoint.id;
  drill = (await sandbox.manage<{ id: string }>('POST', `/apps/${app.id}/endpoints/${endpoint}/drills`)).body.id;
  await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ subject: 's', body: 'b' }),
  });
  const deliveries = await sandbox.manage<{ data: { id: string }[] }>('GET', `/apps/${app.id}/deliveries`);
  delivery = deliveries.body.data[0]?.id ?? '';
  await sandbox.database.superuser.query("update deliveries set status = 'failed', finished_at = now()");
  const since = '2000-01-01T00:00:00Z';
  const { id: revoked } = await app.key();
  const path = `/apps/${app.id}/keys/${revoked}/revoke`;
  receipt = (await sandbox.manage<{ receiptId: string }>('POST', path)).body.receiptId;
  redelivery = (await sandbox.manage<{ id: string }>('POST', `/apps/${app.id}/redeliveries`, { since })).body.id;
});
afterAll(() => sandbox.close());

/** Returns a server of the app and an object of each kind on it, by the names of path parameters. */
async function objectsOf(owner: TestApp): Promise<Record<string, string>> {
  const serverId = owner.serverIds[1] ?? '';
  const { token } = await owner.key();
  const first = async (path: string): Promise<string> => {
    const list = await sandbox.call<{ data: { id: string }[] }>(`/v1/servers/${serverId}/${path}?limit=1`, token);
    return list.body.data[0]?.id ?? '';
  };
  const ticket = await sandbox.call<{ id: string }>(
    `/v1/servers/${serverId}/tickets`,
    token,
    json({ subject: 's', body: 'b' }),
  );
  const workflows = await sandbox.call<{ data: { id: string }[] }>(`/v1/servers/${serverId}/workflows`, token);
  const workflowId = workflows.body.data.at(-1)?.id ?? '';
  const run = await sandbox.call<{ id: string }>(`/v1/workflows/${workflowId}/runs`, token, json(exampleNewRun));
  const event = await until(async () => {
    const feed = await sandbox.call<{ data: { id: string }[] }>('/v1/events', token);
    return feed.body.data[0];
  });
  return {
    serverId,
    publicationId: await first('publications'),
    roadmapItemId: await first('roadmap'),
    ticketId: ticket.body.id,
    workflowId,
    workflowRunId: run.body.id,
    eventId: event.id,
  };
}

const MISSING: Record<string, string> = {
  organisationId: toId('org', newUuid()),
  appId: toId('app', newUuid()),
  serverId: toId('srv', newUuid()),
  publicationId: toId('pub', newUuid()),
  ticketId: toId('tkt', newUuid()),
  workflowId: toId('wfl', newUuid()),
  workflowRunId: toId('wfr', newUuid()),
  eventId: toId('evt', newUuid()),
  roadmapItemId: toId('rmi', newUuid()),
  keyId: toId('key', newUuid()),
  endpointId: toId('whe', newUuid()),
  deliveryId: toId('dlv', newUuid()),
  drillId: toId('drl', newUuid()),
  redeliveryId: toId('rdl', newUuid()),
  faultId: toId('flt', newUuid()),
  requestId: toId('req', newUuid()),
  tracedId: toId('dlv', newUuid()),
  noticeId: toId('ntc', newUuid()),
  receiptId: toId('rct', newUuid()),
  slug: 'missing-scope',
  scope: 'servers:read',
  operationId: 'listServers',
};

/** Fills each path parameter with an existing or a missing identifier. */
function fill(path: string, present: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => present[name] ?? MISSING[name] ?? 'unknown');
}

const exampleBody = (operation: AnyOperation<never>): string | undefined => {
  const [example] = Object.values(operation.examples ?? {});
  return operation.body ? JSON.stringify(example) : undefined;
};

const operations = publicOperations as unknown as AnyOperation<never>[];
const management = sandboxManagement as unknown as AnyOperation<never>[];
const keyed = operations.filter((operation) => operation.access.security === 'key');

function callPublic(operation: AnyOperation<never>, path: string, token?: string): Promise<Answer> {
  const body = exampleBody(operation);
  return sandbox.call(path, token, {
    method: operation.method,
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  });
}

function replySchema(operation: AnyOperation<never>, status: number): TSchema | undefined {
  return (operation.replies as Record<number, ReplySpec>)[status]?.schema;
}

describe.each(keyed.map((operation) => [operation.id, operation] as const))('the operation %s', (_, operation) => {
  const path = (): string => fill(operation.path, objects);

  test('a key without the operation’s scope gets exactly the specified 403', async () => {
    const { scope } = operation.access;
    if (scope === undefined) return expect(operation.id).toBe('getMe');
    const { token } = await app.key(SCOPES.filter((one) => one !== scope));
    const { body, headers } = await callPublic(operation, path(), token);
    expect(body).toEqual({
      type: 'http://sandbox.test/problems/missing-scope',
      title: 'Missing scope',
      status: 403,
      code: 'missing_scope',
      requestId: headers.get('request-id'),
    });
  });

  test('an unknown query parameter gets 400 with its name', async () => {
    const { status, body } = await callPublic(operation, `${path()}?no_such=1`, key.token);
    expect([status, body.errors]).toEqual([400, [{ pointer: '/query/no_such', detail: 'is not a known field' }]]);
  });

  test('the response fits its schema, names the request and leaves a record', async () => {
    const answer = await callPublic(operation, path(), key.token);
    expect(answer.status).toBeLessThan(300);
    const schema = replySchema(operation, answer.status);
    expect(schema && schemaErrors(schema, answer.body)).toEqual([]);
    const id = answer.headers.get('request-id');
    const record = await sandbox.manage('GET', `/apps/${app.id}/requests/${id}`);
    expect(record.body).toMatchObject({ id, status: answer.status, operationId: operation.id, keyId: key.id });
  });
});

describe('a server that paused its installation', () => {
  // Every operation whose contract lists the problems of a grant must judge one, although its access does not.
  const judging = keyed.filter((operation) => operation.access.problems.includes('installation_paused'));
  let other: TestApp;
  let paused: Record<string, string>;
  let token: string;

  beforeAll(async () => {
    other = await sandbox.newApp();
    paused = await objectsOf(other);
    ({ token } = await other.key());
    await sandbox.manage('PUT', `/apps/${other.id}/servers/${paused.serverId}/installation`, { state: 'paused' });
  });

  test.each(
    judging.map((operation) => [operation.id, operation] as const),
  )('is refused to %s', async (_, operation) => {
    const path = fill(operation.path, paused);
    const { status, body } = await callPublic(
      operation,
      path.includes('_') ? path : `${path}?serverId=${paused.serverId}`,
      token,
    );
    expect([status, body.code]).toEqual([403, 'installation_paused']);
  });

  test('is refused to every operation on a server or on one of its objects', () => {
    const free = keyed.filter((operation) => !judging.includes(operation)).map(({ id }) => id);
    expect(free).toEqual(['getMe', 'listServers']);
  });
});

describe.each(
  management.map((operation) => [operation.id, operation] as const),
)('the management operation %s', (_, operation) => {
  const present = (): Record<string, string> => ({
    appId: app.id,
    serverId: app.serverIds[2] ?? '',
    keyId: key.id,
    deliveryId: delivery,
    tracedId: delivery,
    redeliveryId: redelivery,
    endpointId: endpoint,
    drillId: drill,
    receiptId: receipt,
    objectId: app.serverIds[2] ?? '',
  });
  const after = (path: string): string => path.replace('/organisations/{organisationId}', '');

  test('an assertion that another key has signed gets 401', async () => {
    const path = fill(after(operation.path), present());
    const organisation = toId('org', sandbox.organisationId);
    const answer = await fetch(`${sandbox.managementUrl}/organisations/${organisation}${path}`, {
      method: operation.method,
      headers: { authorization: `Bearer ${forged}` },
    });
    const body = (await answer.json()) as { code: string }; // a problem
    expect([answer.status, body.code]).toEqual([401, 'sign_in_required']);
  });

  test('the response to a reader fits its schema', async () => {
    if (operation.method !== 'GET') return expect(ROLES).toContain('viewer');
    const records = await sandbox.manage<{ data: { id: string }[] }>('GET', `/apps/${app.id}/requests`);
    const path = fill(after(operation.path), { ...present(), requestId: records.body.data[0]?.id ?? '' });
    const answer = await sandbox.manage('GET', path);
    expect(answer.status).toBe(200);
    const schema = replySchema(operation, 200);
    expect(schema && schemaErrors(schema, answer.body)).toEqual([]);
  });
});
