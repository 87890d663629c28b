// The audit log as owners, admins and auditors read it.
import { listAuditEntries } from './list-audit-entries.ts';

export { type ChainPage, type ChainSource, databaseSource, exportLines, linesOf } from './chain-source.ts';
export { type Verdict, verifyExport } from './verify-export.ts';

export const auditOperations = [listAuditEntries];
