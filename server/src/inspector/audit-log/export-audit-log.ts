import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberRead } from '../../identity/sessions/index.ts';
import { awaitFirstPiece } from '../../kit/http/first-piece.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject, text } from '../../kit/http/schema.ts';
import { auditFilterQuery } from './audit-log-entry.ts';
import { exportLines } from './chain-source.ts';
import { listChainSources } from './list-chain-sources.ts';

export const exportAuditLog = operation({
  id: 'exportAuditLog',
  route: 'GET /api/organisations/{organisationId}/audit-log.ndjson',
  tag: 'Audit log',
  summary: 'Export the audit log',
  description:
    'Exports the log as JSON Lines, chain by chain: first the head of the chain, then its entries, oldest first. `slipway-server audit-verify` detects entries that were removed, changed, moved, inserted or cut off. An export with a filter is a selection: its entries can be verified, but missing entries cannot be detected.',
  access: allowMemberRead('audit.read'),
  params: organisationParams,
  query: strictObject(auditFilterQuery),
  replies: ok('The lines.', text('One line per chain and one per entry.', { maxLength: 1_000_000_000 }), undefined, {
    contentType: 'application/x-ndjson',
  }),
  async run({ services, actor, afterCommit }, { query }) {
    return afterCommit(async () => {
      async function* lines(): AsyncGenerator<string> {
        for (const source of listChainSources(services, actor)) {
          for await (const line of exportLines(source, query)) yield `${line}\n`;
        }
      }
      return { status: 200, stream: await awaitFirstPiece(lines()) };
    });
  },
});
