// The SQL of the preview of a filter: reads the app's recent events.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { isBodyGranted } from './body-access-store.ts';

export interface FilteredEventRow {
  event_id: string;
  server_id: string | null;
  /** True if the app may read the event now. */
  is_granted: boolean;
  /** True if the filter keeps the type of the event. */
  is_wanted: boolean;
  /** The event in its pinned version; null unless the app may read it and conditions are evaluated. */
  body: string | null;
}

/**
 * Returns the events of the app between two ids, newest first, without test events. The body is read only for events
 * on which a condition is evaluated.
 */
export function listFilteredEvents(
  tenant: Tenant,
  { wanted, hasConditions }: { wanted: readonly { type: string; version: number }[]; hasConditions: boolean },
  { after, before, limit }: { after: string; before: string | undefined; limit: number },
): Promise<FilteredEventRow[]> {
  const older = before === undefined ? sql`` : sql`and event_id < ${before}`;
  return tenant.query(sql`
    select event_id, server_id, is_granted, is_wanted,
      case when is_granted and is_wanted and ${hasConditions} then coalesce(older_bodies[version], body) end as body
    from (
      select ev.event_id, ev.server_id, ev.body, ev.older_bodies, w.version, w.type is not null as is_wanted,
        ${isBodyGranted(sql`${tenant.appId}`)} as is_granted
      from (
        select event_id, type, server_id, body, older_bodies, only_endpoint_id from events
        where app_id = ${tenant.appId} and event_id >= ${after} ${older} and only_endpoint_id is null
        order by event_id desc limit ${limit}) ev
      left join unnest(${wanted.map(({ type }) => type)}::text[], ${wanted.map(({ version }) => version)}::int[])
        as w (type, version) on w.type = ev.type) judged
    order by event_id desc`);
}

/**
 * Returns the lowest id in the oldest partition of the events. Retention drops older partitions. The setting of the
 * retention is known to workers only.
 */
export async function findOldestStored(tenant: Tenant): Promise<string | undefined> {
  const rows = await tenant.query<{ lower_bound: string }>(
    sql`select lower_bound from partition_bounds('events') order by lower_bound limit 1`,
  );
  return rows[0]?.lower_bound;
}
