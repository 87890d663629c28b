// The limits of the objects that an operator's contract declares (docs/operate/contracts.md), and the mistakes of a
// contract that exceeds them.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyResource, ContractDeclaration } from './declaration.ts';
import { identifierSpaceOf, rulesInWords } from './identifiers.ts';

export const OBJECT_LIMITS = {
  /** The bytes of an object as JSON, with its hidden fields. */
  objectBytes: 64 * 1024,
  /** The objects of one resource in an app. */
  objects: 20_000,
  /** The objects of one resource in new sandbox data. */
  presetObjects: 10_000,
  /** The objects of all resources in new sandbox data. */
  presetTotal: 50_000,
  /** The bytes of a page, as Postgres writes its objects. A page has one object more at most. */
  pageBytes: 2 * 1024 * 1024,
  /** The objects in a list without paging. */
  unpagedObjects: 1_000,
  /** The objects that are deleted together with an object above them. */
  deletedBelow: 20_000,
  /** The longest delay until `onDue` decides about an object. */
  dueInMs: 365 * 86_400_000,
} as const;

/** The number of objects per parent of a resource whose count no preset states. */
const DEFAULT_COUNT = 5;

/** Returns the bytes of a value as JSON. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

type Counts = Readonly<Record<string, number>>;

/** Returns the number of objects of a resource below each object of its parent. */
export const countBelowParent = ({ plural, sandbox }: AnyResource, counts: Counts): number =>
  counts[plural] ?? sandbox?.count ?? DEFAULT_COUNT;

/** Returns the number of objects of a resource in new sandbox data. Counts multiply at each level of resources. */
function totalOf(resource: AnyResource, counts: Counts): number {
  const { parent } = resource;
  return countBelowParent(resource, counts) * (parent ? totalOf(parent, counts) : 1);
}

/**
 * Returns the counts of a preset with `top` objects of each resource without a parent, and `below` per object of a
 * parent. Each resource has fewer per parent where the limits require it.
 */
export function presetCounts(resources: readonly AnyResource[], top: number, below: number): Record<string, number> {
  const { presetObjects, presetTotal } = OBJECT_LIMITS;
  const most = Math.min(presetObjects, Math.floor(presetTotal / Math.max(1, resources.length)));
  const counts: Record<string, number> = {};
  const set = (resource: AnyResource): number => {
    const parents = resource.parent ? set(resource.parent) : 1;
    const wanted = resource.parent ? below : top;
    const count = Math.min(wanted, Math.floor(Math.min(most, mostWithRoom(resource)) / Math.max(1, parents)));
    counts[resource.plural] = count;
    return parents * count;
  };
  for (const resource of resources) set(resource);
  return counts;
}

/** Returns the most objects in sandbox data that leave half of the identifiers to further objects. */
function mostWithRoom({ identity }: AnyResource): number {
  const { size = Number.POSITIVE_INFINITY } = identifierSpaceOf(identity) ?? {};
  return Math.max(1, Math.floor(size / 2));
}

/** Returns the mistakes of a contract whose examples or presets exceed the limits. */
export function limitErrors({ file, resources, presets }: ContractDeclaration): string[] {
  const { objectBytes, presetObjects, presetTotal } = OBJECT_LIMITS;
  const nameOf = (path: string): string => basename(fileURLToPath(path));
  const samples = resources.flatMap((one) =>
    [one.example, ...(one.samples ?? [])].flatMap((object, index) => {
      const field = index === 0 ? 'example' : `samples/${index - 1}`;
      const isFit = jsonBytes(object) <= objectBytes;
      return isFit ? [] : [`${nameOf(one.file)}: ${one.name}.${field} must have at most ${objectBytes} bytes as JSON.`];
    }),
  );
  const amounts = Object.entries(presets).flatMap(([name, { counts }]) => {
    const totals = resources.map((one) => ({ one, total: totalOf(one, counts) }));
    const sum = totals.reduce((all, { total }) => all + total, 0);
    const at = `${nameOf(file)}: presets.${name}.counts`;
    return [
      ...totals.flatMap(({ one: { plural }, total }) =>
        total > presetObjects
          ? [
              `${at}.${plural} must give at most ${presetObjects} objects, and gives ${total}: counts multiply at each level.`,
            ]
          : [],
      ),
      ...totals.flatMap(({ one: { plural, name, identity }, total }) => {
        const { size = total } = identifierSpaceOf(identity) ?? {};
        return identity && total > size
          ? [
              `${at}.${plural} must give at most ${size} objects, the number of identifiers that ${name}.identity permits (${rulesInWords(identity)}), and gives ${total}.`,
            ]
          : [];
      }),
      ...(sum > presetTotal
        ? [`${at} must give at most ${presetTotal} objects of all resources, and gives ${sum}.`]
        : []),
    ];
  });
  return [...samples, ...amounts];
}
