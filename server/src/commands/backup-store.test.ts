// The snapshot of a backup and the filling of a restore on real databases: compacted days, row-level security, and an
// interrupted filling.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../test/app.ts';
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts';
import {
  dayAgo,
  HOUR_MS,
  makeHours,
  requestUuid,
  type StoredRecord,
  store,
} from '../../test/request-search.fixture.ts';
import { compactDay } from '../inspector/requests/compaction-store.ts';
import { newUuid } from '../kit/crypto/ids.ts';
import { openSnapshot } from './backup-store.ts';
import { hasContent, openDatabaseRestore } from './restore-store.ts';

let sandbox: Sandbox;
let target: TestDatabase;
beforeAll(async () => {
  sandbox = await startSandbox();
  await sandbox.newApp();
  target = await cloneDatabase('plane');
});
afterAll(async () => {
  await target.drop();
  await sandbox.close();
});

const recordAt = (atMs: number): StoredRecord => ({
  request_id: requestUuid(atMs, 1),
  atMs,
  status: 200,
  problem_code: null,
  operation_id: 'listServers',
  method: 'GET',
  path: '/v1/servers',
  key_id: newUuid(),
  server_id: null,
  trace_id: null,
  duration_us: 900,
  simulated: null,
});

/** Returns each record with its partition. */
async function partitionsOf(database: TestDatabase): Promise<{ id: string; partition: string }[]> {
  const { rows } = await database.superuser.query<{ id: string; partition: string }>(
    'select request_id::text as id, tableoid::regclass::text as partition from request_records order by 1',
  );
  return rows;
}

async function copy(isBrokenOff = false): Promise<void> {
  const snapshot = await openSnapshot(sandbox.database.url);
  const filling = await openDatabaseRestore(target.url, 'plane', snapshot);
  try {
    for (const table of snapshot.tables) await filling.fill(table, snapshot.read(table));
    if (!isBrokenOff) await filling.commit();
  } finally {
    await Promise.all([snapshot.close(), filling.close()]);
  }
}

test('an interrupted filling leaves the database unchanged, including row-level security and triggers', async () => {
  await copy(true);
  expect(await hasContent(target.url)).toBe(false);
  const { rows } = await target.superuser.query(
    `select from pg_class c where relnamespace = 'public'::regnamespace and not relispartition and (relrowsecurity <> relforcerowsecurity
       or exists (select from pg_trigger where tgrelid = c.oid and tgenabled <> 'O'))`,
  );
  expect(rows).toEqual([]);
});

test('a compacted day is restored in partitions per hour, and compacted again there', async () => {
  const day = dayAgo(3);
  await makeHours(sandbox, day);
  const moments = [day + 1, day + 7 * HOUR_MS, day + 24 * HOUR_MS - 1];
  await store(sandbox, await appIdOf(), moments.map(recordAt));
  // Not while a backup reads, because its partitions must not change.
  const snapshot = await openSnapshot(sandbox.database.url);
  expect(await compactDay(sandbox.maintenance, () => {})).toBe(false);
  await snapshot.close();
  expect(await compactDay(sandbox.maintenance, () => {})).toBe(true);
  const before = await partitionsOf(sandbox.database);
  expect(new Set(before.map(({ partition }) => partition)).size).toBe(1);

  await copy();
  expect(await hasContent(target.url)).toBe(true);
  const after = await partitionsOf(target);
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const hours = moments.map((at) => new Date(at).toISOString().slice(0, 13).replaceAll('-', '').replace('T', '_'));
  expect(after.map(({ partition }) => partition)).toEqual(hours.map((hour) => `request_records_${hour}`));
  const { rows } = await target.superuser.query<{ sealed: string }>('select seal_request_records() as sealed');
  expect(rows[0]?.sealed).toMatch(/request_records_sealed_/);
  expect(new Set((await partitionsOf(target)).map(({ partition }) => partition)).size).toBe(1);
});

test('the roles see no more rows than before, and a table with a policy that excludes the backup is named', async () => {
  const { superuser, url } = sandbox.database;
  const login = decodeURIComponent(new URL(url).username);
  // Like the pools: the login sets a role, and the owner's functions run in its sessions.
  const seen = async (role: string): Promise<unknown> => {
    await superuser.query(`set session authorization ${login}`);
    await superuser.query(`set role ${role}`);
    const { rows } = await superuser.query('select count(*)::int as keys from servers');
    await superuser.query('reset role');
    await superuser.query('reset session authorization');
    return rows[0]?.keys;
  };
  expect([await seen('slipway_api'), await seen('slipway_manager')]).toEqual([0, 0]);
  expect(await seen('none')).toBeGreaterThan(0);
  await superuser.query('create table secretive (id int); alter table secretive owner to slipway_sandbox');
  await superuser.query('alter table secretive enable row level security, force row level security');
  await expect(openSnapshot(url)).rejects.toThrow('No row-level security policy lets a backup read secretive.');
});

async function appIdOf(): Promise<string> {
  const { rows } = await sandbox.database.superuser.query<{ app_id: string }>('select app_id from apps');
  return rows[0]?.app_id ?? '';
}
