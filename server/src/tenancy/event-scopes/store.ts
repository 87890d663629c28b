// The SQL of the rule about the scopes of events: the events that it withholds from an app, and the update that enables
// it.

import {
  grantedCondition,
  joinCurrentGrant,
  KEY_STATE,
  SERVER_NAME,
  type Tenant,
} from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { NoticedKey } from '../../platform/notices/index.ts';
import { EVENT_SCOPE, resourceScopeOf } from '../../resources/events/index.ts';
import { MAX_EXAMINED_ROWS, MAX_LISTED_EVENTS, MAX_LISTED_GRANTS, type WithheldRow } from './event-scopes.ts';

/** Builds the condition that key k can read the events of its app a. */
const READS_EVENTS = sql`${KEY_STATE} = 'active' and k.expires_at > clock_timestamp() and ${EVENT_SCOPE} = any(k.scopes)
  and ${EVENT_SCOPE} = any(a.approved_scopes)`;

/**
 * Counts the newest events that `events:read` allows and the grant of the resource's scope does not. Grants are read
 * once for each pair of server and scope. For an app that enforces the rule, Postgres scans neither events nor
 * deliveries.
 */
export async function findWithheld(tenant: Tenant): Promise<WithheldRow> {
  const isEarlier = sql`not (select enforces_event_scopes from app)`;
  const rows = await tenant.query<WithheldRow>(sql`
    with app as materialized (
      select enforces_event_scopes, approved_scopes from apps where app_id = ${tenant.appId}),
    examined as materialized (
      select event_id, type, server_id, created_at, ${resourceScopeOf(sql`type`)} as scope from events
      where app_id = ${tenant.appId} and only_endpoint_id is null and ${isEarlier}
      order by xact desc, event_id desc limit ${MAX_EXAMINED_ROWS}),
    pairs as materialized (
      select p.server_id, p.scope,
        case when not p.scope = any(app.approved_scopes) then 'not_approved' else coalesce(g.state, 'absent') end as state
      from (select distinct server_id, scope from examined where scope is not null) p
      cross join app
      join installations i on i.app_id = ${tenant.appId} and i.server_id = p.server_id and ${grantedCondition('events:read')}
      ${joinCurrentGrant(sql`p.scope`)}),
    withheld as materialized (
      select l.*, p.state from examined l join pairs p using (server_id, scope) where p.state <> 'authorised'),
    sent as materialized (
      select d.delivery_id, d.event_id from (
        select delivery_id, event_id from deliveries where app_id = ${tenant.appId} and ${isEarlier}
        order by delivery_id desc limit ${MAX_EXAMINED_ROWS}) d),
    grants as (
      select w.server_id, ${SERVER_NAME} as server_name, w.scope, w.state, count(*)::int as events, max(w.created_at) as latest_at
      from withheld w join servers s on s.app_id = ${tenant.appId} and s.server_id = w.server_id
      group by 1, 2, 3, 4 order by 5 desc, 1, 3 limit ${MAX_LISTED_GRANTS}),
    newest as (
      select w.event_id, w.type, w.server_id, w.scope, w.created_at,
        array(select delivery_id from sent where sent.event_id = w.event_id order by delivery_id desc limit 10) as delivery_ids
      from withheld w order by w.event_id desc limit ${MAX_LISTED_EVENTS})
    select app.enforces_event_scopes as is_enforced, (select count(*)::int from examined) as examined_events,
      (select count(*)::int from sent) as examined_deliveries,
      (select count(*)::int from sent where event_id in (select event_id from withheld)) as deliveries,
      (select coalesce(json_agg(grants), '[]') from grants) as grants,
      (select coalesce(json_agg(newest), '[]') from newest) as newest
    from app`);
  return rows[0] as WithheldRow; // the caller's transaction is in the context of the app
}

/** Enables the rule for the app. Returns false if it was already enabled. */
export async function enforceRule(tenant: Tenant): Promise<boolean> {
  const rows = await tenant.query(sql`update apps set enforces_event_scopes = true
    where app_id = ${tenant.appId} and not enforces_event_scopes returning app_id`);
  return rows.length === 1;
}

/** Lists apps under the earlier rule by id. */
export async function listAppsOnEarlierRule(worker: Queryable, after: string, limit: number): Promise<string[]> {
  const rows = await worker.query<{ app_id: string }>(sql`select app_id from apps
    where not enforces_event_scopes and app_id > ${after} and standing <> 'deleting' order by app_id limit ${limit}`);
  return rows.map((row) => row.app_id);
}

/** Lists by id the apps under the earlier rule that have a key with access to events and no warning yet. */
export async function listUnwarnedApps(worker: Queryable, after: string, limit: number): Promise<string[]> {
  const rows = await worker.query<{ app_id: string }>(sql`select app_id from apps a
    where not enforces_event_scopes and event_scopes_warned_at is null and standing = 'active' and app_id > ${after}
      and exists (select from keys k where k.app_id = a.app_id and ${READS_EVENTS})
    order by app_id limit ${limit}`);
  return rows.map((row) => row.app_id);
}

/** Finds the newest key through which the app receives events. */
export function findEventKey(tenant: Tenant): Promise<NoticedKey | undefined> {
  return tenant.first(sql`
    select a.organisation_id, k.app_id, k.key_id, a.name as app_name, k.name, k.kid, k.created_by, k.expires_at
    from keys k join apps a using (app_id)
    where k.app_id = ${tenant.appId} and ${READS_EVENTS}
    order by k.created_at desc, k.key_id desc limit 1`);
}

/** Marks the app as warned. Returns false if it was already warned or already enforces the rule. */
export async function markWarned(tenant: Tenant): Promise<boolean> {
  const rows = await tenant.query(sql`update apps set event_scopes_warned_at = clock_timestamp()
    where app_id = ${tenant.appId} and event_scopes_warned_at is null and not enforces_event_scopes returning app_id`);
  return rows.length === 1;
}
