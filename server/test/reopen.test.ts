// `slipway-server reopen` after a restore: without a journal it takes all access away, and then opens the gate.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSnapshot } from '../src/commands/backup-store.ts';
import { reopen } from '../src/commands/reopen.ts';
import { openFilling } from '../src/commands/restore-store.ts';
import { readConfig } from '../src/config.ts';
import { fromId, newUuid } from '../src/kit/ids.ts';
import { createLog } from '../src/kit/log.ts';
import { createLifetime } from '../src/process.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { startConsole, type TestConsole } from './console-app.ts';
import { cloneDatabase, until } from './harness.ts';
import { foundOrganisation } from './organisation.fixture.ts';
import { backUp } from './restore.fixture.ts';

let sandbox: Sandbox;
let home: TestConsole;
let app: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'slipway-reopen-'));
beforeAll(async () => {
  [sandbox, home] = [await startSandbox(), await startConsole('local')];
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await sandbox.close();
  await home.close();
});
beforeEach(async () => {
  app = await sandbox.newApp();
});

async function command(...given: (string | Record<string, string>)[]): Promise<string[]> {
  const args = given.filter((one) => typeof one === 'string');
  const settings = given.filter((one) => typeof one === 'object');
  const printed: string[] = [];
  const log = createLog(false);
  const lifetime = createLifetime(log);
  const config = readConfig({
    SLIPWAY_SANDBOX_DATABASE_URL: sandbox.database.url,
    SLIPWAY_CONSOLE_DATABASE_URL: home.database.url,
    ...Object.assign({}, ...settings),
  });
  try {
    await reopen(args, { config, log, lifetime, print: (line) => printed.push(line) });
  } finally {
    await lifetime.stop();
  }
  return printed;
}

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
    expect.stringMatching(/^Sandbox: 2 keys revoked, \d+ server grants paused, \d+ scope grants paused$/),
    expect.stringMatching(/^No database was changed\. .*--yes/),
  ]);
  expect(await statusOf(kept.token)).toBe('unavailable');

  const [done = ''] = await command('--yes');
  expect(done).toMatch(
    /^Sandbox: 2 keys revoked, [1-9]\d* server grants paused, [1-9]\d* scope grants paused\. The gate is open\.$/,
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

test('reopen that was broken off goes on where it ended, and the gate stays closed until then', async () => {
  const key = await app.key();
  const backup = await backUp(sandbox.database, 'plane');
  await backup.restore('restore');
  await backup.drop();
  // In place of an outage: the second half of the work fails.
  await sandbox.database.superuser.query(
    "create function fail() returns trigger language plpgsql as $$ begin raise 'broken off'; end $$",
  );
  await sandbox.database.superuser.query('create trigger fail before update on plane_state execute function fail()');
  await expect(command('--yes')).rejects.toThrow('broken off');
  expect(await statusOf(key.token)).toBe('unavailable');
  await sandbox.database.superuser.query('drop function fail cascade');
  expect((await command('--yes'))[0]).toBe(
    'Sandbox: 0 keys revoked, 0 server grants paused, 0 scope grants paused. The gate is open.',
  );
  expect(await statusOf(key.token)).toBe('revoked_key');
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

const ownersFile = () => join(folder, `${newUuid()}.owners`);

async function restoreConsole(): Promise<void> {
  const backup = await backUp(home.database, 'console');
  await backup.restore('restore');
  await backup.drop();
}

test('reopen of the Console ends sessions and tokens and suspends members who are not owners', async () => {
  const organisation = await foundOrganisation(home);
  const { owner, base } = organisation;
  const developer = await organisation.join('developer');
  await restoreConsole();
  const owners = ownersFile();
  const [counted = ''] = await command('--owners', owners);
  expect(counted).toMatch(/ 1 members suspended, 0 owners suspended, .*The owners are in /);
  expect(readFileSync(owners, 'utf8')).toContain(`${organisation.id} ${owner.person.email} "Harbour Tools"\n`);
  const [done = ''] = await command('--owners', owners, '--yes');
  expect(done).toMatch(
    /^Console: [1-9]\d* sessions ended, 0 access tokens revoked, .* 1 members suspended, 0 owners suspended, .* 0 operators removed\. 0 organisations without an owner\. The gate is open\.$/,
  );
  expect((await developer.visitor.call('GET', `${base}/members`)).status).toBe(401);
  expect(await developer.visitor.signInByLink(developer.person)).toBe(204);
  expect((await developer.visitor.call('GET', `${base}/members`)).status).toBe(404);
  const { rows } = await home.database.superuser.query('select action from operator_actions');
  expect(rows).toContainEqual({ action: 'console.reopen' });

  await owner.visitor.signInByLink(owner.person);
  const members = await owner.visitor.call<{ data: { id: string; suspendedAt: string | null }[] }>(
    'GET',
    `${base}/members`,
  );
  expect(members.body.data.map(({ id, suspendedAt }) => [id, suspendedAt !== null])).toEqual([
    [developer.memberId, true],
    [owner.memberId, false],
  ]);
  const reinstated = await owner.visitor.call('PATCH', `${base}/members/${developer.memberId}`, { role: 'developer' });
  expect(reinstated).toMatchObject({ status: 200, body: { suspendedAt: null } });
  expect((await developer.visitor.call('GET', `${base}/members`)).status).toBe(200);
});

test('a removed owner whom a restore revives has no access after reopen, and the member whom the operator names is the owner', async () => {
  const organisation = await foundOrganisation(home);
  const { owner, base } = organisation;
  const [second, heir] = [await organisation.join('owner'), await organisation.join('admin')];
  const backup = await backUp(home.database, 'console');
  expect((await owner.visitor.call('POST', `${base}/members/${second.memberId}/remove`, { keys: 'keep' })).status).toBe(
    200,
  );
  const transferred = await owner.visitor.call('POST', `${base}/transfer`, { memberId: heir.memberId });
  expect(transferred.status).toBe(200);
  await backup.restore('restore');
  await backup.drop();

  await expect(command('--yes')).rejects.toThrow(/may name owners who are no owners any more.*--owners FILE/);
  const owners = ownersFile();
  await expect(command('--owners', owners, '--yes')).rejects.toThrow(/There is no file/);
  await command('--owners', owners);
  const listed = readFileSync(owners, 'utf8').split('\n');
  const others = listed.filter((line) => !line.startsWith(organisation.id));
  expect(listed.length - others.length).toBe(2);
  writeFileSync(owners, [...others, `${organisation.id} stranger@example.org`].join('\n'));
  await expect(command('--owners', owners, '--yes')).rejects.toThrow(/stranger@example\.org, who is no member of org_/);
  writeFileSync(owners, [...others, organisation.id].join('\n'));
  await expect(command('--owners', owners, '--yes')).rejects.toThrow(/Line \d+ of .* must be: org_\.\.\. ADDRESS/);
  const gate = await home.database.superuser.query("select from facts where name = 'restore_gate'");
  expect(gate.rows.length).toBe(1);
  writeFileSync(owners, [...others, `${organisation.id} ${heir.person.email.toUpperCase()}`].join('\n'));
  expect((await command('--owners', owners))[0]).toMatch(/ 2 owners suspended, .* 0 organisations without an owner$/);
  expect((await command('--owners', owners, '--yes'))[0]).toMatch(/ 2 owners suspended, .*The gate is open\.$/);
  for (const { visitor, person } of [owner, second, heir]) expect(await visitor.signInByLink(person)).toBe(204);
  const statuses = [owner, second, heir].map(
    async ({ visitor }) => (await visitor.call('GET', `${base}/members`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
  const heirs = (memberId: string, role: string) => heir.visitor.call('PATCH', `${base}/members/${memberId}`, { role });
  // A suspended owner is none: the last one with access stays, and the suspended one can be anything else.
  expect((await heirs(heir.memberId, 'admin')).status).toBe(409);
  expect((await heirs(owner.memberId, 'viewer')).status).toBe(200);
  expect((await owner.visitor.call('GET', `${base}/members`)).status).toBe(200);
});

test('reopen cancels removals of a second factor, which their owners may have cancelled since the backup', async () => {
  const people = [await home.newPerson(), await home.newPerson()].map(({ person }) => person.id);
  await home.database.superuser.query(
    `insert into second_factor_removals (person_id, due_at, cancel_hash, removed_at)
     values ($1, now() - interval '1 hour', sha256('a'), null), ($2, now() + interval '1 hour', sha256('b'), now() - interval '3 days')`,
    people,
  );
  await restoreConsole();
  const owners = ownersFile();
  expect((await command('--owners', owners))[0]).toMatch(/ 2 removals of a second factor cancelled, /);
  expect((await command('--owners', owners, '--yes'))[0]).toMatch(/ 2 removals of a second factor cancelled, /);
  const { rows } = await home.database.superuser.query(
    'select person_id, due_at, cancel_hash, removed_at is not null as is_done from second_factor_removals where person_id = any($1)',
    [people],
  );
  expect(rows).toEqual([{ person_id: people[1], due_at: null, cancel_hash: null, is_done: true }]);
});

test('a key is revoked in a restored database that holds revocations which waited for the journal at the time of the backup', async () => {
  const [early, late] = [await app.key(), await app.key()];
  expect((await sandbox.manage('POST', `/apps/${app.id}/keys/${early.id}/revoke`)).status).toBe(200);
  const target = await cloneDatabase('plane');
  const snapshot = await openSnapshot(sandbox.database.url);
  const filling = await openFilling(target.url, 'plane', snapshot);
  for (const table of snapshot.tables) await filling.fill(table, snapshot.read(table));
  await filling.commit();
  await Promise.all([snapshot.close(), filling.close()]);
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
  const snapshot = await openSnapshot(sandbox.database.url);
  const filling = await openFilling(target.url, 'plane', snapshot);
  for (const table of snapshot.tables) await filling.fill(table, snapshot.read(table));
  const running = command('--yes', { SLIPWAY_SANDBOX_DATABASE_URL: target.url });
  await until(async () => {
    const { rows } = await target.superuser.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
  await filling.commit();
  await Promise.all([snapshot.close(), filling.close()]);
  expect((await running)[0]).toMatch(/^Sandbox: [1-9]\d* keys revoked, .*The gate is open\.$/);
  const { rows } = await target.superuser.query('select state from keys where key_id = $1', [fromId('key', key.id)]);
  await target.drop();
  expect(rows).toEqual([{ state: 'revoked' }]);
  expect(await statusOf(key.token)).toBe(200);
});
