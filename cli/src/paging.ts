// Reads as many items of a list as --limit permits, from as many pages as needed.
import type { Call } from './command.ts';

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

/** Returns the first items of a list, and prints a hint on stderr if there are more. */
export function itemsOf({ io, options }: Call, list: (pageLimit: number) => PagedCall): AsyncIterable<unknown> {
  const limit = (options.limit as number | undefined) ?? DEFAULT_LIMIT; // parsed by `count`
  const pages = list(Math.min(limit, MAX_PAGE)).pages();
  return limitItems(pages, limit, () => io.err(`There are more: --limit ${limit * 2}\n`));
}

async function* limitItems(
  pages: ReturnType<PagedCall['pages']>,
  limit: number,
  onMore: () => void,
): AsyncGenerator<unknown, void, undefined> {
  let remaining = limit;
  for await (const { data, nextCursor } of pages) {
    yield* data.slice(0, remaining);
    const isMore = data.length > remaining || (data.length === remaining && typeof nextCursor === 'string');
    remaining -= data.length;
    if (remaining <= 0) return isMore ? onMore() : undefined;
  }
}
