// The revocation journal as evidence of a rollback, and unusable journals: a database that was rolled back closes.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { backUp } from '../../../test/restore.fixture.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { useJournal } from './journal.fixture.ts';

const site = useJournal();

test('a database that was rolled back by hand closes, because the journal has lines that the database never recorded', async () => {
  const [first, second] = [await site.app.key(), await site.app.key()];
  await site.revoke(first.id);
  await site.write();
  const backup = await backUp(site.sandbox.database, 'plane');
  await site.revoke(second.id);
  await site.write();
  await backup.restore('by_hand');
  await backup.drop();
  expect(await site.gate()).toBeNull();
  await site.newWriter()();
  expect(await site.gate()).toBe('regressed');
  expect(await site.statusOf(second.token)).toBe('unavailable');
  await site.open();
});

test('a database that was rolled back before the first line of the journal closes, and reopen refuses the journal', async () => {
  const key = await site.app.key();
  const backup = await backUp(site.sandbox.database, 'plane');
  await site.revoke(key.id);
  await site.write();
  await backup.restore('by_hand');
  expect(await site.statusOf(key.token)).toBe('works');
  await site.newWriter()();
  expect(await site.gate()).toBe('regressed');
  await backup.restore('restore');
  await backup.drop();
  await expect(site.command('--journal', site.file, '--yes')).rejects.toThrow(
    /The backup was taken before the journal began\. Run the command without --journal/,
  );
  expect(await site.gate()).toBe('restored');
  expect(await site.statusOf(key.token)).toBe('unavailable');
  // Without the journal all access is removed, and the writer continues at the end of the same file.
  expect((await site.command('--yes'))[0]).toMatch(/The gate is open\.$/);
  await site.newWriter()();
  expect([await site.gate(), await site.statusOf(key.token)]).toEqual([null, 'revoked_key']);
  expect(site.linesOf().map(({ n }, at) => n === at + 1)).not.toContain(false);
  const fresh = await site.app.key();
  const later = await backUp(site.sandbox.database, 'plane');
  await site.revoke(fresh.id);
  await site.newWriter()();
  await later.restore('restore');
  await later.drop();
  expect((await site.command('--journal', site.file, '--yes'))[0]).toMatch(
    /1 lines of the journal applied \(1 key\.revoked\)/,
  );
  expect(await site.statusOf(fresh.token)).toBe('revoked_key');
});

test('a crash after the first line of the journal closes nothing', async () => {
  const key = await site.app.key();
  await site.revoke(key.id);
  await site.query("create function fail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$");
  await site.query('create trigger fail before delete on revocations execute function fail()');
  await expect(site.write()).rejects.toThrow('crash');
  await site.query('drop function fail cascade');
  await site.newWriter()();
  expect([await site.gate(), site.linesOf().length, (await site.query('select from revocations')).length]).toEqual([
    null,
    1,
    0,
  ]);
});

test('a database that was rolled back closes even if it has reused the ids of the lost revocations', async () => {
  const [first, lost, other] = [await site.app.key(), await site.app.key(), await site.app.key()];
  await site.revoke(first.id);
  await site.write();
  const backup = await backUp(site.sandbox.database, 'plane');
  await site.revoke(lost.id);
  await site.write();
  await backup.restore('by_hand');
  await backup.drop();
  const [{ revocation }] = site.linesOf().slice(-1);
  await site.query(`select setval(pg_get_serial_sequence('revocations', 'revocation_id'), ${revocation}, false)`);
  await site.revoke(other.id);
  expect(await site.query(`select from revocations where revocation_id = ${revocation}`)).toHaveLength(1);
  await site.newWriter()();
  expect(await site.gate()).toBe('regressed');
  await site.open();
});

test('reopen refuses a journal that ends within a line, has another key, is not a regular file or has an endless line', async () => {
  const [early, lost] = [await site.app.key(), await site.app.key()];
  await site.revoke(early.id);
  await site.write();
  const backup = await backUp(site.sandbox.database, 'plane');
  await site.revoke(lost.id);
  await site.write();
  await backup.restore('restore');
  await backup.drop();
  const bytes = readFileSync(site.file);
  const other = join(site.folder, 'other');
  const refused = async (path: string, settings?: Record<string, string>) => {
    const run = settings
      ? site.commandWith(settings, '--journal', path, '--yes')
      : site.command('--journal', path, '--yes');
    return (await run.catch((error: unknown) => error)) as Error;
  };
  writeFileSync(other, bytes.subarray(0, -10));
  expect((await refused(other)).message).toMatch(/ends within line 2: revocations are lost.*without --journal/);
  writeFileSync(other, 'x'.repeat(1_000_000));
  expect((await refused(other)).message).toMatch(/Line 1 of the journal has no end/);
  expect((await refused(site.folder)).message).toMatch(/is not a file/);
  const pipe = join(site.folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect((await refused(pipe)).message).toMatch(/is not a file/);
  const key = Buffer.alloc(32, 9).toString('base64');
  const foreign = await refused(site.file, { SLIPWAY_SANDBOX_MASTER_KEY: key });
  expect(foreign.message).toMatch(/Line 1 .*the journal is of another environment: its signature does not verify/);
  const later = { SLIPWAY_SANDBOX_MASTER_KEY: key, SLIPWAY_SANDBOX_MASTER_KEY_VERSION: '2' };
  expect((await refused(site.file, later)).message).toMatch(
    /Line 1 is signed under master key 1, which no setting names/,
  );
  expect(await site.gate()).toBe('restored');
  await site.open();
});

test('a journal that was cut off after a line is accepted with its last line, and the worker with the complete journal closes again', async () => {
  const [early, lost] = [await site.app.key(), await site.app.key()];
  await site.revoke(early.id);
  await site.write();
  const backup = await backUp(site.sandbox.database, 'plane');
  await site.revoke(lost.id);
  await site.write();
  await backup.restore('restore');
  await backup.drop();
  const copy = join(site.folder, 'copy');
  const [whole, lines] = [readFileSync(site.file, 'utf8'), site.linesOf()];
  writeFileSync(copy, `${whole.split('\n')[0]}\n`);
  const [counted] = await site.command('--journal', copy);
  expect(counted).toBe(`Sandbox: would apply 0 lines of the journal. The journal ends with line 1 of ${lines[0].at}`);
  await site.command('--journal', copy, '--yes');
  expect(await site.statusOf(lost.token)).toBe('works');
  await site.newWriter()();
  expect([await site.gate(), await site.statusOf(lost.token)]).toEqual(['regressed', 'unavailable']);
  await site.command('--journal', site.file, '--yes');
  expect(await site.statusOf(lost.token)).toBe('revoked_key');
  await site.newWriter()();
  expect(await site.gate()).toBeNull();
});

test('two workers with the same journal write each revocation once and do not truncate each other’s lines', async () => {
  const keys = await Promise.all(Array.from({ length: 12 }, () => site.app.key()));
  const writers = [site.newWriter(), site.newWriter()];
  for (const key of keys) {
    await site.revoke(key.id);
    // A worker that finds lines of the other worker fails its turn and reads the file again.
    await Promise.allSettled(writers.map((write) => write()));
  }
  await site.newWriter()();
  const uuids = keys.map(({ id }) => fromId('key', id));
  expect(site.linesOf().map(({ id }) => id)).toEqual(uuids);
  expect(await site.gate()).toBeNull();
});

test('a line that another worker is still writing is not truncated', async () => {
  const [first, second] = [await site.app.key(), await site.app.key()];
  await site.revoke(first.id);
  await site.write();
  await site.revoke(second.id);
  const { superuser } = site.sandbox.database;
  await superuser.query('begin');
  await superuser.query('select from plane_state for no key update');
  const before = readFileSync(site.file, 'utf8');
  appendFileSync(site.file, '{"half');
  const turn = site.newWriter()();
  await until(async () => {
    await superuser.query('select pg_stat_clear_snapshot()');
    const { rows } = await superuser.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'plane_state'",
    );
    return rows.length > 0;
  });
  expect(readFileSync(site.file, 'utf8')).toBe(`${before}{"half`);
  await superuser.query('commit');
  await turn;
  expect(site.linesOf().map(({ n }) => n)).toEqual([1, 2]);
});
