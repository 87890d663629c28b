// The audit log as owners, admins and auditors read it.
import { listAuditEntries } from './list-audit-entries.ts';

export const auditOperations = [listAuditEntries];
