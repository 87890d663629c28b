// The SQL of events.
import { type Sql, sql } from '../../kit/sql.ts';
import type { Tenant } from '../authority/index.ts';

export interface NewEvent {
  eventId: string;
  type: string;
  schemaVersion: number;
  serverId: string;
  subjectType: string;
  subjectId: string;
  sequence: number;
  body: string;
  /** In the versions before, from version 1. */
  older: readonly string[];
}

/** An event's bytes in a schema version, or in the newest where its type has no such version yet. */
export const bodyInVersion = (event: Sql, version: Sql): Sql =>
  sql`coalesce(${event}.older_bodies[${version}], ${event}.body)`;

export async function insertEvent(tenant: Tenant, event: NewEvent): Promise<void> {
  await tenant.query(sql`
    insert into events (app_id, event_id, type, schema_version, server_id, subject_type, subject_id, sequence, body,
      older_bodies)
    values (${tenant.appId}, ${event.eventId}, ${event.type}, ${event.schemaVersion}, ${event.serverId},
      ${event.subjectType}, ${event.subjectId}, ${event.sequence}, ${event.body},
      ${event.older}::text[])`);
}

/** A place in the feed: of two events the one whose transaction began later comes later. */
export interface Position {
  xact: string;
  eventId: string;
}

export interface EventRow {
  event_id: string;
  xact: string;
  body: string;
}

export interface EventFilter {
  type: string | undefined;
  serverId: string | undefined;
  schemaVersion: number;
  /** Types that are shown whatever a server has granted. */
  ungranted: readonly string[];
}

/**
 * The feed, oldest first. It ends before the oldest transaction that is still running: what commits later stands later
 * in it, so that a reader who goes on from its last position misses nothing.
 */
export function listEventRows(
  tenant: Tenant,
  filter: EventFilter,
  after: Position | undefined,
  limit: number,
): Promise<EventRow[]> {
  const beyond: Sql =
    after === undefined ? sql`` : sql`and (e.xact, e.event_id) > (${after.xact}::xid8, ${after.eventId}::uuid)`;
  const ofType = filter.type === undefined ? sql`` : sql`and e.type = ${filter.type}`;
  const onServer = filter.serverId === undefined ? sql`` : sql`and e.server_id = ${filter.serverId}`;
  return tenant.query(sql`
    select e.event_id, e.xact::text as xact,
      ${bodyInVersion(sql`e`, sql`${filter.schemaVersion}::int`)} as body
    from events e
    where e.app_id = ${tenant.appId} and e.xact < pg_snapshot_xmin(pg_current_snapshot())
      ${beyond} ${ofType} ${onServer}
      and (e.type = any(${filter.ungranted}::text[]) or exists (
        select from installations i
        join installation_scopes g on g.app_id = i.app_id and g.installation_id = i.installation_id
        where i.app_id = e.app_id and i.server_id = e.server_id and i.state = 'authorised'
          and g.scope = 'events:read' and g.state = 'authorised'))
    order by e.xact, e.event_id limit ${limit}`);
}

export async function findEvent(
  tenant: Tenant,
  eventId: string,
  schemaVersion: number,
): Promise<{ type: string; server_id: string; body: string } | undefined> {
  const rows = await tenant.query<{ type: string; server_id: string; body: string }>(
    sql`select e.type, e.server_id, ${bodyInVersion(sql`e`, sql`${schemaVersion}::int`)} as body
      from events e where app_id = ${tenant.appId} and event_id = ${eventId}`,
  );
  return rows[0];
}
