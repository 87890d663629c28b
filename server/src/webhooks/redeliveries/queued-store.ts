// The SQL that moves the next attempt of a waiting delivery to now.

import type { Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';

/** The place of a delivery that has not ended, in the queue of its endpoint. */
export interface QueuedRow {
  state: 'waiting' | 'held' | 'in_flight';
  /** Why the delivery is held; null unless it is held. */
  reason: string | null;
  /** Null while an earlier event of its subject is delivered first. */
  due_at: Date | null;
  /** The event that is delivered first; null if the delivery waits for none. */
  earlier_event_id: string | null;
}

/**
 * Locks the queue row of a delivery until the transaction ends. Undefined if the delivery has ended. The lock is a
 * separate statement: after a wait for a claim, the second statement reads the state that the claim committed.
 */
export function lockQueued(tenant: TenantTransaction, deliveryId: string): Promise<QueuedRow | undefined> {
  tenant.send(sql`select from queue where app_id = ${tenant.appId} and delivery_id = ${deliveryId} for update`);
  return tenant.first(sql`
    select q.state, case when q.state = 'held' then d.reason end as reason, nullif(q.due_at, 'infinity') as due_at,
      case when q.due_at = 'infinity' then (
        select earlier.event_id from queue earlier
        where earlier.app_id = q.app_id and earlier.endpoint_id = q.endpoint_id and earlier.subject_id = q.subject_id
          and earlier.due_at < 'infinity'
        order by earlier.sequence limit 1) end as earlier_event_id
    from queue q join deliveries d on d.app_id = q.app_id and d.delivery_id = q.delivery_id
    where q.app_id = ${tenant.appId} and q.delivery_id = ${deliveryId}`);
}

/**
 * Makes a delivery due now, unless it is due already. Rate, order and access apply as before, because the next claim
 * judges them.
 */
export async function makeDueNow(tenant: Tenant, deliveryId: string): Promise<void> {
  await tenant.query(sql`update queue set due_at = clock_timestamp()
    where app_id = ${tenant.appId} and delivery_id = ${deliveryId} and due_at > clock_timestamp()`);
}
