// A value from outside as it may be kept: what the contract has a place for, and what fits that place and is not free. Of all
// else, and of what a schema marks as sensitive, only the kind and the size are told.
import { isId } from '../../kit/crypto/ids.ts';
import { isSensitive, schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import { counted, isMask, outline } from './mask.ts';

/** What of a JSON Schema is looked at here. */
interface Shape {
  type?: string;
  enum?: readonly unknown[];
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: Shape[];
}

// TypeBox's types are JSON Schema as they stand.
const shapeOf = (schema: TSchema | undefined): Shape | undefined => schema as Shape | undefined;

export interface Masked {
  value: unknown;
  /** Whether it had more than is kept. */
  isCut: boolean;
}

/**
 * Whether the contract leaves no choice but among what it names: a number, one of its words, an identifier. A text that is free may
 * hold a secret in any spelling there is, and nobody can look for all of them.
 */
export const isJudged = (schema: TSchema, value: unknown): boolean =>
  typeof value !== 'string' || shapeFor(schema, value).enum !== undefined || isId(value);

const MAX_ITEMS = 20;
const MAX_VALUES = 200;
const MAX_DEPTH = 8;

export function maskValue(schema: TSchema | undefined, value: unknown): Masked {
  let left = MAX_VALUES;
  let isCut = false;

  function cut<T>(items: readonly T[]): readonly T[] {
    if (items.length > MAX_ITEMS) isCut = true;
    return items.slice(0, MAX_ITEMS);
  }

  function maskFields(properties: Record<string, TSchema>, fields: object, depth: number): Record<string, unknown> {
    const known = Object.keys(properties).filter((name) => Object.hasOwn(fields, name));
    const unknown = Object.keys(fields).length - known.length;
    const told = cut(known).map((name): [string, unknown] => [
      name,
      mask(properties[name], Reflect.get(fields, name), depth + 1),
    ]);
    return Object.fromEntries(unknown === 0 ? told : [...told, ['*', `[${counted(unknown, 'unknown field')}]`]]);
  }

  function mask(at: TSchema | undefined, inner: unknown, depth: number): unknown {
    if (at === undefined || isSensitive(at)) return outline(inner);
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH) {
      isCut = true;
      return outline(inner);
    }
    const shape = shapeFor(at, inner);
    if (Array.isArray(inner)) {
      return shape.items ? cut(inner).map((item) => mask(shape.items, item, depth + 1)) : outline(inner);
    }
    if (typeof inner === 'object' && inner !== null) {
      return shape.properties ? maskFields(shape.properties, inner, depth) : outline(inner);
    }
    // A string of a record that has the form of a mask is always a mask.
    return isJudged(at, inner) && !isMask(inner) && schemaErrors(at, inner).length === 0 ? inner : outline(inner);
  }

  const masked = mask(schema, value, 0);
  return { value: masked, isCut };
}

/** Of a choice the part for values of this kind. */
function shapeFor(schema: TSchema, value: unknown): Shape {
  const shape = shapeOf(schema) ?? {};
  const kind = Array.isArray(value) ? 'array' : typeof value;
  return shape.anyOf?.find((one) => one.type === kind) ?? shape;
}

/**
 * A JSON Pointer into a value of this schema, with `*` for each name that the schema does not know. What is required is a name
 * of ours, or of a workflow's own schema, and not the caller's.
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
