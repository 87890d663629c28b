// Operations of an operator's contract: the server whose grants permit them, and the objects in their responses.
import { createTenantReader } from '../../access/authority/index.ts';
import {
  type AnyResource,
  type Content,
  grantorOf,
  linkField,
  type OperationDeclaration,
  objectInBody,
  type Reach,
  reachOf,
  readOf,
  resources,
  valueAt,
} from '../../access/contracts/index.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { isUsableKey, keyOfId } from '../../resources/objects/index.ts';
import { type NamedObject, namedObjects } from '../../resources/operations/index.ts';
import { ACCOUNT_SERVER, uuidOfObject } from '../identifiers/index.ts';
import { requireAllowed } from './allowance-cache.ts';
import { type ForwardContext, scopesOf } from './forward-read.ts';
import { get, headersFor } from './gateway.ts';
import { fieldsOf, readAnswer, requireMatch, toValidJson } from './upstream-response.ts';

/** An operation with its declaration. */
export interface DeclaredOperation {
  resource: AnyResource;
  declared: OperationDeclaration;
  reach: Reach | undefined;
}

const OPERATIONS = new Map<string, DeclaredOperation>(
  resources.flatMap((resource: AnyResource) =>
    Object.entries(resource.operations ?? {}).map(([id, declared]) => [
      id,
      { resource, declared, reach: reachOf(resource, declared) },
    ]),
  ),
);

/** Returns the declaration of an operation; undefined for one of the default contract. */
export const declaredOf = (operationId: string): DeclaredOperation | undefined => OPERATIONS.get(operationId);

type Fields = Readonly<Record<string, unknown>>;

/** Returns the key of an identifier in a body or a response; undefined if no object can have it. */
export function usableKey(resource: AnyResource, id: unknown): string | undefined {
  const key = typeof id === 'string' || typeof id === 'number' ? keyOfId(resource, id) : '';
  return isUsableKey(resource, key) ? key : undefined;
}

/** Returns the key of an object, or of one above it, from the fields of the object. */
export function keyIn(resource: AnyResource, above: AnyResource, object: Fields): string | undefined {
  const field = linkField(resource, above);
  return field === undefined || !Object.hasOwn(object, field) ? undefined : usableKey(above, object[field]);
}

/**
 * Returns the objects that the path of a request names, nearest first. Throws not_found for a path that the upstream API
 * could resolve to another one.
 */
export function requireNamedObjects(
  { inputs: { params } }: ForwardContext,
  { resource, declared }: DeclaredOperation,
): NamedObject[] {
  const named = namedObjects(resource, declared, params);
  const isUsable = named.every((one) => isUsableKey(one.resource, one.key));
  if (!isUsable || Object.values(params).some((value) => ['', '.', '..'].includes(value))) throw problem('not_found');
  return named;
}

/** Throws unless an object has each identifier that the request names and its fields contain. */
export function requireNamed(resource: AnyResource, named: readonly NamedObject[], object: Fields): void {
  for (const { resource: above, key } of named) {
    if (linkField(resource, above) !== undefined) requireMatch(keyIn(resource, above, object) === key);
  }
}

/** Returns the server of the granting object that the fields of an object name; undefined if they name none. */
export function serverIn(resource: AnyResource, object: Fields): string | undefined {
  const grantor = grantorOf(resource);
  const key = grantor && keyIn(resource, grantor, object);
  return grantor && key !== undefined ? uuidOfObject(grantor, key) : undefined;
}

/** Returns the object in a response, after it was compared with the objects that the request names. */
export function objectIn(
  body: unknown,
  { resource, content, named }: { resource: AnyResource; content: Content; named: readonly NamedObject[] },
): Fields {
  const object = fieldsOf(valueAt(body, content.of === 'object' ? content.in : undefined));
  toValidJson(resource.schema, object);
  requireNamed(resource, named, object);
  return object;
}

/** Returns the server of an object that was read, with further reads of the objects above it. */
export async function locateFrom(
  forwarded: ForwardContext,
  resource: AnyResource,
  object: Fields,
  params: Readonly<Record<string, string>>,
): Promise<string> {
  const direct = serverIn(resource, object);
  if (direct !== undefined) return direct;
  const { parent } = resource;
  const key = parent && keyIn(resource, parent, object);
  requireMatch(key !== undefined);
  if (!parent || key === undefined) throw new Error(`${resource.name} is below no granting object.`);
  return locate(forwarded, { resource: parent, key }, { ...params, [parent.idName]: key });
}

/** Returns the server of an object, which the upstream API names. */
export async function locate(
  forwarded: ForwardContext,
  { resource, key }: NamedObject,
  params: Readonly<Record<string, string>>,
): Promise<string> {
  if (resource.grants) return uuidOfObject(resource, key);
  const read = readOf(resource, Object.keys(params));
  if (!read) throw new Error(`No operation reads ${resource.name}.`);
  const { gateway, operation, incoming } = forwarded;
  const type = read.content.of === 'object' ? read.content.type : undefined;
  const headers = await headersFor(gateway, { ...forwarded, serverId: undefined, accept: type });
  const path = `/v1${fillPath(read.path, { ...params, [resource.idName]: key })}`;
  const result = await get(gateway, incoming, path, headers);
  const body = readAnswer(result, read.status, { operation, isRepeat: false }, type);
  const object = objectIn(body, { resource, content: read.content, named: [{ resource, key }] });
  return locateFrom(forwarded, resource, object, params);
}

/** Returns the server whose grants permit the operation, except a list of the objects whose grants permit it. */
export async function findServer(
  forwarded: ForwardContext,
  { declared, reach }: DeclaredOperation,
  named: readonly NamedObject[],
): Promise<string> {
  const { params, body } = forwarded.inputs;
  switch (reach?.by) {
    case 'account':
      return ACCOUNT_SERVER;
    case 'path':
    case 'object': {
      const wanted = reach.by === 'path' ? reach.grantor : reach.resource;
      const found = named.find(({ resource }) => resource === wanted);
      if (!found) throw problem('not_found');
      return locate(forwarded, found, params);
    }
    case 'body': {
      const key = usableKey(reach.parent, objectInBody(declared, body)[reach.field]);
      if (key === undefined) throw problem('not_found');
      return locate(forwarded, { resource: reach.parent, key }, { ...params, [reach.parent.idName]: key });
    }
    default:
      throw new Error(`${forwarded.operation.id} reaches no granting object.`);
  }
}

/** Throws unless the server grants each scope of the operation. */
export async function requireGrants(forwarded: ForwardContext, serverId: string): Promise<void> {
  const { gateway, caller, plane, operation } = forwarded;
  const row = await gateway.allowances.find(caller, createTenantReader(plane.db.api, caller.appId), serverId);
  for (const scope of scopesOf(operation)) requireAllowed(row, scope);
}
