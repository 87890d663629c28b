// Deprecations: announced ends, the apps that still use them, and the pages that name the replacement.
import { answerDeprecation } from './answer-deprecation.ts';
import { listDeprecatedUses } from './list-deprecated-uses.ts';

export const deprecationOperations = [listDeprecatedUses, answerDeprecation];
export {
  ALL_DEPRECATIONS,
  deprecationsOf,
  EVENT_DEPRECATIONS,
  EVENT_SCOPES_CHANGE,
  MIGRATIONS,
  RULE_CHANGES,
} from './deprecations.ts';
export { getDeprecationIndex } from './get-deprecation-index.ts';
export { getDeprecationPage } from './get-deprecation-page.ts';
export { listUsedDeprecationIds } from './list-used-deprecation-ids.ts';
export { endpointsOf, findUse, usesOf } from './store.ts';
export { createUseCounter } from './use-counter.ts';
