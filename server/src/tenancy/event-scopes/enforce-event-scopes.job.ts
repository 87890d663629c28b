// Enables the rule about the scopes of events for every app, from the announced day on or from an earlier day that the
// operator sets. Until then the job warns the apps from which the rule would withhold events.

import { inApp, type Plane } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { endsMs } from '../../kit/http/deprecation.ts';
import { EVENT_SCOPES_CHANGE } from '../../platform/deprecations/index.ts';
import { enforce } from './enforce.ts';
import { listEarlierApps } from './store.ts';
import { createEventScopeWarnings } from './warn-of-event-scopes.ts';

const LOOK_EVERY_MS = 60_000;
const APPS_AT_ONCE = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

export type EventScopesSetting = 'announced' | 'enforced';

export function startEnforcingEventScopes(
  worker: Database,
  plane: Plane,
  setting: EventScopesSetting,
  onError: (error: unknown) => void,
): Loop {
  return startLoop(createEventScopesTurn(worker, plane, setting, onError), LOOK_EVERY_MS, onError);
}

/** Returns one run of the job. An app that fails does not delay the other apps. */
export function createEventScopesTurn(
  worker: Database,
  plane: Plane,
  setting: EventScopesSetting,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const warn = createEventScopeWarnings(worker, plane, onError);
  return () => {
    const isDue = setting === 'enforced' || plane.deprecations.nowMs() >= endsMs(EVENT_SCOPES_CHANGE);
    return isDue ? enforceForAll(worker, plane, onError) : warn();
  };
}

async function enforceForAll(worker: Database, plane: Plane, onError: (error: unknown) => void): Promise<void> {
  for (let after = FIRST; ; ) {
    const apps = await listEarlierApps(worker, after, APPS_AT_ONCE);
    for (const appId of apps) await enforceFor(plane, appId).catch(onError);
    const last = apps.at(-1);
    if (last === undefined || apps.length < APPS_AT_ONCE) return;
    after = last;
  }
}

async function enforceFor(plane: Plane, appId: string): Promise<void> {
  const actor = { kind: 'machine', id: 'slipway', name: 'Slipway' } as const;
  await inApp(plane, appId, { actor, requestId: null, clientAddress: null }, async (context) => {
    if (await enforce(context)) context.audit('app.enforce_event_scopes', toId('app', appId));
  });
}
