// The mutations of an operator's contract: creations, changes, deletions and actions, as the contract declares them.
import { type AnyResource, isCreatedStatus, isGranted, isLocatable } from '../../access/contracts/index.ts';
import { idFieldOf, keyOfId, locationOf } from '../../resources/objects/index.ts';
import {
  bodyOf,
  fieldProblem,
  type NamedObject,
  objectBodyOf,
  parentFieldOf,
} from '../../resources/operations/index.ts';
import {
  type DeclaredOperation,
  findServer,
  keyIn,
  locate,
  requireNamedObjects,
  serverIn,
  usableKey,
} from './declared-operation.ts';
import { readReply } from './declared-reply.ts';
import type { ForwardContext } from './forward-read.ts';
import type { MutationForm } from './forward-write.ts';
import { UpstreamRefusalError } from './upstream-response.ts';

export function declaredMutations(one: DeclaredOperation): MutationForm {
  const { resource, declared, reach } = one;
  return {
    async findServerId(forwarded) {
      const named = requireNamedObjects(forwarded, one);
      const serverId = await findServer(forwarded, one, named);
      requireSameId(forwarded, one, named);
      if (reach?.by !== 'body') await requireSameServer(forwarded, one, serverId);
      return serverId;
    },
    serverIn: (body) => serverInBody(resource, body),
    read(forwarded, result, { serverId, isRepeat }) {
      const named = [...requireNamedObjects(forwarded, one), ...parentInBody(forwarded, one)];
      const {
        status,
        json = '',
        contentType,
        object,
      } = readReply(forwarded, one, result, { named, serverId, isRepeat });
      const key = object && keyIn(resource, resource, object);
      const isMade = isCreatedStatus(declared, status) && key !== undefined;
      const location = isMade
        ? locationOf(resource, { ...forwarded.inputs.params, [resource.idName]: key })
        : undefined;
      return {
        status,
        json,
        headers: {
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...(location !== undefined && { location: forwarded.plane.urls.public + location }),
        },
      };
    },
  };
}

/** Returns the server that the stored JSON body of a response names. */
function serverInBody(resource: AnyResource, body: string): string | undefined {
  const value: unknown = JSON.parse(body);
  return typeof value === 'object' && value !== null ? serverIn(resource, { ...value }) : undefined;
}

/** Returns the parent that the body of a request names, with which the response is compared. */
function parentInBody({ operation, inputs }: ForwardContext, { resource, declared }: DeclaredOperation): NamedObject[] {
  const field = parentFieldOf(resource);
  const given = operation.body && field !== undefined ? bodyOf(declared, inputs)[field] : undefined;
  const key = resource.parent && usableKey(resource.parent, given);
  return resource.parent && key !== undefined ? [{ resource: resource.parent, key }] : [];
}

/** Throws invalid_request if the body names another object than the path. */
function requireSameId(
  { inputs }: ForwardContext,
  { resource, declared }: DeclaredOperation,
  named: readonly NamedObject[],
): void {
  const idField = idFieldOf(resource);
  const own = named.find((one) => one.resource === resource);
  const body = objectBodyOf(resource, declared, inputs);
  if (!own || idField === undefined || !Object.hasOwn(body, idField)) return;
  if (keyOfId(resource, body[idField]) !== own.key)
    throw fieldProblem(declared, idField, `must be ${own.key}, the identifier in the path`);
}

/** Throws invalid_request if the body names a parent that other grants permit. */
async function requireSameServer(
  forwarded: ForwardContext,
  { resource, declared }: DeclaredOperation,
  serverId: string,
): Promise<void> {
  const { parent } = resource;
  const field = parentFieldOf(resource);
  const given = field === undefined ? undefined : bodyOf(declared, forwarded.inputs)[field];
  if (!parent || !isGranted(parent) || given === undefined || given === null) return;
  if ((await findParentServer(forwarded, parent, given)) === serverId) return;
  throw fieldProblem(
    declared,
    field,
    `must be the identifier of an existing ${parent.noun} that the same grants permit`,
  );
}

/** Returns the server of the parent that a body names; undefined if it does not exist or names no granting object. */
async function findParentServer(
  forwarded: ForwardContext,
  parent: AnyResource,
  given: unknown,
): Promise<string | undefined> {
  const key = usableKey(parent, given);
  const params = { ...forwarded.inputs.params, [parent.idName]: key ?? '' };
  if (key === undefined || !isLocatable(parent, Object.keys(params))) return undefined;
  try {
    return await locate(forwarded, { resource: parent, key }, params);
  } catch (error) {
    // The caller must not learn whether an object exists that the grants do not permit.
    if (error instanceof UpstreamRefusalError && error.problem.code === 'not_found') return undefined;
    throw error;
  }
}
