// The SQL of what the end of an app's access means for its deliveries: held, and let go when it has it again.
import { sql } from '../../kit/sql.ts';
import type { Tenant, TenantTransaction } from '../authority/index.ts';
import { countStop, unheld } from './stop-store.ts';

/**
 * An app is stopped at once, however much waits: beyond so many a delivery is held, or let go, when its turn comes. Nothing
 * of it is sent in the meantime, because each claim judges it.
 */
export const HELD_AT_ONCE = 10_000;

/** Sets aside what waits; how many, at most HELD_AT_ONCE. What is in flight is stopped after the commit. */
export async function holdDeliveriesOfApp(tenant: TenantTransaction): Promise<number> {
  countStop(tenant);
  const rows = await tenant.query<{ count: number }>(sql`
    with held as (
      update queue set state = 'held'
      where ${unheld(sql`app_id = ${tenant.appId} and state = 'waiting' limit ${HELD_AT_ONCE}`)}
      returning app_id, delivery_id),
    told as (
      update deliveries d set status = 'held', reason = 'app_suspended'
      from held where d.app_id = held.app_id and d.delivery_id = held.delivery_id)
    select count(*)::int as count from held`);
  return rows[0]?.count ?? 0;
}

/** Lets go what was held, for whatever reason: whether it may be made is judged again when it is claimed. */
export async function releaseDeliveriesOfApp(tenant: Tenant): Promise<void> {
  await tenant.query(sql`
    with released as (
      update queue set state = 'waiting', due_at = greatest(due_at, clock_timestamp())
      where app_id = ${tenant.appId} and state = 'held' and delivery_id in (
        select delivery_id from queue where app_id = ${tenant.appId} and state = 'held' limit ${HELD_AT_ONCE})
      returning app_id, delivery_id)
    update deliveries d set status = 'pending', reason = null
    from released where d.app_id = released.app_id and d.delivery_id = released.delivery_id`);
}
