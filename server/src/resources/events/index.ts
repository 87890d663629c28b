// Events: written in the transaction of the change that they describe, together with their deliveries.

import type { DeliveryEnqueuer, EventPort, TenantWriter } from '../../access/authority/index.ts';
import { type AnyResource, eventData } from '../../access/contracts/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { linkedReader, subjectOf } from '../objects/index.ts';
import type { Envelope, EventDraft } from './event.ts';
import { EVENT_KINDS, type EventType } from './event-types.ts';
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
  SUBJECT_PREFIXES,
  type SubjectType,
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

/** Returns the row of the event for an occurrence. */
export function buildEvent(
  appId: string,
  plane: EventPort,
  draft: EventDraft,
  onlyEndpointId: string | null = null,
): NewEvent {
  const eventId = newUuid();
  const { schemaVersion, subject } = EVENT_KINDS[draft.type];
  const envelope: Envelope = {
    id: toId('evt', eventId),
    type: draft.type,
    schemaVersion,
    occurredAt: draft.occurredAt ?? new Date(nowMs()).toISOString(),
    environment: plane.environment,
    appId: toId('app', appId),
    serverId: toId('srv', draft.serverId),
    subject: { type: subject, id: draft.subject.id },
    sequence: draft.sequence,
    requestId: draft.requestId,
    data: draft.data,
  };
  const older = (draft.older ?? []).map((inOld, index) =>
    JSON.stringify({ ...envelope, schemaVersion: index + 1, data: inOld }),
  );
  if (older.length !== schemaVersion - 1) throw new Error(`The event ${draft.type} lacks one of its schema versions.`);
  return {
    eventId,
    type: draft.type,
    schemaVersion,
    serverId: draft.serverId,
    subjectType: subject,
    subjectId: draft.subject.uuid,
    sequence: draft.sequence,
    requestId: draft.requestId === null ? null : (fromId('req', draft.requestId) ?? null),
    body: JSON.stringify(envelope),
    older,
    onlyEndpointId,
  };
}

/**
 * Writes an event without deliveries. An event for one endpoint is not in the feed, and the caller creates its
 * delivery.
 */
export function writeEvent(
  tenant: TenantWriter,
  plane: EventPort,
  draft: EventDraft,
  onlyEndpointId: string | null = null,
): NewEvent {
  const event = buildEvent(tenant.appId, plane, draft, onlyEndpointId);
  insertEvent(tenant, event);
  return event;
}

/**
 * Writes the event and one delivery for each subscribed endpoint, and returns its bytes. Call it as the last step of a
 * transaction. `enqueue` is the result of `Deliveries.prepare`, if the caller has prepared the deliveries.
 */
export async function emitEvent(
  tenant: TenantWriter,
  plane: EventPort,
  draft: EventDraft,
  enqueue?: DeliveryEnqueuer,
): Promise<string> {
  const enqueueEvent = enqueue ?? (await plane.deliveries.prepare(tenant, draft));
  const event = writeEvent(tenant, plane, draft);
  enqueueEvent({ ...event, subject: { uuid: draft.subject.uuid, sequence: draft.sequence } });
  return event.body;
}

/** Writes the event of a change of an object, with its deliveries, and returns its bytes, like `emitEvent`. */
export function emitObjectEvent(
  tenant: TenantWriter,
  plane: EventPort,
  resource: AnyResource,
  type: EventType,
  row: { server_id: string; event_sequence: number; request_id?: string | null },
): Promise<string> {
  const object = linkedReader(resource, plane.urls.public)(row);
  const requestId = row.request_id ? toId('req', row.request_id) : null;
  const { server_id: serverId, event_sequence: sequence } = row;
  return emitEvent(tenant, plane, {
    type,
    serverId,
    subject: subjectOf(resource, row),
    sequence,
    requestId,
    ...eventData(resource, type, object),
  });
}
