// The SQL of announced deprecations, for the worker's role.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Deprecation } from '../../kit/http/deprecation.ts';
import { endpointsOf, usesOf } from '../../platform/deprecations/index.ts';
import type { NoticedKey } from '../../platform/notices/index.ts';

/** The days before the end at which an app is notified; 0 for the announcement. */
export type Stage = 0 | 7 | 30 | 90;

/** An app with its newest key, which a notice names. */
export type AppToNotify = NoticedKey;

const APPS_PER_STATEMENT = 500;

/**
 * Examines the apps after an id and returns those that use the deprecation, were not notified at this stage, and have no answer
 * that prevents a notice. `reached` is the last examined app; null at the end.
 */
export async function listAppsToNotify(
  worker: Queryable,
  deprecation: Deprecation,
  stage: Stage,
  nowMs: number,
  after: string,
): Promise<{ apps: AppToNotify[]; reached: string | null }> {
  const [examined] = await worker.query<{ count: number; reached: string | null }>(sql`
    select count(*)::int as count, max(app_id::text) as reached from (
      select app_id from apps where app_id > ${after} order by app_id limit ${APPS_PER_STATEMENT}) a`);
  const reached = examined?.reached ?? null;
  if (reached === null) return { apps: [], reached };
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const apps = await worker.query<AppToNotify>(sql`
    select a.organisation_id, k.app_id, k.key_id, a.name as app_name, k.name, k.kid, k.created_by, k.expires_at
    from apps a cross join lateral (
      select key_id, app_id, name, kid, created_by, expires_at from keys k where k.app_id = a.app_id order by k.created_at desc, k.key_id desc limit 1) k
    where a.app_id > ${after} and a.app_id <= ${reached}::uuid and a.standing = 'active'
      and not exists (select from deprecation_stages s where s.app_id = a.app_id
        and s.deprecation_id = ${deprecation.id} and s.days_ahead = ${stage}::smallint)
      and not exists (select from deprecation_answers s where s.app_id = a.app_id
        and s.deprecation_id = ${deprecation.id} and (s.snoozed_until is null or s.snoozed_until > ${today}::date))
      and (exists (select from ${usesOf(sql`a.app_id`, deprecation.id)}) or exists (select from ${endpointsOf(sql`a.app_id`, deprecation)}))
    order by a.app_id`);
  return { apps, reached: examined?.count === APPS_PER_STATEMENT ? reached : null };
}

/** Marks the stage as announced to the app. Returns false if it was announced before. */
export async function insertStage(
  tx: Queryable,
  appId: string,
  deprecationId: string,
  daysAhead: Stage,
): Promise<boolean> {
  const rows = await tx.query(sql`insert into deprecation_stages (app_id, deprecation_id, days_ahead)
    values (${appId}, ${deprecationId}, ${daysAhead}::smallint) on conflict do nothing returning app_id`);
  return rows.length === 1;
}
