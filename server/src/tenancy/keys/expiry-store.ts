// The SQL of expiry warnings, for the worker's role.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { DaysAhead, NoticedKey } from '../../platform/notices/index.ts';

/**
 * Lists keys that expire within `daysAhead` days but after `beyondDays` days and have no warning yet. Excludes rotated
 * and revoked keys, keys of a suspended app, and keys whose whole lifetime is at most `daysAhead` days.
 */
export function listExpiring(
  db: Queryable,
  { daysAhead, beyondDays }: { daysAhead: DaysAhead; beyondDays: number },
  limit: number,
): Promise<NoticedKey[]> {
  return db.query(sql`
    select a.organisation_id, k.app_id, k.key_id, a.name as app_name, k.name, k.kid, k.created_by, k.expires_at
    from keys k join apps a using (app_id)
    where k.expires_at > clock_timestamp() + make_interval(days => ${beyondDays}::int)
      and k.expires_at <= clock_timestamp() + make_interval(days => ${daysAhead}::int)
      and k.expires_at - k.created_at > make_interval(days => ${daysAhead}::int)
      and k.state = 'active' and k.ends_at is null and a.standing = 'active'
      and not exists (select from notices n where n.app_id = k.app_id and n.key_id = k.key_id
        and n.kind = 'key_expires' and n.days_ahead = ${daysAhead}::smallint)
    order by k.expires_at limit ${limit}`);
}
