// Sources of a chain: a local database, or an environment that is read through its API, one page at a time.

import { type ChainHead, findChainHead, listEntries } from '../../access/audit/index.ts';
import { setOrganisation } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Database, Queryable } from '../../kit/db/db.ts';
import {
  type AuditFilterQuery,
  type AuditLogEntry,
  type Chain,
  toAuditFilter,
  toAuditLogEntry,
} from './audit-log-entry.ts';

/** A range of sequences: newest first below `before`, or oldest first above `after`. */
export interface SequenceRange extends AuditFilterQuery {
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
}

export interface ChainPage {
  data: AuditLogEntry[];
  /** The newest entry of the chain; null before its first entry. */
  head: ChainHead | null;
}

export interface ChainSource {
  chain: Chain;
  organisationId: string;
  read(range: SequenceRange): Promise<ChainPage>;
}

/** Returns a page of a chain. Requires a transaction that has named the organisation. */
export async function readChainPage(
  tx: Queryable,
  chain: Chain,
  organisationId: string,
  range: SequenceRange,
): Promise<ChainPage> {
  const { before, after, limit, ...query } = range;
  // Read the head first: every entry up to the head is then visible to the second statement.
  const [head, entries] = await Promise.all([
    findChainHead(tx, organisationId),
    listEntries(tx, organisationId, { before, after, limit, filter: toAuditFilter(query) }),
  ]);
  return { data: entries.map((entry) => toAuditLogEntry(entry, chain)), head: head ?? null };
}

export function databaseSource(db: Database, chain: Chain, organisationId: string): ChainSource {
  const read = (range: SequenceRange): Promise<ChainPage> =>
    db.transaction((tx) => {
      setOrganisation(tx, organisationId);
      return readChainPage(tx, chain, organisationId, range);
    });
  return { chain, organisationId, read };
}

const PAGE = 100;

/**
 * Returns the head of a chain and its entries up to the head, oldest first. Holds one page in memory at a time, and no
 * transaction between two pages.
 */
export async function exportEntries(
  source: ChainSource,
  filter: AuditFilterQuery = {},
): Promise<{ head: ChainHead | null; entries: AsyncIterable<AuditLogEntry> }> {
  const first = await source.read({ ...filter, after: 0, limit: PAGE });
  const end = first.head?.sequence ?? 0;
  async function* entries(): AsyncGenerator<AuditLogEntry> {
    for (let page = first; ; ) {
      yield* page.data.filter(({ sequence }) => sequence <= end); // later entries were written after the export began
      const last = page.data.at(-1);
      if (!last || page.data.length < PAGE || last.sequence >= end) return;
      page = await source.read({ ...filter, after: last.sequence, limit: PAGE });
    }
  }
  return { head: first.head, entries: entries() };
}

/** Yields the lines of a chain's export: an `ExportHead`, then one entry per line. */
export async function* exportLines(source: ChainSource, filter: AuditFilterQuery = {}): AsyncGenerator<string> {
  const { chain } = source;
  const { head, entries } = await exportEntries(source, filter);
  const isSelection = Object.keys(filter).length > 0;
  const organisationId = toId('org', source.organisationId);
  yield JSON.stringify({ slipwayAudit: 1, chain, organisationId, head, isSelection, ...(isSelection && { filter }) });
  for await (const entry of entries) yield JSON.stringify(entry);
}

/**
 * Yields the lines of a text that arrives in pieces. Node's readline also breaks at U+2028, which JSON does not escape.
 */
export async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
