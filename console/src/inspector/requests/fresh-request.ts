// Says which requests may not be stored yet. The server stores the record of a request shortly after its response.

/** Crockford's base32 alphabet in lower case, in which ids are written. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
/** The characters of an id that hold its time, in milliseconds since the Unix epoch. */
const TIME_LENGTH = 10;
/** Longer than storing takes on a busy server, and than most clocks of browsers are wrong. */
const FRESH_MS = 60_000;

/** Returns whether a request with this id began so recently that the server may not have stored it yet. */
export function isFresh(requestId: string, nowMs: number): boolean {
  const body = requestId.slice(requestId.indexOf('_') + 1, requestId.indexOf('_') + 1 + TIME_LENGTH);
  const atMs = [...body].reduce((ms, character) => ms * BASE32.length + BASE32.indexOf(character), 0);
  return Math.abs(nowMs - atMs) < FRESH_MS;
}
