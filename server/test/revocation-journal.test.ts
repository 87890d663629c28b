// The revocation journal: a restored environment takes from it what was taken away since the backup, and nothing else.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reopen } from '../src/commands/reopen.ts';
import { readConfig } from '../src/config.ts';
import { createJournalWriter } from '../src/features/revocation-journal/index.ts';
import { createLog } from '../src/kit/log.ts';
import { createLifetime } from '../src/process.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { backUp } from './restore.fixture.ts';

let sandbox: Sandbox;
let folder: string;
let file: string;
let write: () => Promise<void>;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox();
  folder = mkdtempSync(join(tmpdir(), 'slipway-journal-'));
});
beforeEach(async () => {
  app = await sandbox.newApp();
  await query('delete from revocations');
  await query('update plane_state set journal_line = null, journal_mac = null');
  file = join(folder, `${app.id}.ndjson`);
  write = newWriter();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await sandbox.close();
});

const newWriter = () => createJournalWriter(sandbox.worker, file, sandbox.options.masterKeys);
const query = async (text: string) => (await sandbox.database.superuser.query(text)).rows;
const linesOf = (of = file) =>
  readFileSync(of, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const gate = async () => (await query('select closed_because from plane_state'))[0]?.closed_because;
const open = () => query('update plane_state set closed_at = null, closed_because = null');
const revoke = (id: string) => sandbox.manage('POST', `/apps/${app.id}/keys/${id}/revoke`);
const statusOf = async (token: string): Promise<unknown> => {
  const { status, body } = await sandbox.call('/v1/servers', token);
  return status === 200 ? 'works' : body.code;
};

async function command(...args: string[]): Promise<string[]> {
  const { masterKeys } = sandbox.options;
  return commandWith({ SLIPWAY_SANDBOX_MASTER_KEY: masterKeys.keys[masterKeys.current]?.reveal() ?? '' }, ...args);
}

async function commandWith(settings: Record<string, string>, ...args: string[]): Promise<string[]> {
  const printed: string[] = [];
  const log = createLog(false);
  const lifetime = createLifetime(log);
  const config = readConfig({ SLIPWAY_SANDBOX_DATABASE_URL: sandbox.database.url, ...settings });
  try {
    await reopen(args, { config, log, lifetime, print: (line) => printed.push(line) });
  } finally {
    await lifetime.stop();
  }
  return printed;
}

test('the journal holds the identifiers of each key, grant and app that was taken away, chained and signed', async () => {
  const key = await app.key();
  await revoke(key.id);
  await query(`update installations set state = 'paused' where server_id = (select server_id from installations
    where app_id = (select app_id from keys where state = 'revoked' order by created_at desc limit 1) limit 1)`);
  await sandbox.manage('POST', `/apps/${app.id}/suspend`, {});
  await write();
  const lines = linesOf();
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
  expect(await query('select from revocations')).toEqual([]);
});

test('reopen with the journal takes away what was revoked since the backup, and leaves other access as it was', async () => {
  const [early, kept, lost] = [await app.key(), await app.key(), await app.key()];
  await revoke(early.id);
  await write();
  const backup = await backUp(sandbox.database, 'plane');
  await revoke(lost.id);
  await write();
  await backup.restore('restore');
  await backup.drop();
  expect([await statusOf(kept.token), await statusOf(lost.token)]).toEqual(['unavailable', 'unavailable']);
  expect((await command('--journal', file))[0]).toMatch(
    /^Sandbox: 1 lines of the journal are to be applied\. The journal ends with line 2 of \d{4}-.*Z$/,
  );
  expect((await command('--journal', file, '--yes'))[0]).toMatch(
    /^Sandbox: 1 lines of the journal applied \(1 key\.revoked\)\. The journal ends with line 2 of .*\. The gate is open\.$/,
  );
  expect([await statusOf(kept.token), await statusOf(lost.token), await statusOf(early.token)]).toEqual([
    'works',
    'revoked_key',
    'revoked_key',
  ]);
  // The writer goes on with the same file.
  await newWriter()();
  await revoke(kept.id);
  await newWriter()();
  expect(await gate()).toBeNull();
  expect(linesOf().at(-1)).toMatchObject({ kind: 'key.revoked' });
});

test('in production the journal withholds a grant as the organisation, so that no later statement of the upstream API lifts it', async () => {
  const appUuid = `(select app_id from apps order by created_at desc limit 1)`;
  await query(`insert into upstream_installations (app_id, server_id, version, state, scopes, stated_version)
    select app_id, server_id, 1, 'authorised', '{}', 1 from installations where app_id = ${appUuid} limit 1`);
  await revoke((await app.key()).id);
  await write();
  const backup = await backUp(sandbox.database, 'plane');
  const ofServer = `(app_id, server_id) in (select app_id, server_id from upstream_installations where app_id = ${appUuid})`;
  await query(`update installations set state = 'paused' where ${ofServer}`);
  await write();
  await backup.restore('restore');
  await backup.drop();
  expect((await command('--journal', file, '--yes'))[0]).toMatch(/1 lines of the journal applied \(1 server\.paused\)/);
  await query(`update installations set state = 'authorised' where ${ofServer}`);
  expect(await query(`select state from installations where ${ofServer}`)).toEqual([{ state: 'paused' }]);
});

test('a journal that was changed, has a gap or does not continue the backup is refused, and the gate stays closed', async () => {
  const keys = [await app.key(), await app.key(), await app.key()];
  await revoke(keys[0]?.id ?? '');
  await write();
  const backup = await backUp(sandbox.database, 'plane');
  for (const key of keys.slice(1)) {
    await revoke(key.id);
    await write();
  }
  await backup.restore('restore');
  await backup.drop();
  const whole = readFileSync(file, 'utf8');
  const texts = whole.trimEnd().split('\n');
  const asFile = (lines: string[]): string => {
    const other = join(folder, 'other.ndjson');
    writeFileSync(other, lines.map((line) => `${line}\n`).join(''));
    return other;
  };
  const changed = texts.map((line, at) => (at === 2 ? line.replace(/"id":"./, '"id":"f') : line));
  await expect(command('--journal', asFile(changed), '--yes')).rejects.toThrow(/Line 3 .*signature does not verify/);
  await expect(command('--journal', asFile([texts[0] ?? '', texts[2] ?? '']), '--yes')).rejects.toThrow(
    /Line 2 .* does not follow the line before it/,
  );
  await expect(command('--journal', asFile([]), '--yes')).rejects.toThrow(/does not continue the backup/);
  await expect(command('--journal', join(folder, 'none'), '--yes')).rejects.toThrow(/There is no file/);
  expect(await gate()).toBe('restored');
  await open();
});

test('a crash between the line and the database is taken up by the next writer', async () => {
  const [first, key] = [await app.key(), await app.key()];
  await revoke(first.id);
  await write();
  await revoke(key.id);
  await query("create function fail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$");
  await query('create trigger fail before delete on revocations execute function fail()');
  await expect(write()).rejects.toThrow('crash');
  await query('drop function fail cascade');
  expect(linesOf().length).toBe(2);
  appendFileSync(file, '{"n":3,"torn');
  await newWriter()();
  expect(linesOf().map(({ n }) => n)).toEqual([1, 2]);
  expect([await gate(), (await query('select from revocations')).length]).toEqual([null, 0]);
});

test('a database that was taken back by hand closes, because the journal has lines that it never wrote', async () => {
  const [first, second] = [await app.key(), await app.key()];
  await revoke(first.id);
  await write();
  const backup = await backUp(sandbox.database, 'plane');
  await revoke(second.id);
  await write();
  await backup.restore('by_hand');
  await backup.drop();
  expect(await gate()).toBeNull();
  await newWriter()();
  expect(await gate()).toBe('regressed');
  expect(await statusOf(second.token)).toBe('unavailable');
  await open();
});

test('a database that was taken back before the first line of the journal closes, and reopen refuses the journal', async () => {
  const key = await app.key();
  const backup = await backUp(sandbox.database, 'plane');
  await revoke(key.id);
  await write();
  await backup.restore('by_hand');
  expect(await statusOf(key.token)).toBe('works');
  await newWriter()();
  expect(await gate()).toBe('regressed');
  await backup.restore('restore');
  await backup.drop();
  await expect(command('--journal', file, '--yes')).rejects.toThrow(
    /The backup was taken before the journal began\. Run the command without --journal/,
  );
  expect(await gate()).toBe('restored');
  expect(await statusOf(key.token)).toBe('unavailable');
  // Without the journal all access goes, and the writer goes on at the end of the same file.
  expect((await command('--yes'))[0]).toMatch(/The gate is open\.$/);
  await newWriter()();
  expect([await gate(), await statusOf(key.token)]).toEqual([null, 'revoked_key']);
  expect(linesOf().map(({ n }, at) => n === at + 1)).not.toContain(false);
  const fresh = await app.key();
  const later = await backUp(sandbox.database, 'plane');
  await revoke(fresh.id);
  await newWriter()();
  await later.restore('restore');
  await later.drop();
  expect((await command('--journal', file, '--yes'))[0]).toMatch(/1 lines of the journal applied \(1 key\.revoked\)/);
  expect(await statusOf(fresh.token)).toBe('revoked_key');
});

test('a crash behind the first line of the journal closes nothing', async () => {
  const key = await app.key();
  await revoke(key.id);
  await query("create function fail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$");
  await query('create trigger fail before delete on revocations execute function fail()');
  await expect(write()).rejects.toThrow('crash');
  await query('drop function fail cascade');
  await newWriter()();
  expect([await gate(), linesOf().length, (await query('select from revocations')).length]).toEqual([null, 1, 0]);
});

test('a database that was taken back closes also if it has drawn the numbers of the lost revocations again', async () => {
  const [first, lost, other] = [await app.key(), await app.key(), await app.key()];
  await revoke(first.id);
  await write();
  const backup = await backUp(sandbox.database, 'plane');
  await revoke(lost.id);
  await write();
  await backup.restore('by_hand');
  await backup.drop();
  const [{ revocation }] = linesOf().slice(-1);
  await query(`select setval(pg_get_serial_sequence('revocations', 'revocation_id'), ${revocation}, false)`);
  await revoke(other.id);
  expect(await query(`select from revocations where revocation_id = ${revocation}`)).toHaveLength(1);
  await newWriter()();
  expect(await gate()).toBe('regressed');
  await open();
});

test('reopen refuses a journal that ends within a line, is signed under another key, is no file or has a line without an end', async () => {
  const [early, lost] = [await app.key(), await app.key()];
  await revoke(early.id);
  await write();
  const backup = await backUp(sandbox.database, 'plane');
  await revoke(lost.id);
  await write();
  await backup.restore('restore');
  await backup.drop();
  const bytes = readFileSync(file);
  const other = join(folder, 'other');
  const refused = async (path: string, settings?: Record<string, string>) => {
    const run = settings ? commandWith(settings, '--journal', path, '--yes') : command('--journal', path, '--yes');
    return (await run.catch((error: unknown) => error)) as Error;
  };
  writeFileSync(other, bytes.subarray(0, -10));
  expect((await refused(other)).message).toMatch(/ends within line 2: revocations are lost.*without --journal/);
  writeFileSync(other, 'x'.repeat(1_000_000));
  expect((await refused(other)).message).toMatch(/Line 1 of the journal has no end/);
  expect((await refused(folder)).message).toMatch(/is not a file/);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect((await refused(pipe)).message).toMatch(/is not a file/);
  const key = Buffer.alloc(32, 9).toString('base64');
  const foreign = await refused(file, { SLIPWAY_SANDBOX_MASTER_KEY: key });
  expect(foreign.message).toMatch(/Line 1 .*the journal is of another environment: its signature does not verify/);
  const later = { SLIPWAY_SANDBOX_MASTER_KEY: key, SLIPWAY_SANDBOX_MASTER_KEY_VERSION: '2' };
  expect((await refused(file, later)).message).toMatch(/Line 1 is signed under master key 1, which no setting names/);
  expect(await gate()).toBe('restored');
  await open();
});

test('a journal whose end was cut off at a line says so by its last line, and the worker with the whole journal closes again', async () => {
  const [early, lost] = [await app.key(), await app.key()];
  await revoke(early.id);
  await write();
  const backup = await backUp(sandbox.database, 'plane');
  await revoke(lost.id);
  await write();
  await backup.restore('restore');
  await backup.drop();
  const copy = join(folder, 'copy');
  const [whole, lines] = [readFileSync(file, 'utf8'), linesOf()];
  writeFileSync(copy, `${whole.split('\n')[0]}\n`);
  const [counted] = await command('--journal', copy);
  expect(counted).toBe(
    `Sandbox: 0 lines of the journal are to be applied. The journal ends with line 1 of ${lines[0].at}`,
  );
  await command('--journal', copy, '--yes');
  expect(await statusOf(lost.token)).toBe('works');
  await newWriter()();
  expect([await gate(), await statusOf(lost.token)]).toEqual(['regressed', 'unavailable']);
  await command('--journal', file, '--yes');
  expect(await statusOf(lost.token)).toBe('revoked_key');
  await newWriter()();
  expect(await gate()).toBeNull();
});
