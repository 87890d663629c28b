// Iterates over lists: the call returns the first page, and further pages are requested as needed.

/** The parameter of the next page: `cursor` of a list, `after` of the event feed. */
export type PageParameter = 'cursor' | 'after';

interface Page {
  data: readonly unknown[];
  nextCursor?: string | null;
  nextAfter?: string | null;
  /**
   * Applies to the feed: a page may be empty although more follows, because a page examines a bounded number of events.
   */
  hasMore?: boolean;
}

/** Returns whether a page is the current end of the feed. */
const isEnd = ({ data, hasMore }: Page): boolean => data.length === 0 && !hasMore;

/**
 * Yields the pages from the first one. A list reports its end. The feed never ends; the iteration stops at its current
 * end.
 */
export async function* pagesFrom(
  parameter: PageParameter,
  first: Promise<unknown>,
  next: (position: string) => Promise<unknown>,
): AsyncGenerator<Page, void, undefined> {
  const isFeed = parameter === 'after';
  let page = (await first) as Page; // the contract gives every list this shape
  yield page;
  for (;;) {
    const position = isFeed ? page.nextAfter : page.nextCursor;
    if (position === null || position === undefined || (isFeed && isEnd(page))) return;
    page = (await next(position)) as Page;
    if (isFeed && isEnd(page)) return;
    yield page;
  }
}

export async function* itemsOf(pages: AsyncIterable<Page>): AsyncGenerator<unknown, void, undefined> {
  for await (const page of pages) yield* page.data;
}
