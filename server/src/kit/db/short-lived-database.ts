// A database connection for the duration of one piece of work, for commands.
import type pg from 'pg';
import { type Database, type DatabaseOptions, openDatabase, openPool } from './db.ts';

type ShortLivedOptions = Pick<DatabaseOptions, 'url' | 'role'>;
const brief = (options: ShortLivedOptions): DatabaseOptions => ({
  ...options,
  max: 1,
  queryTimeoutMs: 30_000,
  connectTimeoutMs: 5_000,
});

/** Opens a database for as long as `run` takes. */
export async function withDatabase<T>(options: ShortLivedOptions, run: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(brief(options));
  try {
    return await run(db);
  } finally {
    await db.close();
  }
}

/** Opens a plain pool for as long as `run` takes. */
export async function withPool<T>(options: ShortLivedOptions, run: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = openPool(brief(options));
  try {
    return await run(pool);
  } finally {
    await pool.end();
  }
}
