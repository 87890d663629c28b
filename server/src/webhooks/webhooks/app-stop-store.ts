// The SQL of what the end of an app's access means for its deliveries: held, and let go when it has it again.

import type { Scope, TenantTransaction } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import type { DeliveryReason } from './delivery.ts';
import { SCOPE_OF_QUEUED } from './servers-store.ts';
import { countStop, holdSome, releaseSome, sendCancelSome } from './stop-store.ts';

/** Sets aside what waits; how many, of those that are looked at. What is in flight is stopped after the commit. */
export function holdDeliveriesOfApp(tenant: TenantTransaction): Promise<number> {
  countStop(tenant);
  return holdSome(tenant, sql`true`, 'app_suspended');
}

/** Ends for good what waits, of whatever endpoint. What is in flight is stopped after the commit. */
export function cancelDeliveriesOfApp(tenant: TenantTransaction, reason: DeliveryReason): void {
  countStop(tenant);
  sendCancelSome(tenant, sql`true`, reason);
}

/** Ends for good what waits with a resource of these scopes, for which the app is not approved any more. */
export function cancelDeliveriesOfScopes(tenant: TenantTransaction, scopes: readonly Scope[]): void {
  countStop(tenant);
  const isOfScope = sql`(select enforces_event_scopes from apps where app_id = ${tenant.appId})
    and server_id is not null and ${SCOPE_OF_QUEUED} = any(${scopes}::text[])`;
  sendCancelSome(tenant, isOfScope, 'resource_scope_not_approved');
}

/** Lets go what was held, for whatever reason: whether it may be made is judged again when it is claimed. */
export async function releaseDeliveriesOfApp(tenant: TenantTransaction): Promise<void> {
  await releaseSome(tenant, sql`true`);
}
