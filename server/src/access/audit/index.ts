// The audit log: every management action in the transaction of its change, one chain per organisation and database. It
// stands below authority, which enters what it allows; `audit-log` has the operations that read it.

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
