// Migrations on a real Postgres: applied once however many processes start together, completely or not at all, and
// never to a schema of another version.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { newUuid } from '../crypto/ids.ts';
import { migrate, pendingMigrations, readMigrations, SchemaMismatch } from './migrate.ts';

let folder: string;
let url: string;
let client: pg.Client;
let drop: () => Promise<void>;

async function connect(connectionString: string): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString });
  await connected.connect();
  return connected;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-migrations-'));
  const name = `test_${newUuid().replaceAll('-', '')}`;
  const admin = await connect(inject('superuserUrl'));
  await admin.query(`create database ${name} template template0`);
  const target = new URL(inject('superuserUrl'));
  target.pathname = `/${name}`;
  url = target.href;
  client = await connect(url);
  drop = async () => {
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  };
});
afterEach(async () => {
  await drop();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

async function appliedNames(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by version');
  return rows.map((row) => row.name);
}
async function has(relation: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [relation]);
  return rows[0]?.found === true;
}

describe('migrating', () => {
  test('applies new migrations in order, and then nothing', async () => {
    await write('0001_one.sql', 'create table one (id int)');
    await write('0002_two.sql', 'alter table one add column two int');
    expect(await migrate(url, folder)).toEqual(['0001_one.sql', '0002_two.sql']);
    expect(await migrate(url, folder)).toEqual([]);
    await write('0003_three.sql', 'create table three (id int)');
    expect(await migrate(url, folder)).toEqual(['0003_three.sql']);
    expect(await appliedNames()).toEqual(['0001_one.sql', '0002_two.sql', '0003_three.sql']);
  });

  test('applies each migration exactly once if several processes migrate concurrently, and all of them succeed', async () => {
    await write('0001_one.sql', 'create table one (id int); insert into one values (1); select pg_sleep(0.2)');
    await write('0002_two.sql', 'insert into one values (2)');
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url, folder)));
    expect(applied.flat().sort()).toEqual(['0001_one.sql', '0002_two.sql']);
    expect((await client.query('select id from one order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('leaves nothing of a failed migration, keeps the earlier ones, and can be repeated after a fix', async () => {
    await write('0001_one.sql', 'create table one (id int)');
    await write('0002_two.sql', 'create table two (id int); insert into two values (1); select no_such_function()');
    await expect(migrate(url, folder)).rejects.toThrow('0002_two.sql');
    expect([await has('one'), await has('two')]).toEqual([true, false]);
    expect(await appliedNames()).toEqual(['0001_one.sql']);
    await write('0002_two.sql', 'create table two (id int)');
    expect(await migrate(url, folder)).toEqual(['0002_two.sql']);
  });

  test('leaves nothing of a migration that cannot be recorded', async () => {
    await write('0001_one.sql', 'create table one (id int); alter table schema_migrations rename to elsewhere');
    await expect(migrate(url, folder)).rejects.toThrow('0001_one.sql');
    expect([await has('one'), await has('elsewhere')]).toEqual([false, false]);
  });

  test('leaves no lock and no connection behind, whether it succeeds or fails', async () => {
    await write('0001_one.sql', 'select no_such_function()');
    await expect(migrate(url, folder)).rejects.toThrow();
    await write('0001_one.sql', 'create table one (id int)');
    await migrate(url, folder);
    const { rows } = await client.query(
      "select objid from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    );
    expect(rows).toEqual([]);
  });
});

test('a migration that waits for a locked table does not block others, and succeeds when the table is free', async () => {
  await write('0001_one.sql', 'create table one (id int)');
  await migrate(url, folder);
  await write('0002_two.sql', 'alter table one add column two int');
  await client.query('begin; select from one');
  const migrating = migrate(url, folder);
  const reader = await connect(url);
  await reader.query('set statement_timeout = 1000');
  const isWaiting = `select from pg_locks where not granted and relation = 'one'::regclass`;
  for (let times = 0; times < 3; times += 1) {
    while ((await reader.query(isWaiting)).rowCount === 0);
    await reader.query('select id from one');
  }
  await reader.end();
  await client.query('commit');
  expect(await migrating).toEqual(['0002_two.sql']);
});

describe('refusals', () => {
  beforeEach(async () => {
    await write('0001_one.sql', 'create table one (id int)');
    await write('0002_two.sql', 'create table two (id int)');
    await migrate(url, folder);
  });

  test('refuses a migration that was changed after it was applied, and applies none after it', async () => {
    await write('0001_one.sql', 'create table one (id bigint)');
    await write('0003_three.sql', 'create table three (id int)');
    await expect(migrate(url, folder)).rejects.toThrow(SchemaMismatch);
    await expect(migrate(url, folder)).rejects.toThrow('0001_one.sql was changed');
    expect(await has('three')).toBe(false);
  });

  test('refuses a schema that is newer than the code', async () => {
    await rm(join(folder, '0002_two.sql'));
    await expect(migrate(url, folder)).rejects.toThrow(SchemaMismatch);
    await expect(migrate(url, folder)).rejects.toThrow('newer than this version (it has migration 0002_two.sql)');
  });
});

describe('folder of migrations', () => {
  test.each([
    ['a gap', ['0001_one.sql', '0003_three.sql']],
    ['a number twice', ['0001_one.sql', '0001_other.sql']],
    ['a name without a number', ['0001_one.sql', 'two.sql']],
    ['a number that is too short', ['1_one.sql']],
  ])('refuses a folder of migrations with %s', async (_, names) => {
    for (const name of names) await write(name, 'select 1');
    await expect(readMigrations(folder)).rejects.toThrow(SchemaMismatch);
  });

  test('accepts other files in a folder of migrations', async () => {
    await write('0001_one.sql', 'select 1');
    await write('README.md', 'how to write one');
    expect((await readMigrations(folder)).map((migration) => migration.name)).toEqual(['0001_one.sql']);
  });

  test('one changed byte changes the checksum', async () => {
    await write('0001_one.sql', 'select 1');
    const [before] = await readMigrations(folder);
    await write('0001_one.sql', 'select 1\n');
    const [after] = await readMigrations(folder);
    expect(before && after && pendingMigrations([before], [before])).toEqual([]);
    expect(() => before && after && pendingMigrations([after], [before])).toThrow(SchemaMismatch);
  });
});
