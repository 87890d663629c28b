// How a list of ten thousand rows scrolls: gone on with until it has them, then scrolled at its beginning, its middle and its end, as
// fast as a wheel is turned, while each frame is timed; and beside it how long frames are while nothing moves.
import type { Page } from 'playwright-core';
import { goOn } from '../../test/browser/go-on.ts';

export interface Scrolled {
  /** How long each frame was, in milliseconds; and those while nothing moved. */
  frames: number[];
  still: number[];
  /** How many rows were drawn at most. */
  drawn: number;
}

const FRAMES = 150;
/** 7 200 in a second. */
const PX_A_FRAME = 120;

const SCROLL = `(async () => {
  let drawn = 0;
  const timed = async (each) => {
    const frames = [];
    let last = await new Promise(requestAnimationFrame);
    for (let at = 0; at < ${FRAMES}; at++) {
      each();
      const now = await new Promise(requestAnimationFrame);
      frames.push(now - last);
      last = now;
      drawn = Math.max(drawn, document.querySelectorAll('tbody tr').length);
    }
    return frames;
  };
  const still = await timed(() => {});
  const frames = [];
  for (const part of [0, 0.5, 0.9]) {
    scrollTo(0, document.documentElement.scrollHeight * part);
    await timed(() => {});
    frames.push(...(await timed(() => scrollBy(0, ${PX_A_FRAME}))));
  }
  return { frames, still, drawn };
})()`;

export async function scrollThrough(page: Page, rows: number): Promise<Scrolled> {
  await goOn(page, rows);
  return (await page.evaluate(SCROLL)) as Scrolled; // as SCROLL makes it
}
