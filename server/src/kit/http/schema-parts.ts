// Walks a value together with its schema, to find the schemas that describe each part of the value. Everything that
// masks values uses this walk, so that a mark at any place of a schema counts.
import { isSensitive, type TSchema } from './schema.ts';

/** The parts of a JSON Schema that can contain another schema of the same value, or of a part of it. */
interface Shape {
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  additionalProperties?: TSchema | boolean;
  unevaluatedProperties?: TSchema | boolean;
  /** A list is the earlier form of `prefixItems`, which TypeBox writes for a tuple. */
  items?: TSchema | boolean | TSchema[];
  prefixItems?: TSchema[];
  additionalItems?: TSchema | boolean;
  unevaluatedItems?: TSchema | boolean;
  contains?: TSchema | boolean;
  anyOf?: TSchema[];
  oneOf?: TSchema[];
  allOf?: TSchema[];
  if?: TSchema | boolean;
  then?: TSchema | boolean;
  else?: TSchema | boolean;
  not?: TSchema | boolean;
  dependentSchemas?: Record<string, TSchema | boolean>;
}

const shapeOf = (schema: TSchema): Shape => schema as Shape; // a TypeBox type is a JSON Schema

const isSchema = (value: TSchema | TSchema[] | boolean | undefined): value is TSchema =>
  typeof value === 'object' && !Array.isArray(value);

/** Returns the schemas that can describe the same value. */
function alternativesOf(schema: TSchema): TSchema[] {
  const shape = shapeOf(schema);
  const { anyOf = [], oneOf = [], allOf = [], dependentSchemas = {} } = shape;
  const conditions = [shape.if, shape.then, shape.else, shape.not, ...Object.values(dependentSchemas)];
  return [...anyOf, ...oneOf, ...allOf, ...conditions].filter(isSchema);
}

/** Returns the schemas of fields that no name or pattern of the schema describes. */
function otherFieldSchemas(schema: TSchema): TSchema[] {
  const { additionalProperties, unevaluatedProperties } = shapeOf(schema);
  return [additionalProperties, unevaluatedProperties].filter(isSchema);
}

/** Returns the schemas of items at any place. */
function anyItemSchemas(schema: TSchema): TSchema[] {
  const { items, additionalItems, unevaluatedItems, contains } = shapeOf(schema);
  return [items, additionalItems, unevaluatedItems, contains].filter(isSchema);
}

/** Returns the schemas of the first items, by their place. */
function firstItemSchemas(schema: TSchema): readonly TSchema[] {
  const { items, prefixItems = [] } = shapeOf(schema);
  return Array.isArray(items) ? items : prefixItems;
}

/** The schemas that can describe a value, with their alternatives. A value without a schema has none. */
export type FieldSchemas = readonly TSchema[];

/** Returns the schemas and their alternatives. */
export function describe(schemas: readonly TSchema[]): FieldSchemas {
  return schemas.flatMap((schema) => [schema, ...describe(alternativesOf(schema))]);
}

export const isSensitiveValue = (described: FieldSchemas): boolean => described.some(isSensitive);

/** Returns the names of the fields that the schemas name. */
export const namedFields = (described: FieldSchemas): string[] => [
  ...new Set(described.flatMap((schema) => Object.keys(shapeOf(schema).properties ?? {}))),
];

/** Returns the schemas of a field, without their alternatives. */
export function fieldSchemas(described: FieldSchemas, name: string): TSchema[] {
  return described.flatMap((schema) => {
    const { properties = {}, patternProperties = {} } = shapeOf(schema);
    const named = Object.hasOwn(properties, name) ? [properties[name]] : [];
    const matching = Object.entries(patternProperties).flatMap(([pattern, one]) =>
      new RegExp(pattern, 'u').test(name) ? [one] : [],
    );
    return [...[...named, ...matching].filter(isSchema), ...otherFieldSchemas(schema)];
  });
}

/** Returns the schemas of an item, without their alternatives. */
export function itemSchemas(described: FieldSchemas, at: number): TSchema[] {
  return described.flatMap((schema) => [...anyItemSchemas(schema), ...[firstItemSchemas(schema)[at]].filter(isSchema)]);
}

/** Returns the schemas of all fields and items of a schema, without their alternatives. */
export function partSchemas(schema: TSchema): TSchema[] {
  const { properties = {}, patternProperties = {} } = shapeOf(schema);
  return [
    ...Object.values(properties),
    ...Object.values(patternProperties),
    ...otherFieldSchemas(schema),
    ...anyItemSchemas(schema),
    ...firstItemSchemas(schema),
  ].filter(isSchema);
}

const known = new WeakMap<TSchema, boolean>();

/** Returns whether a value of the schema can contain a sensitive value. */
export function hasSensitive(schema: TSchema | undefined): boolean {
  if (schema === undefined) return false;
  const cached = known.get(schema);
  if (cached !== undefined) return cached;
  known.set(schema, false);
  const found = describe([schema]).some((one) => isSensitive(one) || partSchemas(one).some(hasSensitive));
  known.set(schema, found);
  return found;
}
