// How long records are kept. No record is lost or left behind while partitions change: during calls, during reads, and
// in a database of an older version.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { dayAgo, HOUR_MS, hourOf, makeHours, storeMany } from '../../../test/request-search.fixture.ts';
import { firstUuidAt, fromId, newUuid } from '../../kit/crypto/ids.ts';
import { migrate } from '../../kit/db/migrate.ts';
import { DEFAULT_RETENTION, runHousekeeping } from '../../platform/housekeeping/index.ts';
import { eraseDueApps } from '../../tenancy/apps/index.ts';
import { compactDay } from './compaction-store.ts';
import { startCompaction } from './index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, values)).rows as Row[];
const seal = (): Promise<boolean> => compactDay(sandbox.maintenance, () => {});
const countOf = async (appId: string): Promise<number> =>
  (await query<{ count: number }>('select count(*)::int as count from request_records where app_id = $1', [appId]))[0]
    ?.count ?? -1;
const sealedOnes = () =>
  query(
    "select from pg_inherits where inhparent = 'request_records'::regclass and inhrelid::regclass::text ~ '_sealed_'",
  );

describe('sealing of a day’s records', () => {
  test('sealing waits for readers while calls continue', async () => {
    const app = await sandbox.newApp();
    const { token } = await app.key();
    await makeHours(sandbox, dayAgo(2), [0, 1]);
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await superuser.query('select from request_records limit 1');
    const sealing = seal();
    await until(async () => {
      await superuser.query('select pg_stat_clear_snapshot()');
      return (
        (await query("select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"))
          .length > 0
      );
    });
    const lost = sandbox.recorder.lost();
    expect((await sandbox.call('/v1/me', token)).status).toBe(200);
    expect([await countOf(fromId('app', app.id) ?? ''), sandbox.recorder.lost()]).toEqual([1, lost]);
    await superuser.query('commit');
    expect([await sealing, await sealedOnes()]).toMatchObject([true, [{}]]);
  });

  test('sealing ends with its worker and leaves everything unchanged', async () => {
    await makeHours(sandbox, dayAgo(3), [0]);
    const before = await sealedOnes();
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await superuser.query('select from request_records limit 1');
    const errors: unknown[] = [];
    const job = startCompaction(sandbox.maintenance, sandbox.worker, (error) => errors.push(error));
    await until(async () => {
      await superuser.query('select pg_stat_clear_snapshot()');
      return (
        (await query("select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"))
          .length > 0
      );
    });
    await job.stop();
    await superuser.query('commit');
    expect([errors, await sealedOnes()]).toEqual([[], before]);
    // The next worker seals the day.
    expect(await seal()).toBe(true);
  });

  test('only one worker seals at a time', async () => {
    await makeHours(sandbox, dayAgo(4), [0]);
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await superuser.query('select pg_advisory_xact_lock(75470003)');
    expect(await seal()).toBe(false);
    await superuser.query('commit');
    expect(await seal()).toBe(true);
  });
});

describe('deletion of records after their retention', () => {
  const keep = (requestDays: number) => runHousekeeping(sandbox.worker, { ...DEFAULT_RETENTION, requestDays });

  test('expired records go with their partition, sealed or not, and from the default partition', async () => {
    const appId = newUuid();
    await makeHours(sandbox, dayAgo(20), [0]);
    await storeMany(sandbox, appId, dayAgo(20), 3);
    await seal();
    await makeHours(sandbox, dayAgo(17), [0]);
    await storeMany(sandbox, appId, dayAgo(17), 4);
    await storeMany(sandbox, appId, dayAgo(15), 5);
    await storeMany(sandbox, appId, dayAgo(6), 6);
    await keep(30);
    expect(await countOf(appId)).toBe(18);
    await keep(19);
    expect(await countOf(appId)).toBe(15);
    await keep(10);
    expect(await countOf(appId)).toBe(6);
  });

  test('expired records go earlier in an organisation with a shorter retention, and in no other', async () => {
    const [short, other] = [newUuid(), newUuid()];
    const uuidOf = async (organisationId: string) => fromId('app', (await sandbox.newApp(organisationId)).id) ?? '';
    const [ours, theirs] = [await uuidOf(short), await uuidOf(other)];
    await makeHours(sandbox, dayAgo(10), [0]);
    for (const appId of [ours, theirs]) {
      for (const days of [10, 9]) await storeMany(sandbox, appId, dayAgo(days), 2_500);
      await storeMany(sandbox, appId, dayAgo(3), 7);
    }
    await seal();
    await query('update organisations set max_request_days = 5 where organisation_id = $1', [short]);
    await keep(30);
    expect([await countOf(ours), await countOf(theirs)]).toEqual([7, 5_007]);
  });

  test('the records of an erased app are deleted, also from a sealed partition', async () => {
    const app = await sandbox.newApp();
    const appId = fromId('app', app.id) ?? '';
    await makeHours(sandbox, dayAgo(8), [0]);
    await storeMany(sandbox, appId, dayAgo(8), 20);
    expect(await seal()).toBe(true);
    await query("update apps set state = 'suspended', erase_at = now() - interval '1 s' where app_id = $1", [appId]);
    expect(await countOf(appId)).toBe(20);
    await eraseDueApps(sandbox.worker, (error) => expect(error).toBeUndefined());
    expect(await countOf(appId)).toBe(0);
  });
});

test('a database of an older version keeps its records, and its old days are sealed with every index', async () => {
  const admin = sandbox.database.superuser;
  const name = `test_${newUuid().replaceAll('-', '')}`;
  await admin.query(`create database ${name} owner slipway_sandbox template template0`);
  const target = new URL(inject('superuserUrl'));
  target.pathname = `/${name}`;
  const old = await mkdtemp(join(tmpdir(), 'slipway-older-'));
  const folder = new URL('../../../migrations/plane', import.meta.url).pathname;
  const client = new pg.Client({ connectionString: target.href });
  try {
    const files = (await readdir(folder)).sort();
    const earlier = files.slice(
      0,
      files.findIndex((file) => file.endsWith('_request_search.sql')),
    );
    for (const file of earlier) await cp(join(folder, file), join(old, file));
    await migrate(target.href, old);
    await client.connect();
    const today = dayAgo(0);
    for (const fromMs of [dayAgo(2), dayAgo(2) + HOUR_MS, today]) {
      await client.query(`create table ${hourOf(fromMs)} partition of request_records
        for values from ('${firstUuidAt(fromMs)}') to ('${firstUuidAt(fromMs + HOUR_MS)}')`);
      await client.query(
        `insert into request_records (app_id, request_id, at, duration_us, authority_us, status, method, path, key_id, response_bytes)
         select gen_random_uuid(), '${firstUuidAt(fromMs + 5)}', now(), 1, 1, 404, 'GET', '/', gen_random_uuid(), 1 from generate_series(1, 3)`,
      );
    }
    const contents = async () =>
      (await client.query('select app_id, request_id, at, status, key_id from request_records order by 1')).rows;
    const before = await contents();
    await migrate(target.href, folder);
    const indexes = async (partition: string) =>
      (await client.query('select from pg_index where indrelid = $1::regclass', [partition])).rowCount;
    const sealed =
      (await client.query<{ sealed: string }>('select seal_request_records() as sealed')).rows[0]?.sealed ?? '';
    expect(sealed).toMatch(/^public\.request_records_sealed_\d{8}_00$/);
    expect(await contents()).toEqual(before);
    // The table's key and six more indexes; a sealed partition also has the facets.
    expect([await indexes(hourOf(today)), await indexes(sealed)]).toEqual([7, 8]);
  } finally {
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await rm(old, { recursive: true });
  }
});
