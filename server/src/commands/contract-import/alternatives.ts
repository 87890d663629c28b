// The fields of an object that has alternatives (`oneOf`, `anyOf`). A resource of a contract has the fields of all of them.
import type { Schema } from './schemas.ts';

/** Returns the fields that any of the schemas has. A field of several schemas accepts the values of each of them. */
export function allFields(schemas: readonly Schema[]): Record<string, Schema> {
  const fields = new Map<string, Schema[]>();
  for (const { properties } of schemas)
    for (const [name, field] of Object.entries(Object(properties)))
      fields.set(name, [...(fields.get(name) ?? []), Object(field)]);
  return Object.fromEntries([...fields].map(([name, given]) => [name, uniteSchemas(given)]));
}

/** Returns the names of the fields that each of the alternatives requires. */
export function requiredByAll(alternatives: readonly Schema[]): string[] {
  const [first = [], ...others] = alternatives.map(({ required }) =>
    Array.isArray(required) ? required.map(String) : [],
  );
  return first.filter((name) => others.every((names) => names.includes(name)));
}

/**
 * Returns a schema that accepts the values of each schema. The values of a field that distinguishes the alternatives, such
 * as `enum: [card]` and `enum: [cash]`, become one `enum`.
 */
function uniteSchemas(schemas: readonly Schema[]): Schema {
  const unique = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
  const [first = {}] = unique;
  if (unique.length === 1) return first;
  const values = unique.map(valuesOf);
  const isOneType = unique.every(({ type }) => type === first.type);
  if (!isOneType || values.some((some) => some === undefined)) return { anyOf: unique };
  const { const: _, enum: __, examples: ___, default: ____, ...rest } = first;
  return { ...rest, enum: [...new Set(values.flatMap((some) => some ?? []))] };
}

const valuesOf = ({ const: value, enum: values }: Schema): unknown[] | undefined =>
  Array.isArray(values) ? values : value === undefined ? undefined : [value];
