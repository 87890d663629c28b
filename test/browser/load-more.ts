// Loads a list further by pressing its button repeatedly.
import type { Page } from 'playwright-core';

// As text, because proofs use it without a Playwright page.
const LOAD_MORE = (rows: number): string => `new Promise((resolve) => {
  const step = () => {
    const count = (name) => Number(document.querySelector('[' + name + ']')?.getAttribute(name));
    if (count('aria-rowcount') > ${rows} || count('aria-setsize') >= ${rows}) return resolve();
    const buttons = [...document.querySelectorAll('button')];
    buttons.find((one) => one.textContent === 'Load more' && !one.hasAttribute('data-loading'))?.click();
    requestAnimationFrame(step);
  };
  step();
})`;

/** Loads more until the list has this many rows. */
export async function loadMore(page: Page, rows: number): Promise<void> {
  await page.evaluate(LOAD_MORE(rows));
}
