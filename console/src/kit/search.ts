// What the search part of an address says, taken only where it fits: an address may be typed by anyone.

export function textOf<K extends string>(name: K, value: unknown): { [P in K]?: string } {
  const isThere = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return (isThere ? { [name]: String(value) } : {}) as { [P in K]?: string };
}

export function oneOf<K extends string, T extends string | number>(
  name: K,
  value: unknown,
  allowed: readonly T[],
): { [P in K]?: T } {
  const found = allowed.find((one) => one === value);
  return (found === undefined ? {} : { [name]: found }) as { [P in K]?: T };
}
