// The shape of a response: an object, a list of objects, or another value, with the field around it.
import { isObject } from './document.ts';
import { kindsOf } from './kinds.ts';
import type { Part } from './part.ts';
import { plural, singular, wordsOf } from './words.ts';

/** `in` is the field around the content. */
export type Shape = { of: 'object' | 'list'; schema: Part; in?: string } | { of: 'value'; schema: Part };

const LISTS = 'data items results records values list content entries rows elements nodes value'.split(' ');
const WRAPPERS = ['data', 'item', 'result', 'record'];
/** Fields next to a wrapped object. */
const META =
  /^(?:meta|metadata|links|included|success|status|code|message|errors?|request_?id|trace_?id|timestamp|jsonapi|warnings)$/i;
const MAX_LEVELS = 12;
/** The fields of a schema that are read: more than a resource can have. */
const MAX_FIELDS = 2_000;

/**
 * Returns the type of a schema, also through `allOf` and alternatives that are all of one type. `seen` are the schemas that
 * were read before: without them, the time would double with each level of schemas that refer to the next one twice.
 */
export function typeOf(part: Part, level = 0, seen: Set<unknown> = new Set()): string | undefined {
  const { type, properties, items } = part.object;
  const first: unknown = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (typeof first === 'string') return first;
  if (isObject(properties)) return 'object';
  if (isObject(items)) return 'array';
  if (level > MAX_LEVELS || seen.has(part.value)) return undefined;
  seen.add(part.value);
  const inner = ['allOf', 'oneOf', 'anyOf'].flatMap((name) => part.own(name)?.items() ?? []);
  const types = inner.flatMap((one) => {
    const target = one.target();
    const found = target && typeOf(target, level + 1, seen);
    return found === undefined || found === 'null' ? [] : [found];
  });
  return types.every((one) => one === types[0]) ? types[0] : undefined;
}

/** The fields of the schemas of a document, because an example reads those of a schema once for each value. */
const known = new WeakMap<object, ReadonlyMap<string, Part>>();

/**
 * Returns at most `MAX_FIELDS` fields of an object schema. Fields of `allOf` come first, but only as many as its own fields
 * leave room for.
 */
export function fieldsOf(part: Part): ReadonlyMap<string, Part> {
  if (!isObject(part.value)) return new Map();
  const fields = known.get(part.value) ?? readFields(part, 0, new Set());
  known.set(part.value, fields);
  return fields;
}

function readFields(part: Part, level: number, seen: Set<unknown>): Map<string, Part> {
  const fields = new Map<string, Part>();
  if (level > MAX_LEVELS || seen.has(part.value)) return fields;
  seen.add(part.value);
  const own = part.own('properties')?.entries(MAX_FIELDS) ?? [];
  for (const one of part.own('allOf')?.items() ?? []) {
    const target = one.target();
    const inherited = target ? [...readFields(target, level + 1, seen)] : [];
    for (const [name, field] of inherited.slice(0, MAX_FIELDS - own.length - fields.size)) fields.set(name, field);
  }
  for (const [name, field] of own) fields.set(name, field);
  return fields;
}

/** Returns the required fields of an object schema, also those of `allOf`. */
export function requiredIn(part: Part, level = 0, seen: Set<unknown> = new Set()): Set<string> {
  if (level > MAX_LEVELS || seen.has(part.value)) return new Set();
  seen.add(part.value);
  const inner = (part.own('allOf')?.items() ?? []).flatMap((one) => one.target() ?? []);
  return new Set([
    ...(part.own('required')?.items() ?? []).map(({ value }) => String(value)),
    ...inner.flatMap((one) => [...requiredIn(one, level + 1, seen)]),
  ]);
}

/** Returns whether an object has a field, also in one of its alternatives. `seen` are the schemas that were read before. */
export function hasField(part: Part, name: string, seen: Set<unknown> = new Set()): boolean {
  if (seen.has(part.value)) return false;
  seen.add(part.value);
  if (fieldsOf(part).has(name)) return true;
  const inner = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => part.own(keyword)?.items() ?? []);
  return [...inner, ...kindsOf(part).map(({ reference }) => reference)].some((one) => {
    const target = one.target();
    return target !== undefined && hasField(target, name, seen);
  });
}

/**
 * Returns the pointer that identifies a schema: that of its component, also if `allOf` adds fields such as links to one
 * component.
 */
export function componentPointer(part: Part): string {
  const components = (part.own('allOf')?.items() ?? []).flatMap((one) => {
    const target = one.target();
    return target && target.pointer !== one.pointer ? [target] : [];
  });
  const [only] = components;
  const isExtended = !part.pointer.startsWith('/components/schemas/') && components.length === 1 && only;
  return isExtended ? only.pointer : part.pointer;
}

/** Returns the schema of the objects of an array, also through `allOf` with one member. */
function itemOf(part: Part | undefined): Part | undefined {
  const target = part?.target();
  const item = target?.at('items');
  return item && typeOf(item) === 'object' ? item : undefined;
}

/**
 * Returns whether an object has a field that identifies it, such as `id`, or `order_id` at `/orders` or in the component
 * `Order`. An object with an identifier is no envelope, even if it contains `items`.
 */
function hasIdentifier(schema: Part, fields: ReadonlyMap<string, Part>, last: string): boolean {
  const component = /^\/components\/schemas\/([^/]+)$/.exec(schema.pointer)?.[1] ?? '';
  const nouns = [wordsOf(last), wordsOf(component)].flatMap((words) => [
    words.map(singular).join(''),
    singular(words.at(-1) ?? ''),
  ]);
  const names = new Set(['id', 'uuid', 'key', ...nouns.filter((noun) => noun !== '').map((noun) => `${noun}id`)]);
  return [...fields.keys()].some((name) => names.has(wordsOf(name).join('')) && !META.test(name));
}

/** Returns the shape of a response. `last` is the last name in the path; `isPaged` is true with parameters of a paging. */
export function shapeOf(given: Part, last: string, isPaged: boolean): Shape {
  const schema = given.target() ?? given;
  const type = typeOf(schema);
  if (type === 'array') {
    const item = itemOf(schema);
    return item ? { of: 'list', schema: item } : { of: 'value', schema };
  }
  if (type !== 'object') return { of: 'value', schema };
  const fields = fieldsOf(schema);
  const list = hasIdentifier(schema, fields, last) ? undefined : listIn(fields, last, isPaged);
  return list ?? objectIn(fields, last) ?? innerList(fields, last, isPaged) ?? { of: 'object', schema };
}

/** Returns a list that is two fields deep, such as `_embedded.orders`. */
function innerList(fields: ReadonlyMap<string, Part>, last: string, isPaged: boolean): Shape | undefined {
  for (const [name, field] of fields) {
    const target = field.target();
    const isWrapper = name === '_embedded' || name === 'response' || WRAPPERS.includes(name);
    const inner = isWrapper && target ? fieldsOf(target) : undefined;
    const list = target && inner && !hasIdentifier(target, inner, last) ? listIn(inner, last, isPaged) : undefined;
    if (list && 'in' in list) return { ...list, in: `${name}.${list.in}` };
  }
  return undefined;
}

function listIn(fields: ReadonlyMap<string, Part>, last: string, isPaged: boolean): Shape | undefined {
  const lists = [...fields].flatMap(([name, field]) => {
    const item = itemOf(field);
    return item ? [{ name, item }] : [];
  });
  const words = wordsOf(last).join('');
  const isNamed = ({ name }: { name: string }): boolean => LISTS.includes(name) || wordsOf(name).join('') === words;
  const found = lists.find(isNamed) ?? (lists.length === 1 && isPaged ? lists[0] : undefined);
  return found && { of: 'list', schema: found.item, in: found.name };
}

function objectIn(fields: ReadonlyMap<string, Part>, last: string): Shape | undefined {
  const one = singular(wordsOf(last).at(-1) ?? '');
  const names = [...WRAPPERS, one, plural(one)];
  const others = [...fields.keys()].filter((name) => !META.test(name));
  if (others.length > 1) return undefined; // an envelope has one object, next to metadata
  for (const name of others.length === 1 ? others : fields.keys()) {
    const target = names.includes(wordsOf(name).at(-1) ?? '') ? fields.get(name)?.target() : undefined;
    if (target && typeOf(target) === 'object') return { of: 'object', schema: target, in: name };
  }
  return undefined;
}
