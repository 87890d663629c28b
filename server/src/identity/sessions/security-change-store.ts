// The SQL that limits account changes with a mail, for each person and UTC day.
import type { Queryable } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { problem } from '../../kit/openapi/problems.ts';

export const MAX_CHANGES_A_DAY = 5;

const TODAY: Sql = sql`(clock_timestamp() at time zone 'UTC')::date`;

/**
 * Counts one change of today in the transaction that makes the change. Throws `rate_limited` beyond MAX_CHANGES_A_DAY.
 */
export async function countSecurityChange(
  tx: Queryable,
  personId: string,
  change: 'second_factor_removal' | 'provider_link' | 'email_change',
): Promise<void> {
  const counted = await tx.query(sql`
    insert into security_changes as c (person_id, change, day, times) values (${personId}, ${change}, ${TODAY}, 1)
    on conflict (person_id, change) do update set day = excluded.day,
      times = case when c.day = excluded.day then c.times + 1 else 1 end
    where c.day <> excluded.day or c.times < ${MAX_CHANGES_A_DAY}
    returning times`);
  if (counted.length === 1) return;
  const [row] = await tx.query<{ seconds: number }>(
    sql`select ceil(extract(epoch from (${TODAY} + 1)::timestamp at time zone 'UTC' - clock_timestamp()))::int as seconds`,
  );
  throw problem('rate_limited', {
    detail: `You can make this change ${MAX_CHANGES_A_DAY} times a day. Try again after 00:00 UTC.`,
    headers: { 'retry-after': String(Math.max(1, row?.seconds ?? 1)) },
  });
}
