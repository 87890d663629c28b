// Which environment this document is in, by the address that it was loaded from, and how addresses name it.
export type EnvironmentName = 'sandbox' | 'production';

/** The first part of an address names it; undefined for what belongs to none. */
export function environmentOf(path: string): EnvironmentName | undefined {
  const [, first] = path.split('/');
  return first === 'sandbox' || first === 'production' ? first : undefined;
}

/** What is shared is shown on the way to the sandbox, unless one comes from production. */
export const ENVIRONMENT: EnvironmentName = environmentOf(globalThis.location?.pathname ?? '') ?? 'sandbox';

/** Within the Console an address has `/in` where the one that people see has the environment's name. */
const WITHIN = /^\/in(?=\/|$)/;

export const toShown = (path: string): string => path.replace(WITHIN, `/${ENVIRONMENT}`);

/** Undefined for an address of the other environment, which another document shows. */
export function toInner(path: string): string | undefined {
  const named = environmentOf(path);
  if (named === undefined) return path;
  return named === ENVIRONMENT ? path.replace(`/${named}`, '/in') : undefined;
}

export const isWithin = (path: string): boolean => WITHIN.test(path);
