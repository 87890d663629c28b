// The fields of an object that has alternatives (`oneOf`, `anyOf`). A resource of a contract has the fields of all of them.
import { mergeSchemas } from './merge-schemas.ts';
import type { Schema } from './schemas.ts';

/** Returns the fields of an object and of its alternatives. If all alternatives limit a field of the object, so does the result. */
export function mergeFields(own: Readonly<Record<string, Schema>>, schemas: readonly Schema[]): Record<string, Schema> {
  const fields = allFields(schemas);
  const isInAll = (name: string): boolean => schemas.every(({ properties }) => Object.hasOwn(Object(properties), name));
  const merged = Object.entries(own).map(([name, schema]): [string, Schema] => {
    const other = Object.hasOwn(fields, name) && isInAll(name) ? fields[name] : undefined;
    return [name, other ? mergeSchemas(schema, [other]) : schema];
  });
  return { ...fields, ...Object.fromEntries(merged) };
}

/** Returns the fields that any of the schemas has. A field of several schemas accepts the values of each of them. */
function allFields(schemas: readonly Schema[]): Record<string, Schema> {
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

interface Alternative {
  fields: Record<string, Schema>;
  required?: string[];
}

/**
 * Returns the alternatives of an object with the fields `own`, each with those of the fields `names` that differ from one
 * alternative to another. None if no field differs.
 */
export function differencesOf(
  schemas: readonly Schema[],
  names: readonly string[],
  own: Readonly<Record<string, Schema>>,
): Alternative[] {
  const all = schemas.map(({ properties }): Record<string, Schema> => ({ ...own, ...Object(properties) }));
  const differing = names.filter((name) => new Set(all.map((fields) => JSON.stringify(fields[name]))).size > 1);
  if (differing.length === 0) return [];
  return schemas.map(({ required }, index) => {
    const fields = Object.entries(all[index] ?? {}).filter(([name]) => differing.includes(name));
    const needed = Array.isArray(required) ? required.map(String).filter((name) => differing.includes(name)) : [];
    return { fields: Object.fromEntries(fields), ...(needed.length > 0 && { required: needed }) };
  });
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
