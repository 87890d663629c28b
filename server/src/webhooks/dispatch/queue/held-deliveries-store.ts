// The SQL that finds deliveries that are held or wait for an earlier event, and releases those that no longer have to
// wait. Run as slipway_worker.
import type { Database, Queryable } from '../../../kit/db/db.ts';
import { REMEMBERED_IDS, rememberIds } from '../../../kit/db/remembered-ids-store.ts';
import { sql } from '../../../kit/db/sql.ts';
import { type DeliveryAuthorityRow, deliveringKeyId, deliveryAuthority } from '../../webhooks/index.ts';

interface HeldGroupRow extends DeliveryAuthorityRow {
  app_id: string;
  endpoint_id: string;
  server_id: string | null;
  /** Null for an event without a resource, and for deliveries of earlier versions, which the next claim judges. */
  resource_scope: string | null;
  is_endpoint_deleted: boolean;
}

/** The values that the index uses for a delivery without a server, and for a delivery without a scope. */
const SERVER = sql`coalesce(server_id, '00000000-0000-0000-0000-000000000000')`;
const SCOPE = sql`coalesce(resource_scope, '')`;

/** Returns each combination of endpoint, server and resource scope with held deliveries, and its current authority. */
export function listHeldGroups(db: Queryable): Promise<HeldGroupRow[]> {
  return db.query(sql`
    with recursive held as (
      (select app_id, endpoint_id, server_id, resource_scope, key_id from queue where state = 'held'
        order by endpoint_id, ${SERVER}, ${SCOPE} limit 1)
      union all
      select next.* from held cross join lateral (
        select app_id, endpoint_id, server_id, resource_scope, key_id from queue
        where state = 'held' and (endpoint_id, ${SERVER}, ${SCOPE})
          > (held.endpoint_id, coalesce(held.server_id, '00000000-0000-0000-0000-000000000000'),
            coalesce(held.resource_scope, ''))
        order by endpoint_id, ${SERVER}, ${SCOPE} limit 1) next)
    select h.app_id, h.endpoint_id, h.server_id, e.endpoint_id is null as is_endpoint_deleted,
      ${deliveryAuthority(sql`h.app_id`, sql`h.server_id`, sql`h.resource_scope`)}
    from held h
    left join endpoints e on e.app_id = h.app_id and e.endpoint_id = h.endpoint_id
    join keys k on k.app_id = h.app_id and k.key_id = coalesce(${deliveringKeyId}, h.key_id)
    join apps a on a.app_id = h.app_id`);
}

/**
 * Maximum number of rows per statement. That many deliveries keep a receiver busy for a while, and the statement stays
 * within its time limit.
 */
const RELEASED_AT_ONCE = 5_000;

/** Releases at most `atOnce` deliveries of a group to the next claim, which judges each of them. */
export async function releaseGroup(db: Database, group: HeldGroupRow, atOnce = RELEASED_AT_ONCE): Promise<void> {
  const next = sql`
    select delivery_id from queue
    where endpoint_id = ${group.endpoint_id} and ${SERVER} = coalesce(${group.server_id}::uuid, '00000000-0000-0000-0000-000000000000')
      and ${SCOPE} = ${group.resource_scope ?? ''} and state = 'held'
    limit ${atOnce} for update skip locked`;
  const release = sql`
    with released as (
      update queue set state = 'waiting', due_at = greatest(due_at, clock_timestamp())
      from ${REMEMBERED_IDS} id where app_id = ${group.app_id} and delivery_id = id
      returning app_id, delivery_id)
    update deliveries d set status = 'pending', reason = null
    from released where d.app_id = released.app_id and d.delivery_id = released.delivery_id`;
  await db.together([rememberIds(next), release]);
}

/**
 * Releases deliveries that wait for an earlier event although they are the first of their subject. A trigger does this
 * usually, but it skips a row that another transaction holds, and cannot see a row that is being inserted. A loose
 * index scan needs one descent per subject. Releases at most `atOnce` deliveries. The next run finds the rest.
 */
export async function releaseSubjectHeads(db: Queryable, atOnce = RELEASED_AT_ONCE): Promise<number> {
  const rows = await db.query(sql`
    with recursive behind as (
      (select app_id, delivery_id, endpoint_id, subject_id, sequence from queue where due_at = 'infinity'
        order by endpoint_id, subject_id, sequence limit 1)
      union all
      select next.* from behind b cross join lateral (
        select app_id, delivery_id, endpoint_id, subject_id, sequence from queue
        where due_at = 'infinity' and (endpoint_id, subject_id) > (b.endpoint_id, b.subject_id)
        order by endpoint_id, subject_id, sequence limit 1) next),
    first as (
      select app_id, delivery_id from behind b
      where not exists (select from queue earlier where earlier.endpoint_id = b.endpoint_id
        and earlier.subject_id = b.subject_id and earlier.sequence < b.sequence)
      limit ${atOnce})
    update queue q set due_at = clock_timestamp()
    from first where q.app_id = first.app_id and q.delivery_id = first.delivery_id and q.due_at = 'infinity'
    returning q.delivery_id`);
  return rows.length;
}
