// The operations of a contract that change objects. Object, events and the stored reply are written in one transaction.
import type { MutationWriter, Plane, WriteContext } from '../../access/authority/index.ts';
import {
  type AnyResource,
  isCreatedStatus,
  isGranted,
  isWritable,
  type OperationDeclaration,
  objectInBody,
  objectPointerOf,
  objectSchemaOf,
} from '../../access/contracts/index.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import { WouldBlockError } from '../../kit/db/shared-transaction.ts';
import type { AnyOperation, Inputs, Reply } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { escapePointer } from '../../kit/text/json-pointer.ts';
import {
  deleteStored,
  type Fields,
  findStored,
  idFieldOf,
  isUsableKey,
  keyOfId,
  linkedReader,
  locationOf,
  lockStored,
  newKey,
  raiseNumber,
  type StoredObject,
  shareStored,
  stateOf,
  updateStored,
} from '../objects/index.ts';
import { mergeObjects } from './complete-value.ts';
import { replyOf } from './declared-content.ts';
import { type NamedObject, namedObjects } from './declared-inputs.ts';
import { findPath, isBelow, requireOthers } from './find-path.ts';
import { isMergePatch, patchField, withoutRefusedNulls } from './merge-patch.ts';
import { composeObject, emitEvents, insertObject, requireDeletable, requireRoom } from './new-object.ts';
import { withRules } from './object-rules.ts';
import {
  changedFields,
  eventTypesOf,
  givenFields,
  parentFields,
  replacedFields,
  requireTransition,
  requireValid,
} from './object-values.ts';
import { pathFields } from './path-values.ts';
import { withoutWriteOnly } from './write-only.ts';

type Run = AnyOperation<Plane>['run'];
type Context = WriteContext;

const JSON_API = 'application/vnd.api+json';

/** Returns the function of an operation that changes objects. */
export function writeRun(resource: AnyResource, declared: OperationDeclaration): Run {
  const { effect } = declared;
  return (given, values) => {
    const [context, inputs] = [given as Context, values as Inputs]; // its access and its schemas
    const path = namedObjects(resource, declared, inputs.params);
    if (effect === 'create') return createObject(resource, declared, context, inputs);
    // An action on a collection names no object.
    if (path[0]?.resource !== resource) return actOnCollection(resource, declared, context, inputs);
    if (effect === 'delete') return deleteObject(resource, declared, context, inputs);
    if (declared.creates) return putObject(resource, declared, context, inputs);
    return changeObject(resource, declared, context, inputs);
  };
}

/** Returns the values of the body about the object. */
export const bodyOf = (declared: OperationDeclaration, { body }: Inputs): Fields => objectInBody(declared, body);

/**
 * Returns the values of a body that belong to the object in the path. Returns no values if the body describes a part of the
 * object:
 * - The path has more than one segment after the object, such as `/orders/{orderId}/lines/{lineId}`, unless they are words
 *   and the response is the object, such as `/orders/{orderId}/actions/rename`.
 * - A PUT or PATCH returns another schema, such as `/orders/{orderId}/settings`.
 */
export function objectBodyOf({ idName }: AnyResource, declared: OperationDeclaration, inputs: Inputs): Fields {
  const { effect, method, path, content } = declared;
  const [, after = ''] = path.split(`/{${idName}}/`);
  const levels = after === '' ? 0 : after.split('/').length;
  const isOfObject = content.of === 'object' && !after.includes('{');
  const isPart = effect === 'action' && content.of === 'value' && (method === 'PUT' || method === 'PATCH');
  return (levels > 1 && !isOfObject) || (levels === 1 && isPart) ? {} : bodyOf(declared, inputs);
}

/** Returns the values of a body that may be stored and repeated. */
const storableOf = (declared: OperationDeclaration, body: Fields): Fields =>
  withoutWriteOnly(objectSchemaOf(declared), body);

async function actOnCollection(
  resource: AnyResource,
  declared: OperationDeclaration,
  { tenant, requestId, serverId, accept }: Context,
  inputs: Inputs,
): Promise<Reply> {
  const above = await findPath(tenant, namedObjects(resource, declared, inputs.params));
  if (above) requireServer(above, serverId);
  return replyOf(resource, declared, {
    object: undefined,
    given: storableOf(declared, bodyOf(declared, inputs)),
    params: inputs.params,
    origin: requestId,
    accept,
  });
}

/** Replaces the object in the path, or creates it if no object has its identifier. */
async function putObject(
  resource: AnyResource,
  declared: OperationDeclaration,
  context: Context,
  inputs: Inputs,
): Promise<Reply> {
  const { tenant } = context;
  const [own, ...parents] = namedObjects(resource, declared, inputs.params);
  // The lock waits for a deletion of the object, after which the request creates it again.
  const row = own && (await lockStored(tenant, resource.kind, own.key));
  if (!row) return createObject(resource, declared, context, inputs);
  // The identifier is unique in the app, so an object elsewhere prevents a new one below the parent in the path.
  const [nearest] = parents;
  const parent = await findPath(tenant, parents);
  if (nearest && parent && !(await isBelow(tenant, row, resource, { resource: nearest.resource, row: parent })))
    throw keyConflict(resource, row.key);
  return changeObject(resource, declared, context, inputs);
}

async function createObject(
  resource: AnyResource,
  declared: OperationDeclaration,
  context: Context,
  inputs: Inputs,
): Promise<Reply> {
  const { tenant, plane, requestId, serverId, now } = context;
  const { kind } = resource;
  const objectId = newUuid();
  const body = bodyOf(declared, inputs);
  const path = namedObjects(resource, declared, inputs.params);
  const parents = path.filter(({ resource: one }) => one !== resource);
  const parent = await findParent(context, resource, declared, parents, body);
  if (parent) requireServer(parent, serverId);
  const [nearest] = parents;
  const isNearest = nearest && parent && nearest.resource === resource.parent;
  const above = isNearest ? { resource: nearest.resource, row: parent } : undefined;
  await requireOthers(tenant, declared, inputs.params, above);
  const storable = storableOf(declared, body);
  const given = {
    ...givenFields(resource, declared, storable),
    ...pathFields(resource, declared, inputs.params),
    ...parentFields(resource, parent),
    ...stateFields(resource, declared),
  };
  const values = composeObject(resource, { input: body, given, parent }, { now, origin: requestId });
  const inPath = path[0]?.resource === resource ? path[0].key : undefined;
  if (inPath !== undefined) refuseOtherId(resource, declared, inPath, body);
  const [named] = await Promise.all([
    findFreeKey(tenant, resource, declared, inPath, body),
    requireRoom(tenant, resource),
  ]);
  requireValid(resource, { ...values, key: named ?? newKey(resource, objectId, 0) }, objectPointerOf(declared));
  // Every check precedes the number: a mutation that fails after a write rolls back those that share its transaction.
  if (named !== undefined && resource.identity?.form === 'integer') raiseNumber(tenant, kind, Number(named));
  const request = fromId('req', requestId) ?? null;
  const made = await insertObject(tenant, resource, {
    objectId,
    key: named,
    serverId,
    parent,
    values,
    requestId: request,
    now,
  });
  // Another transaction has created the object meanwhile.
  if (!made && declared.creates) return putObject(resource, declared, context, inputs);
  if (!made) throw keyConflict(resource, named ?? 'that the server counted');
  await emitEvents(context, resource, made.row, made.types);
  const answered = { ...declared, ...declared.creates };
  const location = selfOf(resource, context, { ...inputs.params, [resource.idName]: made.row.key });
  const reply = replyOf(resource, answered, {
    object: linkedReader(resource, plane.urls.public)(made.row),
    self: location,
    given: storable,
    params: inputs.params,
    origin: requestId,
    accept: context.accept,
  });
  if (location === undefined || !isCreatedStatus(declared, reply.status)) return reply;
  return { ...reply, headers: { ...reply.headers, location } };
}

/** Returns the address of an object; undefined without an operation that returns it. */
function selfOf(
  resource: AnyResource,
  { plane }: Context,
  params: Readonly<Record<string, string>>,
): string | undefined {
  const location = locationOf(resource, params);
  return location === undefined ? undefined : plane.urls.public + location;
}

/** Returns the key that the path or the body gives to a new object. Throws conflict if an object has it. */
async function findFreeKey(
  tenant: MutationWriter,
  resource: AnyResource,
  declared: OperationDeclaration,
  inPath: string | undefined,
  body: Fields,
): Promise<string | undefined> {
  const idField = idFieldOf(resource);
  const given = inPath ?? (idField !== undefined && Object.hasOwn(body, idField) ? body[idField] : undefined);
  if (given === undefined || given === null) return undefined;
  const key = keyOfId(resource, given);
  if (!isUsableKey(resource, key)) throw inPath === undefined ? unusableId(declared, idField) : problem('not_found');
  // The insertion waits for a transaction that inserts the same key, and fails after it.
  if (tenant.isShared) throw new WouldBlockError();
  // A replacement has looked for the object, and replaces one that another transaction creates meanwhile.
  if (!declared.creates && (await findStored(tenant, resource.kind, key))) throw keyConflict(resource, key);
  return key;
}

const unusableId = (declared: OperationDeclaration, idField = '') =>
  fieldProblem(declared, idField, 'must be an identifier in the form that the API returns');

const keyConflict = ({ noun }: AnyResource, key: string) =>
  problem('conflict', { detail: `Another ${noun} has the identifier ${key}.` });

/**
 * Returns the function that reads a parent and prevents its deletion. Requests cannot lock objects that they cannot
 * change, and delete none of them.
 */
const lockForChild = (parent: AnyResource | undefined) => (parent && isWritable(parent) ? shareStored : findStored);

/** Returns the refusal of a field of the object in a body. */
export function fieldProblem(declared: OperationDeclaration, field: string | undefined, detail: string) {
  const pointer = objectPointerOf(declared) + (field === undefined ? '' : `/${escapePointer(field)}`);
  return problem('invalid_request', { errors: [{ pointer, detail }] });
}

/** Returns the field of a body with the identifier of the parent. */
export const parentFieldOf = ({ identity, parent, parentField }: AnyResource): string | undefined =>
  parentField ?? (identity ? undefined : parent?.idName);

/** Returns the parent of a new object, which the path or the body names. */
async function findParent(
  { tenant, serverId }: Context,
  resource: AnyResource,
  declared: OperationDeclaration,
  path: readonly NamedObject[],
  body: Fields,
): Promise<StoredObject | undefined> {
  const [nearest] = path;
  const row = await findPath(tenant, path, lockForChild(nearest?.resource));
  if (nearest?.resource === resource.parent) return row;
  const parent = await findBodyParent(tenant, resource, declared, body, serverId);
  if (!nearest || !row || !resource.parent) return parent;
  const detail = `must be the identifier of a ${resource.parent.noun} below the ${nearest.resource.noun} in the path`;
  if (!parent || !(await isBelow(tenant, parent, resource.parent, { resource: nearest.resource, row })))
    throw fieldProblem(declared, parentFieldOf(resource), detail);
  return parent;
}

/** Returns the parent that the body names. Throws invalid_request if it does not exist. */
async function findBodyParent(
  tenant: MutationWriter,
  resource: AnyResource,
  declared: OperationDeclaration,
  body: Fields,
  serverId: string,
): Promise<StoredObject | undefined> {
  const { parent } = resource;
  const field = parentFieldOf(resource);
  if (!parent || field === undefined || body[field] === undefined || body[field] === null) return undefined;
  const row = await lockForChild(parent)(tenant, parent.kind, keyOfId(parent, body[field]));
  if (row?.server_id === serverId) return row;
  const detail = `must be the identifier of an existing ${parent.noun}${isGranted(parent) ? ' that the same grants permit' : ''}`;
  throw fieldProblem(declared, field, detail);
}

const stateFields = ({ stateField = 'status' }: AnyResource, { becomes }: OperationDeclaration): Fields =>
  becomes === undefined ? {} : { [stateField]: becomes };

async function changeObject(
  resource: AnyResource,
  declared: OperationDeclaration,
  context: Context,
  inputs: Inputs,
): Promise<Reply> {
  const { tenant, requestId, now } = context;
  const before = await requireLocked(resource, declared, context, inputs);
  const body = objectBodyOf(resource, declared, inputs);
  refuseOtherId(resource, declared, before.key, body);
  const parent = await findBodyParent(tenant, resource, declared, body, before.server_id);
  const own = givenFields(resource, declared, storableOf(declared, body));
  const given = {
    ...mergedFields(resource, declared, before.data, own),
    ...parentFields(resource, parent),
    ...stateFields(resource, declared),
  };
  const changed =
    declared.effect === 'replace'
      ? replacedFields(resource, declared, before.data, given, { now, origin: requestId })
      : changedFields(resource, before.data, given, now, requestId);
  // The rules can require fields that the caller of an action cannot give, such as the time at which it was done.
  const data =
    declared.effect === 'action'
      ? withRules(resource, withRules(resource, changed, { ...before.data, ...given }), given)
      : changed;
  requireTransition(resource, before.data, data, declared.becomes);
  requireValid(resource, { ...before, data }, objectPointerOf(declared));
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
  await emitEvents(context, resource, row, types);
  return replyOf(resource, declared, {
    object: linkedReader(resource, context.plane.urls.public)(row),
    self: selfOf(resource, context, { ...inputs.params, [resource.idName]: row.key }),
    given: storableOf(declared, bodyOf(declared, inputs)),
    params: inputs.params,
    origin: requestId,
    accept: context.accept,
  });
}

/**
 * Returns the fields of a change. Inner objects of an update are merged as the media type of its body requires. A field
 * that a patch removes, and that the contract does not declare, is undefined.
 */
function mergedFields({ fields }: AnyResource, declared: OperationDeclaration, before: Fields, own: Fields): Fields {
  if (declared.effect !== 'update') return own;
  const isPatch = isMergePatch(declared);
  const merged = declared.input?.type === JSON_API ? mergeObjects(before, own) : own;
  const changed = Object.entries(merged).map(([name, value]) => {
    const schema = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    if (!isPatch) return [name, withoutRefusedNulls(schema, value)];
    return [name, value === null && schema === undefined ? undefined : patchField(schema, known, value)];
  });
  return Object.fromEntries(changed);
}

/** Throws invalid_request if the body names another object than the path. */
function refuseOtherId(resource: AnyResource, declared: OperationDeclaration, key: string, body: Fields): void {
  const idField = idFieldOf(resource);
  if (idField === undefined || !Object.hasOwn(body, idField) || keyOfId(resource, body[idField]) === key) return;
  throw fieldProblem(declared, idField, `must be ${key}, the identifier in the path`);
}

async function deleteObject(
  resource: AnyResource,
  declared: OperationDeclaration,
  context: Context,
  inputs: Inputs,
): Promise<Reply> {
  const before = await requireLocked(resource, declared, context, inputs);
  await requireDeletable(context.tenant, resource, before.object_id);
  const types = eventTypesOf(resource, 'deletes', null);
  const row = { ...before, event_sequence: before.event_sequence + types.length };
  deleteStored(context.tenant, row.object_id);
  await emitEvents(context, resource, row, types);
  const { requestId: origin, accept } = context;
  const { params } = inputs;
  const object = linkedReader(resource, context.plane.urls.public)(row);
  return replyOf(resource, declared, { object, params, origin, accept });
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
