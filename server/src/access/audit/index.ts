// The audit log: each management action is an entry in the transaction of its change, in one chain per organisation and
// database. This feature is below `authority`, which writes the entries. `audit-log` has the operations that read the
// log.

export { ACTOR_KINDS, type ActorKind, type AuditEntry, type ChainedEntry } from './audit-entry.ts';
export { type ChainHead, type ChainVerifier, createChainVerifier } from './chain.ts';
export {
  type AuditFilter,
  appendAuditEntry,
  findChainHead,
  findNewestChainHead,
  hasChainHead,
  listEntries,
  type OrganisationChainHead,
} from './store.ts';
