// JSON Pointers (RFC 6901): they name the place of an error in a problem, and the place of a value in a filter.

/**
 * Returns one part of a JSON Pointer. Cutting may split a surrogate pair, which would make Postgres refuse the whole
 * batch of records.
 */
export function escapePointer(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the names in a JSON Pointer, unescaped. */
export const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns the value at a JSON Pointer; undefined if the document has no such value. */
export function readPointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const name of parsePointer(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    // An array has own properties for its items and `length`, which is no part of a document.
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
    if (!Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}
