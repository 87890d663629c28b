// The status of an organisation reaches all of its apps before the Console's request is answered, and applies to later
// apps. Only the Console sets status and quotas.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { type Actor, consoleActor, signAssertion } from '../../access/authority/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { eraseDueApps } from '../../tenancy/apps/index.ts';
import { toOrganisationStatusUpdate } from './organisation-status.ts';

let sandbox: Sandbox;
let organisationId: string;
let version: number;
let app: TestApp;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
beforeEach(async () => {
  organisationId = newUuid();
  version = 0;
  app = await sandbox.newApp(organisationId);
  ({ token } = await app.key());
});
afterAll(() => sandbox.close());

type ManagementResponse = {
  version: number;
  standing: string;
  apps: number;
  code: string;
  detail: string;
  id: string;
  state: string;
};
const NO_QUOTAS = { apps: null, keysPerApp: null, endpointsPerApp: null };

async function put(
  body: object,
  actor: Actor = consoleActor(organisationId),
): Promise<{ status: number; body: ManagementResponse }> {
  const assertion = await signAssertion(actor, 'sandbox', sandbox.options.managementKey);
  const response = await fetch(`${sandbox.managementUrl}/organisations/${toId('org', organisationId)}/standing`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${assertion}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
async function reportStatus(standing: string, quotas: object = {}) {
  version += 1;
  return put({ version, standing, quotas: { ...NO_QUOTAS, ...quotas } });
}
const manage = (method: string, path: string, body?: object): Promise<Answer<ManagementResponse>> =>
  sandbox.manage(method, path, body, { organisationId });
const code = async (key = token): Promise<unknown> => (await sandbox.call('/v1/me', key)).body.code ?? 'works';
const query = async (text: string, values: unknown[]) => (await sandbox.database.superuser.query(text, values)).rows;

describe('a suspended organisation', () => {
  test('a suspended organisation has no app with access, including later ones, and its members can resume none', async () => {
    const other = await sandbox.newApp(organisationId);
    await manage('POST', `/apps/${other.id}/suspend`);
    expect((await reportStatus('suspended')).body).toEqual({ version: 1, standing: 'suspended', apps: 2 });
    expect(await code()).toBe('app_suspended');
    const later = await sandbox.newApp(organisationId);
    expect(await code((await later.key()).token)).toBe('app_suspended');
    expect((await manage('GET', `/apps/${later.id}`)).body).toMatchObject({
      state: 'suspended',
      suspendedBy: 'operator',
    });
    expect((await manage('POST', `/apps/${app.id}/resume`)).body.code).toBe('conflict');
    await reportStatus('active');
    expect([await code(), await code((await later.key()).token)]).toEqual(['works', 'works']);
    expect((await manage('GET', `/apps/${other.id}`)).body).toMatchObject({
      state: 'suspended',
      suspendedBy: 'member',
    });
  });

  test('the deliveries of a suspended organisation are held, and released when it is active again', async () => {
    const keys = await manage('GET', `/apps/${app.id}/keys`);
    const [key] = (keys.body as unknown as { data: { id: string }[] }).data;
    const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId: key?.id, eventTypes: ['ping'] };
    expect((await manage('POST', `/apps/${app.id}/endpoints`, endpoint)).status).toBe(201);
    expect((await manage('POST', `/apps/${app.id}/world/events`, { type: 'ping' })).status).toBe(201);
    const states = () =>
      query(
        'select d.status, d.reason, q.state from deliveries d join queue q using (app_id, delivery_id) where app_id = $1',
        [fromId('app', app.id)],
      );
    await reportStatus('suspended');
    expect(await states()).toEqual([{ status: 'held', reason: 'app_suspended', state: 'held' }]);
    await reportStatus('active');
    expect(await states()).toEqual([{ status: 'pending', reason: null, state: 'waiting' }]);
  });

  test('a suspension waits for a concurrent registration of an app and applies to it', async () => {
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await superuser.query('select from organisations where organisation_id = $1 for update', [organisationId]);
    const creating = manage('POST', '/apps', { name: 'Just now' });
    await untilLocksWaited(superuser, 1);
    const suspending = reportStatus('suspended');
    await untilLocksWaited(superuser, 2);
    await superuser.query('commit');
    expect([(await creating).status, (await suspending).body.apps]).toEqual([201, 2]);
    expect((await manage('GET', `/apps/${(await creating).body.id}`)).body.state).toBe('suspended');
  });

  test('a late report with an older version does not lift a suspension, and the response names the current status', async () => {
    const order = { version: 5, standing: 'suspended', quotas: NO_QUOTAS };
    await put(order);
    const current = { version: 5, standing: 'suspended', apps: 1 };
    expect((await put({ ...order, version: 4, standing: 'active' })).body).toEqual(current);
    expect((await put(order)).body).toEqual(current);
    expect(await code()).toBe('app_suspended');
  });
});

test('only the Console can set the status of an organisation, and only of the organisation in its assertion', async () => {
  const order = { version: 9, standing: 'suspended', quotas: NO_QUOTAS };
  const as = (changes: Partial<Actor>) => put(order, { ...consoleActor(organisationId), ...changes });
  expect((await as({ kind: 'person' })).body.code).toBe('sign_in_required');
  expect((await as({ kind: 'operator' })).body.code).toBe('sign_in_required');
  expect((await as({ kind: 'token' })).body.code).toBe('sign_in_required');
  expect((await as({ organisationId: newUuid() })).body.code).toBe('not_found');
  expect(await code()).toBe('works');
});

describe('a deleted organisation', () => {
  test('a deleted organisation registers no app, and after its restoration its apps are suspended', async () => {
    await reportStatus('deleting');
    expect(await code()).toBe('app_suspended');
    expect((await manage('POST', '/apps', { name: 'Too late' })).body).toMatchObject({ code: 'conflict' });
    await reportStatus('active');
    expect((await manage('GET', `/apps/${app.id}`)).body).toMatchObject({ state: 'suspended', suspendedBy: 'member' });
    expect((await manage('POST', `/apps/${app.id}/resume`)).status).toBe(200);
    expect(await code()).toBe('works');
  });

  test('an erased organisation loses all its data and cannot be restored', async () => {
    expect((await reportStatus('erasing')).body).toEqual({ version: 1, standing: 'erasing', apps: 1 });
    expect((await manage('GET', `/apps/${app.id}`)).status).toBe(404);
    expect((await reportStatus('active')).body.code).toBe('conflict');
    const erase = () => eraseDueApps(sandbox.worker, (error) => expect(error).toBeUndefined());
    await erase();
    await query("update apps set erased_at = erased_at - interval '1 hour' where organisation_id = $1", [
      organisationId,
    ]);
    await erase();
    expect((await reportStatus('erasing')).body.apps).toBe(0);
    const remainingRows =
      'select from audit_entries where organisation_id = $1 union all select from apps where organisation_id = $1';
    expect(await query(remainingRows, [organisationId])).toEqual([]);
    expect((await manage('POST', '/apps', { name: 'Too late' })).body).toMatchObject({ code: 'conflict' });
  });
});

describe('quotas of an organisation', () => {
  test('the quota of apps limits concurrent registrations', async () => {
    await reportStatus('active', { apps: 3 });
    const answers = await Promise.all([1, 2, 3, 4].map(() => manage('POST', '/apps', { name: 'One more' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'quota_exceeded', detail: 'An organisation has at most 3 apps.' });
    await reportStatus('active');
    expect((await manage('POST', '/apps', { name: 'One more' })).status).toBe(201);
  });

  test('the quota of keys counts valid keys, even with concurrent requests', async () => {
    await reportStatus('active', { keysPerApp: 2, endpointsPerApp: 0 });
    const input = { name: 'A key', scopes: ['events:read'], expiresInDays: 1 };
    const add = () =>
      manage('POST', `/apps/${app.id}/keys`, input) as Promise<Answer<ManagementResponse & { key: { id: string } }>>;
    const answers = await Promise.all([add(), add(), add()]);
    expect(answers.map(({ body }) => body.code ?? 'made').sort()).toEqual(['made', 'quota_exceeded', 'quota_exceeded']);
    const made = answers.find(({ status }) => status === 201)?.body.key.id;
    const rotation = { expiresInDays: 1, overlapHours: 1 };
    expect((await manage('POST', `/apps/${app.id}/keys/${made}/rotate`, rotation)).status).toBe(201);
    expect((await add()).body).toMatchObject({ detail: 'An app has at most 2 valid keys.' });
    await query("update keys set state = 'revoked', revoked_at = now() where app_id = $1", [fromId('app', app.id)]);
    const { key } = (await add()).body;
    const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId: key.id, eventTypes: ['ping'] };
    expect((await manage('POST', `/apps/${app.id}/endpoints`, endpoint)).body.code).toBe('quota_exceeded');
  });

  test('the Console can set and remove the quota of days of request records', async () => {
    const days = async () =>
      (
        await query('select max_request_days as days from organisations where organisation_id = $1', [organisationId])
      )[0];
    await reportStatus('active', { requestDays: 5 });
    expect(await days()).toEqual({ days: 5 });
    await reportStatus('active');
    expect(await days()).toEqual({ days: null });
    expect((await reportStatus('active', { requestDays: 0 })).status).toBe(400);
    // A plane of an older version does not know this quota, so it is sent only if it is set.
    const row = {
      version: 1,
      is_suspended: false,
      delete_at: null,
      erasing_since: null,
      organisation_id: '',
      name: '',
    };
    expect(toOrganisationStatusUpdate({ ...row, quotas: { apps: 3 } }).quotas).toEqual({ ...NO_QUOTAS, apps: 3 });
    expect(toOrganisationStatusUpdate({ ...row, quotas: { requestDays: 7 } }).quotas).toEqual({
      ...NO_QUOTAS,
      requestDays: 7,
    });
  });

  test('the quota of keys allows one successor per key, and no chain of successors', async () => {
    await reportStatus('active', { keysPerApp: 1 });
    type CreatedKey = Answer<ManagementResponse & { key: { id: string } }>;
    const input = { name: 'A key', scopes: ['servers:read'], expiresInDays: 1 };
    const { id } = await sandbox.newApp(organisationId);
    const first = (await manage('POST', `/apps/${id}/keys`, input)) as CreatedKey;
    const rotate = (of: CreatedKey, overlapHours: number) =>
      manage('POST', `/apps/${id}/keys/${of.body.key.id}/rotate`, {
        expiresInDays: 1,
        overlapHours,
      }) as Promise<CreatedKey>;
    const second = await rotate(first, 24);
    expect([second.status, (await rotate(second, 24)).body.code]).toEqual([201, 'quota_exceeded']);
    const third = await rotate(second, 0);
    expect([third.status, (await rotate(third, 1)).body.code]).toEqual([201, 'quota_exceeded']);
  });

  test('no key is created in an app that is deleted concurrently', async () => {
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await superuser.query('select from apps where app_id = $1 for update', [fromId('app', app.id)]);
    const deleting = manage('POST', `/apps/${app.id}/delete`, {});
    await untilLocksWaited(superuser, 1);
    const input = { name: 'A key', scopes: ['servers:read'], expiresInDays: 1 };
    const creating = manage('POST', `/apps/${app.id}/keys`, input);
    await untilLocksWaited(superuser, 2);
    await superuser.query('commit');
    expect([(await deleting).status, (await creating).body.code]).toEqual([200, 'conflict']);
  });
});
