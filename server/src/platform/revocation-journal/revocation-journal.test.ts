// The revocation journal: a restored environment removes exactly the access that was removed since the backup.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { backUp } from '../../../test/restore.fixture.ts';
import { useJournal } from './journal.fixture.ts';

const site = useJournal();

test('the journal contains the identifiers of each removed key, grant and app, chained and signed', async () => {
  const key = await site.app.key();
  await site.revoke(key.id);
  await site.query(`update installations set state = 'paused' where server_id = (select server_id from installations
    where app_id = (select app_id from keys where state = 'revoked' order by created_at desc limit 1) limit 1)`);
  await site.sandbox.manage('POST', `/apps/${site.app.id}/suspend`, {});
  await site.write();
  const lines = site.linesOf();
  expect(lines.map(({ n, kind }) => [n, kind])).toEqual([
    [1, 'key.revoked'],
    [2, 'server.paused'],
    [3, 'app.suspended'],
  ]);
  expect(lines[0].previous).toBeNull();
  expect(lines[1].previous).toBe(lines[0].mac);
  expect(Object.keys(lines[0]).sort()).toEqual(
    ['app', 'at', 'id', 'key', 'kind', 'mac', 'n', 'previous', 'revocation'].sort(),
  );
  expect(await site.query('select from revocations')).toEqual([]);
});

test('reopen with the journal removes access that was revoked since the backup, and changes no other access', async () => {
  const [early, kept, lost] = [await site.app.key(), await site.app.key(), await site.app.key()];
  await site.revoke(early.id);
  await site.write();
  const backup = await backUp(site.sandbox.database, 'plane');
  await site.revoke(lost.id);
  await site.write();
  await backup.restore('restore');
  await backup.drop();
  expect([await site.statusOf(kept.token), await site.statusOf(lost.token)]).toEqual(['unavailable', 'unavailable']);
  expect((await site.command('--journal', site.file))[0]).toMatch(
    /^Sandbox: would apply 1 lines of the journal\. The journal ends with line 2 of \d{4}-.*Z$/,
  );
  expect((await site.command('--journal', site.file, '--yes'))[0]).toMatch(
    /^Sandbox: 1 lines of the journal applied \(1 key\.revoked\)\. The journal ends with line 2 of .*\. The gate is open\.$/,
  );
  expect([await site.statusOf(kept.token), await site.statusOf(lost.token), await site.statusOf(early.token)]).toEqual([
    'works',
    'revoked_key',
    'revoked_key',
  ]);
  // The writer continues with the same file.
  await site.newWriter()();
  await site.revoke(kept.id);
  await site.newWriter()();
  expect(await site.gate()).toBeNull();
  expect(site.linesOf().at(-1)).toMatchObject({ kind: 'key.revoked' });
});

test('an app that enforced the rule of event scopes after the backup has the rule after reopen, and another app keeps the earlier rule', async () => {
  const other = await site.sandbox.newApp();
  await site.query('set session_replication_role = replica');
  await site.query('update apps set enforces_event_scopes = false');
  await site.query('set session_replication_role = origin');
  const key = await site.app.key();
  const server = site.app.serverIds[0];
  const ticket = json({ subject: 'Cannot join', body: 'Since this morning.' });
  expect((await site.sandbox.call(`/v1/servers/${server}/tickets`, key.token, ticket)).status).toBe(201);
  const scope = `/apps/${site.app.id}/servers/${server}/installation/scopes/tickets:create`;
  expect((await site.sandbox.manage('PUT', scope, { state: 'revoked' })).status).toBe(200);
  const typesInFeed = async (): Promise<string[]> =>
    (await site.sandbox.call<{ data: { type: string }[] }>('/v1/events', key.token)).body.data.map(({ type }) => type);
  await until(async () => (await typesInFeed()).includes('ticket.created'));
  await site.write();
  const backup = await backUp(site.sandbox.database, 'plane');
  expect((await site.sandbox.manage('POST', `/apps/${site.app.id}/event-scopes/enforce`, {})).status).toBe(200);
  await site.write();
  await backup.restore('restore');
  await backup.drop();
  expect((await site.command('--journal', site.file, '--yes'))[0]).toMatch(
    /1 lines of the journal applied \(1 app\.event_scopes\)/,
  );
  expect(await typesInFeed()).not.toContain('ticket.created');
  const stateOf = async ({ id }: { id: string }): Promise<unknown> =>
    (await site.sandbox.manage('GET', `/apps/${id}/event-scopes`)).body.state;
  expect([await stateOf(site.app), await stateOf(other)]).toEqual(['enforced', 'announced']);
});

test('in production the journal restricts a grant in the name of the organisation, so that no later report of the upstream API lifts it', async () => {
  const appUuid = `(select app_id from apps order by created_at desc limit 1)`;
  await site.query(`insert into upstream_installations (app_id, server_id, version, state, scopes, stated_version)
    select app_id, server_id, 1, 'authorised', '{}', 1 from installations where app_id = ${appUuid} limit 1`);
  await site.revoke((await site.app.key()).id);
  await site.write();
  const backup = await backUp(site.sandbox.database, 'plane');
  const ofServer = `(app_id, server_id) in (select app_id, server_id from upstream_installations where app_id = ${appUuid})`;
  await site.query(`update installations set state = 'paused' where ${ofServer}`);
  await site.write();
  await backup.restore('restore');
  await backup.drop();
  expect((await site.command('--journal', site.file, '--yes'))[0]).toMatch(
    /1 lines of the journal applied \(1 server\.paused\)/,
  );
  await site.query(`update installations set state = 'authorised' where ${ofServer}`);
  expect(await site.query(`select state from installations where ${ofServer}`)).toEqual([{ state: 'paused' }]);
});

test('a journal that was changed, has a gap or does not continue the backup is refused, and the gate stays closed', async () => {
  const keys = [await site.app.key(), await site.app.key(), await site.app.key()];
  await site.revoke(keys[0]?.id ?? '');
  await site.write();
  const backup = await backUp(site.sandbox.database, 'plane');
  for (const key of keys.slice(1)) {
    await site.revoke(key.id);
    await site.write();
  }
  await backup.restore('restore');
  await backup.drop();
  const whole = readFileSync(site.file, 'utf8');
  const texts = whole.trimEnd().split('\n');
  const asFile = (lines: string[]): string => {
    const other = join(site.folder, 'other.ndjson');
    writeFileSync(other, lines.map((line) => `${line}\n`).join(''));
    return other;
  };
  const changed = texts.map((line, at) => (at === 2 ? line.replace(/"id":"./, '"id":"f') : line));
  await expect(site.command('--journal', asFile(changed), '--yes')).rejects.toThrow(
    /Line 3 .*signature does not verify/,
  );
  await expect(site.command('--journal', asFile([texts[0] ?? '', texts[2] ?? '']), '--yes')).rejects.toThrow(
    /Line 2 .* does not follow the line before it/,
  );
  await expect(site.command('--journal', asFile([]), '--yes')).rejects.toThrow(/does not continue the backup/);
  await expect(site.command('--journal', join(site.folder, 'none'), '--yes')).rejects.toThrow(/There is no file/);
  expect(await site.gate()).toBe('restored');
  await site.open();
});

test('the next writer resolves a crash between the line and the database', async () => {
  const [first, key] = [await site.app.key(), await site.app.key()];
  await site.revoke(first.id);
  await site.write();
  await site.revoke(key.id);
  await site.query("create function fail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$");
  await site.query('create trigger fail before delete on revocations execute function fail()');
  await expect(site.write()).rejects.toThrow('crash');
  await site.query('drop function fail cascade');
  expect(site.linesOf().length).toBe(2);
  appendFileSync(site.file, '{"n":3,"torn');
  await site.newWriter()();
  expect(site.linesOf().map(({ n }) => n)).toEqual([1, 2]);
  expect([await site.gate(), (await site.query('select from revocations')).length]).toEqual([null, 0]);
});

test('a journal with a later line of an unknown kind is refused with the name of the kind, and nothing is applied', async () => {
  const [early, kept] = [await site.app.key(), await site.app.key()];
  await site.revoke(early.id);
  await site.write();
  const backup = await backUp(site.sandbox.database, 'plane');
  await site.revoke(kept.id);
  await site.write();
  // A line that a later version writes.
  await site.query(`insert into revocations (line) select jsonb_build_object('kind', 'endpoint.deleted', 'app', app_id, 'id', app_id)
    from apps limit 1`);
  await site.write();
  await backup.restore('restore');
  await backup.drop();
  const sentence =
    /^Line 3 of the journal has the kind `endpoint\.deleted`, which this version of Slipway does not know\. Run the command of the version/;
  await expect(site.command('--journal', site.file)).rejects.toThrow(sentence);
  await expect(site.command('--journal', site.file, '--yes')).rejects.toThrow(sentence);
  expect(await site.gate()).toBe('restored');
  await site.open();
  expect(await site.statusOf(kept.token)).toBe('works');
});
