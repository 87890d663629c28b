// `slipway-server reopen` after a restore: without a journal it takes all access away, and then opens the gate.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../test/app.ts';
import { cloneDatabase, until } from '../../test/harness.ts';
import { backUp, restoreInto, runReopen } from '../../test/restore.fixture.ts';
import { fromId } from '../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
});

const command = (...args: string[]) => runReopen({ SLIPWAY_SANDBOX_DATABASE_URL: sandbox.database.url }, args);

const statusOf = async (token: string): Promise<unknown> => {
  const { status, body } = await sandbox.call('/v1/servers', token);
  return status === 200 ? 200 : body.code;
};

test('a restore answers 503 until reopen, which revokes every key, pauses every grant and opens the gate', async () => {
  const [kept, lost] = [await app.key(), await app.key()];
  const backup = await backUp(sandbox.database, 'plane');
  expect((await sandbox.manage('POST', `/apps/${app.id}/keys/${lost.id}/revoke`)).status).toBe(200);
  expect(await statusOf(lost.token)).toBe('revoked_key');
  await backup.restore('restore');
  await backup.drop();
  expect(await statusOf(lost.token)).toBe('unavailable');
  expect(await statusOf(kept.token)).toBe('unavailable');

  const tried = await command();
  expect(tried).toEqual([
    expect.stringMatching(
      /^Sandbox: would revoke 2 keys, pause \d+ server grants, pause \d+ scope grants, enforce event scopes for 0 apps$/,
    ),
    expect.stringMatching(/^No database was changed\. .*--yes/),
  ]);
  expect(await statusOf(kept.token)).toBe('unavailable');

  const [done = ''] = await command('--yes');
  expect(done).toMatch(
    /^Sandbox: 2 keys revoked, [1-9]\d* server grants paused, [1-9]\d* scope grants paused, 0 apps .*\. The gate is open\.$/,
  );
  expect(await statusOf(kept.token)).toBe('revoked_key');
  expect(await statusOf(lost.token)).toBe('revoked_key');
  const fresh = await app.key();
  expect((await sandbox.call<{ data: unknown[] }>('/v1/servers', fresh.token)).body.data).toEqual([]);
  const log = await sandbox.manage<{ data: { action: string; actor: unknown; detail: unknown }[] }>(
    'GET',
    '/audit-entries',
  );
  expect(log.body.data.find(({ action }) => action === 'restore.take_access')).toMatchObject({
    actor: { kind: 'operator', name: 'slipway-server reopen' },
    detail: { keys: 2 },
  });
  expect(await command('--yes')).toEqual(['No gate is closed: there is nothing to do.']);
});

test('an interrupted reopen continues where it ended, and the gate stays closed until then', async () => {
  const key = await app.key();
  const backup = await backUp(sandbox.database, 'plane');
  await backup.restore('restore');
  await backup.drop();
  // Simulates an outage: the second half of the work fails.
  await sandbox.database.superuser.query(
    "create function fail() returns trigger language plpgsql as $$ begin raise 'broken off'; end $$",
  );
  await sandbox.database.superuser.query('create trigger fail before update on plane_state execute function fail()');
  await expect(command('--yes')).rejects.toThrow('broken off');
  expect(await statusOf(key.token)).toBe('unavailable');
  await sandbox.database.superuser.query('drop function fail cascade');
  expect((await command('--yes'))[0]).toBe(
    'Sandbox: 0 keys revoked, 0 server grants paused, 0 scope grants paused, 0 apps switched to the rule of event scopes. The gate is open.',
  );
  expect(await statusOf(key.token)).toBe('revoked_key');
});

test('reopen without a journal switches each app on the earlier rule of event scopes, because the app may have enforced the rule', async () => {
  const { superuser } = sandbox.database;
  const ofApp = `app_id = '${fromId('app', app.id)}'`;
  await superuser.query('set session_replication_role = replica');
  await superuser.query(`update apps set enforces_event_scopes = false where ${ofApp}`);
  await superuser.query('set session_replication_role = origin');
  await superuser.query("update plane_state set closed_at = now(), closed_because = 'restored'");
  expect((await command())[0]).toMatch(/, enforce event scopes for 1 apps$/);
  expect((await command('--yes'))[0]).toMatch(/, 1 apps switched to the rule of event scopes\. The gate is open\.$/);
  const { rows } = await superuser.query(`select enforces_event_scopes as is_enforced from apps where ${ofApp}`);
  expect(rows).toEqual([{ is_enforced: true }]);
});

test('reopen of production withholds each grant as the organisation, so that no later statement of the upstream API lifts it', async () => {
  const { superuser } = sandbox.database;
  await superuser.query(`insert into upstream_installations (app_id, server_id, version, state, scopes, stated_version)
    select app_id, server_id, 1, 'authorised', '{"servers:read": "authorised"}', 1 from installations where state = 'authorised'`);
  await superuser.query("update plane_state set closed_at = now(), closed_because = 'restored'");
  const [done = ''] = await command('--yes');
  expect(done).toMatch(/[1-9]\d* server grants paused, [1-9]\d* scope grants paused/);
  const later =
    "set state = 'authorised' where state = 'paused' and app_id in (select app_id from upstream_installations)";
  await superuser.query(`update installations ${later}`);
  await superuser.query(`update installation_scopes ${later}`);
  const { rows } = await superuser.query(
    `select from installations where state = 'authorised' and app_id in (select app_id from upstream_installations)
     union all
     select from installation_scopes where state = 'authorised' and app_id in (select app_id from upstream_installations)`,
  );
  expect(rows).toEqual([]);
});

test('a key is revoked in a restored database that holds revocations which waited for the journal at the time of the backup', async () => {
  const [early, late] = [await app.key(), await app.key()];
  expect((await sandbox.manage('POST', `/apps/${app.id}/keys/${early.id}/revoke`)).status).toBe(200);
  const target = await cloneDatabase('plane');
  await restoreInto(target, sandbox.database);
  const before = await target.superuser.query('select max(revocation_id)::int as last from revocations');
  await target.superuser.query("update keys set state = 'revoked', revoked_at = now() where key_id = $1", [
    fromId('key', late.id),
  ]);
  const after = await target.superuser.query('select max(revocation_id)::int as last from revocations');
  await target.drop();
  expect(after.rows[0].last).toBe(before.rows[0].last + 1);
});

test('reopen is refused while another run has not ended, and takes nothing away after the other run', async () => {
  const { superuser } = sandbox.database;
  const key = await app.key();
  await superuser.query("update plane_state set closed_at = now(), closed_because = 'restored'");
  await superuser.query('begin');
  await superuser.query('select from plane_state for update');
  const first = command('--yes');
  await until(async () => {
    await superuser.query('select pg_stat_clear_snapshot()');
    const { rows } = await superuser.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'plane_state'",
    );
    return rows.length > 0;
  });
  await expect(command('--yes')).rejects.toThrow(/Another `slipway-server reopen` runs on this database/);
  await superuser.query('commit');
  expect((await first)[0]).toMatch(/The gate is open\.$/);
  expect(await statusOf(key.token)).toBe('revoked_key');
  const fresh = await app.key();
  expect(await command('--yes')).toEqual(['No gate is closed: there is nothing to do.']);
  expect(await statusOf(fresh.token)).toBe(200);
});

test('reopen while a restore fills the database changes nothing, and sees the closed gate afterwards', async () => {
  const key = await app.key();
  const target = await cloneDatabase('plane');
  let running: Promise<string[]> = Promise.resolve([]);
  await restoreInto(target, sandbox.database, async () => {
    running = runReopen({ SLIPWAY_SANDBOX_DATABASE_URL: target.url }, ['--yes']);
    await until(async () => {
      const { rows } = await target.superuser.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    });
  });
  expect((await running)[0]).toMatch(/^Sandbox: [1-9]\d* keys revoked, .*The gate is open\.$/);
  const { rows } = await target.superuser.query('select state from keys where key_id = $1', [fromId('key', key.id)]);
  await target.drop();
  expect(rows).toEqual([{ state: 'revoked' }]);
  expect(await statusOf(key.token)).toBe(200);
});
