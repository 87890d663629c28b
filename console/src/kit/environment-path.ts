// Determines the environment of this document from its address, and maps addresses between router and browser.
export type EnvironmentName = 'sandbox' | 'production';

/** Returns the environment that the first path segment names; undefined for a shared address. */
export function environmentOf(path: string): EnvironmentName | undefined {
  const [, first] = path.split('/');
  return first === 'sandbox' || first === 'production' ? first : undefined;
}

/** Environment of this document. A shared page counts as sandbox, unless the address names production. */
export const ENVIRONMENT: EnvironmentName = environmentOf(globalThis.location?.pathname ?? '') ?? 'sandbox';

/** Routes begin with `/in` where the visible address has the environment's name. */
const WITHIN = /^\/in(?=\/|$)/;

export const toPublicPath = (path: string): string => path.replace(WITHIN, `/${ENVIRONMENT}`);

/** Returns the route of an address; undefined for the other environment, which is another document. */
export function toRoutePath(path: string): string | undefined {
  const named = environmentOf(path);
  if (named === undefined) return path;
  return named === ENVIRONMENT ? path.replace(`/${named}`, '/in') : undefined;
}

export const isEnvironmentPath = (path: string): boolean => WITHIN.test(path);
