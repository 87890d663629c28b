// The SQL for the deliveries of an app whose access ends or returns: cancels, holds and releases them.

import type { Scope, TenantTransaction } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { holdMatching, incrementStopEpoch, releaseMatching, sendCancelMatching } from './access-change-store.ts';
import type { DeliveryReason } from './delivery.ts';
import { QUEUED_SCOPE } from './server-grants-store.ts';

/**
 * Holds waiting deliveries of the app, and returns the number of examined deliveries that it changed. In-flight
 * attempts are stopped after the commit.
 */
export function holdDeliveriesOfApp(tenant: TenantTransaction): Promise<number> {
  incrementStopEpoch(tenant);
  return holdMatching(tenant, sql`true`, 'app_suspended');
}

/** Cancels waiting deliveries of the app, to any endpoint. In-flight attempts are stopped after the commit. */
export function cancelDeliveriesOfApp(tenant: TenantTransaction, reason: DeliveryReason): void {
  incrementStopEpoch(tenant);
  void sendCancelMatching(tenant, sql`true`, reason);
}

/** Cancels waiting deliveries with a resource of these scopes, for which the app is no longer approved. */
export function cancelDeliveriesOfScopes(tenant: TenantTransaction, scopes: readonly Scope[]): void {
  incrementStopEpoch(tenant);
  const isOfScope = sql`(select enforces_event_scopes from apps where app_id = ${tenant.appId})
    and server_id is not null and ${QUEUED_SCOPE} = any(${scopes}::text[])`;
  void sendCancelMatching(tenant, isOfScope, 'resource_scope_not_approved');
}

/** Releases held deliveries, whatever their reason. The next claim judges each of them. */
export async function releaseDeliveriesOfApp(tenant: TenantTransaction): Promise<void> {
  await releaseMatching(tenant, sql`true`);
}
