// Completes the objects inside the values of a request: a response can require fields that a request does not have, such
// as the identifier of each line of an order.
import { createSeededRandom, drawValue } from '../../access/contracts/index.ts';
import type { Fields } from '../objects/index.ts';
import { isObject } from './json-object.ts';

/**
 * Returns the fields with the objects inside merged into those of the previous fields. In a body of JSON:API, `attributes` that
 * are missing keep their values.
 */
export const mergeObjects = (before: Fields, given: Fields): Fields =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const known = Object.hasOwn(before, name) ? before[name] : undefined;
      return [name, isObject(known) && isObject(value) ? { ...known, ...value } : value];
    }),
  );

/**
 * Returns the value with the fields that its schema requires. Objects inside that lack such a field get it from the
 * previous value, the default or the schema, derived from `origin`.
 */
export function completeValue(schema: unknown, value: unknown, before: unknown, origin: string): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) {
    // Items have no identity, so the previous value at a place can be another object.
    return value.map((item, index) => completeValue(schema.items, item, undefined, `${origin}/${index}`));
  }
  if (!isObject(value)) return value;
  const fields: Fields = isObject(schema.properties) ? schema.properties : {};
  const known: Fields = isObject(before) ? before : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const own = (from: Fields, name: string): unknown => (Object.hasOwn(from, name) ? from[name] : undefined);
  const completed = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    completeValue(own(fields, name), inner, own(known, name), `${origin}/${name}`),
  ]);
  const missing = required.flatMap((name): [string, unknown][] => {
    const field = own(fields, name);
    if (Object.hasOwn(value, name) || !isObject(field)) return [];
    const drawn =
      own(known, name) ??
      structuredClone(field.default) ??
      drawValue({ ...field }, createSeededRandom(`${origin}/${name}`));
    return drawn === undefined ? [] : [[name, drawn]];
  });
  return Object.fromEntries([...completed, ...missing]);
}
