// Events: written in the transaction of the change that they tell of, together with their deliveries.
import { nowMs } from '../../kit/clock.ts';
import { newUuid, toId } from '../../kit/ids.ts';
import type { Plane, Tenant } from '../authority/index.ts';
import { type Envelope, type Happening, SCHEMA_VERSION } from './event.ts';
import { getEvent } from './get-event.ts';
import { listEvents } from './list-events.ts';
import { insertEvent } from './store.ts';

export { EVENT_TYPES, type EventType } from './event.ts';

export const eventOperations = [listEvents, getEvent];

/** Writes the event and one delivery for each endpoint that wants it. The last thing that a transaction does. */
export async function emitEvent(tenant: Tenant, plane: Plane, happening: Happening): Promise<void> {
  const eventId = newUuid();
  const schemaVersion = SCHEMA_VERSION[happening.type];
  const envelope: Envelope = {
    id: toId('evt', eventId),
    type: happening.type,
    schemaVersion,
    occurredAt: new Date(nowMs()).toISOString(),
    environment: plane.environment,
    appId: toId('app', tenant.appId),
    serverId: toId('srv', happening.serverId),
    subject: { type: happening.subject.type, id: happening.subject.id },
    sequence: happening.sequence,
    requestId: happening.requestId,
    data: happening.data,
  };
  await insertEvent(tenant, {
    eventId,
    type: happening.type,
    schemaVersion,
    serverId: happening.serverId,
    subjectType: happening.subject.type,
    subjectId: happening.subject.uuid,
    sequence: happening.sequence,
    body: JSON.stringify(envelope),
  });
  await plane.enqueueDeliveries(tenant, { eventId, type: happening.type, serverId: happening.serverId });
}
