// Suspending an app stops all its activity before the operation responds, and resuming continues from the same state. A
// deletion is a suspension with an erasure date, and can be cancelled.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { runAsTenant, tryLockActiveApp } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { createOutboundClient, type OutboundClient } from '../../kit/outbound/outbound.ts';
import { advanceDueRuns } from '../../resources/workflows/index.ts';
import { runDueWorlds } from '../../sandbox/world/index.ts';
import { type Dispatcher, startDispatcher } from '../../webhooks/dispatch/index.ts';
import { listHeldGroups, releaseGroup } from '../../webhooks/dispatch/queue/held-deliveries-store.ts';

const waiting: ServerResponse[] = [];
let arrived = 0;
let isHanging = true;
const receiver = createServer((_request, response) => {
  arrived += 1;
  if (isHanging) waiting.push(response);
  else response.end();
});
let sandbox: Sandbox;
let outbound: OutboundClient;
let dispatcher: Dispatcher;
let url: string;
let app: TestApp;
let appId: string;
let key: { id: string; token: string };

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // the server listens on TCP
  url = `http://${host}/hooks`;
  sandbox = await startSandbox({ webhookAllowHosts: [host] });
  outbound = createOutboundClient({ allowHosts: [host] });
  const { masterKeys } = sandbox.plane.secrets;
  dispatcher = await startDispatcher({
    environment: 'sandbox',
    db: sandbox.dispatch,
    outbound,
    masterKeys,
    log: () => {},
  });
});
beforeEach(async () => {
  app = await sandbox.newApp();
  appId = fromId('app', app.id) ?? '';
  key = await app.key();
});
afterAll(async () => {
  await dispatcher.stop();
  await outbound.close();
  await sandbox.close();
  receiver.closeAllConnections();
  receiver.close();
});

interface AppResponse {
  state: string;
  suspendedBy: string | null;
  eraseAt: string | null;
  code: string;
  detail: string;
  app: AppResponse;
  stopped: { keys: number; deliveries: number; workflowRuns: number };
}
const on = (path: string, body?: object, role?: 'developer' | 'admin') =>
  sandbox.manage<AppResponse>('POST', `/apps/${app.id}${path}`, body, role ? { role } : {});
const code = async (): Promise<unknown> => (await sandbox.call('/v1/me', key.token)).body.code ?? 'works';
const query = async <Row>(text: string): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, [appId])).rows as Row[];
const deliveries = () =>
  query<{ status: string; reason: string | null; outcomes: string[] }>(
    `select status, reason, array(select outcome from attempts a where a.delivery_id = d.delivery_id order by attempt_no)
       as outcomes from deliveries d where app_id = $1`,
  );
const trigger = async (type: string): Promise<void> => {
  expect((await on('/world/events', { type })).status).toBe(201);
};

describe('deliveries of a suspended app', () => {
  test('holds in-flight, queued and new deliveries until the app is resumed', async () => {
    isHanging = true;
    const eventTypes = ['ticket.created', 'ping'];
    await on('/endpoints', { url, keyId: key.id, eventTypes });
    const before = arrived;
    for (let sent = 0; sent < 12; sent++) await trigger('ticket.created');
    await until(() => arrived - before === 2); // the limit of concurrent attempts for an endpoint without a history
    const { status, body } = await on('/suspend');
    const seen = arrived;
    expect([status, body.app.state, body.app.suspendedBy]).toEqual([200, 'suspended', 'member']);
    expect(body.stopped).toEqual({ keys: 1, deliveries: expect.any(Number), workflowRuns: 0 });
    expect(body.stopped.deliveries).toBeGreaterThanOrEqual(4);
    await trigger('ping');
    await until(async () =>
      (await deliveries()).every((one) => one.status === 'held' && one.reason === 'app_suspended'),
    );
    expect((await deliveries()).length).toBe(13);
    expect((await deliveries()).filter(({ outcomes }) => outcomes.join() === 'aborted_by_revoke')).toHaveLength(2);
    dispatcher.wake();
    expect(arrived).toBe(seen);
    isHanging = false;
    expect((await on('/resume')).body).toMatchObject({ state: 'active', suspendedBy: null });
    await until(async () => (await deliveries()).every((one) => one.status === 'succeeded'));
  });

  test('lists held deliveries without a server among the groups to release', async () => {
    const other = await app.key();
    for (const keyId of [key.id, other.id])
      await on('/endpoints', { url, keyId, eventTypes: ['ping', 'ticket.created'] });
    await on('/suspend');
    for (const type of ['ping', 'ticket.created']) await trigger(type);
    const held = async () => (await listHeldGroups(sandbox.worker)).filter((group) => group.app_id === appId);
    expect((await held()).map(({ server_id: serverId }) => serverId === null).sort()).toEqual([
      false,
      false,
      true,
      true,
    ]);
    for (const group of await held()) await releaseGroup(sandbox.worker, group);
    // The app is still suspended, so the next claim holds the deliveries again.
    await until(async () => (await held()).length === 4);
  });
});

test('rejects every call, also a call by a key’s id, until the app is resumed', async () => {
  const byId = async () => (await on('/calls', { keyId: key.id, method: 'GET', path: '/v1/servers' })).body;
  expect([await code(), await byId()]).toEqual(['works', expect.objectContaining({ status: 200 })]);
  await on('/suspend');
  expect([await code(), await byId()]).toEqual(['app_suspended', expect.objectContaining({ status: 403 })]);
  expect((await on('/suspend')).body.stopped.keys).toBe(1);
  await on('/resume');
  expect(await code()).toBe('works');
});

describe('activity that Slipway starts', () => {
  const happened = async (): Promise<number> => {
    await query("update worlds set due_at = now() - interval '1 second' where app_id = $1");
    await query(
      "update workflow_runs set due_at = now() - interval '1 second' where app_id = $1 and due_at is not null",
    );
    const onError = (error: unknown): never => {
      throw error;
    };
    await runDueWorlds(sandbox.worker, sandbox.plane, onError);
    await advanceDueRuns(sandbox.worker, sandbox.plane, onError);
    return (await query('select from events where app_id = $1')).length;
  };

  test('pauses sandbox data and workflow runs of a suspended app', async () => {
    const workflows = await sandbox.call<{ data: { id: string }[] }>(
      `/v1/servers/${app.serverIds[0]}/workflows`,
      key.token,
    );
    const runs = `/v1/workflows/${workflows.body.data.at(-1)?.id}/runs`;
    expect((await sandbox.call(runs, key.token, json({ input: { memberName: 'Imke' } }))).status).toBe(202);
    expect((await on('/suspend')).body.stopped.workflowRuns).toBe(1);
    expect(await happened()).toBe(0);
    await on('/resume');
    expect(await happened()).toBeGreaterThanOrEqual(2);
  });

  test('waits for activity in progress, and starts none while a suspension waits', async () => {
    let finish: () => void = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let isHeld: boolean | undefined;
    const turn = runAsTenant(sandbox.plane.db.api, appId, async (tenant) => {
      isHeld = await tryLockActiveApp(tenant);
      await finished;
    });
    await until(() => isHeld);
    let isAnswered = false;
    const suspending = on('/suspend').then((answer) => {
      isAnswered = true;
      return answer;
    });
    await untilLocksWaited(sandbox.database.superuser, 1);
    expect(await runAsTenant(sandbox.plane.db.api, appId, tryLockActiveApp)).toBe(false);
    expect(isAnswered).toBe(false);
    finish();
    await turn;
    expect((await suspending).status).toBe(200);
    expect(await runAsTenant(sandbox.plane.db.api, appId, tryLockActiveApp)).toBe(false);
  });
});

describe('the deletion of an app', () => {
  test('stops the app, and a restore returns it suspended with everything it had', async () => {
    const { body } = await on('/delete', {});
    expect(body.app).toMatchObject({ state: 'deleting', suspendedBy: null });
    const days = (Date.parse(body.app.eraseAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
    expect(await code()).toBe('app_suspended');
    for (const path of ['/suspend', '/resume']) expect((await on(path)).body.code).toBe('conflict');
    expect((await on('/restore')).body).toMatchObject({ state: 'suspended', suspendedBy: 'member', eraseAt: null });
    expect((await on('/restore')).status).toBe(200);
    expect(await code()).toBe('app_suspended');
    await on('/resume');
    expect(await code()).toBe('works');
    const audited = await query<{ action: string }>(
      "select action from audit_entries where app_id = $1 and action like 'app.%' order by audit_id",
    );
    expect(audited.map(({ action }) => action)).toEqual(['app.create', 'app.delete', 'app.restore', 'app.resume']);
  });

  test('keeps its first date when two deletions are concurrent or a deletion is repeated', async () => {
    const answers = await Promise.all([on('/delete', { graceDays: 3 }), on('/delete', { graceDays: 30 })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body.app.eraseAt).toBe(answers[1]?.body.app.eraseAt);
    expect((await on('/delete', { graceDays: 1 })).body.app.eraseAt).toBe(answers[0]?.body.app.eraseAt);
  });

  test('requires the role owner or admin, and a suspension also allows a developer', async () => {
    expect((await on('/delete', {}, 'developer')).body.code).toBe('role_not_allowed');
    expect((await on('/suspend', undefined, 'developer')).status).toBe(200);
    expect((await on('/delete', {}, 'admin')).status).toBe(200);
    expect((await on('/restore', undefined, 'developer')).body.code).toBe('role_not_allowed');
  });

  test.each([
    { graceDays: 0 },
    { graceDays: 31 },
    { graceDays: 1.5 },
    { graceDays: null },
  ])('rejects a deletion with %j', async (body) => {
    expect([(await on('/delete', body)).status, await code()]).toEqual([400, 'works']);
  });
});

test('renames an app and changes nothing else of it', async () => {
  const before = await sandbox.manage('GET', `/apps/${app.id}`);
  const renamed = await sandbox.manage('PATCH', `/apps/${app.id}`, { name: ' Bridge ' });
  expect(renamed.body).toEqual({ ...before.body, name: 'Bridge' });
  expect((await sandbox.manage('PATCH', `/apps/${app.id}`, { name: ' ' })).status).toBe(400);
  expect((await sandbox.manage('PATCH', `/apps/${app.id}`, { state: 'active' })).status).toBe(400);
});
