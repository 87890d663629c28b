// The SQL of the list of an app's events.

import type { BoundedRows, Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import type { EventType } from '../../resources/events/index.ts';
import type { AppEventRow } from './app-event.ts';

interface AppEventFilter {
  type: EventType | undefined;
  serverId: string | undefined;
  subjectId: string | undefined;
  /** The first identifier, and the first identifier beyond the range. */
  from: string | undefined;
  before: string | undefined;
}

/** Maximum number of events that a page examines under two or more filters. */
export const MAX_EXAMINED_EVENTS = 1_000;

/**
 * Lists the events below a position, newest first, without test events. Each filter has an index. Under two filters, a
 * page examines the events of one, and can end early.
 */
export async function listAppEventRows(
  tenant: Tenant,
  { type, serverId, subjectId, from, before }: AppEventFilter,
  after: string | undefined,
  limit: number,
): Promise<BoundedRows<AppEventRow>> {
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`;
  const ofServer = serverId === undefined ? sql`` : sql`and server_id = ${serverId}`;
  const ofSubject = subjectId === undefined ? sql`` : sql`and subject_id = ${subjectId}`;
  const narrowest = subjectId === undefined ? ofServer : ofSubject;
  const others = subjectId === undefined ? ofType : sql`${ofServer} ${ofType}`;
  const since = from === undefined ? sql`` : sql`and event_id >= ${from}`;
  const until = before === undefined ? sql`` : sql`and event_id < ${before}`;
  const beyond = after === undefined ? sql`` : sql`and event_id < ${after}`;
  const selected = sql`app_id = ${tenant.appId} and only_endpoint_id is null ${narrowest} ${since} ${until} ${beyond}`;
  const isBounded = [type, serverId, subjectId].filter((one) => one !== undefined).length > 1;
  const last = isBounded
    ? await tenant.first<{ event_id: string }>(sql`
        select event_id from events where ${selected} order by event_id desc offset ${MAX_EXAMINED_EVENTS - 1} limit 1`)
    : undefined;
  const examined = last === undefined ? sql`` : sql`and event_id >= ${last.event_id}`;
  // With an offset Postgres does not search the index of another filter, in which the examined events are not adjacent.
  const alone = isBounded ? sql`offset 0` : sql``;
  const rows = await tenant.query<AppEventRow>(sql`
    select event_id, type, server_id, subject_type, subject_id, request_id, actor, body::json ->> 'occurredAt' as occurred_at,
      created_at
    from (
      select event_id, type, server_id, subject_type, subject_id, request_id, actor, body, created_at
      from events where ${selected} ${examined} ${alone}) e
    where true ${others}
    order by event_id desc limit ${limit}`);
  return { rows, reached: last?.event_id };
}
