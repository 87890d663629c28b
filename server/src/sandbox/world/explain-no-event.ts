// Explains why an event cannot be triggered: its object does not exist, or is in an unsuitable state.

import type { Tenant } from '../../access/authority/index.ts';
import { resourceEvents } from '../../access/contracts/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import type { EventType } from '../../resources/events/index.ts';
import { targetOf } from './cause-event.ts';
import { hasObject } from './store.ts';

/** The unsuitable state, for a named object and for all objects that were considered. */
const UNSUITABLE_STATES: Partial<Record<EventType, { named: string; any: string }>> = {
  ...Object.fromEntries(resourceEvents.map(({ type, event }) => [type, event.refusal])),
  'installation.paused': {
    named: 'The server does not authorise the app: there is nothing to pause.',
    any: 'No server authorises the app: there is nothing to pause.',
  },
  'installation.resumed': {
    named: 'The installation on the server is not paused.',
    any: 'No installation is paused.',
  },
  'installation.scope_changed': {
    named: 'The server does not authorise the app, or the scope already has this state.',
    any: 'No server authorises the app, or the scope already has this state on the newest one.',
  },
};

/** Returns the reason as a sentence. An object of another app counts as missing. */
export async function explainNoEvent(tenant: Tenant, type: EventType, objectId: string | undefined): Promise<string> {
  const target = targetOf(type);
  if (target && !(await hasObject(tenant, target.kind, objectId && fromId(target.idPrefix, objectId)))) {
    return objectId === undefined
      ? `The world has no ${target.noun}: reset it to a preset that has some.`
      : `The world has no ${target.noun} with this identifier; a reset may have removed it.`;
  }
  const unfit = UNSUITABLE_STATES[type];
  if (!unfit) return 'The world changed during the request. Try again.';
  return objectId === undefined ? unfit.any : unfit.named;
}
