// Creates an object for a request or a trigger: asks the contract's handler, and inserts the object with its events.
import type { EventPort } from '../../access/authority/index.ts';
import {
  type AnyResource,
  type IdentifierSpace,
  identifierSpaceOf,
  identifiersOf,
  OBJECT_LIMITS,
  resources,
  rulesInWords,
} from '../../access/contracts/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { WouldBlockError } from '../../kit/db/shared-transaction.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { type EventType, emitObjectEvent } from '../events/index.ts';
import {
  countBelow,
  countKind,
  type Fields,
  findStored,
  findUnused,
  insertStored,
  lockKind,
  newKey,
  nextNumber,
  type StoredObject,
  stateOf,
} from '../objects/index.ts';
import { dueInMsOf, eventTypesOf, newFields, withDecision } from './object-values.ts';

type Tenant = Parameters<typeof insertStored>[0];

/** The values of a new object before its identifier is known. */
interface NewValues {
  data: Fields;
  hidden: Fields;
  dueInMs: number | null;
  /** The event that the handler requests. */
  event: string | undefined;
}

/** Returns the values of a new object. Throws the problem with which the handler of the resource refuses it. */
export function composeObject(
  resource: AnyResource,
  { input, given, parent }: { input: Fields; given: Fields; parent: StoredObject | undefined },
  source: { now: Date; origin: string },
): NewValues {
  const above = { ...parent?.data, ...parent?.hidden };
  // The handler declares the types of the values, which the contract's schemas check.
  const decision = resource.onCreate?.({ input: input as never, parent: above as never });
  if (decision && 'problem' in decision) throw problem(decision.problem, decision.extra);
  const { data, hidden } = withDecision(resource, given, {}, decision);
  return { data: newFields(resource, data, source), hidden, dueInMs: dueInMsOf(decision), event: decision?.event };
}

/** More than the number of creations that run at the same time. */
const NEAR_LIMIT = 1_000;

/** Throws quota_exceeded if the app has as many objects of the resource as it may have. */
export async function requireRoom(tenant: Tenant, { kind, plural }: AnyResource): Promise<void> {
  const { objects } = OBJECT_LIMITS;
  if ((await countKind(tenant, kind)) < objects - NEAR_LIMIT) return;
  // Near the limit, creations wait for each other, so that the limit is exact.
  if (tenant.isShared) throw new WouldBlockError();
  lockKind(tenant, kind);
  if ((await countKind(tenant, kind)) < objects) return;
  throw problem('quota_exceeded', { detail: `An app has at most ${objects} ${plural}. Delete one first.` });
}

/** Throws conflict if the object has more objects below it than one transaction deletes. */
export async function requireDeletable(tenant: Tenant, resource: AnyResource, objectId: string): Promise<void> {
  const { deletedBelow } = OBJECT_LIMITS;
  if (!resources.some(({ parent }) => parent === resource)) return;
  if ((await countBelow(tenant, objectId, deletedBelow + 1)) <= deletedBelow) return;
  const detail = `The ${resource.noun} has more than ${deletedBelow} objects below it. Delete some of them first.`;
  throw problem('conflict', { detail });
}

/** The number of identifiers of a space that one statement compares with those of the objects. */
const COMPARED_AT_ONCE = 1_000;

/** Returns an identifier of the space that no object has. Throws quota_exceeded if objects have all of them. */
async function unusedInSpace(
  tenant: Tenant,
  { kind, noun, plural, identity }: AnyResource,
  { size, keyAt }: IdentifierSpace,
  objectId: string,
): Promise<string> {
  // Another transaction can insert the same key first, and this one then waits for it.
  if (tenant.isShared) throw new WouldBlockError();
  const start = Number.parseInt(objectId.slice(-12), 16) % size;
  for (let from = 0; from < size; from += COMPARED_AT_ONCE) {
    const length = Math.min(COMPARED_AT_ONCE, size - from);
    const keys = Array.from({ length }, (_, index) => keyAt((start + from + index) % size));
    const key = await findUnused(tenant, kind, keys);
    if (key !== undefined) return key;
  }
  const rules = identity ? rulesInWords(identity) : '';
  const detail = `The ${plural} of the app have all ${size} identifiers that the contract permits (${rules}). Delete a ${noun} first.`;
  throw problem('quota_exceeded', { detail });
}

/**
 * Returns the key of a new object. Only keys that are drawn, and those of a space, can repeat, so only they are looked up.
 * Call it after all checks: a mutation that fails after a write rolls back those that share its transaction.
 */
async function unusedKey(tenant: Tenant, resource: AnyResource, objectId: string): Promise<string> {
  const { identity, kind } = resource;
  const source = identity && identifiersOf(identity);
  if (source?.by === 'space') return unusedInSpace(tenant, resource, source.space, objectId);
  const isCounted = identity?.form === 'integer';
  let number = isCounted ? await nextNumber(tenant, kind) : 0;
  let key = newKey(resource, objectId, number);
  while (source?.by === 'draw' && (await findStored(tenant, kind, key))) key = newKey(resource, objectId, ++number);
  return key;
}

interface NewObject {
  objectId: string;
  /** The identifier that the request gives. If it is undefined, the server chooses one that no object has. */
  key: string | undefined;
  /** The server whose grants permit access to the object. */
  serverId: string;
  parent: StoredObject | undefined;
  values: NewValues;
  requestId: string | null;
  now: Date;
}

/**
 * Inserts an object. Returns its row and the types of its events, which the caller emits; undefined if another object of
 * the resource has the key.
 */
export async function insertObject(
  tenant: Tenant,
  resource: AnyResource,
  made: NewObject,
): Promise<{ row: StoredObject; types: string[] } | undefined> {
  const { objectId, key: given, serverId, parent, values, requestId, now } = made;
  const key = given ?? (await unusedKey(tenant, resource, objectId));
  const { data, hidden, dueInMs, event } = values;
  const state = stateOf(resource, data);
  const types = [...new Set([...eventTypesOf(resource, 'creates', state), ...(event === undefined ? [] : [event])])];
  const row: StoredObject = {
    object_id: objectId,
    key,
    server_id: serverId,
    parent_id: parent?.object_id ?? null,
    state,
    data,
    hidden,
    event_sequence: types.length,
    created_at: now,
  };
  const isNew = await insertStored(tenant, {
    ...row,
    kind: resource.kind,
    request_id: requestId,
    due_in_ms: dueInMs,
    created_at: now.toISOString(),
  });
  if (isNew) return { row, types };
  // Another transaction has inserted the key since it was looked up.
  const isRepeated = given === undefined && identifierSpaceOf(resource.identity) !== undefined;
  return isRepeated ? insertObject(tenant, resource, made) : undefined;
}

/** Emits the events of a change, and returns them. `event_sequence` of the row already counts these events. */
export async function emitEvents(
  { tenant, plane, requestId }: { tenant: Tenant; plane: EventPort; requestId: string | undefined },
  resource: AnyResource,
  row: StoredObject,
  types: readonly string[],
): Promise<string[]> {
  const first = row.event_sequence - types.length + 1;
  const events: string[] = [];
  for (const [index, type] of types.entries()) {
    const request = requestId === undefined ? null : (fromId('req', requestId) ?? null);
    const numbered = { ...row, event_sequence: first + index, request_id: request };
    events.push(await emitObjectEvent(tenant, plane, resource, type as EventType, numbered)); // an event of the contract
  }
  return events;
}
