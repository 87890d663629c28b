// Reads as many items of a list as --limit permits, from as many pages as needed.
import type { Invocation } from './command.ts';

/** Default of --limit. */
const DEFAULT_LIMIT = 100;
export const MAX_PAGE = 100;

export interface Page {
  data: readonly unknown[];
  nextCursor?: string | null;
}
export interface PagedCall {
  pages(): AsyncIterable<Page> | Iterable<Page>;
}

/**
 * Returns the first items of a list. Prints a hint on stderr if there are more, and while a search finds nothing: a page
 * of a filtered list examines a bounded number of items, and can be empty.
 */
export function itemsOf({ io, options }: Invocation, list: (pageLimit: number) => PagedCall): AsyncIterable<unknown> {
  const limit = (options.limit as number | undefined) ?? DEFAULT_LIMIT; // parsed by `count`
  const pages = list(Math.min(limit, MAX_PAGE)).pages();
  const onMore = (): void => io.err(`There are more: --limit ${limit * 2}\n`);
  const onEmpty = (searched: number): void =>
    io.err(
      `slipway: ${searched} ${searched === 1 ? 'page' : 'pages'} searched without a match. The search continues.\n`,
    );
  return limitItems(pages, limit, { onMore, onEmpty });
}

async function* limitItems(
  pages: ReturnType<PagedCall['pages']>,
  limit: number,
  hints: { onMore: () => void; onEmpty: (searched: number) => void },
): AsyncGenerator<unknown, void, undefined> {
  let remaining = limit;
  let empty = 0;
  for await (const { data, nextCursor } of pages) {
    empty = data.length === 0 && typeof nextCursor === 'string' ? empty + 1 : 0;
    // Doubling the interval limits the lines of a long search.
    if (empty > 0 && Number.isInteger(Math.log2(empty))) hints.onEmpty(empty);
    yield* data.slice(0, remaining);
    const isMore = data.length > remaining || (data.length === remaining && typeof nextCursor === 'string');
    remaining -= data.length;
    if (remaining <= 0) return isMore ? hints.onMore() : undefined;
  }
}
