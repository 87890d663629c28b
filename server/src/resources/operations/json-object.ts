// Tells objects of JSON from other values.
import type { Fields } from '../objects/index.ts';

/** Returns whether a value is an object, and no list. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
