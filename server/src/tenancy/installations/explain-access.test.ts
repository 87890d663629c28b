// Explains why a key may or may not call an operation. Compares each explanation with the answer to the real request,
// over generated states.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { SCOPES, type Scope } from '../../access/authority/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { publicOperations } from '../../listeners/sandbox-api.ts';
import { exampleNewRun } from '../../resources/workflows/workflow-run.ts';
import { explainList } from './access-explanation.ts';
import { makeGrant, type StoredGrantState } from './grants.fixture.ts';

interface Explanation {
  isAllowed: boolean;
  code: string | null;
  rules: { rule: string; outcome: string; code: string; fix: string | null }[];
  omittedServers: { serverId: string; rule: string; code: string }[] | null;
  isComplete: boolean;
}

let sandbox: Sandbox;
let app: TestApp;
let foreign: TestApp;
let server: string;
let objects: Record<string, string>;
const keys: Record<string, { id: string; token: string }> = {};

const keyed = publicOperations.filter(({ access }) => access.security === 'key');
const KINDS = ['all', ...SCOPES, 'revoked', 'expired', 'ended'];

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  foreign = await sandbox.newApp();
  server = app.serverIds[0] ?? '';
  // Creates a key without each scope in turn.
  for (const kind of KINDS) keys[kind] = await app.key(SCOPES.filter((scope) => scope !== kind));
  objects = await objectsOn(server, keys.all?.token ?? '');
  const { superuser } = sandbox.database;
  await sandbox.manage('POST', `/apps/${app.id}/keys/${keys.revoked?.id}/revoke`);
  // Only the passing of time produces these two states, so the test writes them directly.
  await superuser.query('set session_replication_role = replica');
  await superuser.query(
    `update keys set created_at = created_at - interval '31 days', expires_at = expires_at - interval '31 days' where key_id = $1`,
    [fromId('key', keys.expired?.id ?? '')],
  );
  await superuser.query("update keys set ends_at = now() - interval '1 second' where key_id = $1", [
    fromId('key', keys.ended?.id ?? ''),
  ]);
  await superuser.query('set session_replication_role = origin');
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.close();
});

async function objectsOn(serverId: string, token: string): Promise<Record<string, string>> {
  const call = <Body>(path: string, init?: RequestInit): Promise<Answer<Body>> =>
    sandbox.call<Body>(`/v1/${path}`, token, init);
  const list = async (path: string): Promise<string> =>
    (await call<{ data: { id: string }[] }>(`servers/${serverId}/${path}`)).body.data[0]?.id ?? '';
  const ticket = await call<{ id: string }>(`servers/${serverId}/tickets`, json({ subject: 's', body: 'b' }));
  const workflows = await call<{ data: { id: string }[] }>(`servers/${serverId}/workflows`);
  const workflowId = workflows.body.data.at(-1)?.id ?? '';
  const run = await call<{ id: string }>(`workflows/${workflowId}/runs`, json(exampleNewRun));
  const event = await until(async () => {
    const feed = await call<{ data: { id: string; type: string }[] }>('events');
    return feed.body.data.find(({ type }) => type === 'ticket.created');
  });
  return {
    ...{ serverId, ticketId: ticket.body.id, workflowId, workflowRunId: run.body.id, eventId: event.id },
    ...{ publicationId: await list('publications'), roadmapItemId: await list('roadmap') },
  };
}

const grant = (installation: StoredGrantState, scopes: readonly StoredGrantState[]): Promise<void> =>
  makeGrant(sandbox, { appId: app.id, serverId: server }, installation, scopes);

/** Requests an explanation. Events are explained as events of a ticket, like the event among the objects. */
const explain = (keyId: string | undefined, operationId: string, serverId?: string): Promise<Answer<Explanation>> => {
  const query = new URLSearchParams({
    ...(keyId !== undefined && { keyId }),
    ...(serverId !== undefined && { serverId }),
    ...(operationId === 'getEvent' && { eventType: 'ticket.created' }),
  });
  return sandbox.manage<Explanation>('GET', `/apps/${app.id}/access/${operationId}?${query}`);
};

/** Compares the explanation of an operation with the answer to the real request. */
async function compare(id: string, kind: string, on: 'own' | 'missing' | 'foreign', names: boolean): Promise<void> {
  const operation = keyed.find((one) => one.id === id);
  if (!operation) throw new Error(`There is no ${id}.`);
  const key = keys[kind];
  const serverId = { own: server, missing: toId('srv', newUuid()), foreign: foreign.serverIds[0] ?? '' }[on];
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'serverId') return serverId;
    const own = objects[name] ?? '';
    return on === 'own' ? own : toId(own.slice(0, 3), newUuid());
  });
  const isList = !operation.path.includes('{');
  const named = isList && !(id === 'listEvents' && names) ? undefined : serverId;
  const body = { createTicket: { subject: 's', body: 'b' }, createWorkflowRun: exampleNewRun }[id];
  const query = isList && named !== undefined ? `?serverId=${named}` : '';
  const [explanation, real] = await Promise.all([
    explain(key?.id, id, named),
    sandbox.call<{ code?: string; data?: { id: string; serverId: string; data: object }[] }>(
      path + query,
      key?.token,
      body && json(body),
    ),
  ]);
  const seen = [id, kind, on];
  expect([...seen, explanation.status, explanation.body.isAllowed, explanation.body.code]).toEqual([
    ...seen,
    ...[200, real.status < 300, real.body.code ?? null],
  ]);
  const firstBroken = explanation.body.rules.find(({ outcome }) => outcome !== 'holds');
  expect([...seen, firstBroken?.code ?? null]).toEqual([...seen, explanation.body.code]);
  const omittedServers = explanation.body.omittedServers?.map((one) => one.serverId);
  if (id === 'listServers' && real.status === 200) {
    const listed = real.body.data?.map((one) => one.id) ?? [];
    expect([...seen, ...listed, ...(omittedServers ?? [])].sort()).toEqual([...seen, ...app.serverIds].sort());
  }
  if (id === 'listEvents' && named === undefined && real.status === 200) {
    const withResource = real.body.data?.filter(({ data }) => Object.keys(data).length > 0) ?? [];
    expect([...seen, withResource.some((event) => omittedServers?.includes(event.serverId))]).toEqual([...seen, false]);
  }
}

const state = fc.constantFrom<StoredGrantState>('authorised', 'authorised', 'authorised', 'paused', 'revoked', null);

test('lists the caller’s address and fault rules as not checked for a key with allowed address ranges', async () => {
  const input = { name: 'k', scopes: SCOPES, expiresInDays: 1, allowedCidrs: ['10.0.0.0/8'] };
  const { body: made } = await sandbox.manage<{ key: { id: string }; token: string }>(
    'POST',
    `/apps/${app.id}/keys`,
    input,
  );
  expect((await sandbox.call('/v1/servers', made.token)).body.code).toBe('address_not_allowed');
  const path = `/apps/${app.id}/access/listServers?keyId=${made.key.id}`;
  const { body } = await sandbox.manage<Explanation & { notEvaluated: string[] }>('GET', path);
  expect([body.isAllowed, body.notEvaluated]).toEqual([
    true,
    expect.arrayContaining([expect.stringMatching(/address/), expect.stringMatching(/^Fault rules/)]),
  ]);
});

test('predicts the answer of every operation in any state of its key, its app and its server', async () => {
  const { superuser } = sandbox.database;
  const cases = fc.record({
    kind: fc.constantFrom('all', 'all', 'all', ...KINDS),
    app: fc.constantFrom('active', 'active', 'active', 'active', 'suspended'),
    installation: state,
    scopes: fc.array(state, { minLength: SCOPES.length, maxLength: SCOPES.length }),
    on: fc.constantFrom<'own' | 'missing' | 'foreign'>('own', 'own', 'own', 'own', 'missing', 'foreign'),
    names: fc.boolean(),
  });
  const property = fc.asyncProperty(cases, async (one) => {
    await superuser.query('update apps set state = $2 where app_id = $1', [fromId('app', app.id), one.app]);
    await grant(one.installation, one.scopes);
    for (const { id } of keyed) await compare(id, one.kind, one.on, one.names);
  });
  try {
    await fc.assert(property, { seed: 4, numRuns: 30, endOnFailure: true });
  } finally {
    await superuser.query("update apps set state = 'active' where app_id = $1", [fromId('app', app.id)]);
  }
}, 60_000);

test('returns every rule in order, with a fix for each broken rule', async () => {
  await grant('paused', [null, 'authorised', 'paused', 'revoked', 'authorised', 'authorised']);
  const { body } = await explain(keys['servers:read']?.id, 'getServer', server);
  const outcomes = Object.fromEntries(body.rules.map(({ rule, outcome }) => [rule, outcome]));
  expect(body).toMatchObject({ isAllowed: false, code: 'missing_scope', omittedServers: null });
  expect(outcomes).toEqual({
    ...{ key_exists: 'holds', key_not_revoked: 'holds', key_not_expired: 'holds', app_active: 'holds' },
    ...{ key_has_scope: 'broken', server_exists: 'holds', installation_exists: 'holds' },
    ...{ server_not_revoked_by_organisation: 'holds', server_not_paused_by_organisation: 'holds' },
    ...{ scope_not_revoked_by_organisation: 'holds', scope_not_paused_by_organisation: 'holds' },
    ...{ installation_not_revoked: 'holds', installation_within_cap: 'holds', installation_not_paused: 'broken' },
    ...{ scope_authorised: 'broken', scope_not_revoked: 'unknown', scope_not_paused: 'unknown' },
  });
  for (const { outcome, fix } of body.rules) expect(fix === null).toBe(outcome !== 'broken');
});

test('returns the same explanation for another app’s key and for an unknown key', async () => {
  const other = (await foreign.key()).id;
  const [strange, missing] = await Promise.all([
    explain(other, 'listServers'),
    explain(toId('key', newUuid()), 'listServers'),
  ]);
  expect(strange.body).toMatchObject({
    code: 'invalid_key',
    rules: [{ rule: 'key_exists', outcome: 'broken' }, {}, {}, {}, {}],
  });
  expect(strange.body.rules.slice(1).map(({ outcome }) => outcome)).toEqual(Array(4).fill('unknown'));
  expect(strange.text.replace(other, '')).toBe(missing.text.replace(/"keyId":"[^"]*"/, '"keyId":""'));
});

test('requires a server for an operation on a server, and returns the servers that a list omits with the reason', async () => {
  await grant('authorised', ['paused', ...Array<StoredGrantState>(5).fill('authorised')]);
  const without = await explain(keys.all?.id, 'createTicket');
  expect([without.status, without.body]).toMatchObject([400, { errors: [{ pointer: '/query/serverId' }] }]);
  expect((await explain(keys.all?.id, 'getProblemPage')).status).toBe(404);
  const list = await explain(keys.all?.id, 'listServers');
  const omission = { serverId: server, rule: 'scope_not_paused', code: 'installation_paused' };
  expect(list.body).toMatchObject({ isAllowed: true, omittedServers: [omission], isComplete: true });
  expect((await explain(keys.all?.id, 'listServers', server)).body).toMatchObject({ omittedServers: [omission] });
  expect((await explain(keys.all?.id, 'listServers', app.serverIds[1])).body.omittedServers).toEqual([]);
  const scope: Scope = 'servers:read';
  const row = {
    server_id: newUuid(),
    server_name: 'A',
    installation_state: null,
    scope_state: null,
    is_over_cap: null,
    restriction: null,
    scope_restriction: null,
    upstream_state: null,
    upstream_scope_state: null,
  };
  const many = explainList([{ scope, servers: Array(1001).fill(row) }]);
  expect([many.omittedServers.length, many.isComplete]).toEqual([1000, false]);
});

test('explains the grants of the server when no key is given', async () => {
  await grant('authorised', Array<StoredGrantState>(SCOPES.length).fill('authorised'));
  const { body } = await explain(undefined, 'getServer', server);
  expect(body).toMatchObject({ isAllowed: true, code: null });
  expect(body.rules.map(({ rule }) => rule)).not.toContain('key_exists');
  await grant(null, []);
  expect((await explain(undefined, 'getServer', server)).body).toMatchObject({ isAllowed: false, code: 'not_found' });
});
