// Formats an audit entry as a row of a CSV table.
import { csvRow } from '../../kit/text/csv.ts';
import type { AuditLogEntry } from './audit-log-entry.ts';

const COLUMNS: Record<string, (entry: AuditLogEntry) => string | number | null> = {
  chain: (entry) => entry.chain,
  sequence: (entry) => entry.sequence,
  at: (entry) => entry.at,
  actorKind: (entry) => entry.actor.kind,
  actorId: (entry) => entry.actor.id,
  actor: (entry) => entry.actor.name,
  action: (entry) => entry.action,
  target: (entry) => entry.target,
  appId: (entry) => entry.appId,
  detail: (entry) => JSON.stringify(entry.detail),
  requestId: (entry) => entry.requestId,
  clientAddress: (entry) => entry.clientAddress,
  id: (entry) => entry.id,
  previousHash: (entry) => entry.previousHash,
  hash: (entry) => entry.hash,
};

export const auditCsvHeader = (): string => csvRow(Object.keys(COLUMNS));
export const toAuditCsvRow = (entry: AuditLogEntry): string =>
  csvRow(Object.values(COLUMNS).map((cell) => cell(entry)));
