// Finds the object that a path names, below the objects that precede it in the path. A path can leave out levels.
import type { TenantReader } from '../../access/authority/index.ts';
import { type AnyResource, type OperationDeclaration, resources } from '../../access/contracts/index.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findParentId, findStored, keyOfId, type StoredObject } from '../objects/index.ts';
import type { NamedObject } from './declared-inputs.ts';

type Find = (tenant: TenantReader, kind: string, key: string) => Promise<StoredObject | undefined>;

/**
 * Returns the last object that the path names; undefined if it names none. Throws not_found if an object does not exist
 * or is not below the preceding object of the path. `find` reads the last object.
 */
export async function findPath(
  tenant: TenantReader,
  path: readonly NamedObject[],
  find: Find = findStored,
): Promise<StoredObject | undefined> {
  let above: FoundObject | undefined;
  for (const [index, named] of path.toReversed().entries()) {
    const isLast = index === path.length - 1;
    const row = await (isLast ? find : findStored)(tenant, named.resource.kind, named.key);
    if (!row || (above && !(await isBelow(tenant, row, named.resource, above)))) throw problem('not_found');
    above = { resource: named.resource, row };
  }
  return above?.row;
}

/**
 * Throws not_found if a parameter identifies no object of its resource (`of`), or one that is not below `above`, the object
 * that the path names before it.
 */
export async function requireOthers(
  tenant: TenantReader,
  { params: declared = {} }: OperationDeclaration,
  params: Readonly<Record<string, string>>,
  above: FoundObject | undefined,
): Promise<void> {
  for (const [name, { of }] of Object.entries(declared)) {
    const other = of === undefined ? undefined : resources.find((one) => one.name === of);
    if (!other) continue;
    const row = await findStored(tenant, other.kind, keyOfId(other, params[name]));
    const isOutside = row && above && hasAbove(other, above.resource) && !(await isBelow(tenant, row, other, above));
    if (!row || isOutside) throw problem('not_found');
  }
}

const hasAbove = ({ parent }: AnyResource, above: AnyResource): boolean =>
  parent !== undefined && (parent === above || hasAbove(parent, above));

interface FoundObject {
  resource: AnyResource;
  row: StoredObject;
}

/** Returns whether an object of the resource is below another one, also with levels between. */
export async function isBelow(
  tenant: TenantReader,
  row: StoredObject,
  { parent }: AnyResource,
  above: FoundObject,
): Promise<boolean> {
  let parentId = row.parent_id ?? undefined;
  for (let one = parent; one && one !== above.resource && parentId !== undefined; one = one.parent)
    parentId = await findParentId(tenant, parentId);
  return parentId === above.row.object_id;
}

/** Returns the number of levels between a resource and one above it. */
export function levelsBetween({ parent }: AnyResource, above: AnyResource | undefined): number {
  let levels = 0;
  for (let one = parent; one && one !== above; one = one.parent) levels++;
  return levels;
}
