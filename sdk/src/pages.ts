// Lists: the first page is the call's own answer, and the others are asked for as they are needed.

/** The parameter that asks for the next page: `cursor` of a list, `after` of the feed of events. */
export type PageParameter = 'cursor' | 'after';

interface Page {
  data: readonly unknown[];
  nextCursor?: string | null;
  nextAfter?: string | null;
  /** Applies to the feed: a page may be empty although more follows, because a page examines a bounded number of events. */
  hasMore?: boolean;
}

/** Returns whether a page of the feed is its end as of now. */
const isEnd = ({ data, hasMore = false }: Page): boolean => data.length === 0 && !hasMore;

/** The pages from the first one on. A list says where it ends; the feed, which never does, is left at its present end. */
export async function* pagesFrom(
  parameter: PageParameter,
  first: Promise<unknown>,
  next: (position: string) => Promise<unknown>,
): AsyncGenerator<Page, void, undefined> {
  const isFeed = parameter === 'after';
  let page = (await first) as Page; // the contract's form of every list
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
