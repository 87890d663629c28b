// The operations of a contract that change objects. Object, events and the stored reply are written in one transaction.
import type { MutationWriter, Plane, WriteContext } from '../../access/authority/index.ts';
import { type AnyResource, isGranted, type OperationDeclaration } from '../../access/contracts/index.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import type { AnyOperation, Inputs, Reply } from '../../kit/http/operation.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { escapePointer } from '../../kit/text/json-pointer.ts';
import { type EventType, emitObjectEvent } from '../events/index.ts';
import {
  deleteStored,
  type Fields,
  findStored,
  idFieldOf,
  insertStored,
  isUsableKey,
  isWritable,
  keyOfId,
  lockStored,
  newKey,
  nextNumber,
  objectReader,
  raiseNumber,
  type StoredObject,
  shareStored,
  stateOf,
  updateStored,
} from '../objects/index.ts';
import { replyOf } from './declared-content.ts';
import { namedObjects } from './declared-inputs.ts';
import { findPath } from './find-path.ts';
import {
  changedFields,
  eventTypesOf,
  newFields,
  ownFields,
  parentFields,
  replacedFields,
  requireTransition,
  requireValid,
  withDecision,
} from './object-values.ts';

type Run = AnyOperation<Plane>['run'];
type Context = WriteContext;

/** Returns the function of an operation that changes objects. */
export function writeRun(resource: AnyResource, declared: OperationDeclaration): Run {
  const { effect } = declared;
  return (given, values) => {
    const [context, inputs] = [given as Context, values as Inputs]; // its access and its schemas
    const path = namedObjects(resource, declared, inputs.params);
    if (effect === 'create') return createObject(resource, declared, context, inputs);
    // An action on a collection names no object.
    if (path[0]?.resource !== resource) {
      const source = { object: undefined, given: bodyOf(inputs), origin: context.requestId };
      return Promise.resolve(replyOf(resource, declared, source));
    }
    if (effect === 'delete') return deleteObject(resource, declared, context, inputs);
    return changeObject(resource, declared, context, inputs);
  };
}

const bodyOf = ({ body }: Inputs): Fields => (typeof body === 'object' && !Array.isArray(body) ? { ...body } : {});

async function createObject(
  resource: AnyResource,
  declared: OperationDeclaration,
  context: Context,
  inputs: Inputs,
): Promise<Reply> {
  const { tenant, plane, requestId, serverId, now } = context;
  const { kind } = resource;
  const objectId = newUuid();
  const body = bodyOf(inputs);
  const path = namedObjects(resource, declared, inputs.params);
  const parents = path.filter(({ resource: one }) => one !== resource);
  const parent =
    (await findPath(tenant, parents, lockForChild(parents[0]?.resource))) ??
    (await findBodyParent(tenant, resource, body, serverId));
  if (parent) requireServer(parent, serverId);
  const decision = resource.onCreate?.({ input: body as never, parent: handled(parent) as never });
  if (decision && 'problem' in decision) throw problem(decision.problem, decision.extra);
  const named = await findFreeKey(tenant, resource, path[0]?.resource === resource ? path[0].key : undefined, body);
  const given = { ...ownFields(resource, body), ...parentFields(resource, parent), ...stateFields(resource, declared) };
  const { data, hidden } = withDecision(resource, given, {}, decision);
  const fields = newFields(resource, data, { now, origin: requestId });
  requireValid(resource, named ?? newKey(resource, objectId, 0), fields);
  // Every check precedes the number: a mutation that fails after a write rolls back those that share its transaction.
  const isCounted = resource.identity?.form === 'integer';
  const number = named === undefined && isCounted ? await nextNumber(tenant, kind) : 0;
  if (named !== undefined && isCounted) raiseNumber(tenant, kind, Number(named));
  const key = named ?? newKey(resource, objectId, number);
  const state = stateOf(resource, fields);
  const types = [
    ...eventTypesOf(resource, 'creates', state),
    ...(decision?.event === undefined ? [] : [decision.event]),
  ];
  const row: StoredObject = {
    object_id: objectId,
    key,
    server_id: serverId,
    parent_id: parent?.object_id ?? null,
    state,
    data: fields,
    hidden,
    event_sequence: types.length,
    created_at: now,
  };
  const isNew = await insertStored(tenant, {
    ...row,
    kind,
    request_id: fromId('req', requestId) ?? null,
    due_in_ms: decision?.dueInMs ?? null,
    created_at: now.toISOString(),
  });
  if (!isNew) throw keyConflict(resource, key);
  await emit(context, resource, row, types);
  const reply = replyOf(resource, declared, { object: objectReader(resource)(row), given: body, origin: requestId });
  const location = locationOf(resource, { ...inputs.params, [resource.idName]: key });
  return location === undefined ? reply : { ...reply, headers: { location: plane.urls.public + location } };
}

/** Returns the key that the path or the body gives to a new object. Throws conflict if an object has it. */
async function findFreeKey(
  tenant: MutationWriter,
  resource: AnyResource,
  inPath: string | undefined,
  body: Fields,
): Promise<string | undefined> {
  const idField = idFieldOf(resource);
  const given = inPath ?? (idField !== undefined && Object.hasOwn(body, idField) ? body[idField] : undefined);
  if (given === undefined || given === null) return undefined;
  const key = keyOfId(resource, given);
  if (!isUsableKey(resource, key)) throw inPath === undefined ? unusableId(idField) : problem('not_found');
  if (await findStored(tenant, resource.kind, key)) throw keyConflict(resource, key);
  return key;
}

function unusableId(idField = '') {
  const detail = 'must be an identifier in the form that the API returns';
  return problem('invalid_request', { errors: [{ pointer: `/${escapePointer(idField)}`, detail }] });
}

const keyConflict = ({ noun }: AnyResource, key: string) =>
  problem('conflict', { detail: `Another ${noun} has the identifier ${key}.` });

/**
 * Returns the function that reads a parent and prevents its deletion. Requests cannot lock objects that they cannot
 * change, and delete none of them.
 */
const lockForChild = (parent: AnyResource | undefined) => (parent && isWritable(parent) ? shareStored : findStored);

/** Returns the parent that the body names. Throws invalid_request if it does not exist. */
async function findBodyParent(
  tenant: MutationWriter,
  { parent, parentField }: AnyResource,
  body: Fields,
  serverId: string,
): Promise<StoredObject | undefined> {
  if (!parent || parentField === undefined || body[parentField] === undefined || body[parentField] === null)
    return undefined;
  const row = await lockForChild(parent)(tenant, parent.kind, keyOfId(parent, body[parentField]));
  if (row?.server_id === serverId) return row;
  const detail = `must be the identifier of an existing ${parent.noun}${isGranted(parent) ? ' that the same grants permit' : ''}`;
  throw problem('invalid_request', { errors: [{ pointer: `/${escapePointer(parentField)}`, detail }] });
}

const stateFields = ({ stateField = 'status' }: AnyResource, { becomes }: OperationDeclaration): Fields =>
  becomes === undefined ? {} : { [stateField]: becomes };

/** Returns the fields of an object that a handler receives: also the hidden fields. */
const handled = (row: StoredObject | undefined): Fields => ({ ...row?.data, ...row?.hidden });

/** Returns the path of the operation that returns the object; undefined without one. */
function locationOf({ operations = {} }: AnyResource, params: Readonly<Record<string, string>>): string | undefined {
  const get = Object.values(operations).find(({ effect }) => effect === 'get');
  return get && `/v1${fillPath(get.path, params)}`;
}

async function changeObject(
  resource: AnyResource,
  declared: OperationDeclaration,
  context: Context,
  inputs: Inputs,
): Promise<Reply> {
  const { tenant, requestId, now } = context;
  const before = await requireLocked(resource, declared, context, inputs);
  const body = bodyOf(inputs);
  refuseOtherId(resource, before, body);
  const parent = await findBodyParent(tenant, resource, body, before.server_id);
  const given = { ...ownFields(resource, body), ...stateFields(resource, declared) };
  const data =
    declared.effect === 'replace'
      ? replacedFields(resource, declared, before.data, given, { now, origin: requestId })
      : changedFields(resource, before.data, given, now);
  requireTransition(resource, before.data, data, declared.becomes);
  requireValid(resource, before.key, data);
  const state = stateOf(resource, data);
  const entered = state === before.state && declared.becomes === undefined ? null : state;
  const types = eventTypesOf(resource, 'changes', entered);
  const row: StoredObject = {
    ...before,
    parent_id: parent?.object_id ?? before.parent_id,
    state,
    data,
    event_sequence: before.event_sequence + types.length,
  };
  updateStored(tenant, { ...row, sets_due: false, due_in_ms: null });
  await emit(context, resource, row, types);
  return replyOf(resource, declared, { object: objectReader(resource)(row), given: body, origin: requestId });
}

/** Throws invalid_request if the body names another object than the path. */
function refuseOtherId(resource: AnyResource, { key }: StoredObject, body: Fields): void {
  const idField = idFieldOf(resource);
  if (idField === undefined || !Object.hasOwn(body, idField) || keyOfId(resource, body[idField]) === key) return;
  const detail = `must be ${key}, the identifier in the path`;
  throw problem('invalid_request', { errors: [{ pointer: `/${escapePointer(idField)}`, detail }] });
}

async function deleteObject(
  resource: AnyResource,
  declared: OperationDeclaration,
  context: Context,
  inputs: Inputs,
): Promise<Reply> {
  const before = await requireLocked(resource, declared, context, inputs);
  const types = eventTypesOf(resource, 'deletes', null);
  const row = { ...before, event_sequence: before.event_sequence + types.length };
  deleteStored(context.tenant, row.object_id);
  await emit(context, resource, row, types);
  return replyOf(resource, declared, { object: objectReader(resource)(row), origin: context.requestId });
}

async function requireLocked(
  resource: AnyResource,
  declared: OperationDeclaration,
  { tenant, serverId }: Context,
  { params }: Inputs,
): Promise<StoredObject> {
  const row = await findPath(tenant, namedObjects(resource, declared, params), lockStored);
  if (!row) throw problem('not_found');
  requireServer(row, serverId);
  return row;
}

/** Throws not_found if the object was deleted, and made again on another server, after the access was locked. */
function requireServer({ server_id }: StoredObject, serverId: string): void {
  if (server_id !== serverId) throw problem('not_found');
}

/** Writes the events of a change. `event_sequence` of the row already counts these events. */
async function emit(
  { tenant, plane, requestId }: Pick<Context, 'tenant' | 'plane' | 'requestId'>,
  resource: AnyResource,
  row: StoredObject,
  types: readonly string[],
): Promise<void> {
  const first = row.event_sequence - types.length + 1;
  for (const [index, type] of types.entries()) {
    const numbered = { ...row, event_sequence: first + index, request_id: fromId('req', requestId) ?? null };
    await emitObjectEvent(tenant, plane, resource, type as EventType, numbered); // an event of the contract
  }
}
