// Parses search parameters of an address. Invalid values are ignored, because an address is untrusted input.

/** Returns true for the form of an identifier of any kind, `srv_` and 26 characters. */
export const isId = (text: string): boolean => /^[a-z]{2,4}_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);

/** Returns true for a key, a signing secret or an access token. An address must not contain secrets. */
export const isSecret = (text: string): boolean => /(slw_(test|live)|whsec|slp)_\S{16,}/i.test(text);

export function textParam<K extends string>(name: K, value: unknown): { [P in K]?: string } {
  const isThere = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return (isThere ? { [name]: String(value) } : {}) as { [P in K]?: string };
}

export function choiceParam<K extends string, T extends string | number>(
  name: K,
  value: unknown,
  allowed: readonly T[],
): { [P in K]?: T } {
  const found = allowed.find((one) => one === value);
  return (found === undefined ? {} : { [name]: found }) as { [P in K]?: T };
}

/** Accepts an integer of at least 0. */
export function integerParam<K extends string>(name: K, value: unknown): { [P in K]?: number } {
  const isThere = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return (isThere ? { [name]: value } : {}) as { [P in K]?: number };
}

/** Accepts a timestamp in the contract's format. */
export function timeParam<K extends string>(name: K, value: unknown): { [P in K]?: string } {
  const isThere = typeof value === 'string' && !Number.isNaN(Date.parse(value));
  return (isThere ? { [name]: new Date(value).toISOString() } : {}) as { [P in K]?: string };
}
