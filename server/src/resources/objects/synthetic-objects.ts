// The objects of new sandbox data, made as their resource declares. Equal inputs return equal bytes on any machine.
import type { AnyResource } from '../../access/contracts/index.ts';
import { type CharacterSet, createSeededRandom, derivedUuid, HISTORY_ENDS_MS, timeSlotOf } from '../synthetic.ts';

/** The UUIDs of the object and of its parents under the names of their identifiers, its fields and its hidden fields. */
export type SyntheticObject = Readonly<Record<string, unknown>> & { readonly createdAt: string };

/** The values that the objects below one parent share. */
export interface SyntheticParent {
  /** The text that the values of the objects are derived from: the UUID of the parent, or the spec of the world. */
  origin: string;
  /** The UUIDs of the parent and of its parents, nearest first. */
  ids: Readonly<Record<string, string>>;
  /** The period of creation. */
  fromMs: number;
  untilMs: number;
  /** The number of the first period. The first object of a parent is created in the second one, after the parent. */
  firstSlot: 0 | 1;
}

/** Returns the first `count` objects of a resource below a parent. */
export function syntheticObjects(
  { idName, sandbox }: AnyResource,
  { origin: parent, ids, fromMs, untilMs, firstSlot }: SyntheticParent,
  count: number,
  script: CharacterSet,
): SyntheticObject[] {
  if (!sandbox) return [];
  return Array.from({ length: count }, (_, index) => {
    const origin = `${parent}/${sandbox.segment}/${index}`;
    const draw = createSeededRandom(origin);
    const { atMs, spanMs } = timeSlotOf(fromMs, untilMs, index + firstSlot, sandbox.halfTimeCount);
    const createdMs = atMs + draw.number(spanMs);
    const fields = sandbox.synthesise({ draw, index, createdMs, script });
    const createdAt = new Date(createdMs).toISOString();
    // A literal with these parts takes half as long again for 200,000 objects.
    return Object.assign({ [idName]: derivedUuid(origin, createdMs) }, ids, fields, { createdAt });
  });
}

/** Returns the values that the objects below an object share. */
export function parentOf(resource: AnyResource, object: SyntheticObject): SyntheticParent {
  const ids: Record<string, string> = {};
  for (let one: AnyResource | undefined = resource; one; one = one.parent) ids[one.idName] = String(object[one.idName]);
  return {
    origin: String(object[resource.idName]),
    ids,
    fromMs: Date.parse(object.createdAt),
    untilMs: HISTORY_ENDS_MS,
    firstSlot: 1,
  };
}
