// Enables the rule about the scopes of events for every app, from the announced day on or from an earlier day that the
// operator sets. Until then the job warns the apps from which the rule would withhold events.

import { type Plane, runInApp, type WorkPort } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { runEach } from '../../kit/flow/run-each.ts';
import { endsMs } from '../../kit/http/deprecation.ts';
import { EVENT_SCOPES_CHANGE } from '../../platform/deprecations/index.ts';
import { enforceForOneApp } from './enforce-for-app.ts';
import { listAppsOnEarlierRule } from './store.ts';
import { createEventScopeWarningTick } from './warn-about-event-scopes.ts';

const RUN_EVERY_MS = 60_000;
const APPS_AT_ONCE = 100;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

export type EventScopesSetting = 'announced' | 'enforced';

export function startEnforcingEventScopes(
  worker: Database,
  plane: WorkPort & Pick<Plane, 'deprecations'>,
  setting: EventScopesSetting,
  onError: (error: unknown) => void,
): Loop {
  return startLoop(createEventScopesTick(worker, plane, setting, onError), RUN_EVERY_MS, onError);
}

/** Returns one run of the job. An app that fails does not delay the other apps. */
export function createEventScopesTick(
  worker: Database,
  plane: WorkPort & Pick<Plane, 'deprecations'>,
  setting: EventScopesSetting,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const warn = createEventScopeWarningTick(worker, plane, onError);
  return () => {
    const isDue = setting === 'enforced' || plane.deprecations.nowMs() >= endsMs(EVENT_SCOPES_CHANGE);
    return isDue ? enforceForAll(worker, plane, onError) : warn();
  };
}

async function enforceForAll(worker: Database, plane: WorkPort, onError: (error: unknown) => void): Promise<void> {
  for (let after = NIL_UUID; ; ) {
    const apps = await listAppsOnEarlierRule(worker, after, APPS_AT_ONCE);
    await runEach('event scopes enforcement', apps, (appId) => enforceFor(plane, appId), onError);
    const last = apps.at(-1);
    if (last === undefined || apps.length < APPS_AT_ONCE) return;
    after = last;
  }
}

async function enforceFor(plane: WorkPort, appId: string): Promise<void> {
  const actor = { kind: 'machine', id: 'slipway', name: 'Slipway' } as const;
  await runInApp(plane, appId, { actor, requestId: null, clientAddress: null }, async (context) => {
    if (await enforceForOneApp(context)) context.audit('app.enforce_event_scopes', toId('app', appId));
  });
}
