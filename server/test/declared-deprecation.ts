// Deprecations of the default contract, for tests.
import type { Deprecation } from '../src/kit/http/deprecation.ts';
import { ALL_DEPRECATIONS } from '../src/platform/deprecations/index.ts';

/** Returns a declared deprecation. Throws if there is none with this id. */
export function declaredDeprecation(id: string): Deprecation {
  const found = ALL_DEPRECATIONS.find((one) => one.id === id);
  if (!found) throw new Error(`No deprecation is called ${id}.`);
  return found;
}
