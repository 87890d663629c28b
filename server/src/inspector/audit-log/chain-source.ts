// Where a chain is read from, page by page: a database here, or an environment that is asked.

import { type ChainHead, findHead, listEntries } from '../../access/audit/index.ts';
import { setOrganisation } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Database, Queryable } from '../../kit/db/db.ts';
import { type Chain, type FilterQuery, filterOf, type LoggedEntry, toLogged } from './logged-entry.ts';

/** Newest first below `before`, or oldest first above `after`: sequences. */
export interface Range extends FilterQuery {
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
}

export interface ChainPage {
  data: LoggedEntry[];
  /** Where the chain ends; null before its first entry. */
  head: ChainHead | null;
}

export interface ChainSource {
  chain: Chain;
  organisationId: string;
  read(range: Range): Promise<ChainPage>;
}

/** In a transaction that has named the organisation. */
export async function readPage(tx: Queryable, chain: Chain, organisationId: string, range: Range): Promise<ChainPage> {
  const { before, after, limit, ...query } = range;
  // The head first: what it names is there when the entries are read.
  const [head, entries] = await Promise.all([
    findHead(tx, organisationId),
    listEntries(tx, organisationId, { before, after, limit, filter: filterOf(query) }),
  ]);
  return { data: entries.map((entry) => toLogged(entry, chain)), head: head ?? null };
}

export function databaseSource(db: Database, chain: Chain, organisationId: string): ChainSource {
  const read = (range: Range): Promise<ChainPage> =>
    db.transaction((tx) => {
      setOrganisation(tx, organisationId);
      return readPage(tx, chain, organisationId, range);
    });
  return { chain, organisationId, read };
}

const PAGE = 100;

/**
 * Where a chain ends, and its entries up to there, oldest first. One page is held at a time, and no transaction between them.
 */
export async function exportEntries(
  source: ChainSource,
  filter: FilterQuery = {},
): Promise<{ head: ChainHead | null; entries: AsyncIterable<LoggedEntry> }> {
  const first = await source.read({ ...filter, after: 0, limit: PAGE });
  const end = first.head?.sequence ?? 0;
  async function* entries(): AsyncGenerator<LoggedEntry> {
    for (let page = first; ; ) {
      yield* page.data.filter(({ sequence }) => sequence <= end); // beyond it are younger ones
      const last = page.data.at(-1);
      if (!last || page.data.length < PAGE || last.sequence >= end) return;
      page = await source.read({ ...filter, after: last.sequence, limit: PAGE });
    }
  }
  return { head: first.head, entries: entries() };
}

/** A chain as an export has it. */
export async function* exportLines(source: ChainSource, filter: FilterQuery = {}): AsyncGenerator<string> {
  const { chain } = source;
  const { head, entries } = await exportEntries(source, filter);
  const isSelection = Object.keys(filter).length > 0;
  const organisationId = toId('org', source.organisationId);
  yield JSON.stringify({ slipwayAudit: 1, chain, organisationId, head, isSelection, ...(isSelection && { filter }) });
  for await (const entry of entries) yield JSON.stringify(entry);
}

/** The lines of a text that comes in pieces. (Node's readline also breaks at U+2028, which JSON leaves in a text.) */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
