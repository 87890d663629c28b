// JSON Pointers (RFC 6901): they name the place of an error in a problem, and the place of a value in a filter.

/**
 * Returns one part of a JSON Pointer. Cutting may split a surrogate pair, which would make Postgres refuse the whole
 * batch of records.
 */
export function escapePointer(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}

const unescapePart = (part: string): string =>
  part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part;

/** Returns the names in a JSON Pointer, unescaped. */
export const parsePointer = (pointer: string): string[] => pointer.split('/').slice(1).map(unescapePart);

/**
 * Returns the value at a JSON Pointer; undefined if the document has no such value. Stops at the first missing part:
 * the transaction of a mutation calls it for each condition, and a pointer may have many more parts than the document.
 */
export function readPointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (let end = 0; end < pointer.length; ) {
    const begin = end + 1;
    const next = pointer.indexOf('/', begin);
    end = next === -1 ? pointer.length : next;
    const name = unescapePart(pointer.slice(begin, end));
    if (typeof value !== 'object' || value === null) return undefined;
    // An array has own properties for its items and `length`, which is no part of a document.
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
    if (!Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}
