// `slipway-server reopen` after a restore: without a journal it takes all access away, and then opens the gate.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reopen } from '../src/commands/reopen.ts';
import { readConfig } from '../src/config.ts';
import { createLog } from '../src/kit/log.ts';
import { createLifetime } from '../src/process.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { startConsole, type TestConsole } from './console-app.ts';
import { foundOrganisation } from './organisation.fixture.ts';
import { backUp } from './restore.fixture.ts';

let sandbox: Sandbox;
let home: TestConsole;
let app: TestApp;
beforeAll(async () => {
  [sandbox, home] = [await startSandbox(), await startConsole('local')];
});
afterAll(async () => {
  await sandbox.close();
  await home.close();
});
beforeEach(async () => {
  app = await sandbox.newApp();
});

async function command(...args: string[]): Promise<string[]> {
  const printed: string[] = [];
  const log = createLog(false);
  const lifetime = createLifetime(log);
  const config = readConfig({
    SLIPWAY_SANDBOX_DATABASE_URL: sandbox.database.url,
    SLIPWAY_CONSOLE_DATABASE_URL: home.database.url,
  });
  await reopen(args, { config, log, lifetime, print: (line) => printed.push(line) });
  await lifetime.stop();
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
    expect.stringMatching(/^Nothing was changed\. .*--yes/),
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

test('reopen of the Console ends sessions and tokens and suspends members who are not owners', async () => {
  const organisation = await foundOrganisation(home);
  const { owner, base } = organisation;
  const developer = await organisation.join('developer');
  const backup = await backUp(home.database, 'console');
  await backup.restore('restore');
  await backup.drop();
  const [done = ''] = await command('--yes');
  expect(done).toMatch(
    /^Console: [1-9]\d* sessions ended, 0 access tokens revoked, .* 1 members suspended, 0 operators removed\. The gate is open\.$/,
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
