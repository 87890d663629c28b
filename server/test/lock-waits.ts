// Waits until statements wait for a lock, so that a test knows how far requests have come.
import type pg from 'pg';
import { until } from './harness.ts';

/** Resolves when exactly this many connections of the database wait for a lock. `client` may hold the lock. */
export async function untilLocksWaited(client: pg.Client, count: number): Promise<void> {
  await until(async () => {
    // Within a transaction Postgres caches the list of connections.
    await client.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await client.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === count;
  });
}

/**
 * Resolves when this many mutations wait in their own transaction. In a shared transaction no mutation waits longer.
 */
export async function untilMutationsWait(client: pg.Client, count: number): Promise<void> {
  await until(async () => {
    await client.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await client.query(
      `select from pg_locks l join pg_stat_activity a using (pid)
       where a.datname = current_database() and not l.granted and clock_timestamp() - l.waitstart > interval '150 ms'`,
    );
    return rowCount === count;
  });
}
