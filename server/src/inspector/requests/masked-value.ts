// Reduces a value from outside to the parts that may be kept: values that the contract defines and constrains, and that
// fit it. For other values, and for sensitive ones, only kind and size are kept.
import { isId } from '../../kit/crypto/ids.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import {
  describe,
  type FieldSchemas,
  fieldSchemas,
  isSensitiveValue,
  itemSchemas,
  namedFields,
} from '../../kit/http/schema-parts.ts';
import { isMask, pluralise, toMask } from './mask.ts';

export interface MaskedValue {
  value: unknown;
  /** True if parts of the value were dropped. */
  isTruncated: boolean;
}

/** The words that a schema enumerates. A TypeBox type is a JSON Schema. */
const wordsOf = (schema: TSchema): readonly unknown[] => (schema as { enum?: readonly unknown[] }).enum ?? [];

/**
 * Returns true if the contract limits the value to known choices: a number, an enumerated word or an identifier. Free
 * text may hold a secret in any spelling, which no check can find.
 */
export const isConstrained = (schema: TSchema, value: unknown): boolean =>
  typeof value !== 'string' || isId(value) || describe([schema]).some((one) => wordsOf(one).includes(value));

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

  function maskFields(described: FieldSchemas, fields: object, depth: number): Record<string, unknown> {
    // A field that only a pattern or `additionalProperties` allows has a name from the caller.
    const known = namedFields(described).filter((name) => Object.hasOwn(fields, name));
    const unknown = Object.keys(fields).length - known.length;
    const maskedEntries = cut(known).map((name): [string, unknown] => [
      name,
      mask(fieldSchemas(described, name), Reflect.get(fields, name), depth + 1),
    ]);
    return Object.fromEntries(
      unknown === 0 ? maskedEntries : [...maskedEntries, ['*', `[${pluralise(unknown, 'unknown field')}]`]],
    );
  }

  function mask(schemas: readonly TSchema[], inner: unknown, depth: number): unknown {
    const described = describe(schemas);
    if (described.length === 0 || isSensitiveValue(described)) return toMask(inner);
    remaining -= 1;
    if (remaining < 0 || depth > MAX_DEPTH) {
      isTruncated = true;
      return toMask(inner);
    }
    if (Array.isArray(inner)) {
      return itemSchemas(described, 0).length > 0
        ? cut(inner).map((item, at) => mask(itemSchemas(described, at), item, depth + 1))
        : toMask(inner);
    }
    if (typeof inner === 'object' && inner !== null) {
      return namedFields(described).length > 0 ? maskFields(described, inner, depth) : toMask(inner);
    }
    // A string in a record that has the form of a mask is always a mask.
    const isKept = (one: TSchema): boolean => isConstrained(one, inner) && schemaErrors(one, inner).length === 0;
    return schemas.some(isKept) && !isMask(inner) ? inner : toMask(inner);
  }

  const masked = mask(schema ? [schema] : [], value, 0);
  return { value: masked, isTruncated };
}

/**
 * Returns a JSON Pointer into a value of this schema, with `*` for each name that is not in the schema. The name of a
 * required property is kept: it comes from the contract or a workflow's schema, and not from the caller.
 */
export function maskPointer(schema: TSchema | undefined, steps: readonly string[], isRequired: boolean): string[] {
  let at: readonly TSchema[] = schema ? [schema] : [];
  return steps.map((step, index) => {
    const described = describe(at);
    const isItem = /^\d{1,6}$/.test(step);
    if (namedFields(described).includes(step)) at = fieldSchemas(described, step);
    else at = isItem ? itemSchemas(described, Number(step)) : [];
    return at.length > 0 || (isRequired && index === steps.length - 1) ? step : '*';
  });
}
