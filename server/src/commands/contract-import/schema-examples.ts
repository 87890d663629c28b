// The examples of the schemas of a document.
import { fits, isInherited } from '../../access/contracts/index.ts';
import type { Direction } from '../../kit/openapi/openapi-schemas.ts';
import type { Json } from './document.ts';
import type { Part } from './part.ts';
import { fieldsOf } from './shapes.ts';

type Schema = Record<string, unknown>;

const [MAX_EXAMPLES, MAX_EXAMPLE_LENGTH] = [20, 5_000];

/** The lengths of values in the document, because a component is converted once for each reference. */
const lengths = new WeakMap<object, number>();

/** Returns whether a value in JSON has at most this length. */
export function isSmall(value: unknown, most: number = MAX_EXAMPLE_LENGTH): boolean {
  if (typeof value !== 'object' || value === null) return String(value).length <= most;
  const length = lengths.get(value) ?? JSON.stringify(value).length;
  lengths.set(value, length);
  return length <= most;
}

/** Returns the keyword of the fields that a direction does not have. */
export const hiddenIn = (direction: Direction): 'writeOnly' | 'readOnly' =>
  direction === 'response' ? 'writeOnly' : 'readOnly';

export const isMarked = (part: Part, keyword: 'readOnly' | 'writeOnly'): boolean =>
  part.isTrue(keyword) || part.target()?.isTrue(keyword) === true;

/** The fitting examples of a schema in the document, because a component is converted once for each reference. */
const fitting = new WeakMap<object, Partial<Record<Direction, unknown[]>>>();

/** Adds the examples that fit the schema, and reports the others. */
export function withExamples(part: Part, schema: Schema, direction: Direction): Schema {
  const cached = fitting.get(part.object) ?? {};
  const examples = cached[direction] ?? examplesOf(part, schema, direction, cached);
  fitting.set(part.object, { ...cached, [direction]: examples });
  const known = Array.isArray(schema.examples) ? schema.examples : [];
  const all = uniqueValues([...examples, ...known]).slice(0, MAX_EXAMPLES);
  const { default: preset, examples: _, ...rest } = schema;
  const isPreset = preset !== undefined && !hasInherited(preset) && fits(schema, preset);
  return { ...rest, ...(isPreset && { default: preset }), ...(all.length > 0 && { examples: all }) };
}

/** Returns a copy of the schema that has these examples before its own. Reports examples that do not fit. */
export function withFurtherExamples(schema: Schema, parts: readonly Part[]): Schema {
  const given = parts.flatMap((part) => {
    if (!isSmall(part.value) || hasInherited(part.value)) return [];
    if (fits(schema, part.value)) return [part.value];
    part.report('is an example that does not fit its schema. The contract leaves it out');
    return [];
  });
  if (given.length === 0) return schema;
  const known = Array.isArray(schema.examples) ? schema.examples : [];
  return { ...schema, examples: uniqueValues([...given, ...known]).slice(0, MAX_EXAMPLES) };
}

/**
 * Returns the examples of a schema that fit it. A document has one example for requests and responses, so the fields of the
 * other direction are removed first.
 */
function examplesOf(
  part: Part,
  schema: Schema,
  direction: Direction,
  known: Partial<Record<Direction, unknown[]>>,
): unknown[] {
  const several = part.own('examples');
  const given = [part.own('example'), ...(Array.isArray(several?.value) ? several.items() : [])];
  return given.flatMap((example) => {
    if (!example || !isSmall(example.value) || hasInherited(example.value)) return [];
    const value = withoutHidden(part, example.value, direction);
    if (fits(schema, value)) return [value];
    const isUsed = Object.values(known).some((others) => others.length > 0);
    if (!isUsed) example.report('is an example that does not fit its schema. The contract leaves it out');
    return [];
  });
}

/** Returns an example without the fields that only the other direction has, also in the objects inside. */
function withoutHidden(given: Part, value: Json, direction: Direction): Json {
  const part = given.target();
  if (!part || typeof value !== 'object' || value === null) return value;
  const items = part.own('items');
  if (Array.isArray(value)) return items ? value.map((one) => withoutHidden(items, one, direction)) : value;
  const fields = fieldsOf(part);
  const kept = Object.entries(value).flatMap(([name, one]): [string, Json][] => {
    const field = fields.get(name);
    if (!field) return [[name, one]];
    return isMarked(field, hiddenIn(direction)) ? [] : [[name, withoutHidden(field, one, direction)]];
  });
  return Object.fromEntries(kept);
}

export const uniqueValues = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

/** Returns whether a value contains a field that an object in a module cannot have as data, such as `__proto__`. */
export function hasInherited(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).some((key) => isInherited(key) || hasInherited(Reflect.get(value, key)));
}
