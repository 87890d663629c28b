// The SQL of what the end of an app's access means for its deliveries: held, and let go when it has it again.
import { sql } from '../../kit/sql.ts';
import type { Tenant, TenantTransaction } from '../authority/index.ts';
import type { DeliveryReason } from './delivery.ts';
import { cancelSome, countStop, holdSome, releaseSome } from './stop-store.ts';

/** Sets aside what waits; how many, of those that are looked at. What is in flight is stopped after the commit. */
export async function holdDeliveriesOfApp(tenant: TenantTransaction): Promise<number> {
  countStop(tenant);
  const rows = await tenant.query<{ count: number }>(holdSome(tenant, sql`state = 'waiting'`, 'app_suspended'));
  return rows[0]?.count ?? 0;
}

/** Ends for good what waits, of whatever endpoint. What is in flight is stopped after the commit. */
export function cancelDeliveriesOfApp(tenant: TenantTransaction, reason: DeliveryReason): void {
  countStop(tenant);
  tenant.send(cancelSome(tenant, sql`state in ('waiting', 'held')`, reason));
}

/** Lets go what was held, for whatever reason: whether it may be made is judged again when it is claimed. */
export async function releaseDeliveriesOfApp(tenant: Tenant): Promise<void> {
  await tenant.query(releaseSome(tenant, sql`state = 'held'`));
}
