// Edits the body of a replay. Its text is the only state, and each masked value is a position in it. Pure functions.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface MaskedValue {
  /** JSON Pointer into the body. */
  pointer: string;
  /** Mask in the record: `[string of 12 characters]`. */
  mask: string;
}

/** Returns undefined if the text is not JSON. */
export function parseBody(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // the return type of JSON.parse
  } catch {
    return undefined;
  }
}

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

export function valueAt(body: Json | undefined, pointer: string): Json | undefined {
  return stepsOf(pointer).reduce<Json | undefined>(childOf, body);
}

function childOf(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** Returns the text of the body with another value at the pointer, or without the field if there is no value. */
export function withValue(body: Json, pointer: string, value: Json | undefined): string {
  const copy = structuredClone(body);
  const steps = stepsOf(pointer);
  const parent = steps.slice(0, -1).reduce<Json | undefined>(childOf, copy);
  const name = steps.at(-1) ?? '';
  if (typeof parent === 'object' && parent !== null) {
    if (value === undefined) Reflect.deleteProperty(parent, name);
    else Reflect.set(parent, name, value);
  }
  return JSON.stringify(copy, null, 2);
}

/**
 * Returns the masks of a record's body that are still in the text. `filled`: pointers at which the mask's own text is
 * meant.
 */
export function findUnfilledMasks(
  text: string,
  masked: readonly MaskedValue[],
  filled: ReadonlySet<string>,
): MaskedValue[] {
  const body = parseBody(text);
  // Text that is not JSON has no pointers.
  const holds = ({ pointer, mask }: MaskedValue): boolean =>
    body === undefined ? text.includes(mask) : valueAt(body, pointer) === mask;
  return masked.filter((one) => !filled.has(one.pointer) && holds(one));
}

/**
 * Parses a typed value. A masked string stays a string. For another type, JSON is parsed, and text that is not JSON
 * becomes a string.
 */
export function typedValue(text: string, mask: string): Json {
  return mask.startsWith('[string of ') ? text : (parseBody(text) ?? text);
}

/**
 * Returns true for fields that are not in the contract. The record masks their names too, so that they have no input
 * field.
 */
export const isUnknownField = ({ pointer }: MaskedValue): boolean => pointer.endsWith('/*');
