import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberRead } from '../../identity/sessions/index.ts';
import { awaitFirstPiece } from '../../kit/http/first-piece.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject, text } from '../../kit/http/schema.ts';
import { auditCsvHeader, toAuditCsvRow } from './audit-csv.ts';
import { auditFilterQuery } from './audit-log-entry.ts';
import { exportEntries } from './chain-source.ts';
import { listChainSources } from './list-chain-sources.ts';

export const exportAuditTable = operation({
  id: 'exportAuditTable',
  route: 'GET /api/organisations/{organisationId}/audit-log.csv',
  tag: 'Audit log',
  summary: 'Export the audit log as a table',
  description:
    'Exports the log as CSV (RFC 4180) for a spreadsheet, chain by chain, oldest first. A value that a spreadsheet would evaluate as a formula is prefixed with an apostrophe.',
  access: allowMemberRead('audit.read'),
  params: organisationParams,
  query: strictObject(auditFilterQuery),
  replies: ok(
    'The table; its first row holds the column names.',
    text('One row per entry.', { maxLength: 1_000_000_000 }),
    undefined,
    { contentType: 'text/csv; charset=utf-8' },
  ),
  async run({ services, actor, afterCommit }, { query }) {
    return afterCommit(async () => {
      async function* rows(): AsyncGenerator<string> {
        let head = auditCsvHeader();
        for (const source of listChainSources(services, actor)) {
          const { entries } = await exportEntries(source, query);
          yield head;
          head = '';
          for await (const entry of entries) yield toAuditCsvRow(entry);
        }
      }
      return { status: 200, stream: await awaitFirstPiece(rows()) };
    });
  },
});
