// Stops everything of an app: what suspending and deleting it have in common.

import type { AppContext } from '../../access/authority/index.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { holdDeliveriesOfApp } from '../../webhooks/webhooks/index.ts';
import type { AppRow, AppStop } from './app.ts';
import { countLive, holdAppRow } from './store.ts';

/** The app's row, held. One that ended since the operation began is not there. */
export async function holdApp({ tenant }: AppContext): Promise<AppRow> {
  const row = await holdAppRow(tenant);
  if (!row) throw problem('not_found');
  return row;
}

/**
 * `end` takes the app's access away. Calls are refused from its commit on; deliveries that wait are held, those that are in
 * flight stopped before the operation answers. Its world and its runs stand still, because whoever moves them asks for an
 * active app.
 */
export async function stopApp(
  context: AppContext,
  end: () => Promise<AppRow>,
): Promise<{ row: AppRow; stopped: AppStop }> {
  const { tenant, cancelInFlight } = context;
  const row = await end();
  const [live, deliveries] = await Promise.all([countLive(tenant), holdDeliveriesOfApp(tenant)]);
  cancelInFlight({ keyId: null, serverId: null });
  return { row, stopped: { ...live, deliveries } };
}
