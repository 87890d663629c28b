// Goes on with a list as somebody does who presses its button again and again.
import type { Page } from 'playwright-core';

/** Until it has so many rows. */
export async function goOn(page: Page, rows: number): Promise<void> {
  await page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const step = (): void => {
          const table = document.querySelector('table[aria-rowcount]');
          if (Number(table?.getAttribute('aria-rowcount')) > wanted) {
            resolve();
            return;
          }
          const buttons = [...document.querySelectorAll('button')];
          buttons.find((one) => one.textContent === 'Load more' && !one.hasAttribute('data-loading'))?.click();
          requestAnimationFrame(step);
        };
        step();
      }),
    rows,
  );
}
