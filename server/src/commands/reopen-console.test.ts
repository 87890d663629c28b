// `slipway-server reopen` of the Console: no access is left but that of the owners whom the operator names.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../test/console-app.ts';
import { cloneDatabase } from '../../test/harness.ts';
import { foundOrganisation } from '../../test/organisation.fixture.ts';
import { backUp, runReopen } from '../../test/restore.fixture.ts';
import { newUuid } from '../kit/crypto/ids.ts';

let home: TestConsole;
const folder = mkdtempSync(join(tmpdir(), 'slipway-reopen-'));
beforeAll(async () => {
  home = await startConsole('local');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await home.close();
});

/** Runs the command with the settings of the Console only, as with separate roles. */
const command = (...args: string[]) => runReopen({ SLIPWAY_CONSOLE_DATABASE_URL: home.database.url }, args);

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
  expect(counted).toMatch(
    /^Console: would end [1-9]\d* sessions, .* suspend 1 members, suspend 0 owners, .*The owners are in /,
  );
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
  await expect(command('--owners', folder)).rejects.toThrow(/is not a file/);
  await expect(command('--owners', join(folder, 'none', 'owners'))).rejects.toThrow(/cannot be written: .*ENOENT/);
  await command('--owners', owners);
  const listed = readFileSync(owners, 'utf8').split('\n');
  const others = listed.filter((line) => !line.startsWith(organisation.id));
  expect(listed.length - others.length).toBe(2);
  writeFileSync(owners, [...others, `${organisation.id} stranger@example.org`].join('\n'));
  await expect(command('--owners', owners, '--yes')).rejects.toThrow(
    /stranger@example\.org, but that person is no member of org_/,
  );
  writeFileSync(owners, [...others, organisation.id].join('\n'));
  await expect(command('--owners', owners, '--yes')).rejects.toThrow(/Line \d+ of .* must be: org_\.\.\. ADDRESS/);
  const gate = await home.database.superuser.query("select from facts where name = 'restore_gate'");
  expect(gate.rows.length).toBe(1);
  writeFileSync(owners, [...others, `${organisation.id} ${heir.person.email.toUpperCase()}`].join('\n'));
  expect((await command('--owners', owners))[0]).toMatch(/ suspend 2 owners, .* 0 organisations without an owner$/);
  expect((await command('--owners', owners, '--yes'))[0]).toMatch(/ 2 owners suspended, .*The gate is open\.$/);
  for (const { visitor, person } of [owner, second, heir]) expect(await visitor.signInByLink(person)).toBe(204);
  const statuses = [owner, second, heir].map(
    async ({ visitor }) => (await visitor.call('GET', `${base}/members`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
  const heirs = (memberId: string, role: string) => heir.visitor.call('PATCH', `${base}/members/${memberId}`, { role });
  // A suspended owner does not count: the last owner with access must stay, and the suspended one may get any other
  // role.
  expect((await heirs(heir.memberId, 'admin')).status).toBe(409);
  expect((await heirs(owner.memberId, 'viewer')).status).toBe(200);
  expect((await owner.visitor.call('GET', `${base}/members`)).status).toBe(200);
});

test('reopen ends access tokens, approved terminals, invitations and operators, which may have been withdrawn since the backup', async () => {
  const { owner, base } = await foundOrganisation(home);
  const { person, visitor } = owner;
  const lifetime = { scope: 'write', expiresInDays: 7 };
  const created = await visitor.call<{ token: string }>('POST', `${base}/access-tokens`, { name: 'Old', ...lifetime });
  const headers = { authorization: `Bearer ${created.body.token}`, origin: undefined, 'slipway-console': undefined };
  const useToken = async () => (await home.newVisitor().call('GET', '/api/caller', undefined, headers)).status;
  const terminal = home.newVisitor();
  const begun = await terminal.call<Record<string, string>>('POST', '/api/device-sign-ins', { device: 'A laptop' });
  const { deviceCode, userCode } = begun.body;
  expect((await visitor.call('POST', `${base}/device-sign-ins`, { userCode, ...lifetime })).status).toBe(204);
  const guest = { email: 'guest@example.org', role: 'admin' };
  const invited = await visitor.call<{ url: string }>('POST', `${base}/invitations`, guest);
  const token = invited.body.url.split('#token=')[1];
  const preview = async () => (await home.newVisitor().call('POST', '/api/invitations/preview', { token })).status;
  await home.database.superuser.query('insert into operators (person_id) values ($1)', [person.id]);
  const operate = async () => (await visitor.call('GET', '/api/operator/sign-up-policy')).status;
  expect([await useToken(), await preview(), await operate()]).toEqual([200, 200, 200]);

  await restoreConsole();
  const owners = ownersFile();
  await command('--owners', owners);
  const [done = ''] = await command('--owners', owners, '--yes');
  for (const part of [' 1 access tokens revoked, ', ' 1 invitations revoked, ', ' 1 operators removed.'])
    expect(done).toContain(part);
  expect(await visitor.signInByLink(person)).toBe(204);
  expect([await useToken(), await preview(), await operate()]).toEqual([401, 404, 403]);
  const polled = await terminal.call('POST', '/api/device-sign-ins/poll', { deviceCode });
  expect(polled.body.state).toBe('expired_token');
  expect((await visitor.call('GET', `${base}/members`)).status).toBe(200);
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
  expect((await command('--owners', owners))[0]).toMatch(/ cancel 2 removals of a second factor, /);
  expect((await command('--owners', owners, '--yes'))[0]).toMatch(/ 2 removals of a second factor cancelled, /);
  const { rows } = await home.database.superuser.query(
    'select person_id, due_at, cancel_hash, removed_at is not null as is_done from second_factor_removals where person_id = any($1)',
    [people],
  );
  expect(rows).toEqual([{ person_id: people[1], due_at: null, cancel_hash: null, is_done: true }]);
});

test('reopen removes links to identity providers, which their owners may have removed since the backup', async () => {
  const [{ person }, { person: second }] = [await home.newPerson(), await home.newPerson()];
  const { superuser } = home.database;
  await superuser.query(`insert into provider_links values ('https://id.example.org', 'thief', $1)`, [person.id]);
  await superuser.query(
    `insert into account (id, "accountId", "providerId", "userId", "createdAt", "updatedAt")
     values ('legacy', 'old subject', 'oidc', $1, now(), now()), ('own', $1, 'credential', $1, now(), now())`,
    [second.id],
  );
  await restoreConsole();
  const owners = ownersFile();
  expect((await command('--owners', owners))[0]).toMatch(/ remove 2 provider links, /);
  expect((await command('--owners', owners, '--yes'))[0]).toMatch(/ 2 provider links removed, /);
  const { rows } = await superuser.query(
    `select "providerId" from account where "userId" = $1 union all select issuer from provider_links`,
    [second.id],
  );
  expect(rows).toEqual([{ providerId: 'credential' }]);
});

test('the statements of the operations guide close an environment and a Console that were restored by other means', async () => {
  const plane = await cloneDatabase('plane');
  const guide = readFileSync(new URL('../../../docs/operate/backup-and-disaster-recovery.md', import.meta.url), 'utf8');
  const [ofPlane = '', ofConsole = ''] = /```sql\n(update plane_state [^`]*)```/.exec(guide)?.[1]?.split('\n') ?? [];
  await plane.superuser.query(ofPlane);
  for (const _ of [1, 2]) await home.database.superuser.query(ofConsole);
  const closed = await runReopen(
    { SLIPWAY_SANDBOX_DATABASE_URL: plane.url, SLIPWAY_CONSOLE_DATABASE_URL: home.database.url },
    ['--owners', ownersFile()],
  );
  await plane.drop();
  expect(closed).toEqual([
    expect.stringMatching(/^Sandbox: would revoke 0 keys/),
    expect.stringMatching(/^Console: /),
    expect.stringMatching(/^No database was changed/),
  ]);
});
