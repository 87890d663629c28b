// Warns each app once about events that the rule about the scopes of events would withhold. Each run examines a limited
// number of apps. Several workers may run concurrently, because the transaction that writes the notice first marks the
// app.

import { type Plane, runInApp, type WorkPort } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { runEach } from '../../kit/flow/run-each.ts';
import { insertNotice } from '../../platform/notices/index.ts';
import { countEvents } from './event-scopes.ts';
import { findEventKey, findWithheld, listUnwarnedApps, markWarned } from './store.ts';

const APPS_PER_TICK = 20;
/**
 * Minimum time between rounds. The next round examines unaffected apps again, because a change of a grant may withhold
 * events from them later.
 */
const ROUND_EVERY_MS = 60 * 60_000;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Returns one run. The runs iterate over all apps under the earlier rule, and start a new iteration at most once per
 * hour.
 */
export function createEventScopeWarningTick(
  worker: Database,
  plane: WorkPort & Pick<Plane, 'deprecations'>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let after: string | undefined;
  let nextRoundMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = plane.deprecations.nowMs();
    if (after === undefined && nowMs < nextRoundMs) return;
    const apps = await listUnwarnedApps(worker, after ?? NIL_UUID, APPS_PER_TICK);
    // Set after the query, so that a failed query does not count as a round.
    if (after === undefined) nextRoundMs = nowMs + ROUND_EVERY_MS;
    await runEach('event scopes warning', apps, (appId) => warn(plane, appId), onError);
    after = apps.length < APPS_PER_TICK ? undefined : apps.at(-1);
  };
}

async function warn(plane: WorkPort, appId: string): Promise<void> {
  const actor = { kind: 'machine', id: 'slipway', name: 'Slipway' } as const;
  await runInApp(plane, appId, { actor, requestId: null, clientAddress: null }, async ({ tenant }) => {
    const withheld = await findWithheld(tenant);
    const events = countEvents(withheld);
    if (events === 0) return;
    const key = await findEventKey(tenant);
    if (!key || !(await markWarned(tenant))) return;
    await insertNotice(tenant, key, { kind: 'event_scopes', events, deliveries: withheld.deliveries });
  });
}
