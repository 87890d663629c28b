import { organisationParams } from '../../access/authority/index.ts';
import { memberReads } from '../../identity/sessions/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { primed } from '../../kit/http/primed.ts';
import { closed, text } from '../../kit/http/schema.ts';
import { exportLines } from './chain-source.ts';
import { filterQuery } from './logged-entry.ts';
import { sourcesOf } from './sources.ts';

export const exportAuditLog = operation({
  id: 'exportAuditLog',
  method: 'GET',
  path: '/api/organisations/{organisationId}/audit-log.ndjson',
  tag: 'Audit log',
  summary: 'Export the audit log',
  description:
    'Exports the log as JSON Lines, chain by chain: first the head of the chain, then its entries, oldest first. `slipway-server audit-verify` detects entries that were removed, changed, moved, inserted or cut off. An export with a filter is a selection: its entries can be verified, but missing entries cannot be detected.',
  access: memberReads('audit.read'),
  params: organisationParams,
  query: closed(filterQuery),
  replies: {
    200: {
      description: 'The lines.',
      contentType: 'application/x-ndjson',
      schema: text('One line per chain and one per entry.', { maxLength: 1_000_000_000 }),
    },
  },
  async run({ services, actor, afterCommit }, { query }) {
    return afterCommit(async () => {
      async function* lines(): AsyncGenerator<string> {
        for (const source of sourcesOf(services, actor)) {
          for await (const line of exportLines(source, query)) yield `${line}\n`;
        }
      }
      return { status: 200, stream: await primed(lines()) };
    });
  },
});
