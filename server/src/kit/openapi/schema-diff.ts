// Compares schemas. A request that was accepted must stay accepted, and a response must stay within the promised
// schema.

import type { Direction, OpenApiObject } from './openapi-schemas.ts';

export interface Components {
  schemas: Record<string, OpenApiObject>;
  responses?: Record<string, { headers?: OpenApiObject; content?: Record<string, { schema: unknown }> }>;
}

export interface Sides {
  before: Components;
  now: Components;
}

const isObject = (value: unknown): value is OpenApiObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): OpenApiObject => (isObject(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns each breaking change between two schemas, as `<place>: <change>`. */
export function compareSchemas(
  before: unknown,
  now: unknown,
  direction: Direction,
  sides: Sides,
  at = '',
  seen: ReadonlySet<string> = new Set(),
): string[] {
  const pair = `${objectOf(before).$ref} ${objectOf(now).$ref}`;
  if (isObject(before) && before.$ref !== undefined && seen.has(pair)) return [];
  const inside = new Set([...seen, pair]);
  const was = alternativesOf(before, sides.before);
  const is = alternativesOf(now, sides.now);
  // The receiver must understand each alternative of the sender, so the sender's alternatives lead.
  const [leading, following] = direction === 'request' ? [was, is] : [is, was];
  return leading.flatMap((one) => {
    const other =
      following.find(({ name, type }) => name === one.name && type === one.type) ??
      following.find(({ type }) => fits(one.type, type));
    if (!other) return [`${at || '/'}: ${direction === 'request' ? `no longer takes` : `may now be`} ${titleOf(one)}`];
    const [a, b] = direction === 'request' ? [one, other] : [other, one];
    return compareOne(a.schema, b.schema, direction, sides, at, inside);
  });
}

interface Alternative {
  /** The component, or the type of an alternative without a component. */
  name: string;
  type: string;
  schema: OpenApiObject;
}

const titleOf = ({ name, type }: Alternative): string => (name === type ? type : `${name} of type ${type}`);

function alternativesOf(schema: unknown, components: Components): Alternative[] {
  const { $ref, ...given } = objectOf(schema);
  if (typeof $ref === 'string') {
    const ref = $ref.replace('#/components/schemas/', '');
    // Null has no component, so that a component with null equals one next to null.
    return alternativesOf({ ...components.schemas[ref], ...given }, components).map((one) =>
      one.name === one.type && one.type !== 'null' ? { ...one, name: ref } : one,
    );
  }
  if (given.allOf !== undefined) throw new Error('The comparison of contracts does not support allOf.');
  const several = [...listOf(given.anyOf), ...listOf(given.oneOf)];
  if (several.length > 0) return several.flatMap((one) => alternativesOf(one, components));
  const types = Array.isArray(given.type) ? given.type : [given.type ?? 'anything'];
  // The other keywords, such as a maximum length, do not apply to null.
  const schemaFor = (type: unknown): OpenApiObject => (type === 'null' ? { type } : { ...given, type });
  return types.map((type) => ({ name: String(type), type: String(type), schema: schemaFor(type) }));
}

const fits = (sent: string, taken: string): boolean =>
  sent === taken || taken === 'anything' || (sent === 'integer' && taken === 'number');

function compareOne(
  before: OpenApiObject,
  now: OpenApiObject,
  direction: Direction,
  sides: Sides,
  at: string,
  seen: ReadonlySet<string>,
) {
  const location = at || '/';
  return [
    ...compareValues(before, now, direction).map((what) => `${location}: ${what}`),
    ...compareFields(before, now, direction, sides, at, seen),
    ...(isObject(before.items) && isObject(now.items)
      ? compareSchemas(before.items, now.items, direction, sides, `${at}/items`, seen)
      : []),
  ];
}

function compareValues(before: OpenApiObject, now: OpenApiObject, direction: Direction): string[] {
  return [
    ...compareEnums(before, now, direction),
    ...compareBounds(before, now, direction),
    ...compareForms(before, now, direction),
  ];
}

function compareEnums(before: OpenApiObject, now: OpenApiObject, direction: Direction): string[] {
  const was = valuesOf(before);
  const is = valuesOf(now);
  if (!was && !is) return [];
  if (!was) return direction === 'request' ? ['only some values are taken now'] : [];
  if (!is) return direction === 'response' ? ['may now be any value'] : [];
  const removed = was.filter((value) => !is.includes(value)).map((value) => `the value ${value} was removed`);
  const isOpen = before['x-extensible-enum'] !== undefined;
  const added = direction === 'request' || isOpen ? [] : is.filter((value) => !was.includes(value));
  return [...removed, ...added.map((value) => `may now be ${value}`)];
}

function valuesOf(schema: OpenApiObject): string[] | undefined {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  const values = schema.enum ?? schema['x-extensible-enum'];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
}

const LOWER = ['minLength', 'minimum', 'minItems', 'minProperties'];
const UPPER = ['maxLength', 'maximum', 'maxItems', 'maxProperties'];

function compareBounds(before: OpenApiObject, now: OpenApiObject, direction: Direction): string[] {
  const number = (schema: OpenApiObject, name: string, missing: number): number => Number(schema[name] ?? missing);
  const tighter = (name: string, isLower: boolean): number => {
    const missing = isLower ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const [was, is] = [number(before, name, missing), number(now, name, missing)];
    if (was === is) return 0;
    return is > was === isLower ? 1 : -1;
  };
  const broken = direction === 'request' ? 1 : -1;
  return [...LOWER.map((name) => [name, true] as const), ...UPPER.map((name) => [name, false] as const)].flatMap(
    ([name, isLower]) =>
      tighter(name, isLower) === broken
        ? [`${name} went from ${before[name] ?? 'none'} to ${now[name] ?? 'none'}`]
        : [],
  );
}

function compareForms(before: OpenApiObject, now: OpenApiObject, direction: Direction): string[] {
  const forms = ['pattern', 'format', 'uniqueItems'].flatMap((name) => {
    if (before[name] === now[name]) return [];
    const harmless = direction === 'request' ? now[name] : before[name];
    return harmless === undefined || harmless === false
      ? []
      : [`${name} went from ${before[name] ?? 'none'} to ${now[name] ?? 'none'}`];
  });
  const hasDefault = direction === 'request' && before.default !== undefined && before.default !== now.default;
  return hasDefault ? [...forms, `the default went from ${before.default} to ${now.default ?? 'none'}`] : forms;
}

function compareFields(
  before: OpenApiObject,
  now: OpenApiObject,
  direction: Direction,
  sides: Sides,
  at: string,
  seen: ReadonlySet<string>,
) {
  const [was, is] = [objectOf(before.properties), objectOf(now.properties)];
  const [needed, needs] = [listOf(before.required), listOf(now.required)];
  const fields = Object.keys(was).flatMap((name) => {
    const location = `${at}/${name}`;
    if (!(name in is)) return [`${location}: removed`];
    const inner = compareSchemas(was[name], is[name], direction, sides, location, seen);
    if (direction === 'response' && needed.includes(name) && !needs.includes(name))
      return [...inner, `${location}: may now be missing`];
    return inner;
  });
  const demanded = direction === 'response' ? [] : needs.filter((name) => !needed.includes(name));
  const others = compareOthers(before, now, direction, sides, at, seen);
  return [...fields, ...demanded.map((name) => `${at}/${name}: is now required`), ...others];
}

/** Compares fields whose names the contract does not define. */
function compareOthers(
  before: OpenApiObject,
  now: OpenApiObject,
  direction: Direction,
  sides: Sides,
  at: string,
  seen: ReadonlySet<string>,
) {
  const [was, is] = [objectOf(before.patternProperties), objectOf(now.patternProperties)];
  const kept = Object.keys(was).flatMap((name) =>
    name in is
      ? compareSchemas(was[name], is[name], direction, sides, `${at}/*`, seen)
      : [`${at}/*: fields named ${name} were removed`],
  );
  const isClosed =
    direction === 'request' && before.additionalProperties !== false && now.additionalProperties === false;
  return isClosed && before.type === 'object' ? [...kept, `${at || '/'}: other fields are no longer taken`] : kept;
}
