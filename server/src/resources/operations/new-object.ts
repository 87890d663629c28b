// Creates an object for a request or a trigger: asks the contract's handler, and inserts the object with its events.
import type { EventPort } from '../../access/authority/index.ts';
import { type AnyResource, OBJECT_LIMITS, resources } from '../../access/contracts/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { WouldBlockError } from '../../kit/db/shared-transaction.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { type EventType, emitObjectEvent } from '../events/index.ts';
import {
  countBelow,
  countKind,
  type Fields,
  findStored,
  insertStored,
  lockKind,
  newKey,
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

/** Returns the key of a new object. Only keys of a pattern can repeat, so only they are looked up. */
export async function unusedKey(
  tenant: Tenant,
  resource: AnyResource,
  objectId: string,
  number: number,
): Promise<string> {
  let key = newKey(resource, objectId, number);
  if (resource.identity?.pattern === undefined) return key;
  for (let next = number + 1; await findStored(tenant, resource.kind, key); next++)
    key = newKey(resource, objectId, next);
  return key;
}

interface NewObject {
  objectId: string;
  key: string;
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
  { objectId, key, serverId, parent, values, requestId, now }: NewObject,
): Promise<{ row: StoredObject; types: string[] } | undefined> {
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
  return isNew ? { row, types } : undefined;
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
