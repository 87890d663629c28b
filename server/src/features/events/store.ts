// The SQL of events.
import { writesEach } from '../../kit/each-store.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import { isGranted, readRevised, type Tenant, type WritingRows } from '../authority/index.ts';

export interface NewEvent {
  eventId: string;
  type: string;
  schemaVersion: number;
  serverId: string;
  subjectType: string;
  subjectId: string;
  sequence: number;
  /** The uuid of the request that caused it; null for what no request did. */
  requestId: string | null;
  body: string;
  /** In the versions before, from version 1. */
  older: readonly string[];
  /** Whom alone it is for; null for what happened. */
  onlyEndpointId: string | null;
}

/** Of event e: it tells of what happened, and is not one that was made for an endpoint alone. */
const IS_IN_FEED: Sql = sql`e.only_endpoint_id is null`;

/** An event's bytes in a schema version, or in the newest where its type has no such version yet. */
export const bodyInVersion = (event: Sql, version: Sql): Sql =>
  sql`coalesce(${event}.older_bodies[${version}], ${event}.body)`;

const INSERT = writesEach<NewEvent>(
  sql`"eventId" uuid, type text, "schemaVersion" smallint, "serverId" uuid, "subjectType" text, "subjectId" uuid,
    sequence int, "requestId" uuid, body text, older text[], "onlyEndpointId" uuid`,
  (rows) => sql`
    insert into events (app_id, event_id, type, schema_version, server_id, subject_type, subject_id, sequence,
      request_id, body, older_bodies, only_endpoint_id)
    select app_id, "eventId", type, "schemaVersion", "serverId", "subjectType", "subjectId", sequence,
      "requestId", body, older, "onlyEndpointId"
    from ${rows}`,
);

export function insertEvent(tenant: WritingRows, event: NewEvent): void {
  tenant.sendEach(INSERT, [event]);
}

/** A place in the feed: of two events the one whose transaction began later comes later. */
export interface Position {
  xact: string;
  eventId: string;
}

export interface EventRow {
  event_id: string;
  xact: string;
  /** Whether nothing can come to stand before it any more. */
  is_settled: boolean;
  body: string;
}

export interface EventFilter {
  type: string | undefined;
  serverId: string | undefined;
  schemaVersion: number;
  /** Types that are shown whatever a server has granted, where no server is named. */
  ungranted: readonly string[];
}

/**
 * The feed, oldest first, at its end with events that are not settled: older transactions are still running, whose events
 * will stand before them. Who shows only the settled ones leaves nothing out for a reader that goes on from the last.
 */
export function listEventRows(
  tenant: Tenant,
  filter: EventFilter,
  after: Position | undefined,
  limit: number,
): Promise<{ revision: number; rows: EventRow[] }> {
  const beyond: Sql =
    after === undefined ? sql`` : sql`and (e.xact, e.event_id) > (${after.xact}::xid8, ${after.eventId}::uuid)`;
  const ofType = filter.type === undefined ? sql`` : sql`and e.type = ${filter.type}`;
  // Of one server its grant is looked up once, and not for each event: where it is not there nothing is read to find nothing.
  const shown =
    filter.serverId === undefined
      ? sql`(e.type = any(${filter.ungranted}::text[]) or exists (
          select from installations i
          where i.app_id = e.app_id and i.server_id = e.server_id and ${isGranted('events:read')}))`
      : sql`e.server_id = ${filter.serverId} and (select exists (
          select from installations i
          where i.app_id = ${tenant.appId} and i.server_id = ${filter.serverId} and ${isGranted('events:read')}))`;
  const rows = sql`
    select e.event_id, e.xact::text as xact, e.xact < pg_snapshot_xmin(pg_current_snapshot()) as is_settled,
      ${bodyInVersion(sql`e`, sql`${filter.schemaVersion}::int`)} as body
    from events e
    where e.app_id = ${tenant.appId} and ${IS_IN_FEED} ${beyond} ${ofType} and ${shown}
    order by e.xact, e.event_id limit ${limit}`;
  return readRevised(tenant, 'activity', rows, sql`order by page.xact::xid8, page.event_id`);
}

export async function findEvent(
  tenant: Tenant,
  eventId: string,
  schemaVersion: number,
): Promise<{ revision: number; event: { type: string; server_id: string; body: string } | undefined }> {
  const { revision, rows } = await readRevised<{ type: string; server_id: string; body: string }>(
    tenant,
    'activity',
    sql`select e.type, e.server_id, ${bodyInVersion(sql`e`, sql`${schemaVersion}::int`)} as body
      from events e where app_id = ${tenant.appId} and event_id = ${eventId} and ${IS_IN_FEED}`,
  );
  return { revision, event: rows[0] };
}
