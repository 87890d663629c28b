// The SQL of events.

import {
  grantedCondition,
  type ResourceGrant,
  readRevised,
  type Tenant,
  type TenantWriter,
} from '../../access/authority/index.ts';
import { defineItemWrite } from '../../kit/db/item-statement-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { EVENT_SCOPE, type EventType, TYPES_WITHOUT_RESOURCE } from './event-types.ts';
import { isEventGranted, resourceGrantOf, resourceScopeOf } from './scope-store.ts';

export interface NewEvent {
  eventId: string;
  type: string;
  schemaVersion: number;
  serverId: string;
  subjectType: string;
  subjectId: string;
  sequence: number;
  /** The UUID of the request that caused the event, or null without a request. */
  requestId: string | null;
  body: string;
  /** The bytes in the previous versions, from version 1. */
  older: readonly string[];
  /** The only endpoint that receives the event, or null for an event of a change. */
  onlyEndpointId: string | null;
}

/** Matches an event e that describes a change and is not limited to one endpoint. */
const IS_IN_FEED: Sql = sql`e.only_endpoint_id is null`;

/**
 * Selects an event's bytes in a schema version, or in the newest version if its type does not have that version yet.
 */
export const bodyInVersion = (event: Sql, version: Sql): Sql =>
  sql`coalesce(${event}.older_bodies[${version}], ${event}.body)`;

/** Writes events from rows that have these columns. */
export const insertEvents = (rows: Sql): Sql => sql`
  insert into events (app_id, event_id, type, schema_version, server_id, subject_type, subject_id, sequence,
    request_id, body, older_bodies, only_endpoint_id)
  select app_id, "eventId", type, "schemaVersion", "serverId", "subjectType", "subjectId", sequence,
    "requestId", body, older, "onlyEndpointId"
  from ${rows}`;

const INSERT = defineItemWrite<NewEvent>(
  sql`"eventId" uuid, type text, "schemaVersion" smallint, "serverId" uuid, "subjectType" text, "subjectId" uuid,
    sequence int, "requestId" uuid, body text, older text[], "onlyEndpointId" uuid`,
  insertEvents,
);

export function insertEvent(tenant: TenantWriter, event: NewEvent): void {
  tenant.sendEach(INSERT, [event]);
}

/** A position in the feed. Events are ordered by the start of their transactions. */
export interface FeedPosition {
  xact: string;
  eventId: string;
}

interface FeedEventRow {
  event_id: string;
  xact: string;
  /** True if no later commit can add an event before this one. */
  is_settled: boolean;
  body: string;
  examined: null;
}

/**
 * Maximum number of events that a page examines. If more events are withheld or of other types, the next page continues
 * after them.
 */
export const MAX_EXAMINED_EVENTS = 1_000;

/** The last row of a page: the last examined event and the number of examined events. */
interface LastExaminedRow {
  event_id: string;
  xact: string;
  is_settled: null;
  body: null;
  examined: number;
}

interface FeedPage {
  revision: number;
  rows: FeedEventRow[];
  /** The last settled event that was examined, if the page contains fewer events than its limit. */
  lastExamined: LastExaminedRow | undefined;
}

/**
 * Lists events, oldest first. Events at the end may be unsettled: an older transaction is still open and can commit
 * events before them. A caller that returns only settled events skips nothing for a client that continues after the
 * last one.
 *
 * Postgres finds the events of a page lazily among the examined ones. Only a page that is not full queries the last
 * examined event, in the same snapshot: a second statement would see events that the page has not checked.
 */
export async function listEventRows(
  tenant: Tenant,
  filter: { type: string | undefined; serverId: string | undefined; schemaVersion: number },
  after: FeedPosition | undefined,
  limit: number,
  most = MAX_EXAMINED_EVENTS,
): Promise<FeedPage> {
  const beyond: Sql =
    after === undefined ? sql`` : sql`and (e.xact, e.event_id) > (${after.xact}::xid8, ${after.eventId}::uuid)`;
  const ofType = filter.type === undefined ? sql`true` : sql`e.type = ${filter.type}`;
  const ofServer = filter.serverId === undefined ? sql`true` : sql`e.server_id = ${filter.serverId}`;
  const isSettled = sql`e.xact < pg_snapshot_xmin(pg_current_snapshot())`;
  // Without a `serverId`, an event without a resource is visible independently of grants.
  const isOpen = filter.serverId === undefined ? sql`e.type = any(${TYPES_WITHOUT_RESOURCE}::text[])` : sql`false`;
  // A separate subselect: Postgres would compute a join for all events and sort them afterwards.
  const isGiven = sql`(select exists (
    select from installations i
    where i.app_id = e.app_id and i.server_id = e.server_id
      and ${isEventGranted(resourceScopeOf(sql`e.type`), sql`${tenant.appId}`)}))`;
  // The grant of a given server is read once, before any event: a rejected page has a constant cost, regardless of the
  // number of events.
  const isServerOpen =
    filter.serverId === undefined
      ? sql``
      : sql`and (select exists (
          select from installations i
          where i.app_id = ${tenant.appId} and i.server_id = ${filter.serverId} and ${grantedCondition(EVENT_SCOPE)}))`;
  const examinedEvents = (columns: Sql, condition: Sql): Sql => sql`
    select ${columns} from events e
    where e.app_id = ${tenant.appId} and ${IS_IN_FEED} ${beyond} ${condition} ${isServerOpen}
    order by e.xact, e.event_id limit ${most}`;
  const rows = sql`
    with shown as materialized (
      select e.event_id, e.xact, ${isSettled} as is_settled,
        ${bodyInVersion(sql`e`, sql`${filter.schemaVersion}::int`)} as body
      from (${examinedEvents(sql`e.app_id, e.event_id, e.xact, e.type, e.server_id, e.body, e.older_bodies`, sql``)}) e
      where ${ofType} and ${ofServer} and (${isOpen} or ${isGiven})
      order by e.xact, e.event_id limit ${limit})
    select event_id, xact::text as xact, is_settled, body, null::int as examined from shown
    union all
    select event_id, xact::text, null, null, examined from (
      select event_id, xact, (count(*) over ())::int as examined from (
        ${examinedEvents(sql`e.event_id, e.xact`, sql`and ${isSettled}`)}) all_examined
      where (select count(*) from shown) < ${limit}
      order by xact desc, event_id desc limit 1) last_examined`;
  const found = await readRevised<FeedEventRow | LastExaminedRow>(
    tenant,
    'activity',
    rows,
    sql`order by page.xact::xid8, page.event_id`,
  );
  return {
    revision: found.revision,
    rows: found.rows.filter((row) => row.examined === null),
    lastExamined: found.rows.find((row) => row.examined !== null),
  };
}

/**
 * The properties that determine access to one event in addition to the grant of `events:read`. Undefined if the scope
 * of the resource is not checked.
 */
interface EventAccessRow {
  type: EventType;
  /** Null for an event without a server. */
  server_id: string | null;
  body: string;
  resource: ResourceGrant | null;
}

export async function findEvent(
  tenant: Tenant,
  eventId: string,
  schemaVersion: number,
): Promise<{ revision: number; event: EventAccessRow | undefined }> {
  const { revision, rows } = await readRevised<EventAccessRow>(
    tenant,
    'activity',
    sql`select e.type, e.server_id, ${bodyInVersion(sql`e`, sql`${schemaVersion}::int`)} as body,
        ${resourceGrantOf(resourceScopeOf(sql`e.type`), { appId: sql`e.app_id`, serverId: sql`e.server_id` })} as resource
      from events e where app_id = ${tenant.appId} and event_id = ${eventId} and ${IS_IN_FEED}`,
  );
  return { revision, event: rows[0] };
}
