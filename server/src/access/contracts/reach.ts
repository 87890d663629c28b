// How production finds the object that grants an operation. Objects are at the upstream API, so the identifier of the
// granting object must follow from the request, or from objects that the upstream API returns.
import { canCreate } from './creating-operation.ts';
import type { AnyResource } from './declaration.ts';
import { isGranted } from './granting-resource.ts';
import type { OperationDeclaration } from './operation-declaration.ts';

/** The place from which the granting object of an operation follows. */
export type Reach =
  /** The account of the app grants the operation. */
  | { by: 'account' }
  /** The path names the granting object. */
  | { by: 'path'; grantor: AnyResource }
  /** The path names an object below the granting object, which production reads first. */
  | { by: 'object'; resource: AnyResource }
  /** The body of a creation names the parent. */
  | { by: 'body'; parent: AnyResource; field: string }
  /** Each object of the list names its granting object. */
  | { by: 'items' };

export const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Returns the granting resource that is the resource or above it. */
export const grantorOf = (resource: AnyResource): AnyResource | undefined =>
  resource.grants ? resource : resource.parent && grantorOf(resource.parent);

/** Returns the field of each object with its identifier; undefined if the objects contain none. */
const ownField = ({ identity }: AnyResource): string | undefined => (identity ? identity.field : 'id');

/** Returns the field of each object with the identifier of an object above it; undefined if the objects contain none. */
export function linkField(resource: AnyResource, above: AnyResource): string | undefined {
  const { identity, parent, parentField, optional = [] } = resource;
  if (above === resource) return ownField(resource);
  if (identity)
    return parent === above && parentField !== undefined && !optional.includes(parentField) ? parentField : undefined;
  for (let one = parent; one; one = one.parent) if (one === above) return above.idName;
  return undefined;
}

/** Returns the operation that reads one object with no other values than these parameters of a path. */
export function readOf(
  { idName, operations = {} }: AnyResource,
  names: readonly string[],
): OperationDeclaration | undefined {
  const known = new Set([...names, idName]);
  return Object.values(operations).find(
    ({ effect, content, path, query = {} }) =>
      effect === 'get' &&
      content.of === 'object' &&
      pathNames(path).every((name) => known.has(name)) &&
      !Object.values(query).some(({ required }) => required),
  );
}

/** Returns whether the granting object follows from reads that begin with an object of the resource. */
export function isLocatable(resource: AnyResource, names: readonly string[]): boolean {
  const grantor = grantorOf(resource);
  if (resource === grantor) return true;
  const { parent } = resource;
  if (!grantor || !parent || !readOf(resource, names)) return false;
  if (linkField(resource, grantor) !== undefined) return true;
  return linkField(resource, parent) !== undefined && isLocatable(parent, [...names, parent.idName]);
}

/** Returns the place from which the granting object of an operation follows; undefined if it follows from none. */
export function reachOf(resource: AnyResource, declared: OperationDeclaration): Reach | undefined {
  const { effect, path, params = {}, method, content } = declared;
  const grantor = grantorOf(resource);
  if (!isGranted(resource) || !grantor) return { by: 'account' };
  const names = pathNames(path);
  const isNamed = (one: AnyResource): boolean => names.includes(one.idName) && !Object.hasOwn(params, one.idName);
  if (isNamed(grantor)) return { by: 'path', grantor };
  // An operation that can create an object names it before it exists.
  let nearest = canCreate(declared) ? resource.parent : resource;
  while (nearest && !isNamed(nearest)) nearest = nearest.parent;
  if (nearest) return isLocatable(nearest, names) ? { by: 'object', resource: nearest } : undefined;
  const { parent, parentField } = resource;
  if (effect === 'create' && parent && parentField !== undefined)
    return isLocatable(parent, names) ? { by: 'body', parent, field: parentField } : undefined;
  const isList = method === 'GET' && content.of === 'list';
  return isList && linkField(resource, grantor) !== undefined ? { by: 'items' } : undefined;
}
