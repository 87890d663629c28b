// Stops all activity of an app: the common part of suspending and deleting it.

import type { ManagedAppContext } from '../../access/authority/index.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { holdDeliveriesOfApp } from '../../webhooks/webhooks/index.ts';
import type { AppRow, AppStop } from './app.ts';
import { countActiveKeysAndRuns, lockAppRow } from './store.ts';

/** Locks and returns the app's row. Throws `not_found` if the app ended after the operation began. */
export async function requireLockedApp({ tenant }: ManagedAppContext): Promise<AppRow> {
  const row = await lockAppRow(tenant);
  if (!row) throw problem('not_found');
  return row;
}

/**
 * Withdraws the app's access with `end`, holds its pending deliveries and cancels its in-flight attempts before the
 * operation responds. Calls are rejected from the commit of `end` on. Sandbox data and workflow runs pause, because
 * their jobs require an active app.
 */
export async function endAppAccess(
  context: ManagedAppContext,
  end: () => Promise<AppRow>,
): Promise<{ row: AppRow; stopped: AppStop }> {
  const { tenant, cancelInFlight } = context;
  const row = await end();
  const [live, deliveries] = await Promise.all([countActiveKeysAndRuns(tenant), holdDeliveriesOfApp(tenant)]);
  cancelInFlight({ keyId: null, serverId: null });
  return { row, stopped: { ...live, deliveries } };
}
