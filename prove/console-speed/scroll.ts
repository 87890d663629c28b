// How a list of ten thousand rows scrolls: gone on with until it has them, then scrolled from end to end while each frame is timed.
import type { Page } from 'playwright-core';
import { goOn } from '../../test/browser/go-on.ts';

export interface Scrolled {
  /** How long each frame was, in milliseconds. */
  frames: number[];
  /** How many rows were drawn at most. */
  drawn: number;
}

const SCROLL = `new Promise((resolve) => {
  const frames = [];
  let [drawn, last] = [0, performance.now()];
  const end = () => document.documentElement.scrollHeight - innerHeight;
  const step = (now) => {
    frames.push(now - last);
    last = now;
    drawn = Math.max(drawn, document.querySelectorAll('tbody tr').length);
    if (scrollY >= end() - 1 || frames.length > 2000) return resolve({ frames: frames.slice(1), drawn });
    scrollBy(0, 700);
    requestAnimationFrame(step);
  };
  scrollTo(0, 0);
  requestAnimationFrame(step);
})`;

export async function scrollThrough(page: Page, rows: number): Promise<Scrolled> {
  await goOn(page, rows);
  return (await page.evaluate(SCROLL)) as Scrolled; // as SCROLL makes it
}
