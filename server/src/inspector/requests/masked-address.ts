// Finds the parts of a recorded address that the record does not keep. Pure.

// A record replaces such a part by one of these marks. No address of the API contains a mark.
const MARK = /[[\]{}*\ufffd]|%5b|%5d|%ef%bf%bd/i;

export const isPathComplete = (path: string): boolean => !MARK.test(path);

/** Returns the parameters of a query whose name or value the record does not keep, as `limit=*`. */
export const maskedParametersOf = (query: string | null): string[] =>
  (query ?? '').split('&').filter((one) => MARK.test(one));
