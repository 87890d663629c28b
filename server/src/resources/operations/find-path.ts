// Finds the object that a path names, below the objects that precede it in the path.
import type { TenantReader } from '../../access/authority/index.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findStored, type StoredObject } from '../objects/index.ts';
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
  let above: { named: NamedObject; row: StoredObject } | undefined;
  for (const [index, named] of path.toReversed().entries()) {
    const isLast = index === path.length - 1;
    const row = await (isLast ? find : findStored)(tenant, named.resource.kind, named.key);
    if (!row || !isBelow(row, named, above)) throw problem('not_found');
    above = { named, row };
  }
  return above?.row;
}

/** Returns false if the path names a parent that is not the parent of the object. */
export function isBelow(
  row: StoredObject,
  { resource }: NamedObject,
  above: { named: NamedObject; row: StoredObject } | undefined,
): boolean {
  return above?.named.resource !== resource.parent || above === undefined || row.parent_id === above.row.object_id;
}
