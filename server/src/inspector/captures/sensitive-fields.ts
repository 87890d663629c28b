// Which fields of a body the contract marks as sensitive.
import { isSensitive, type TSchema } from '../../kit/http/schema.ts';
import type { KnownOperation } from '../snippets/index.ts';

/** The parts of a JSON Schema that can contain another schema of the same value, or of a part of it. */
interface Shape {
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  additionalProperties?: TSchema | boolean;
  items?: TSchema | boolean;
  prefixItems?: TSchema[];
  anyOf?: TSchema[];
  oneOf?: TSchema[];
  allOf?: TSchema[];
}

const shapeOf = (schema: TSchema): Shape => schema as Shape; // a TypeBox type is a JSON Schema

const isSchema = (value: TSchema | boolean | undefined): value is TSchema => typeof value === 'object';

/** Returns the schema and its alternatives: all schemas that can describe the value itself. */
const alternativesOf = (schema: TSchema): TSchema[] => {
  const { anyOf = [], oneOf = [], allOf = [] } = shapeOf(schema);
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(alternativesOf)];
};

/** The schemas that can describe a value. A value without a schema has none. */
export type FieldSchemas = readonly TSchema[];

export const describe = (schema: TSchema | undefined): FieldSchemas => (schema ? alternativesOf(schema) : []);

export const isSensitiveValue = (described: FieldSchemas): boolean => described.some(isSensitive);

export function describeField(described: FieldSchemas, name: string): FieldSchemas {
  return described.flatMap((schema) => {
    const { properties = {}, patternProperties = {}, additionalProperties } = shapeOf(schema);
    const named = Object.hasOwn(properties, name) ? [properties[name]] : [];
    const matching = Object.entries(patternProperties).flatMap(([pattern, one]) =>
      new RegExp(pattern, 'u').test(name) ? [one] : [],
    );
    return [...named, ...matching, additionalProperties].filter(isSchema).flatMap(alternativesOf);
  });
}

export function describeItem(described: FieldSchemas, at: number): FieldSchemas {
  return described.flatMap((schema) => {
    const { items, prefixItems = [] } = shapeOf(schema);
    return [items, prefixItems[at]].filter(isSchema).flatMap(alternativesOf);
  });
}

const partsOf = (schema: TSchema): TSchema[] => {
  const { properties = {}, patternProperties = {}, additionalProperties, items, prefixItems = [] } = shapeOf(schema);
  const parts = [...Object.values(properties), ...Object.values(patternProperties), additionalProperties, items];
  return [...parts, ...prefixItems].filter(isSchema).flatMap(alternativesOf);
};

const known = new WeakMap<TSchema, boolean>();

/** Returns whether a value of the schema can contain a sensitive value. */
export function hasSensitive(schema: TSchema | undefined): boolean {
  if (schema === undefined) return false;
  const cached = known.get(schema);
  if (cached !== undefined) return cached;
  known.set(schema, false);
  const found = alternativesOf(schema).some((one) => isSensitive(one) || partsOf(one).some(hasSensitive));
  known.set(schema, found);
  return found;
}

/**
 * Returns the names of all fields that the requests of these operations mark as sensitive. A response and an event
 * repeat such fields under the same name, but their schemas do not have the mark.
 */
export function collectSensitiveNames(operations: readonly Pick<KnownOperation, 'body'>[]): Set<string> {
  const names = new Set<string>();
  const seen = new Set<TSchema>();
  const collect = (schema: TSchema): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const one of alternativesOf(schema)) {
      for (const [name, field] of Object.entries(shapeOf(one).properties ?? {}))
        if (alternativesOf(field).some(isSensitive)) names.add(name);
      for (const part of partsOf(one)) collect(part);
    }
  };
  for (const { body } of operations) if (body) collect(body);
  return names;
}
