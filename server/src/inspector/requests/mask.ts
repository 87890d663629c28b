// Masks: the texts that a record holds in place of values that it does not keep. A mask has its own syntax, so that no
// reader mistakes it for a value.
import { escapePointer } from '../../kit/text/json-pointer.ts';

export const pluralise = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/**
 * Returns the mask of a value, as `[string of 12 characters]`: its kind and size. Returns an empty string for an empty
 * string.
 */
export function toMask(value: unknown): string {
  if (value === '') return '';
  if (typeof value === 'string') return `[string of ${pluralise(value.length, 'character')}]`;
  if (value === null) return '[null]';
  if (Array.isArray(value)) return `[array of ${pluralise(value.length, 'item')}]`;
  return typeof value === 'object'
    ? `[object of ${pluralise(Object.keys(value).length, 'field')}]`
    : `[${typeof value}]`;
}

const MASK =
  /^\[(?:null|number|boolean|string of \d+ characters?|array of \d+ items?|object of \d+ fields?|\d+ unknown fields?)\]$/;

export const isMask = (value: unknown): boolean => typeof value === 'string' && MASK.test(value);

// A record is cut at a smaller depth, so no mask lies deeper.
const MAX_DEPTH = 20;

/** Yields the JSON Pointer of each mask in a value, in the order of the value. */
export function* findMasks(value: unknown, at = '', depth = 0): Generator<string> {
  if (isMask(value)) yield at;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  for (const [name, inner] of Object.entries(value)) yield* findMasks(inner, `${at}/${escapePointer(name)}`, depth + 1);
}
