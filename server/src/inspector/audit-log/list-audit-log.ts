import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberRead } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listQuery } from '../../kit/http/page.ts';
import { namedObject, nullable, strictObject, Type, text } from '../../kit/http/schema.ts';
import { AuditHead, AuditLogEntry, auditFilterQuery, exampleEntry, exampleHead } from './audit-log-entry.ts';
import type { ChainPage, ChainSource } from './chain-source.ts';
import { listChainSources } from './list-chain-sources.ts';

/** The lowest sequence shown so far, by chain. */
type ChainPositions = Record<string, number>;

const Cursor = text('Cursor of the page: the `nextCursor` of the previous page.', {
  maxLength: 500,
  pattern: '^[A-Za-z0-9_-]*$',
});

export const listAuditLog = operation({
  id: 'listAuditLog',
  route: 'GET /api/organisations/{organisationId}/audit-log',
  tag: 'Audit log',
  summary: 'List the audit log',
  description:
    'Lists the actions in the organisation, from the Console and from each environment, newest first. `heads` are the ends of the chains: a client that stores them can detect later that a chain was cut off.',
  access: allowMemberRead('audit.read'),
  params: organisationParams,
  query: strictObject({ ...listQuery, ...auditFilterQuery }),
  replies: ok(
    'A page of the log.',
    namedObject('AuditLog', 'A page of the log.', {
      data: Type.Array(AuditLogEntry, { maxItems: 100, description: 'Newest first.' }),
      nextCursor: nullable(Cursor),
      heads: Type.Record(Type.String({ pattern: '^(console|sandbox|production)$' }), nullable(AuditHead), {
        maxProperties: 3,
        description: 'The end of each chain; null before its first entry.',
        additionalProperties: false,
      }),
    }),
    { aPage: { data: [exampleEntry], nextCursor: null, heads: { console: null, sandbox: exampleHead } } },
  ),
  async run({ services, actor, afterCommit, cursors }, { query }) {
    const { cursor, limit = DEFAULT_LIMIT, ...filter } = query;
    const { open, seal } = cursors(query);
    const position: ChainPositions = JSON.parse(open(cursor) ?? '{}'); // sealed by this server
    return afterCommit(async () => {
      const sources = listChainSources(services, actor);
      const read = await Promise.allSettled(
        sources.map(({ chain, read }) => read({ ...filter, before: position[chain], limit: Math.min(limit + 1, 100) })),
      );
      // The Console's chain comes first, so an error about the query comes from it. A query that an environment refuses
      // counts as unavailable.
      const pages = read.map((one) => {
        if (one.status === 'rejected') throw one.reason;
        return one.value;
      });
      const { shown, next } = merge(pages, { ...startPositions(pages, sources), ...position }, limit);
      const nextCursor = next && seal(JSON.stringify(next));
      const heads = Object.fromEntries(sources.map(({ chain }, at) => [chain, pages[at]?.head ?? null]));
      return { status: 200, body: { data: shown, nextCursor, heads } };
    });
  },
});

// The position just above each head. Later entries are on none of the following pages.
const startPositions = (pages: readonly ChainPage[], sources: readonly ChainSource[]): ChainPositions =>
  Object.fromEntries(sources.map(({ chain }, at) => [chain, (pages[at]?.head?.sequence ?? 0) + 1]));

// Time and sequence have the same order within a chain. So the rest of a chain lies below its last shown entry.
function merge(pages: readonly ChainPage[], position: ChainPositions, limit: number) {
  const all = pages
    .flatMap(({ data }) => data)
    .sort((a, b) => compare(b.at, a.at) || compare(a.chain, b.chain) || b.sequence - a.sequence);
  const shown = all.slice(0, limit);
  const next = { ...position, ...Object.fromEntries(shown.map(({ chain, sequence }) => [chain, sequence])) };
  // A full page may be followed by more entries, even if all of it was shown.
  const isMore = all.length > limit || pages.some(({ data }) => data.length === 100);
  return { shown, next: isMore ? next : null };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
