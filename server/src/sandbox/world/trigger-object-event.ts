// Triggers an event of a declared resource: makes the change that the event reports, without a request to the API.
import type { EventPort, TenantTransaction } from '../../access/authority/index.ts';
import type { AnyResource } from '../../access/contracts/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { type EventType, emitObjectEvent } from '../../resources/events/index.ts';
import {
  accountOf,
  deleteStored,
  insertStored,
  lockSuitableObject,
  newKey,
  nextNumber,
  type StoredObject,
  stateOf,
  updateStored,
} from '../../resources/objects/index.ts';
import { changedFields, newFields, parentFields } from '../../resources/operations/index.ts';

/**
 * Returns the event; undefined if no object allows it. `objectId` is the UUID of the parent for an event that reports a
 * creation, and of the subject for any other event.
 */
export async function triggerObjectEvent(
  tenant: TenantTransaction,
  plane: EventPort,
  resource: AnyResource,
  type: string,
  objectId: string | undefined,
): Promise<string | undefined> {
  const event = resource.events[type];
  const row = event?.creates
    ? await createSubject(tenant, resource, objectId)
    : await changeSubject(tenant, resource, type, objectId);
  return row && emitObjectEvent(tenant, plane, resource, type as EventType, row); // an event of the contract
}

async function createSubject(
  tenant: TenantTransaction,
  resource: AnyResource,
  parentId: string | undefined,
): Promise<StoredObject | undefined> {
  const { kind, parent: of, identity } = resource;
  const parent = of && (await lockSuitableObject(tenant, of.kind, { objectId: parentId, states: undefined }));
  if (of && !parent) return undefined;
  const objectId = newUuid();
  const now = new Date(nowMs());
  const fields = newFields(resource, parent ? parentFields(resource, parent) : {}, { now, origin: objectId });
  const number = identity?.form === 'integer' ? await nextNumber(tenant, kind) : 0;
  const row: StoredObject = {
    object_id: objectId,
    key: newKey(resource, objectId, number),
    server_id: parent?.server_id ?? accountOf(tenant.appId),
    parent_id: parent?.object_id ?? null,
    state: stateOf(resource, fields),
    data: fields,
    hidden: {},
    event_sequence: 1,
    created_at: now,
  };
  const isNew = await insertStored(tenant, {
    ...row,
    kind,
    request_id: null,
    due_in_ms: null,
    created_at: now.toISOString(),
  });
  return isNew ? row : undefined;
}

async function changeSubject(
  tenant: TenantTransaction,
  resource: AnyResource,
  type: string,
  objectId: string | undefined,
): Promise<StoredObject | undefined> {
  const { entering, deletes } = resource.events[type] ?? {};
  const { states = {}, stateField = 'status' } = resource;
  const before = Object.keys(states).filter((state) => entering !== undefined && states[state]?.includes(entering));
  const found = await lockSuitableObject(tenant, resource.kind, {
    objectId,
    states: entering === undefined ? undefined : before,
  });
  if (!found) return undefined;
  const set = entering === undefined ? {} : { [stateField]: entering };
  const data = changedFields(resource, found.data, set, new Date(nowMs()));
  const row = { ...found, data, state: stateOf(resource, data), event_sequence: found.event_sequence + 1 };
  if (deletes) deleteStored(tenant, row.object_id);
  else updateStored(tenant, { ...row, sets_due: false, due_in_ms: null });
  return row;
}
