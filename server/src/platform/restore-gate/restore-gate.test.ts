// The restore gate: while it is closed, an environment responds 503 with its own reason, and its jobs are stopped.
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { startConsole } from '../../../test/console-app.ts';
import { cloneDatabase } from '../../../test/harness.ts';
import { signConsoleAssertion } from '../../access/authority/index.ts';
import { createLifetime, migrateDatabase, requiredMigrations } from '../../boot/process.ts';
import { runWorker } from '../../boot/worker.ts';
import { openSnapshot } from '../../commands/backup-store.ts';
import { check } from '../../commands/check.ts';
import { openDatabaseRestore } from '../../commands/restore-store.ts';
import { readConfig } from '../../config/config.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { createLog } from '../../kit/telemetry/log.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(() => sandbox.close());

const setGate = (because: string | null) =>
  sandbox.database.superuser.query(
    'update plane_state set closed_because = $1, closed_at = case when $1::text is not null then clock_timestamp() end',
    [because],
  );

const DETAIL = /restored from a backup and is closed until its operator confirms/;

test('a closed gate answers each call with a key with 503 and its reason, and an open gate serves calls again', async () => {
  await setGate('restored');
  const mutation = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'gate-closed' },
    body: JSON.stringify({ subject: 'Closed' }),
  };
  const errorsBefore = sandbox.errors.length;
  const calls = [
    await sandbox.call('/v1/servers', token),
    await sandbox.call('/v1/events', token),
    await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, token, mutation),
  ];
  for (const { status, body, headers } of calls) {
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'unavailable', detail: expect.stringMatching(DETAIL) });
    expect(headers.get('retry-after')).toBe('60');
  }
  expect(sandbox.errors.slice(errorsBefore)).toEqual([]); // otherwise each call writes an error to the log
  await setGate(null);
  expect((await sandbox.call('/v1/servers', token)).status).toBe(200);
  const { rows } = await sandbox.database.superuser.query("select from tickets where subject = 'Closed'");
  expect(rows).toEqual([]);
});

test('a closed gate refuses management mutations and requests of the Console itself, and serves lists', async () => {
  await setGate('restored');
  const refused = await sandbox.manage('POST', '/apps', { name: 'While closed' });
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable', detail: expect.stringMatching(DETAIL) } });
  const revoke = await sandbox.manage('POST', `/apps/${app.id}/suspend`, {});
  expect(revoke.status).toBe(503);
  const unknown = await sandbox.manage('POST', `/apps/${toId('app', newUuid())}/suspend`, {});
  expect(unknown.status).toBe(503); // the app is read with the gate, and the gate decides first
  const assertion = await signConsoleAssertion('sandbox', sandbox.options.managementKey);
  const pulled = await ask(`${sandbox.managementUrl}/console/notices/pull`, {
    method: 'POST',
    headers: { authorization: `Bearer ${assertion}`, 'content-type': 'application/json' },
    body: '{"taken":[]}',
  });
  expect(pulled.status).toBe(503);
  expect((await sandbox.manage('GET', '/apps')).status).toBe(200);
  await setGate(null);
});

test('a worker runs its jobs only while the gate is open', async () => {
  await setGate('regressed');
  const log = createLog(false);
  const lifetime = createLifetime(log);
  const steps: string[] = [];
  const events = new EventEmitter();
  const [started, stopped] = [once(events, 'started'), once(events, 'stopped')];
  const start: Parameters<typeof runWorker>[1] = async (_open, _options, _log, jobs) => {
    steps.push('started');
    events.emit('started');
    jobs.onStop(async () => {
      steps.push('stopped');
      events.emit('stopped');
    });
    return {
      wake: () => true,
      probe: () => Promise.reject(new Error('none')),
      measures: () => ({ inFlight: 0, attempts: [] }),
      handOff: { open: () => undefined },
      stop: async () => {},
    };
  };
  const options = {
    webhookAllowHosts: [],
    webhookAllowCidrs: [],
    eventScopes: 'announced' as const,
    retention: { requestDays: 1, eventDays: 1, heldDays: 1 },
  };
  await runWorker(sandbox, start, options, { log, countJobFailure: () => {} }, lifetime);
  expect(steps).toEqual([]);
  await setGate(null);
  await started;
  await setGate('restored');
  await stopped;
  await lifetime.stop();
  expect(steps).toEqual(['started', 'stopped']);
  await setGate(null);
});

test('check warns of a closed gate', async () => {
  await setGate('regressed');
  const findings = await check('worker', readConfig({ SLIPWAY_SANDBOX_DATABASE_URL: sandbox.database.url }));
  await setGate(null);
  const warned = findings.filter(({ level }) => level === 'warn');
  expect(warned).toMatchObject([
    { what: expect.stringMatching(/gone back in time.*503/), fix: expect.stringMatching(/slipway-server reopen/) },
  ]);
});

test('a restore closes the gate in the transaction that fills the database', async () => {
  const target = await cloneDatabase('plane');
  const snapshot = await openSnapshot(sandbox.database.url);
  const filling = await openDatabaseRestore(target.url, 'plane', snapshot);
  for (const table of snapshot.tables) await filling.fill(table, snapshot.read(table));
  await filling.commit();
  await Promise.all([snapshot.close(), filling.close()]);
  const { rows } = await target.superuser.query(
    'select closed_because, closed_at is not null as is_dated from plane_state',
  );
  await target.drop();
  expect(rows).toEqual([{ closed_because: 'restored', is_dated: true }]);
});

test('a restored backup of a version without a gate is closed once it is migrated', async () => {
  const setting = 'SLIPWAY_SANDBOX_DATABASE_URL';
  const number = (await requiredMigrations('plane')).findIndex(({ name }) => name.includes('restore_gate'));
  const [source, target] = [await cloneDatabase('plane'), await cloneDatabase('plane')];
  for (const { superuser, url } of [source, target]) {
    await superuser.query('drop schema public cascade');
    await superuser.query('create schema public authorization slipway_sandbox');
    await migrateDatabase('plane', url, setting, number);
  }
  const snapshot = await openSnapshot(source.url);
  const filling = await openDatabaseRestore(target.url, 'plane', snapshot);
  for (const table of snapshot.tables) await filling.fill(table, snapshot.read(table));
  await filling.commit();
  await Promise.all([snapshot.close(), filling.close()]);
  await migrateDatabase('plane', target.url, setting);
  const { rows } = await target.superuser.query(
    "select closed_because, to_regclass('gate_to_close') as mark from plane_state",
  );
  await Promise.all([source.drop(), target.drop()]);
  expect(rows).toEqual([{ closed_because: 'restored', mark: null }]);
});

test('a closed Console answers every operation 503 with the reason, and serves its pages', async () => {
  let isClosed = false;
  const errors: unknown[] = [];
  const home = await startConsole('local', {
    isClosed: () => isClosed,
    onInternalError: (error) => errors.push(error),
  });
  const { visitor } = await home.newPerson();
  expect((await visitor.call('GET', '/api/session')).status).toBe(200);
  isClosed = true;
  const closed = await visitor.call('GET', '/api/session');
  expect(closed).toMatchObject({ status: 503, body: { code: 'unavailable', detail: expect.stringMatching(DETAIL) } });
  expect((await visitor.call('POST', '/api/organisations', { name: 'While closed' })).status).toBe(503);
  expect(errors).toEqual([]);
  await home.close();
});
