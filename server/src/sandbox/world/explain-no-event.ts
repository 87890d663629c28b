// Explains why an event cannot be triggered: its object does not exist, or is in an unsuitable state.

import type { Tenant } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import type { EventType } from '../../resources/events/index.ts';
import { OBJECT_PREFIXES } from './cause-event.ts';
import { hasObject, type ObjectPrefix } from './store.ts';

const NOUNS: Record<ObjectPrefix, string> = {
  pub: 'publication',
  rmi: 'roadmap item',
  tkt: 'ticket',
  wfl: 'workflow',
  srv: 'server',
};

const UNPUBLISHED = { named: 'The publication is not published.', any: 'No publication is published.' };
const CLOSED = { named: 'The ticket is closed.', any: 'Every ticket is closed.' };
const SWITCHED_OFF = { named: 'The workflow is disabled.', any: 'Every workflow is disabled.' };

/** The unsuitable state, for a named object and for all objects that were considered. */
const UNSUITABLE_STATES: Partial<Record<EventType, { named: string; any: string }>> = {
  'publication.published': {
    named: 'The publication is published already.',
    any: 'Every publication is published already.',
  },
  'publication.updated': UNPUBLISHED,
  'publication.archived': UNPUBLISHED,
  'ticket.updated': CLOSED,
  'ticket.closed': CLOSED,
  'workflow_run.started': SWITCHED_OFF,
  'workflow_run.succeeded': SWITCHED_OFF,
  'workflow_run.failed': SWITCHED_OFF,
  'roadmap.item_created': {
    named: 'The roadmap of the server already has the maximum number of items.',
    any: 'The roadmap of the newest server already has the maximum number of items. Name another server.',
  },
  'server.updated': {
    named: 'The app was never authorised on the server.',
    any: 'The app was never authorised on the newest server. Name another server.',
  },
  'installation.paused': {
    named: 'The server does not authorise the app at present: there is nothing to pause.',
    any: 'No server authorises the app at present: there is nothing to pause.',
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
  const prefix = OBJECT_PREFIXES[type];
  if (!(await hasObject(tenant, prefix, objectId && fromId(prefix, objectId)))) {
    const noun = NOUNS[prefix];
    return objectId === undefined
      ? `The world has no ${noun}: reset it to a preset that has some.`
      : `The world has no ${noun} with this identifier; a reset may have removed it.`;
  }
  const unfit = UNSUITABLE_STATES[type];
  if (!unfit) return 'The world changed during the request. Try again.';
  return objectId === undefined ? unfit.any : unfit.named;
}
