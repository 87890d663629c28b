// Reduces a value from outside to the parts that may be kept: values that the contract defines and constrains, and that
// fit it. For other values, and for sensitive ones, only kind and size are kept.
import { isId } from '../../kit/crypto/ids.ts';
import { isSensitive, schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import { isMask, pluralise, toMask } from './mask.ts';

/** The parts of a JSON Schema that this module reads. */
interface Shape {
  type?: string;
  enum?: readonly unknown[];
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: Shape[];
}

// TypeBox's types are JSON Schema objects.
const shapeOf = (schema: TSchema | undefined): Shape | undefined => schema as Shape | undefined;

export interface MaskedValue {
  value: unknown;
  /** True if parts of the value were dropped. */
  isTruncated: boolean;
}

/**
 * Returns true if the contract limits the value to known choices: a number, an enumerated word or an identifier. Free
 * text may hold a secret in any spelling, which no check can find.
 */
export const isConstrained = (schema: TSchema, value: unknown): boolean =>
  typeof value !== 'string' || shapeFor(schema, value).enum !== undefined || isId(value);

const MAX_ITEMS = 20;
const MAX_VALUES = 200;
const MAX_DEPTH = 8;

export function maskValue(schema: TSchema | undefined, value: unknown): MaskedValue {
  let remaining = MAX_VALUES;
  let isTruncated = false;

  function cut<T>(items: readonly T[]): readonly T[] {
    if (items.length > MAX_ITEMS) isTruncated = true;
    return items.slice(0, MAX_ITEMS);
  }

  function maskFields(properties: Record<string, TSchema>, fields: object, depth: number): Record<string, unknown> {
    const known = Object.keys(properties).filter((name) => Object.hasOwn(fields, name));
    const unknown = Object.keys(fields).length - known.length;
    const maskedEntries = cut(known).map((name): [string, unknown] => [
      name,
      mask(properties[name], Reflect.get(fields, name), depth + 1),
    ]);
    return Object.fromEntries(
      unknown === 0 ? maskedEntries : [...maskedEntries, ['*', `[${pluralise(unknown, 'unknown field')}]`]],
    );
  }

  function mask(itemSchema: TSchema | undefined, inner: unknown, depth: number): unknown {
    if (itemSchema === undefined || isSensitive(itemSchema)) return toMask(inner);
    remaining -= 1;
    if (remaining < 0 || depth > MAX_DEPTH) {
      isTruncated = true;
      return toMask(inner);
    }
    const shape = shapeFor(itemSchema, inner);
    if (Array.isArray(inner)) {
      return shape.items ? cut(inner).map((item) => mask(shape.items, item, depth + 1)) : toMask(inner);
    }
    if (typeof inner === 'object' && inner !== null) {
      return shape.properties ? maskFields(shape.properties, inner, depth) : toMask(inner);
    }
    // A string in a record that has the form of a mask is always a mask.
    return isConstrained(itemSchema, inner) && !isMask(inner) && schemaErrors(itemSchema, inner).length === 0
      ? inner
      : toMask(inner);
  }

  const masked = mask(schema, value, 0);
  return { value: masked, isTruncated };
}

/** Returns the variant of a union for values of this kind. */
function shapeFor(schema: TSchema, value: unknown): Shape {
  const shape = shapeOf(schema) ?? {};
  const kind = Array.isArray(value) ? 'array' : typeof value;
  return shape.anyOf?.find((one) => one.type === kind) ?? shape;
}

/**
 * Returns a JSON Pointer into a value of this schema, with `*` for each name that is not in the schema. The name of a
 * required property is kept: it comes from the contract or a workflow's schema, and not from the caller.
 */
export function maskPointer(schema: TSchema | undefined, steps: readonly string[], isRequired: boolean): string[] {
  let at = shapeOf(schema);
  return steps.map((step, index) => {
    const next = at?.properties && Object.hasOwn(at.properties, step) ? at.properties[step] : undefined;
    const item = next === undefined && /^\d{1,6}$/.test(step) ? at?.items : undefined;
    at = shapeOf(next ?? item);
    return at !== undefined || (isRequired && index === steps.length - 1) ? step : '*';
  });
}
