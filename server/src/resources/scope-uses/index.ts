// Uses of scopes, counted per key, scope and day. They identify unused scopes of keys and unused grants.

export { type ScopeUseRow, scopeUseFields, summariseScopeUses, UNUSED_AFTER_DAYS } from './scope-use.ts';
export { createScopeUseCounter, type ScopeUseCounter } from './scope-use-counter.ts';
export { isGrantUnused, SCOPE_USES, TODAY } from './store.ts';
export { scopesOfDelivery, scopesOfRequest } from './used-scopes.ts';
