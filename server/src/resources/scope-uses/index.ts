// Uses of scopes: counted per key, scope and day; they show which scopes of keys and which grants nothing uses.
export { createScopeUses, type ScopeUses } from './counter.ts';
export { type ScopeUseRow, scopeUseFields, UNUSED_AFTER_DAYS, usesOf } from './scope-use.ts';
export { isGrantUnused, SCOPE_USES, TODAY } from './store.ts';
export { scopesOfDelivery, scopesOfRequest } from './used-scopes.ts';
