// The query of a list that a contract declares, and the address of its next page.
import type { Content } from '../../access/contracts/index.ts';
import type { Fields } from '../objects/index.ts';

type ListContent = Extract<Content, { of: 'list' }>;

/** Returns the query without the parameters that select a page. */
export function withoutPaging({ paging }: ListContent, query: Fields): Fields {
  if (paging.by === 'none') return query;
  return Object.fromEntries(
    Object.entries(query).filter(([name]) => name !== paging.parameter && name !== paging.limit),
  );
}

/** Returns the address of the next page for a Link header; undefined for a list without pages. */
export function nextLinkOf(
  url: string,
  { paging }: ListContent,
  query: Fields,
  { next, skip, limit }: { next: string | null; skip: number; limit: number },
): string | undefined {
  if (paging.by === 'none') return undefined;
  const position = { cursor: next, page: skip / limit + 2, offset: skip + limit }[paging.by];
  const parameters = Object.entries({ ...query, [paging.parameter]: position }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return `<${url}?${new URLSearchParams(parameters)}>; rel="next"`;
}
