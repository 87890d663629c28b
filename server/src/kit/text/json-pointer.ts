// JSON Pointers (RFC 6901), in which problems name the place of an error.

/**
 * Returns one part of a JSON Pointer. Cutting may split a surrogate pair, which would make Postgres refuse the whole
 * batch of records.
 */
export function escapePointer(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
