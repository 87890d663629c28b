// The SQL of deprecated uses: the counter adds them in batches, and an app's uses and the answers of its members can be
// read.

import type { Tenant } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { Deprecation } from '../../kit/http/deprecation.ts';
import { type AnswerRow, COUNTED_DAYS, MAX_ENDPOINTS, MAX_NEWEST_REQUESTS, type UseRow } from './deprecated-use.ts';

export interface DeprecatedUseCount {
  appId: string;
  deprecationId: string;
  uses: number;
  lastUsedAt: string;
  /** The UUIDs of the newest requests, newest first. */
  newestRequests: readonly string[];
}

const newest = (requests: Sql): Sql => sql`array(
  select request_id from (select distinct request_id from ${requests}) r order by request_id desc limit ${MAX_NEWEST_REQUESTS}::int)`;

/** Adds counts: one row per app, deprecation and day. */
export async function addUses(db: Queryable, counted: readonly DeprecatedUseCount[]): Promise<void> {
  await db.query(sql`
    insert into deprecated_uses as d (app_id, deprecation_id, day, uses, last_used_at, newest_request_ids)
    select app_id, deprecation_id, (last_used_at at time zone 'UTC')::date, uses, last_used_at, string_to_array(requests, ' ')::uuid[]
    from unnest(${counted.map((one) => one.appId)}::uuid[], ${counted.map((one) => one.deprecationId)}::text[],
      ${counted.map((one) => one.uses)}::bigint[], ${counted.map((one) => one.lastUsedAt)}::timestamptz[],
      ${textArray(counted.map((one) => one.newestRequests.join(' ')))}::text[])
      as c (app_id, deprecation_id, uses, last_used_at, requests)
    on conflict (app_id, deprecation_id, day) do update
      set uses = d.uses + excluded.uses, last_used_at = greatest(d.last_used_at, excluded.last_used_at),
        newest_request_ids = ${newest(sql`unnest(d.newest_request_ids || excluded.newest_request_ids) as u (request_id)`)}`);
}

/** Matches the counted uses of a deprecation by the app. */
export const usesOf = (appId: Sql, deprecationId: string): Sql => sql`
  deprecated_uses u where u.app_id = ${appId} and u.deprecation_id = ${deprecationId}
    and u.day > (clock_timestamp() at time zone 'UTC')::date - ${COUNTED_DAYS}::int`;

/** Matches the enabled endpoints of the app that receive the deprecated events. */
export function endpointsOf(appId: Sql, { where }: Pick<Deprecation, 'where'>): Sql {
  if (where.in !== 'events') return sql`endpoints e where false`;
  const ofVersion =
    where.schemaVersion === undefined
      ? sql``
      : sql`and coalesce((e.schema_versions ->> ${where.type}::text)::int, 1) = ${where.schemaVersion}::int`;
  return sql`endpoints e where e.app_id = ${appId} and e.state = 'enabled'
    and (e.receives_all_types or ${where.type}::text = any(e.event_types)) ${ofVersion}`;
}

/** Reads how the app uses the deprecation. `db` may read the app's rows. */
export async function findUse(db: Queryable, appId: string, deprecation: Deprecation): Promise<UseRow> {
  const endpoints = endpointsOf(sql`${appId}::uuid`, deprecation);
  const rows = await db.query<UseRow>(sql`
    with uses as materialized (select * from ${usesOf(sql`${appId}::uuid`, deprecation.id)})
    select (select coalesce(sum(uses), 0)::float8 from uses) as uses,
      (select max(last_used_at) from uses) as last_used_at,
      ${newest(sql`uses, unnest(newest_request_ids) as u (request_id)`)} as newest_request_ids,
      (select count(*)::int from ${endpoints}) as endpoints,
      array(select e.endpoint_id from ${endpoints} order by e.endpoint_id desc limit ${MAX_ENDPOINTS}::int) as endpoint_ids`);
  return rows[0] as UseRow; // always one row
}

const ANSWER = sql`deprecation_id, snoozed_until::text, answered_at, answered_by`;

export function listAnswers(tenant: Tenant): Promise<AnswerRow[]> {
  return tenant.query(sql`select ${ANSWER} from deprecation_answers where app_id = ${tenant.appId}`);
}

/** Stores the answer of a member in place of an earlier one. */
export async function upsertAnswer(
  tenant: Tenant,
  deprecationId: string,
  snoozedUntil: string | null,
  member: string,
): Promise<AnswerRow> {
  const rows = await tenant.query<AnswerRow>(sql`
    insert into deprecation_answers (app_id, deprecation_id, snoozed_until, answered_by)
    values (${tenant.appId}, ${deprecationId}, ${snoozedUntil}::date, ${member})
    on conflict (app_id, deprecation_id) do update set snoozed_until = excluded.snoozed_until,
      answered_at = clock_timestamp(), answered_by = excluded.answered_by
    returning ${ANSWER}`);
  return rows[0] as AnswerRow; // an upsert returns its row
}

export async function deleteAnswer(tenant: Tenant, deprecationId: string): Promise<void> {
  await tenant.query(sql`delete from deprecation_answers
    where app_id = ${tenant.appId} and deprecation_id = ${deprecationId}`);
}
