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

/** An effect is created after its cause, apart from differences of clocks. */
export const CLOCKS_DIFFER_MS = 60_000;
const HOUR_MS = 3_600_000;

const IS_WRITE: Sql = sql`method not in ('GET', 'HEAD')`;
const SUCCEEDED: Sql = sql`status < 400`;

const times = (at: Sql): Sql =>
  sql`floor(extract(epoch from min(${at})) * 1000)::float8 as first_ms,
    floor(extract(epoch from max(${at})) * 1000)::float8 as last_ms`;

/** Selects requests in groups of one kind. */
const requestsBy = (kind: string, name: Sql): Sql => sql`
  select ${kind}::text as kind, ${name} as name, null::text as subject_type, count(*)::int as count,
    (count(*) filter (where ${SUCCEEDED}))::int as succeeded, ${times(sql`at`)}
  from examined group by ${name}`;

/** Selects attempts in groups by the URLs to which their deliveries were sent. */
const receiversOf = (kind: string, attempts: Sql): Sql => sql`
  select ${kind}::text as kind, url as name, null::text as subject_type, count(*)::int as count,
    (count(*) filter (where is_received))::int as succeeded,
    floor(extract(epoch from min(first_at)) * 1000)::float8 as first_ms,
    floor(extract(epoch from max(last_at)) * 1000)::float8 as last_ms
  from (
    select delivery_id, url, coalesce(bool_or(status between 200 and 299), false) as is_received,
      min(started_at) as first_at, max(started_at) as last_at
    from ${attempts} group by delivery_id, url) sent
  group by url`;

/**
 * Looks up the writing request of the key that a row names, if it arrived in the period. Its partition follows from its
 * identifier: with `offset 0` Postgres looks up each request, in one partition.
 */
const writeOf = (tenant: Tenant, sinceId: string, requestId: Sql): Sql => sql`
  cross join lateral (
    select key_id, method from request_records
    where app_id = ${tenant.appId} and request_id = ${requestId} and request_id >= ${sinceId} offset 0) w`;
const isWriteOf = (keyId: string): Sql => sql`w.key_id = ${keyId} and w.${IS_WRITE}`;

interface ActivityRead {
  /** The number of read records. */
  examined: number;
  /** The oldest of them; null without any. */
  reached: string | null;
  groups: ActivityGroup[];
}

interface RequestsRead extends ActivityRead {
  /** The newest of them; null without any. */
  newest: string | null;
}

/** Reads the newest requests of the key. */
export async function readRequests(tenant: Tenant, keyId: string, range: IdRange, size: number): Promise<RequestsRead> {
  const rows = await tenant.query<RequestsRead>(sql`
    with examined as materialized (
      select request_id, at, status, operation_id, server_id, client_address, called_by
      from ${candidates(tenant, { by: 'key', keyId }, range, size)}),
    grouped as (
      ${requestsBy('operation', sql`operation_id`)}
      union all ${requestsBy('server', sql`server_id::text`)} having server_id::text is not null
      union all ${requestsBy('address', sql`client_address`)}
      union all ${requestsBy('member', sql`called_by`)} having called_by is not null)
    select (select count(*)::int from examined) as examined,
      (select request_id from examined order by request_id limit 1) as reached,
      (select request_id from examined order by request_id desc limit 1) as newest,
      coalesce((select json_agg(grouped) from grouped), '[]') as groups`);
  return rows[0] as RequestsRead; // always one row
}

/**
 * Lists the successful writes of the key between two requests for which no event is stored. Most events are created with
 * their request: the partitions of later events are searched only for a write without such an event.
 */
export async function listWritesWithoutEvent(
  tenant: Tenant,
  keyId: string,
  { oldest, newest }: { oldest: string; newest: string },
): Promise<string[]> {
  const from = firstUuidAt(msOfUuid(oldest) - CLOCKS_DIFFER_MS);
  const soon = firstUuidAt(msOfUuid(newest) + HOUR_MS);
  const eventOf = (requestId: Sql, within: Sql): Sql => sql`(
    select true from events where app_id = ${tenant.appId} and request_id = ${requestId} and ${within} limit 1)`;
  const rows = await tenant.query<{ request_id: string }>(sql`
    select request_id from (
      select request_id from request_records
      where app_id = ${tenant.appId} and key_id = ${keyId} and request_id between ${oldest} and ${newest}
        and ${IS_WRITE} and ${SUCCEEDED} and is_replayed is not true offset 0) w
    where ${eventOf(sql`w.request_id`, sql`event_id >= ${from} and event_id < ${soon}`)} is null`);
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.request_id);
  const later = await tenant.query<{ request_id: string }>(sql`
    select request_id from unnest(${ids}::uuid[]) as w (request_id)
    where ${eventOf(sql`w.request_id`, sql`event_id >= ${soon}`)}`);
  const withEvent = new Set(later.map((row) => row.request_id));
  return ids.filter((id) => !withEvent.has(id));
}

/** Reads the newest events of the app, and returns those that writing requests of the key since a time caused. */
export async function readEvents(
  tenant: Tenant,
  keyId: string,
  sinceId: string,
  range: IdRange,
  size: number,
): Promise<ActivityRead> {
  const rows = await tenant.query<ActivityRead>(sql`
    with examined as materialized (
      select event_id, type, subject_type, subject_id, created_at, request_id from events
      where app_id = ${tenant.appId} and event_id >= ${range.from} and event_id < ${range.before}
      order by event_id desc limit ${size}),
    caused as materialized (
      select e.* from examined e ${writeOf(tenant, sinceId, sql`e.request_id`)} where ${isWriteOf(keyId)}),
    grouped as (
      select 'event' as kind, type as name, null as subject_type, count(*)::int as count, null::int as succeeded,
        ${times(sql`created_at`)}
      from caused group by type
      union all select 'object', subject_id::text, subject_type, count(*)::int, null::int, ${times(sql`created_at`)}
        from caused group by subject_id, subject_type)
    select (select count(*)::int from examined) as examined,
      (select event_id from examined order by event_id limit 1) as reached,
      coalesce((select json_agg(grouped) from grouped), '[]') as groups`);
  return rows[0] as ActivityRead; // always one row
}

/**
 * Reads the newest deliveries of the app, and returns those of events that writing requests of the key since a time
 * caused, and those with an attempt that the key authorised.
 */
export async function readDeliveries(
  tenant: Tenant,
  keyId: string,
  sinceId: string,
  range: IdRange,
  size: number,
): Promise<ActivityRead> {
  const rows = await tenant.query<ActivityRead>(sql`
    with examined as materialized (
      select delivery_id, event_id, key_id from deliveries
      where app_id = ${tenant.appId} and delivery_id >= ${range.from} and delivery_id < ${range.before}
      order by delivery_id desc limit ${size}),
    -- An attempt of an earlier version does not state its key.
    sent as materialized (
      select d.delivery_id, a.url, a.status, a.started_at, coalesce(a.key_id, d.key_id) = ${keyId} as is_of_key
      from examined d cross join lateral (
        select url, key_id, status, outcome, started_at from attempts
        where app_id = ${tenant.appId} and delivery_id = d.delivery_id offset 0) a
      where a.outcome <> all(${UNSENT}::text[])),
    caused as materialized (
      select d.delivery_id from examined d cross join lateral (
        select request_id from events where app_id = ${tenant.appId} and event_id = d.event_id offset 0) e
      ${writeOf(tenant, sinceId, sql`e.request_id`)} where ${isWriteOf(keyId)}),
    grouped as (
      ${receiversOf('receiver', sql`(select * from sent where delivery_id in (select delivery_id from caused)) s`)}
      union all ${receiversOf('key_receiver', sql`(select * from sent where is_of_key and delivery_id >= ${sinceId}) s`)})
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
