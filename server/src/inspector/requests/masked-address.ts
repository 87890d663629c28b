// The parts of a recorded address that the record does not keep. Pure.

// A record leaves only marks of a part that it does not keep. No address of ours has such a mark.
const MARK = /[[\]{}*\ufffd]|%5b|%5d|%ef%bf%bd/i;

export const isPathWhole = (path: string): boolean => !MARK.test(path);

/** Returns the parameters of a query whose name or value the record does not keep, as `limit=*`. */
export const maskedParametersOf = (query: string | null): string[] =>
  (query ?? '').split('&').filter((one) => MARK.test(one));
