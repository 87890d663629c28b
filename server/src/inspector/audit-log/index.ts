// The audit log, readable by owners, admins and auditors.
import { exportAuditLog } from './export-audit-log.ts';
import { exportAuditTable } from './export-audit-table.ts';
import { listAuditEntries } from './list-audit-entries.ts';
import { listAuditLog } from './list-audit-log.ts';

export { type ChainPage, type ChainSource, databaseSource, exportLines, splitLines } from './chain-source.ts';
export { type ExportVerification, verifyExport } from './verify-export.ts';

/** Operations of a plane. */
export const auditOperations = [listAuditEntries];
/** Operations of the Console. */
export const auditLogOperations = [listAuditLog, exportAuditLog, exportAuditTable];
