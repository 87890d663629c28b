// Passes the ids of rows that one statement finds or locks to the next statements of the same transaction. These see
// the rows as the lock found them.
//
// A statement that locks rows must not also read a partitioned table. Postgres checks a row again that was changed
// since the statement began (EvalPlanQual). After that, Postgres 18 fails to select the partitions: it dies of signal
// 11, and all connections with it. `concurrent-queue-changes.test.ts` finds such statements within seconds.
import { type Sql, sql } from './sql.ts';

/** Remembers ids until the transaction ends or others are remembered. `rows` selects one column, the id. */
export const rememberIds = (rows: Sql): Sql => sql`
  select set_config('remembered.ids', coalesce(string_agg(id::text, ','), ''), true) from (${rows}) as row (id)`;

/** A table of the ids that were remembered last. */
export const REMEMBERED_IDS: Sql = sql`unnest(string_to_array(current_setting('remembered.ids', true), ',')::uuid[])`;
