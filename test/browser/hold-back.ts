// Requests of a page that are held back until they are let go: what comes late comes when a story wants it.
import type { Page, Route } from 'playwright-core';

export interface HeldBack {
  hasAny(): boolean;
  /** Those that are held, and all that come later; waits for the answer to what that brings about, where it is told. */
  letGo(toWhat?: RegExp): Promise<void>;
}

export async function holdBack(page: Page, pattern: RegExp): Promise<HeldBack> {
  const held: Route[] = [];
  let isOver = false;
  // It stays: a route that is gone lets go what it held.
  await page.route(pattern, async (route) => {
    if (isOver) await route.continue();
    else held.push(route);
  });
  return {
    hasAny: () => held.length > 0,
    async letGo(toWhat) {
      const answered = toWhat && page.waitForResponse(toWhat);
      isOver = true;
      await Promise.allSettled(held.map((route) => route.continue())); // nobody may be waiting for it any more
      await (await answered)?.finished();
    },
  };
}
