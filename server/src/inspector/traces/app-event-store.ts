// The SQL of the list of an app's events.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import type { EventType } from '../../resources/events/index.ts';
import type { AppEventRow } from './app-event.ts';

export interface AppEventFilter {
  type: EventType | undefined;
  serverId: string | undefined;
  subjectId: string | undefined;
  /** The first identifier, and the first identifier beyond the range. */
  from: string | undefined;
  before: string | undefined;
}

/** Lists the events below a position, newest first, without test events. */
export function listAppEventRows(
  tenant: Tenant,
  { type, serverId, subjectId, from, before }: AppEventFilter,
  after: string | undefined,
  limit: number,
): Promise<AppEventRow[]> {
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`;
  const ofServer = serverId === undefined ? sql`` : sql`and server_id = ${serverId}`;
  const ofSubject = subjectId === undefined ? sql`` : sql`and subject_id = ${subjectId}`;
  const since = from === undefined ? sql`` : sql`and event_id >= ${from}`;
  const until = before === undefined ? sql`` : sql`and event_id < ${before}`;
  const beyond = after === undefined ? sql`` : sql`and event_id < ${after}`;
  return tenant.query(sql`
    select event_id, type, server_id, subject_type, subject_id, request_id, actor, body::json ->> 'occurredAt' as occurred_at,
      created_at
    from events where app_id = ${tenant.appId} and only_endpoint_id is null
      ${ofType} ${ofServer} ${ofSubject} ${since} ${until} ${beyond}
    order by event_id desc limit ${limit}`);
}
