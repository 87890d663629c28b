// A string that cannot be printed: only reveal() gives it back; every other road out shows [secret].
// Two secrets look alike to any deep comparison, so tests and code compare what reveal() returns.
import { inspect } from 'node:util';

export interface Secret {
  reveal(): string;
}

const MASK = '[secret]';
const mask = (): string => MASK;

/** The value lives in a closure, not in a property: enumeration, cloning and heap-walking printers find nothing. */
export const secret = (value: string): Secret => {
  const holder = {} as Secret;
  const roads = {
    reveal: () => value,
    toString: mask,
    toJSON: mask,
    valueOf: mask,
    [Symbol.toPrimitive]: mask,
    [inspect.custom]: mask,
  };
  // Not enumerable, so that structuredClone (postMessage, IPC) yields an empty object instead of meeting functions.
  for (const key of Reflect.ownKeys(roads)) {
    Object.defineProperty(holder, key, { value: Reflect.get(roads, key), enumerable: false });
  }
  return Object.freeze(holder);
};
