// The SQL of the activity of a key: reads a bounded number of requests or deliveries, newest first, and returns them in
// groups.

import type { Tenant } from '../../access/authority/index.ts';
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { AttemptOutcome } from '../../webhooks/webhooks/index.ts';
import { candidates, type IdRange } from '../requests/index.ts';
import type { ActivityGroup } from './key-activity.ts';

/** The outcomes with which nothing of the message was sent. */
const UNSENT: readonly AttemptOutcome[] = ['dns', 'tls', 'connect', 'blocked_address'];

/** An effect is created after its cause, apart from differences of clocks. So older partitions are not read. */
const notBefore = ({ from }: IdRange): string => firstUuidAt(Math.max(0, msOfUuid(from) - 60_000));

const IS_WRITE: Sql = sql`method not in ('GET', 'HEAD')`;
const SUCCEEDED: Sql = sql`status < 400`;

const times = (at: Sql): Sql =>
  sql`floor(extract(epoch from min(${at})) * 1000)::float8 as first_ms,
    floor(extract(epoch from max(${at})) * 1000)::float8 as last_ms`;

/** Selects requests in groups of one kind. */
const requestsBy = (kind: string, name: Sql): Sql => sql`
  select ${kind}::text as kind, ${name} as name, null::text as subject_type, count(*)::int as count,
    (count(*) filter (where ${SUCCEEDED}))::int as succeeded, ${times(sql`at`)}
  from taken group by ${name}`;

/**
 * Selects the deliveries `d` in groups by the URLs to which they were sent. Each attempt is looked up by its primary
 * key: with `offset 0` Postgres does not join all attempts.
 */
const receiversOf = (tenant: Tenant, kind: string, deliveries: Sql, condition: Sql): Sql => sql`
  select ${kind}::text as kind, url as name, null::text as subject_type, count(*)::int as count,
    (count(*) filter (where is_received))::int as succeeded,
    floor(extract(epoch from min(first_at)) * 1000)::float8 as first_ms,
    floor(extract(epoch from max(last_at)) * 1000)::float8 as last_ms
  from (
    select d.delivery_id, a.url, coalesce(bool_or(a.status between 200 and 299), false) as is_received,
      min(a.started_at) as first_at, max(a.started_at) as last_at
    from ${deliveries} d cross join lateral (
      select url, key_id, status, outcome, started_at from attempts
      where app_id = ${tenant.appId} and delivery_id = d.delivery_id offset 0) a
    where a.outcome <> all(${UNSENT}::text[]) and ${condition}
    group by d.delivery_id, a.url) sent
  group by url`;

export interface ActivityRead {
  /** The number of read records. */
  examined: number;
  /** The oldest of them; null without any. */
  reached: string | null;
  groups: ActivityGroup[];
}

export interface RequestsRead extends ActivityRead {
  /** The number of requests in the groups: older ones than `reached` were read, and are read again. */
  taken: number;
  /** True if the range can have a request below `reached`. */
  is_more: boolean;
  writes_without_event: number;
}

/**
 * Reads at most `size` requests of the key, and of these at most `writes` that can have caused an event. Looks up the
 * events of each write and their deliveries by their indexes.
 */
export async function readRequests(
  tenant: Tenant,
  keyId: string,
  range: IdRange,
  { size, writes }: { size: number; writes: number },
): Promise<RequestsRead> {
  const after = notBefore(range);
  const rows = await tenant.query<RequestsRead>(sql`
    with examined as materialized (
      select request_id, at, status, method, operation_id, server_id, client_address, called_by, is_replayed
      from ${candidates(tenant, { by: 'key', keyId }, range, size)}),
    taken as materialized (
      select * from examined where request_id >= coalesce(
        (select request_id from examined where ${IS_WRITE} order by request_id desc offset ${writes - 1} limit 1),
        ${range.from})),
    caused as materialized (
      select w.request_id, e.event_id, e.type, e.subject_type, e.subject_id, e.created_at
      from taken w cross join lateral (
        select event_id, type, subject_type, subject_id, created_at from events
        where app_id = ${tenant.appId} and request_id = w.request_id and event_id >= ${after} offset 0) e
      where ${IS_WRITE}),
    delivered as materialized (
      select d.delivery_id from caused c cross join lateral (
        select delivery_id from deliveries
        where app_id = ${tenant.appId} and event_id = c.event_id and delivery_id >= ${after} offset 0) d),
    grouped as (
      ${requestsBy('operation', sql`operation_id`)}
      union all ${requestsBy('server', sql`server_id::text`)} having server_id::text is not null
      union all ${requestsBy('address', sql`client_address`)}
      union all ${requestsBy('member', sql`called_by`)} having called_by is not null
      union all select 'event', type, null, count(*)::int, null::int, ${times(sql`created_at`)}
        from caused group by type
      union all select 'object', subject_id::text, subject_type, count(*)::int, null::int, ${times(sql`created_at`)}
        from caused group by subject_id, subject_type
      union all ${receiversOf(tenant, 'receiver', sql`delivered`, sql`true`)})
    select (select count(*)::int from examined) as examined, (select count(*)::int from taken) as taken,
      (select request_id from taken order by request_id limit 1) as reached,
      (select count(*) from examined) = ${size}
        or (select count(*) from examined) > (select count(*) from taken) as is_more,
      (select count(*)::int from taken w where ${IS_WRITE} and ${SUCCEEDED} and is_replayed is not true
        and not exists (select from caused c where c.request_id = w.request_id)) as writes_without_event,
      coalesce((select json_agg(grouped) from grouped), '[]') as groups`);
  return rows[0] as RequestsRead; // always one row
}

/** Reads the newest deliveries of the app, and returns those with an attempt that the key authorised. */
export async function readDeliveries(
  tenant: Tenant,
  keyId: string,
  range: IdRange,
  size: number,
): Promise<ActivityRead> {
  // An attempt of an earlier version does not state its key.
  const isOfKey = sql`coalesce(a.key_id, d.key_id) = ${keyId}`;
  const rows = await tenant.query<ActivityRead>(sql`
    with examined as materialized (
      select delivery_id, key_id from deliveries
      where app_id = ${tenant.appId} and delivery_id >= ${range.from} and delivery_id < ${range.before}
      order by delivery_id desc limit ${size}),
    grouped as (${receiversOf(tenant, 'key_receiver', sql`examined`, isOfKey)})
    select (select count(*)::int from examined) as examined,
      (select delivery_id from examined order by delivery_id limit 1) as reached,
      coalesce((select json_agg(grouped) from grouped), '[]') as groups`);
  return rows[0] as ActivityRead; // always one row
}

/** Returns when a key was created, as milliseconds; undefined for a key that the app does not have. */
export async function findKeyCreation(tenant: Tenant, keyId: string): Promise<number | undefined> {
  const row = await tenant.first<{ created_at_ms: number }>(sql`
    select floor(extract(epoch from created_at) * 1000)::float8 as created_at_ms from keys
    where app_id = ${tenant.appId} and key_id = ${keyId}`);
  return row?.created_at_ms;
}
