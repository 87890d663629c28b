// Values that a request can have and a response cannot, such as a password: `writeOnly` in the schema of the body. The
// sandbox gives them to the handlers, and neither stores nor repeats them.

import type { Fields } from '../objects/index.ts';
import { isObject } from './json-object.ts';

/** The keywords whose schemas describe the same value. */
const ALTERNATIVES = ['allOf', 'oneOf', 'anyOf', 'then', 'else'];

/** Returns the schema and all its alternatives. */
function alternativesOf(schema: unknown): Fields[] {
  if (!isObject(schema)) return [];
  return [schema, ...ALTERNATIVES.flatMap((name) => [schema[name]].flat().flatMap(alternativesOf))];
}

/** Returns the schemas of a field in objects of any of the schemas. */
const schemasOfField = (schemas: readonly Fields[], name: string): unknown[] =>
  schemas.map(({ properties, additionalProperties }) =>
    isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
  );

/** Returns the fields without those that the schema, or an alternative of it, declares as `writeOnly`. */
export const withoutWriteOnly = (schema: unknown, fields: Fields): Fields =>
  stripFields(alternativesOf(schema), fields);

function strip(described: readonly unknown[], value: unknown): unknown {
  const schemas = described.flatMap(alternativesOf);
  if (Array.isArray(value)) {
    const items = schemas.map((schema) => schema.items);
    return value.map((item) => strip(items, item));
  }
  return isObject(value) ? stripFields(schemas, value) : value;
}

function stripFields(schemas: readonly Fields[], fields: Fields): Fields {
  const kept = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const described = schemasOfField(schemas, name);
    const isWriteOnly = described.flatMap(alternativesOf).some(({ writeOnly }) => writeOnly === true);
    return isWriteOnly ? [] : [[name, strip(described, value)]];
  });
  return Object.fromEntries(kept);
}
