// The ids of rows that one statement finds, or locks, for the next ones of the same transaction, which see those rows as the lock
// found them.
//
// A statement that locks rows does not look into a partitioned table too. A row that somebody has changed since the statement began
// is looked at once more (EvalPlanQual), and after that Postgres 18 no longer finds its way among the partitions: it dies of
// signal 11, and with it every connection. `webhooks/changed-meanwhile.test.ts` finds such statements within seconds.
import { type Sql, sql } from './sql.ts';

/** `rows` selects one column, the id. Until the transaction ends, or others are remembered. */
export const remember = (rows: Sql): Sql => sql`
  select set_config('slipway.remembered', coalesce(string_agg(id::text, ','), ''), true) from (${rows}) as row (id)`;

/** A table of the ids that were remembered last. */
export const REMEMBERED: Sql = sql`unnest(string_to_array(current_setting('slipway.remembered', true), ',')::uuid[])`;
