// Numbered SQL migrations. Several processes may start at the same time. Each migration has its own transaction and a
// checksum. A schema that is newer than the code is refused.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ForeseenError } from '../text/foreseen-error.ts';
import { withConnection } from './db.ts';

export interface Migration {
  version: number;
  name: string;
  text: string;
  checksum: string;
}

interface AppliedRow {
  version: number;
  name: string;
  checksum: string;
}

export class SchemaMismatch extends ForeseenError {
  override name = 'SchemaMismatch';
}

// An arbitrary number that must never change: processes of all versions take the same lock.
const LOCK_KEY = 7547_0001;

/** Returns the migrations of a folder, `NNNN_words.sql`, in order. Throws if a number is missing. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (name, index) => {
      const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
      if (version !== index + 1) throw new SchemaMismatch(`${join(folder, name)}: expected number ${index + 1}.`);
      const text = await readFile(join(folder, name), 'utf8');
      return { version, name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Returns the migrations to apply. Throws SchemaMismatch for a newer schema, or for a migration that was edited after
 * it was applied.
 */
export function pendingMigrations(migrations: readonly Migration[], applied: readonly AppliedRow[]): Migration[] {
  for (const row of applied) {
    const known = migrations.find((migration) => migration.version === row.version);
    if (!known) {
      throw new SchemaMismatch(
        `The database's schema is newer than this version (it has migration ${row.name}). Start the newer version.`,
      );
    }
    if (known.checksum !== row.checksum) {
      throw new SchemaMismatch(`The migration ${row.name} was changed after it had been applied to this database.`);
    }
  }
  return migrations.filter((migration) => !applied.some((row) => row.version === migration.version));
}

/**
 * Returns the migrations that a start would apply, and the major version of Postgres. Changes nothing. Throws
 * SchemaMismatch as a start does.
 */
export async function inspectMigrations(url: string, folder: string): Promise<{ pending: string[]; postgres: number }> {
  const migrations = await readMigrations(folder);
  return withConnection({ connectionString: url, connectionTimeoutMillis: 5_000 }, async (client) => {
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    const pending = pendingMigrations(migrations, await readApplied(client));
    return {
      pending: pending.map(({ name }) => name),
      postgres: Math.floor(Number(rows[0]?.server_version_num) / 10_000),
    };
  });
}

/**
 * Migrates the database at `url` to the newest migration or to `upTo`. `url` is that of the database's owner. Returns
 * the names of the applied migrations.
 */
export async function migrate(url: string, folder: string, upTo = Number.POSITIVE_INFINITY): Promise<string[]> {
  const migrations = (await readMigrations(folder)).filter(({ version }) => version <= upTo);
  return withConnection({ connectionString: url, connectionTimeoutMillis: 5_000 }, async (client) => {
    // Reading first keeps an up-to-date start free of locks. With the lock, the migrations are read again.
    if (pendingMigrations(migrations, await readApplied(client)).length === 0) return [];
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(`create table if not exists schema_migrations (
      version int primary key, name text not null, checksum text not null,
      applied_at timestamptz not null default clock_timestamp())`);
    const pending = pendingMigrations(migrations, await readApplied(client));
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  });
}

export async function readApplied(client: pg.Client): Promise<AppliedRow[]> {
  const exists = await client.query<{ found: boolean }>("select to_regclass('schema_migrations') is not null as found");
  if (!exists.rows[0]?.found) return [];
  const applied = await client.query<AppliedRow>(
    'select version, name, checksum from schema_migrations order by version',
  );
  return applied.rows;
}

// A statement that waits for a lock on a table blocks all later ones that ask for it. So a migration waits briefly,
// lets the statements go first that came meanwhile, and tries again. Requests are served while the schema changes.
const LOCK_TIMEOUT_MS = 100;
const TRIES = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  for (let triesLeft = TRIES; ; triesLeft -= 1) {
    const error = await tryToApply(client, migration);
    if (error === undefined) return;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (triesLeft <= 1 || (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK)) {
      throw new Error(`The migration ${migration.name} failed.`, { cause: error });
    }
    await pause(LOCK_TIMEOUT_MS);
  }
}

/** Tries a migration. Resolves with the error if it fails. */
async function tryToApply(client: pg.Client, migration: Migration): Promise<unknown> {
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(migration.text);
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
    return undefined;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // a dead connection has already rolled back
    return error;
  }
}
