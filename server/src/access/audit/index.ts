// The audit log: each management action is an entry in the transaction of its change, in one chain per organisation and
// database. This feature is below `authority`, which writes the entries. `audit-log` has the operations that read the
// log.

export { ACTOR_KINDS, type ActorKind, type AuditActor, type AuditEntry, type ChainedEntry } from './audit-entry.ts';
export { type ChainCheck, type ChainHead, createChainCheck } from './chain.ts';
export {
  type AuditFilter,
  appendAuditEntry,
  findHead,
  findNewestHead,
  hasHead,
  listEntries,
  type OrganisationHead,
} from './store.ts';
