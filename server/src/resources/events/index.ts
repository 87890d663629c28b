// Events: written in the transaction of the change that they describe, together with their deliveries.

import type { DeliveryEnqueuer, Plane, TenantWriter } from '../../access/authority/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import type { Envelope, EventDraft } from './event.ts';
import { EVENT_KINDS, type EventType, TYPES_WITHOUT_RESOURCE } from './event-types.ts';
import { getEvent } from './get-event.ts';
import { listEvents } from './list-events.ts';
import { insertEvent, type NewEvent } from './store.ts';

export { Event, type EventDraft, EventId, EventTypeSchema, exampleEvent } from './event.ts';
export {
  EVENT_KINDS,
  EVENT_SCOPE,
  EVENT_TYPES,
  type EventType,
  RESOURCE_SCOPES,
  type ResourceScope,
  TYPES_WITHOUT_RESOURCE,
} from './event-types.ts';
export {
  enforcesEventScopes,
  findResourceGrant,
  isEventGranted,
  listResourceGrants,
  resourceScopeOf,
} from './scope-store.ts';
export { bodyInVersion, insertEvents, type NewEvent } from './store.ts';

export const eventOperations = [listEvents, getEvent];

interface WrittenEvent {
  eventId: string;
  schemaVersion: number;
  body: string;
}

/** Returns the row of the event for an occurrence. */
export function describeEvent(
  appId: string,
  plane: Plane,
  happening: EventDraft,
  onlyEndpointId: string | null = null,
): NewEvent {
  const eventId = newUuid();
  const { schemaVersion, subject } = EVENT_KINDS[happening.type];
  const envelope: Envelope = {
    id: toId('evt', eventId),
    type: happening.type,
    schemaVersion,
    occurredAt: happening.occurredAt ?? new Date(nowMs()).toISOString(),
    environment: plane.environment,
    appId: toId('app', appId),
    serverId: toId('srv', happening.serverId),
    subject: { type: subject, id: happening.subject.id },
    sequence: happening.sequence,
    requestId: happening.requestId,
    data: happening.data,
  };
  const older = (happening.older ?? []).map((inOld, index) =>
    JSON.stringify({ ...envelope, schemaVersion: index + 1, data: inOld }),
  );
  if (older.length !== schemaVersion - 1)
    throw new Error(`The event ${happening.type} lacks one of its schema versions.`);
  return {
    eventId,
    type: happening.type,
    schemaVersion,
    serverId: happening.serverId,
    subjectType: subject,
    subjectId: happening.subject.uuid,
    sequence: happening.sequence,
    requestId: happening.requestId === null ? null : (fromId('req', happening.requestId) ?? null),
    body: JSON.stringify(envelope),
    older,
    onlyEndpointId,
  };
}

function writeEvent(
  tenant: TenantWriter,
  plane: Plane,
  happening: EventDraft,
  onlyEndpointId: string | null,
): WrittenEvent {
  const event = describeEvent(tenant.appId, plane, happening, onlyEndpointId);
  insertEvent(tenant, event);
  const { eventId, schemaVersion, body } = event;
  return { eventId, schemaVersion, body };
}

/**
 * Finds the endpoints that receive such an event. A caller may query them before the event exists, in the round trip
 * that reads its access.
 */
export function findReceivers(
  tenant: TenantWriter,
  plane: Plane,
  { type, serverId }: { type: EventType; serverId: string | null },
): Promise<DeliveryEnqueuer> {
  // An event without a resource depends on no grant of a server.
  return plane.findReceivers(tenant, type, TYPES_WITHOUT_RESOURCE.includes(type) ? null : serverId);
}

/**
 * Writes the event and one delivery for each subscribed endpoint, and returns its bytes. Call it as the last step of a
 * transaction.
 */
export async function emitEvent(
  tenant: TenantWriter,
  plane: Plane,
  happening: EventDraft,
  found?: DeliveryEnqueuer,
): Promise<string> {
  const enqueue = found ?? (await findReceivers(tenant, plane, happening));
  const { body, eventId, schemaVersion } = writeEvent(tenant, plane, happening, null);
  enqueue({ eventId, schemaVersion, subject: { id: happening.subject.uuid, sequence: happening.sequence } });
  return body;
}

/** Writes an event for one endpoint. The event is not in the feed, and the caller creates its delivery. */
export function writeEndpointEvent(
  tenant: TenantWriter,
  plane: Plane,
  endpointId: string,
  happening: EventDraft,
): Omit<WrittenEvent, 'body'> {
  return writeEvent(tenant, plane, happening, endpointId);
}
