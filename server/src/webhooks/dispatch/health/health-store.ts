// The SQL of endpoint health, of warnings, and of disabling endpoints. Run as slipway_worker.
import type { Queryable } from '../../../kit/db/db.ts';
import { plainArray } from '../../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../../kit/db/sql.ts';
import type { NoticedEndpoint, NoticedKey } from '../../../platform/notices/index.ts';
import { deliveringKeyId, type HealthOutcomes } from '../../webhooks/index.ts';
import { hostOf } from '../claim/queue-plan.ts';

/**
 * Adds outcomes of attempts. A warning stays until `markRecovered`. `nowMs` is the current time on the clock of the
 * outcomes. Rows are locked in the order of their ids.
 */
export async function updateHealth(db: Queryable, outcomes: readonly HealthOutcomes[], nowMs: number): Promise<void> {
  const ago = (atMs: number | undefined): number | null => (atMs === undefined ? null : nowMs - atMs);
  const given = outcomes.map((one) => ({
    app_id: one.appId,
    endpoint_id: one.endpointId,
    succeeded_ms: ago(one.succeededAtMs),
    failed_ms: ago(one.failedAtMs),
    first_failed_ms: ago(one.firstFailedAtMs),
    failures: one.failures,
    recent: one.recent,
  }));
  await db.query(sql`
    with given as materialized (
      select app_id, endpoint_id, failures, recent,
        clock_timestamp() - succeeded_ms * interval '1 millisecond' as succeeded_at,
        clock_timestamp() - failed_ms * interval '1 millisecond' as failed_at,
        clock_timestamp() - first_failed_ms * interval '1 millisecond' as first_failed_at
      from json_to_recordset(${JSON.stringify(given)}::json) as g (app_id uuid, endpoint_id uuid, succeeded_ms float8,
        failed_ms float8, first_failed_ms float8, failures int, recent text)),
    held as materialized (
      select h.app_id, h.endpoint_id from endpoint_health h
      join given g on g.app_id = h.app_id and g.endpoint_id = h.endpoint_id
      order by h.endpoint_id for update of h)
    update endpoint_health h set
      last_success_at = coalesce(g.succeeded_at, h.last_success_at),
      last_failure_at = coalesce(g.failed_at, h.last_failure_at),
      failing_since = case when g.succeeded_at is null then coalesce(h.failing_since, g.first_failed_at)
        else g.first_failed_at end,
      consecutive_failures = g.failures + case when g.succeeded_at is null then h.consecutive_failures else 0 end,
      recent = right(h.recent || g.recent, 100)
    from given g join held on held.app_id = g.app_id and held.endpoint_id = g.endpoint_id
    where h.app_id = g.app_id and h.endpoint_id = g.endpoint_id`);
}

/** The content of a notice about an endpoint, and about the key under which it delivers. */
export interface EndpointNoticeRow extends NoticedKey {
  endpoint_id: string;
  url: string;
}

const MAX_HOST_LENGTH = 300;

export const toNoticeEndpoint = ({ endpoint_id, url }: EndpointNoticeRow): NoticedEndpoint => ({
  endpointId: endpoint_id,
  // Limited to the size of a notice: one endpoint's host must not prevent the notices of others.
  host: hostOf(url).slice(0, MAX_HOST_LENGTH),
});

const NOTICE_COLUMNS: Sql = sql`a.organisation_id, e.app_id, e.endpoint_id, e.url, a.name as app_name, k.key_id, k.name, k.kid,
  e.created_by, k.expires_at`;

/** Selects whether there were only failures, and the last one is at least `days` days after the first. */
const failedFor = (days: number): Sql => sql`h.failing_since is not null
  and h.last_failure_at - h.failing_since >= make_interval(days => ${days}::int)`;

/**
 * Selects whether `days` days of failures were reported at least `daysAgo` days ago. The time of the notice counts too,
 * because a clock may have jumped.
 */
const wasWarned = (days: number, daysAgo: number): Sql => sql`h.warned_days = ${days}::smallint
  and (h.warned_at is null or h.warned_at <= clock_timestamp() - make_interval(days => ${daysAgo}::int))`;

/** Marks endpoints as warned of `days` days of failures. The caller writes the notices in the same transaction. */
export function markWarned(
  tx: Queryable,
  { days, before }: { days: number; before: number },
  limit: number,
): Promise<EndpointNoticeRow[]> {
  return tx.query(sql`
    with due as materialized (
      select h.app_id, h.endpoint_id from endpoint_health h
      join endpoints e on e.app_id = h.app_id and e.endpoint_id = h.endpoint_id
      join apps a on a.app_id = h.app_id
      where ${failedFor(days)} and ${wasWarned(before, days - before)}
        and e.state = 'enabled' and a.standing = 'active'
      order by h.endpoint_id limit ${limit} for update of h skip locked)
    update endpoint_health h set warned_days = ${days}::smallint, warned_at = clock_timestamp()
    from due join endpoints e on e.app_id = due.app_id and e.endpoint_id = due.endpoint_id
      join keys k on k.app_id = e.app_id and k.key_id = ${deliveringKeyId}
      join apps a on a.app_id = e.app_id
    where h.app_id = due.app_id and h.endpoint_id = due.endpoint_id
    returning ${NOTICE_COLUMNS}`);
}

/** Takes back the warning of endpoints that had a success since. The caller writes the notices in the same transaction. */
export function markRecovered(tx: Queryable, limit: number): Promise<EndpointNoticeRow[]> {
  return tx.query(sql`
    with due as materialized (
      select h.app_id, h.endpoint_id from endpoint_health h
      where h.warned_days > 0 and (h.failing_since is null or h.failing_since > h.warned_at)
      order by h.endpoint_id limit ${limit} for update of h skip locked)
    update endpoint_health h set warned_days = 0, warned_at = null
    from due join endpoints e on e.app_id = due.app_id and e.endpoint_id = due.endpoint_id
      join keys k on k.app_id = e.app_id and k.key_id = ${deliveringKeyId}
      join apps a on a.app_id = e.app_id
    where h.app_id = due.app_id and h.endpoint_id = due.endpoint_id
    returning ${NOTICE_COLUMNS}`);
}

const disableStatement = (reason: string): Sql =>
  sql`update endpoints e set state = 'disabled', disabled_reason = ${reason}`;

/**
 * Disables endpoints with `days` days of failures whose latest warning was for `before` days. Their queued deliveries
 * are cancelled when they are claimed.
 */
export function disableFailing(
  tx: Queryable,
  { days, before, reason }: { days: number; before: number; reason: string },
  limit: number,
): Promise<EndpointNoticeRow[]> {
  return tx.query(sql`
    ${disableStatement(reason)} from keys k, apps a
    where k.app_id = e.app_id and k.key_id = ${deliveringKeyId} and a.app_id = e.app_id and e.state = 'enabled'
      and (e.app_id, e.endpoint_id) in (
        select h.app_id, h.endpoint_id from endpoint_health h
        join endpoints f on f.app_id = h.app_id and f.endpoint_id = h.endpoint_id
        where ${failedFor(days)} and ${wasWarned(before, days - before)} and f.state = 'enabled'
        order by h.endpoint_id limit ${limit})
    returning ${NOTICE_COLUMNS}`);
}

/** Disables an endpoint whose receiver responded 410. Returns undefined if it was already disabled. */
export function disableEndpoint(
  tx: Queryable,
  appId: string,
  endpointId: string,
  reason: string,
): Promise<EndpointNoticeRow | undefined> {
  return tx.first(sql`
    ${disableStatement(reason)} from keys k, apps a
    where k.app_id = e.app_id and k.key_id = ${deliveringKeyId} and a.app_id = e.app_id and e.state = 'enabled'
      and e.app_id = ${appId} and e.endpoint_id = ${endpointId}
    returning ${NOTICE_COLUMNS}`);
}

/**
 * Returns the endpoints of these failed deliveries without a notice of a failed delivery in the current hour, each with
 * its first delivery. A member watches a test delivery, so it counts for no notice. The order of the endpoints keeps
 * concurrent inserts from a deadlock.
 */
export function findUnnoticed(
  tx: Queryable,
  failed: readonly { app_id: string; delivery_id: string }[],
): Promise<(EndpointNoticeRow & { delivery_id: string })[]> {
  const of = (key: 'app_id' | 'delivery_id') => plainArray([...new Set(failed.map((row) => row[key]))]);
  return tx.query(sql`
    with ended as materialized (
      select distinct on (app_id, endpoint_id) app_id, endpoint_id, delivery_id from deliveries
      where app_id = any(${of('app_id')}::uuid[]) and delivery_id = any(${of('delivery_id')}::uuid[]) and trigger <> 'test'
      order by app_id, endpoint_id, delivery_id)
    select ${NOTICE_COLUMNS}, ended.delivery_id
    from ended
      join endpoints e on e.app_id = ended.app_id and e.endpoint_id = ended.endpoint_id
      join keys k on k.app_id = e.app_id and k.key_id = ${deliveringKeyId}
      join apps a on a.app_id = e.app_id
    where not exists (select from notices n where n.app_id = e.app_id and n.endpoint_id = e.endpoint_id
      and n.kind = 'delivery_exhausted'
      and date_trunc('hour', n.created_at at time zone 'UTC') = date_trunc('hour', clock_timestamp() at time zone 'UTC'))
    order by e.endpoint_id`);
}
