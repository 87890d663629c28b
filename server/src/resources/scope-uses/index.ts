// Uses of scopes, counted per key, scope and day. They identify unused scopes of keys and unused grants.
export { createScopeUses, type ScopeUses } from './counter.ts';
export { type ScopeUseRow, scopeUseFields, UNUSED_AFTER_DAYS, usesOf } from './scope-use.ts';
export { isGrantUnused, SCOPE_USES, TODAY } from './store.ts';
export { scopesOfDelivery, scopesOfRequest } from './used-scopes.ts';
