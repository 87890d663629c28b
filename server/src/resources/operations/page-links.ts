// The query of a list that a contract declares, the addresses of its pages, and the values about a page.
import type { Content, Paging } from '../../access/contracts/index.ts';
import type { Fields } from '../objects/index.ts';
import type { KnownValues } from './envelope.ts';

type ListContent = Extract<Content, { of: 'list' }>;

interface Page {
  /** The cursor of the next page; null without one. */
  next: string | null;
  skip: number;
  limit: number;
}

/** Returns the query without the parameters that select a page. */
export function withoutPaging({ paging }: ListContent, query: Fields): Fields {
  if (paging.by === 'none') return query;
  return Object.fromEntries(
    Object.entries(query).filter(([name]) => name !== paging.parameter && name !== paging.limit),
  );
}

function addressOf(url: string, query: Fields): string {
  const parameters = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return parameters.length === 0 ? url : `${url}?${new URLSearchParams(parameters)}`;
}

/** Returns the page with this number, or the objects before it. */
const positionOf = ({ by }: Paging, skip: number, limit: number): number =>
  by === 'page' ? Math.floor(skip / limit) + 1 : skip;

/** Returns the address of the next page for a Link header; undefined for a list without pages. */
export function nextLinkOf(
  url: string,
  { paging }: ListContent,
  query: Fields,
  { next, skip, limit }: Page,
): string | undefined {
  if (paging.by === 'none') return undefined;
  const position = paging.by === 'cursor' ? next : positionOf(paging, skip + limit, limit);
  return `<${addressOf(url, { ...query, [paging.parameter]: position })}>; rel="next"`;
}

/** Returns the addresses of a page and of the pages around it. `last` is known if the number of pages is. */
export function pageLinksOf(
  url: string,
  { paging }: ListContent,
  query: Fields,
  { next, skip, limit, isMore, pages }: Page & { isMore: boolean; pages?: number | undefined },
): KnownValues {
  const self = [addressOf(url, query)];
  if (paging.by === 'none') return { self, first: self, last: self, next: [], previous: [] };
  const { [paging.parameter]: _, ...start } = query;
  const at = (position: string | number): readonly unknown[] => {
    const address = addressOf(url, { ...query, [paging.parameter]: position });
    return typeof position === 'string' ? [address] : [address, position];
  };
  const first = [addressOf(url, start)];
  if (paging.by === 'cursor')
    return { self, first, last: [], next: isMore && next !== null ? at(next) : [], previous: [] };
  const atSkip = (number: number): readonly unknown[] => at(positionOf(paging, number, limit));
  return {
    self,
    first: [...first, positionOf(paging, 0, limit)],
    last: pages === undefined ? [] : atSkip(Math.max(0, pages - 1) * limit),
    next: isMore ? atSkip(skip + limit) : [],
    previous: skip > 0 ? atSkip(Math.max(0, skip - limit)) : [],
  };
}

/** Returns the values about a page, except the addresses of pages. */
export function pageValuesOf(
  { paging }: Pick<ListContent, 'paging'>,
  query: Fields,
  page: { skip: number; limit: number; count: number; isMore: boolean; total?: number | undefined },
): KnownValues & { pages?: readonly number[] } {
  const { skip, count, isMore, total } = page;
  const isCursor = paging.by === 'cursor';
  const limit = paging.by === 'none' ? Math.max(count, 1) : page.limit;
  const hasPrevious = isCursor ? query[paging.parameter] !== undefined : skip > 0;
  const counted = paging.by === 'none' ? count : total;
  return {
    ...(counted !== undefined && { total: [counted], pages: [Math.ceil(counted / limit), 1] }),
    count: [count],
    limit: [limit],
    page: isCursor ? [] : [Math.floor(skip / limit) + 1],
    offset: isCursor ? [] : [skip],
    hasMore: [isMore],
    hasPrevious: [hasPrevious],
    isFirst: [!hasPrevious],
    isLast: [!isMore],
  };
}
