// Holds requests of a page until a test releases them, to control the order of responses.
import type { Page, Route } from 'playwright-core';

export interface HeldRequests {
  hasAny(): boolean;
  /** Releases held requests and all later ones. Optionally waits for the response to a resulting request. */
  release(toWhat?: RegExp): Promise<void>;
}

export async function holdRequests(page: Page, pattern: RegExp): Promise<HeldRequests> {
  const held: Route[] = [];
  let isOver = false;
  // The route stays, because removing it would release held requests.
  await page.route(pattern, async (route) => {
    if (isOver) await route.continue();
    else held.push(route);
  });
  return {
    hasAny: () => held.length > 0,
    async release(toWhat) {
      const answered = toWhat && page.waitForResponse(toWhat);
      isOver = true;
      await Promise.allSettled(held.map((route) => route.continue())); // the page may have aborted them
      await (await answered)?.finished();
    },
  };
}
