// A string that cannot be printed: only reveal() returns it, and every other output shows [secret]. A deep comparison
// cannot distinguish two secrets, so tests and code compare what reveal() returns.
import { inspect } from 'node:util';

export interface Secret {
  reveal(): string;
}

const MASK = '[secret]';
const mask = (): string => MASK;

/**
 * Returns a Secret with this value. The value is in a closure, not in a property, so enumeration, cloning and printers
 * that walk the heap find nothing.
 */
export const secret = (value: string): Secret => {
  const holder = {} as Secret;
  const methods = {
    reveal: () => value,
    toString: mask,
    toJSON: mask,
    valueOf: mask,
    [Symbol.toPrimitive]: mask,
    [inspect.custom]: mask,
  };
  // Not enumerable, so structuredClone (postMessage, IPC) returns an empty object instead of failing on functions.
  for (const key of Reflect.ownKeys(methods)) {
    Object.defineProperty(holder, key, { value: Reflect.get(methods, key), enumerable: false });
  }
  return Object.freeze(holder);
};
