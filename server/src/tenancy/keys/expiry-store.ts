// The SQL of expiry warnings, for the worker's role.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { DaysAhead, NoticedKey } from '../../platform/notices/index.ts';
import type { EndpointNoticeRow } from '../../webhooks/dispatch/index.ts';
import { keysEndAt } from '../../webhooks/webhooks/index.ts';

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

/**
 * Lists enabled endpoints whose last usable key expires within `days` days, with that key, and without a notice yet.
 * Excludes the keys that `listExpiring` excludes. The search begins with the expiring keys, which an index finds.
 */
export function listEndpointsWithLastKey(db: Queryable, days: number, limit: number): Promise<EndpointNoticeRow[]> {
  return db.query(sql`
    select a.organisation_id, k.app_id, k.key_id, a.name as app_name, k.name, k.kid, e.created_by, k.expires_at,
      e.endpoint_id, e.url
    from keys k
    join apps a on a.app_id = k.app_id
    join endpoints e on e.app_id = k.app_id and k.key_id = any(e.key_id || e.further_key_ids)
    where k.expires_at > clock_timestamp() and k.expires_at <= clock_timestamp() + make_interval(days => ${days}::int)
      and k.expires_at - k.created_at > make_interval(days => ${days}::int)
      and k.state = 'active' and k.ends_at is null and a.standing = 'active' and e.state = 'enabled'
      and ${keysEndAt} = k.expires_at
      and not exists (select from notices n where n.app_id = k.app_id and n.endpoint_id = e.endpoint_id
        and n.key_id = k.key_id and n.kind = 'endpoint_keys_end')
    order by k.expires_at limit ${limit}`);
}
