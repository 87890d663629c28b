// Events: written in the transaction of the change that they tell of, together with their deliveries.
import { nowMs } from '../../kit/clock.ts';
import { newUuid, toId } from '../../kit/ids.ts';
import type { Plane, TenantTransaction } from '../authority/index.ts';
import type { Envelope, Happening } from './event.ts';
import { EVENT_KINDS } from './event-types.ts';
import { getEvent } from './get-event.ts';
import { listEvents } from './list-events.ts';
import { insertEvent } from './store.ts';

export { Event, EventTypeSchema, exampleEvent } from './event.ts';
export { EVENT_KINDS, EVENT_SCOPE, EVENT_TYPES, type EventType, WITHOUT_RESOURCE } from './event-types.ts';

export const eventOperations = [listEvents, getEvent];

/**
 * Writes the event and one delivery for each endpoint that wants it, and returns its bytes. The last thing that a
 * transaction does.
 */
export async function emitEvent(tenant: TenantTransaction, plane: Plane, happening: Happening): Promise<string> {
  const eventId = newUuid();
  const { schemaVersion, subject, data } = EVENT_KINDS[happening.type];
  const envelope: Envelope = {
    id: toId('evt', eventId),
    type: happening.type,
    schemaVersion,
    occurredAt: new Date(nowMs()).toISOString(),
    environment: plane.environment,
    appId: toId('app', tenant.appId),
    serverId: toId('srv', happening.serverId),
    subject: { type: subject, id: happening.subject.id },
    sequence: happening.sequence,
    requestId: happening.requestId,
    data: happening.data,
  };
  const body = JSON.stringify(envelope);
  const older = (happening.older ?? []).map((inOld, index) =>
    JSON.stringify({ ...envelope, schemaVersion: index + 1, data: inOld }),
  );
  if (older.length !== schemaVersion - 1) throw new Error(`${happening.type} is not given in all of its versions.`);
  insertEvent(tenant, {
    eventId,
    type: happening.type,
    schemaVersion,
    serverId: happening.serverId,
    subjectType: subject,
    subjectId: happening.subject.uuid,
    sequence: happening.sequence,
    body,
    older,
  });
  // What tells of no resource is no server's to allow, hold or stop.
  const serverId = data === null ? null : happening.serverId;
  await plane.enqueueDeliveries(tenant, { eventId, type: happening.type, schemaVersion, serverId });
  return body;
}
