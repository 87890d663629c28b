// Waits until statements wait: how a test knows that requests have come as far as a lock that it holds.
import type pg from 'pg';
import { until } from './harness.ts';

/** Resolves once exactly so many connections of this database wait for a lock; `client` may be the one that holds it. */
export async function untilWaiting(client: pg.Client, count: number): Promise<void> {
  await until(async () => {
    // In a transaction the list of connections is kept from the first look on.
    await client.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await client.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === count;
  });
}

/** The same of mutations that are in a transaction of their own by now, because nobody waits in one that is shared. */
export async function untilWaitingAlone(client: pg.Client, count: number): Promise<void> {
  await until(async () => {
    await client.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await client.query(
      `select from pg_locks l join pg_stat_activity a using (pid)
       where a.datname = current_database() and not l.granted and clock_timestamp() - l.waitstart > interval '150 ms'`,
    );
    return rowCount === count;
  });
}
