// Plans the resources of a contract: their schemas, names, parents and paths, from the collections of a document.
import { isReservedSchema, MAX_ENTRIES } from '../../access/contracts/index.ts';
import { type CollectionRoute, identifies, type PathCollection } from './collections.ts';
import type { Part } from './part.ts';
import { type Route, type Segment, templateOf } from './routes.ts';
import { componentPointer, fieldsOf, typeOf } from './shapes.ts';
import { camel, pascal, plural, singular, snake, unique, withLast, wordsOf } from './words.ts';

/** A resource before its declaration. */
export interface Plan {
  name: string;
  kind: string;
  plural: string;
  noun: string;
  idPrefix: string;
  /** The schema of one object, with its references followed. */
  schema: Part;
  /** The first collection has the path of one object, if there is one. */
  collections: PathCollection[];
  parent?: Plan;
}

const MAX_WORDS = 6;
/** Prefixes of the platform's own identifiers. */
const ID_PREFIXES = ['app', 'evt', 'ins', 'key', 'org', 'req'];

/**
 * Returns the plans, parents first, and the operations on objects that no response identifies, such as the membership
 * `PUT /groups/{groupId}/members/{userId}`. The caller can assign such an operation to the object above, here the group.
 */
export function planResources(collections: readonly PathCollection[]): { plans: Plan[]; unidentified: Route[] } {
  const unidentified: Route[] = [];
  const groups = new Map<string, { schema: Part; collections: PathCollection[] }>();
  for (const collection of collections) {
    const schema = schemaOf(collection);
    if (!schema || !isIdentified(collection, schema)) {
      unidentified.push(...collection.members.map(({ route }) => route));
      continue;
    }
    // A component identifies a resource. The same component at two paths is one resource.
    const identity = componentPointer(schema);
    const key = identity.startsWith('/components/schemas/') ? identity : collection.template;
    if (groups.size === MAX_ENTRIES && !groups.has(key)) {
      schema.report(`is one of more than ${MAX_ENTRIES} resources. The contract leaves it out`);
      continue;
    }
    const group = groups.get(key) ?? { schema, collections: [] };
    group.collections.push(collection);
    groups.set(key, group);
  }
  const names = createNames();
  const plans = [...groups.values()].map(({ schema, collections: own }) => {
    const sorted = own.toSorted((a, b) => rankOf(a) - rankOf(b) || a.segments.length - b.segments.length);
    return { schema, collections: sorted, ...names(schema, sorted[0]?.segments ?? []) };
  });
  return { plans: withParents(plans), unidentified };
}

/**
 * Returns false if operations only change or delete the objects of a collection below another object, and no field
 * identifies the objects. A resource of such objects would answer 404 to each request.
 */
function isIdentified({ members, segments, parameter }: PathCollection, schema: Part): boolean {
  const isRead = members.some(({ role, route }) => role !== 'item' || route.method === 'GET');
  if (isRead || !segments.some(({ isParameter }) => isParameter)) return true;
  const last = segments.at(-1)?.name ?? '';
  return identifies(schema, last) || fieldsOf(schema).has(parameter?.name ?? '');
}

const rankOf = ({ parameter, members }: PathCollection): number => {
  if (parameter) return 0;
  return members.some(({ role }) => role === 'create') ? 1 : 2;
};

/** Returns the schema of one object: that of `get`, else that of the list, of `create` or of a change. */
function schemaOf({ members }: PathCollection): Part | undefined {
  const isGet = ({ role, route }: CollectionRoute): boolean => role === 'item' && route.method === 'GET';
  const inOrder = [
    ...members.filter(isGet),
    ...members.filter(({ role }) => role === 'list'),
    ...members.filter(({ role }) => role === 'create'),
    ...members.filter((one) => one.role === 'item' && !isGet(one)),
  ];
  const shape = inOrder.find((one) => one.shape && one.shape.of !== 'value')?.shape;
  return shape && typeOf(shape.schema) === 'object' ? shape.schema : undefined;
}

type Names = Pick<Plan, 'name' | 'kind' | 'plural' | 'noun' | 'idPrefix'>;

function createNames(): (schema: Part, segments: readonly Segment[]) => Names {
  const [names, kinds, plurals] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const prefixes = new Set(ID_PREFIXES);
  return (schema, segments) => {
    const component = /^\/components\/schemas\/([^/]+)$/.exec(componentPointer(schema))?.[1];
    const segment = segments.filter(({ isParameter }) => !isParameter).at(-1)?.name ?? 'object';
    const words = wordsFor(component, segment);
    const free = unique(nameFor(words), names, (number) => `${nameFor(words)}${number}`);
    if (free !== (component ?? free)) schema.report(`is called ${free} in the contract`);
    const own = wordsOf(free);
    const kind = snake(own);
    const prefix = `${own.join('').replaceAll(/[^a-z]/g, '')}xxx`;
    return {
      name: free,
      kind: unique(kind, kinds, (number) => `${kind.slice(0, 26)}_${lettersOf(number)}`),
      plural: unique(camel(withLast(own, plural)), plurals, (number) => `${camel(withLast(own, plural))}${number}`),
      noun: own.join(' '),
      idPrefix: prefixFor(prefix, prefixes),
    };
  };
}

const letter = (number: number): string => String.fromCharCode(97 + (number % 26));

/** Returns three letters, which differ for each number below 17,576. */
const lettersOf = (number: number): string => [676, 26, 1].map((unit) => letter(Math.floor(number / unit))).join('');

function wordsFor(component: string | undefined, segment: string): string[] {
  const own = component === undefined ? [] : wordsOf(component);
  const words = own.length > 0 ? own : withLast(wordsOf(segment), singular);
  const usable = words.slice(0, MAX_WORDS).map((word) => word.slice(0, 20));
  return usable.length === 0 || /^\d/.test(usable[0] ?? '') ? ['object', ...usable] : usable;
}

function nameFor(words: readonly string[]): string {
  const name = pascal(words).slice(0, 36);
  return isReservedSchema(name) ? `${name}Object` : name;
}

/** Returns three letters of the name that no other resource has. A contract has fewer resources than such prefixes. */
function prefixFor(letters: string, taken: Set<string>): string {
  for (let at = 1; at < letters.length - 1; at++) {
    const prefix = `${letters[0]}${letters[at]}${letters[at + 1]}`;
    if (!taken.has(prefix)) {
      taken.add(prefix);
      return prefix;
    }
  }
  let number = 0;
  while (taken.has(lettersOf(number))) number++;
  taken.add(lettersOf(number));
  return lettersOf(number);
}

/** Finds the parent of each resource: the resource of the last object in the path of its collection. */
function withParents(plans: Plan[]): Plan[] {
  const byTemplate = new Map(
    plans.flatMap((plan) =>
      plan.collections.filter(({ parameter }) => parameter).map((one) => [one.template, plan] as const),
    ),
  );
  for (const plan of plans) {
    const nested = plan.collections.find(({ segments }) => segments.some(({ isParameter }) => isParameter));
    const isTop = plan.collections.some(
      ({ segments, members }) =>
        segments.every(({ isParameter }) => !isParameter) && members.some(({ role }) => role !== 'item'),
    );
    if (!nested || isTop) continue;
    const templates = nested.segments.flatMap(({ isParameter }, at) =>
      isParameter ? [templateOf(nested.segments.slice(0, at))] : [],
    );
    const parent = templates
      .reverse()
      .map((template) => byTemplate.get(template))
      .find((one) => one && one !== plan);
    if (parent && !isBelow(parent, plan)) plan.parent = parent;
  }
  const ordered = new Set<Plan>();
  const add = (plan: Plan): void => {
    if (plan.parent) add(plan.parent);
    ordered.add(plan);
  };
  for (const plan of plans) add(plan);
  return [...ordered];
}

function isBelow(plan: Plan | undefined, other: Plan): boolean {
  for (let next = plan; next; next = next.parent) if (next === other) return true;
  return false;
}

export const idNameOf = ({ name }: Pick<Plan, 'name'>): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}Id`;
