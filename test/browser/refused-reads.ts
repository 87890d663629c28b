// Refuses reads of a page until a person clicks "Try again".
import type { Page, Route } from 'playwright-core';

interface RefusedReads {
  /** Clicks the button, and permits the reads from the click on. */
  retry(): Promise<void>;
}

declare global {
  interface Window {
    isRetryClicked?: boolean;
  }
}

/**
 * Refuses the reads until the click. A page also repeats failed reads by itself: with each part of the stream of
 * changes, and with each poll. Permitting reads before the click would let such a read remove the button.
 */
export async function refuseReads(
  page: Page,
  reads: RegExp,
  refuse: (route: Route) => Promise<void> = (route) => route.abort(),
): Promise<RefusedReads> {
  let state: 'refused' | 'clicking' | 'permitted' = 'refused';
  const isPermitted = async (): Promise<boolean> =>
    state === 'permitted' || (state === 'clicking' && (await page.evaluate(() => window.isRetryClicked === true)));
  await page.route(reads, async (route) => ((await isPermitted()) ? route.continue() : refuse(route)));
  // Without the stream, only the click can repeat a read that is not polled.
  await page.route(/\/changes\?/, (route) => (state === 'permitted' ? route.continue() : route.abort()));
  return {
    async retry() {
      await page.evaluate(() => {
        document.addEventListener('click', () => (window.isRetryClicked = true), { capture: true, once: true });
      });
      state = 'clicking';
      await page.getByRole('button', { name: 'Try again' }).click();
      state = 'permitted';
    },
  };
}
