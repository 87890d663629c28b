// Triggers an event: makes the change that the event reports, on the named object of the app or on a suitable one.

import type { ManagedAppContext } from '../../access/authority/index.ts';
import { grantor, type InstalledResource, resourceEvents } from '../../access/contracts/index.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { type EventType, RESOURCE_SCOPES } from '../../resources/events/index.ts';
import { hasTable } from '../../resources/objects/index.ts';
import { archivePublication, editPublication, publishPublication } from '../../resources/publications/index.ts';
import { moveRoadmapItem, proposeRoadmapItem } from '../../resources/roadmap/index.ts';
import { pickServerId } from '../../resources/servers/index.ts';
import { answerTicket, closeTicket, openTicket } from '../../resources/tickets/index.ts';
import { triggerRun } from '../../resources/workflows/index.ts';
import { changeGrant, findServerInState, lockInstallationRow } from '../../tenancy/installations/index.ts';
import { changeServer, pingServer } from './change-server.ts';
import { type EventContent, requireContent } from './event-content.ts';
import { triggerObjectEvent } from './trigger-object-event.ts';
import { type ChangeSeed, PRESET_KINDS, type Preset } from './world.ts';

const SUBJECTS = new Map<EventType, InstalledResource>(resourceEvents.map(({ type, resource }) => [type, resource]));
const TARGETS = new Map<EventType, InstalledResource | undefined>(
  resourceEvents.map(({ type, resource, event }) => [type, event.creates ? resource.parent : resource]),
);

/** Returns the resource whose object a trigger names: the subject, its parent, or the grantor for the platform's events. */
export const targetOf = (type: EventType): InstalledResource | undefined => TARGETS.get(type) ?? grantor;

/** Returns the event; undefined if no object allows it (`explain-no-event.ts` explains why). */
export async function causeEvent(
  context: ManagedAppContext,
  preset: Preset,
  type: EventType,
  objectId: string | undefined,
  given: EventContent | undefined,
): Promise<string | undefined> {
  const words = given && requireContent(type, given);
  const uuid = objectId === undefined ? undefined : uuidOf(type, objectId);
  const subject = SUBJECTS.get(type);
  if (subject && !hasTable(subject))
    return triggerObjectEvent(context.tenant, context.plane, subject, { type, objectId: uuid, set: words });
  const from: ChangeSeed = { origin: newUuid(), script: PRESET_KINDS[preset].script };
  if (targetOf(type) === grantor) return causeEventOnServer(context, type, uuid, { ...from, words });
  const { tenant, plane } = context;
  switch (type) {
    case 'publication.published':
      return publishPublication(tenant, plane, { publicationId: uuid }, words);
    case 'publication.updated':
      return editPublication(tenant, plane, { publicationId: uuid }, from, words);
    case 'publication.archived':
      return archivePublication(tenant, plane, { publicationId: uuid });
    case 'roadmap.item_moved':
      return moveRoadmapItem(tenant, plane, { roadmapItemId: uuid }, words);
    case 'ticket.updated':
      return answerTicket(tenant, plane, { ticketId: uuid });
    case 'ticket.closed':
      return closeTicket(tenant, plane, { ticketId: uuid });
    case 'workflow_run.started':
    case 'workflow_run.succeeded':
    case 'workflow_run.failed':
      return triggerRun(tenant, plane, uuid, type, words?.input);
    default:
      return undefined;
  }
}

async function causeEventOnServer(
  context: ManagedAppContext,
  type: EventType,
  named: string | undefined,
  { words, ...from }: ChangeSeed & { words: EventContent | undefined },
): Promise<string | undefined> {
  const { tenant, plane } = context;
  if (type === 'installation.paused') return setInstallation(context, named, 'authorised', 'paused');
  if (type === 'installation.resumed') return setInstallation(context, named, 'paused', 'authorised');
  if (type === 'installation.scope_changed') return setScope(context, named, words);
  const serverId = named === undefined ? await pickServerId(tenant) : await findInstalledServer(context, named);
  if (serverId === undefined) return undefined;
  if (type === 'ticket.created') return openTicket(tenant, plane, serverId, from, words);
  if (type === 'roadmap.item_created') return proposeRoadmapItem(tenant, plane, serverId, from, words);
  return type === 'ping' ? pingServer(tenant, plane, serverId) : changeServer(tenant, plane, serverId, from.origin);
}

const findInstalledServer = async ({ tenant }: ManagedAppContext, serverId: string): Promise<string | undefined> =>
  (await lockInstallationRow(tenant, serverId))?.server_id;

async function setInstallation(
  context: ManagedAppContext,
  named: string | undefined,
  from: 'authorised' | 'paused',
  to: 'authorised' | 'paused',
): Promise<string | undefined> {
  const serverId = await findServerInState(context.tenant, from, named);
  const row = serverId === undefined ? undefined : await lockInstallationRow(context.tenant, serverId);
  if (!row) return undefined;
  const { events } = await changeGrant(context, row, null, to);
  return events[0]?.body;
}

/** Sets the state of the scope. Without a given state, pauses the scope or resumes a paused scope. */
async function setScope(
  context: ManagedAppContext,
  named: string | undefined,
  { scope = RESOURCE_SCOPES[0], state }: EventContent = {},
): Promise<string | undefined> {
  const serverId = await findServerInState(context.tenant, 'authorised', named);
  const row = serverId === undefined ? undefined : await lockInstallationRow(context.tenant, serverId);
  if (!row || scope === undefined) return undefined;
  const current = row.scopes.find((grant) => grant.scope === scope)?.state;
  const { events } = await changeGrant(
    context,
    row,
    scope,
    state ?? (current === 'authorised' ? 'paused' : 'authorised'),
  );
  return events[0]?.body;
}

function uuidOf(type: EventType, objectId: string): string {
  const prefix = targetOf(type)?.idPrefix ?? '';
  const uuid = fromId(prefix, objectId);
  if (uuid !== undefined) return uuid;
  const detail =
    prefix === ''
      ? `is not allowed for ${type}, which is about no existing object`
      : `must be an identifier that begins with ${prefix}_ for ${type}`;
  throw problem('invalid_request', { errors: [{ pointer: '/objectId', detail }] });
}
