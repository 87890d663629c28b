// The body of a replay while it is filled in: its text is the only state, and each masked value is a place in it. Pure.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface MaskedValue {
  /** A JSON Pointer into the body. */
  pointer: string;
  /** As the record has it, `[string of 12 characters]`. */
  mask: string;
}

/** Undefined where the text is not JSON. */
export function parseBody(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // what JSON.parse returns
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

/** Returns the masks of a record's body that are still in the text. `filled`: pointers at which the mask's own text is meant. */
export function unfilledIn(text: string, masked: readonly MaskedValue[], filled: ReadonlySet<string>): MaskedValue[] {
  const body = parseBody(text);
  // Where the text is not JSON, there are no pointers in it.
  const holds = ({ pointer, mask }: MaskedValue): boolean =>
    body === undefined ? text.includes(mask) : valueAt(body, pointer) === mask;
  return masked.filter((one) => !filled.has(one.pointer) && holds(one));
}

/** A string stays a string. For another kind JSON is read, and text that is not JSON is a string. */
export function typedValue(text: string, mask: string): Json {
  return mask.startsWith('[string of ') ? text : (parseBody(text) ?? text);
}

/** Fields that the contract does not know: their names are not kept either, so that they have no field of their own. */
export const isOfUnknownFields = ({ pointer }: MaskedValue): boolean => pointer.endsWith('/*');
