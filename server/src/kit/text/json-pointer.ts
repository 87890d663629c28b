// JSON Pointers (RFC 6901), in which problems say where something is.

/** One part of a JSON Pointer. A cut may halve a surrogate pair, which Postgres would refuse with every record of its batch. */
export function escapePointer(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
