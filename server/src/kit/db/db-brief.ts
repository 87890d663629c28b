// A database for as long as one piece of work takes: for commands.
import type pg from 'pg';
import { type Database, type DatabaseOptions, openDatabase, openPool } from './db.ts';

type Brief = Pick<DatabaseOptions, 'url' | 'role'>;
const brief = (options: Brief): DatabaseOptions => ({
  ...options,
  max: 1,
  queryTimeoutMs: 30_000,
  connectTimeoutMs: 5_000,
});

/** For a command: a database for as long as `run` takes. */
export async function withDatabase<T>(options: Brief, run: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(brief(options));
  try {
    return await run(db);
  } finally {
    await db.close();
  }
}

/** The same of a plain pool. */
export async function withPool<T>(options: Brief, run: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = openPool(brief(options));
  try {
    return await run(pool);
  } finally {
    await pool.end();
  }
}
