// The SQL of the types of an app's events.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import type { EventType } from '../../resources/events/index.ts';

export const MAX_TYPES = 200;
/** Number of deliveries that are examined for test events. No index has the types of test events. */
export const NEWEST_DELIVERIES = 1_000;

interface EventTypesRow {
  types: EventType[];
  test_types: EventType[];
}

/** Reads one entry of the index of types per type, however many events each type has. */
export async function findEventTypes(tenant: Tenant): Promise<EventTypesRow> {
  const next = sql`select type from events where app_id = ${tenant.appId} and only_endpoint_id is null`;
  const rows = await tenant.query<EventTypesRow>(sql`
    with recursive found as (
      (${next} order by type limit 1)
      union all
      select (${next} and type > found.type order by type limit 1) from found where found.type is not null),
    newest as materialized (
      select event_id, trigger from deliveries where app_id = ${tenant.appId} order by delivery_id desc limit ${NEWEST_DELIVERIES})
    select array(select type from found where type is not null limit ${MAX_TYPES}) as types,
      array(select distinct ev.type from newest join events ev on ev.app_id = ${tenant.appId} and ev.event_id = newest.event_id
        where newest.trigger = 'test' order by 1 limit ${MAX_TYPES}) as test_types`);
  return rows[0] as EventTypesRow; // a select without from returns one row
}
