// Triggers an event of a declared resource: makes the change that the event reports, without a request to the API.
import type { EventPort, TenantTransaction } from '../../access/authority/index.ts';
import type { AnyResource } from '../../access/contracts/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { ProblemError, problem } from '../../kit/openapi/problems.ts';
import { type EventType, emitObjectEvent } from '../../resources/events/index.ts';
import {
  accountOf,
  deleteStored,
  type Fields,
  findSuitableObject,
  lockSuitableObject,
  newKey,
  type StoredObject,
  shareStored,
  stateOf,
  updateStored,
} from '../../resources/objects/index.ts';
import {
  changedFields,
  composeObject,
  emitEvents,
  insertObject,
  newFields,
  parentFields,
  requireDeletable,
  requireRoom,
  requireValid,
} from '../../resources/operations/index.ts';

interface Trigger {
  type: string;
  /** The UUID of the parent for an event that reports a creation, and of the subject for any other event. */
  objectId: string | undefined;
  /** Fields of the object, which fit their schemas. */
  set?: Fields | undefined;
}

/**
 * Returns the event; undefined if no object allows it. Throws conflict if a handler or a limit of the contract refuses the
 * change.
 */
export async function triggerObjectEvent(
  tenant: TenantTransaction,
  plane: EventPort,
  resource: AnyResource,
  trigger: Trigger,
): Promise<string | undefined> {
  if (resource.events[trigger.type]?.creates) return createSubject(tenant, plane, resource, trigger);
  const row = await changeSubject(tenant, resource, trigger);
  return row && emitObjectEvent(tenant, plane, resource, trigger.type as EventType, row); // an event of the contract
}

/** Creates an object as the API does, with the fields that the trigger sets and the sandbox draws as the body. */
async function createSubject(
  tenant: TenantTransaction,
  plane: EventPort,
  resource: AnyResource,
  { type, objectId: parentId, set }: Trigger,
): Promise<string | undefined> {
  const { parent: of } = resource;
  const found = of && (await findSuitableObject(tenant, of.kind, parentId));
  const parent = of && found && (await shareStored(tenant, of.kind, found.key));
  if (of && !parent) return undefined;
  const objectId = newUuid();
  const now = new Date(nowMs());
  const source = { now, origin: objectId };
  const drawn = newFields(resource, { ...set, ...(parent && parentFields(resource, parent)) }, source);
  const values = await asConflict(async () => {
    const composed = composeObject(resource, { input: drawn, given: drawn, parent }, source);
    requireValid(resource, { ...composed, key: newKey(resource, objectId, 0) });
    await requireRoom(tenant, resource);
    return composed;
  });
  const serverId = parent?.server_id ?? accountOf(tenant.appId);
  const inserted = { objectId, key: undefined, serverId, parent, values, requestId: null, now };
  const made = await asConflict(() => insertObject(tenant, resource, inserted));
  if (!made) return undefined;
  const types = made.types.includes(type) ? made.types : [type, ...made.types];
  const row = { ...made.row, event_sequence: types.length };
  const events = await emitEvents({ tenant, plane, requestId: undefined }, resource, row, types);
  return events[types.indexOf(type)];
}

/** Throws conflict in place of any other problem, because a trigger has no body that could be corrected. */
async function asConflict<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const detail = error.extra.detail ?? error.extra.errors?.map((one) => `${one.pointer} ${one.detail}`).join('; ');
    throw problem('conflict', detail === undefined ? {} : { detail });
  }
}

async function changeSubject(
  tenant: TenantTransaction,
  resource: AnyResource,
  { type, objectId, set: given }: Trigger,
): Promise<StoredObject | undefined> {
  const { entering, deletes } = resource.events[type] ?? {};
  const { states = {}, stateField = 'status' } = resource;
  const before = Object.keys(states).filter((state) => entering !== undefined && states[state]?.includes(entering));
  const found = await lockSuitableObject(tenant, resource.kind, {
    objectId,
    states: entering === undefined ? undefined : before,
  });
  if (!found) return undefined;
  const set = { ...given, ...(entering !== undefined && { [stateField]: entering }) };
  const data = changedFields(resource, found.data, set, new Date(nowMs()));
  const row = { ...found, data, state: stateOf(resource, data), event_sequence: found.event_sequence + 1 };
  if (given) await asConflict(async () => requireValid(resource, row));
  if (deletes) {
    await requireDeletable(tenant, resource, row.object_id);
    deleteStored(tenant, row.object_id);
  } else updateStored(tenant, { ...row, sets_due: false, due_in_ms: null });
  return row;
}
