// Measures how a long list scrolls. The list is loaded completely, then scrolled at its beginning, middle and end as
// fast as a wheel turns, while each frame is timed. The frames of a still page are the comparison.
import type { Page } from 'playwright-core';
import { loadMore } from '../../test/browser/load-more.ts';

export interface ScrollMeasurement {
  /** Milliseconds of each frame while scrolling, and while nothing moved. */
  frames: number[];
  still: number[];
  /** The longest task of the page's thread while scrolling: wall time, and processor time. */
  longest: Task;
  /** Milliseconds of the page's thread per frame by the processor's clock, without other programs. */
  workMs: number;
  /** The maximum number of drawn rows. */
  drawn: number;
}

const FRAMES = 150;
const PARTS = [0, 0.5, 0.9];
/** 7,200 per second. */
const PX_A_FRAME = 120;

export interface Task {
  ownMs: number;
  ms: number;
}

const timed = (each: string, rows: string): string => `(async () => {
  const frames = [];
  let drawn = 0;
  let last = await new Promise(requestAnimationFrame);
  for (let at = 0; at < ${FRAMES}; at++) {
    ${each};
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
    drawn = Math.max(drawn, document.querySelectorAll('${rows}').length);
  }
  return { frames, drawn };
})()`;

interface FrameTimes {
  frames: number[];
  drawn: number;
}

/** Scrolls through the list. `selector` matches its drawn rows. */
export async function scrollThrough(page: Page, rows: number, selector: string): Promise<ScrollMeasurement> {
  await loadMore(page, rows);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const workedMs = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
  const run = async (each: string): Promise<FrameTimes> => (await page.evaluate(timed(each, selector))) as FrameTimes; // the structure that `timed` creates
  const still = await run('');
  const parts: FrameTimes[] = [];
  const longest: Task[] = [];
  let sumMs = 0;
  for (const part of PARTS) {
    await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${part})`);
    await run('');
    const before = await workedMs();
    longest.push(await longestTask(page, async () => void parts.push(await run(`scrollBy(0, ${PX_A_FRAME})`))));
    sumMs += (await workedMs()) - before;
  }
  return {
    frames: parts.flatMap(({ frames }) => frames),
    still: still.frames,
    longest: longestOf(longest),
    workMs: sumMs / (FRAMES * PARTS.length),
    drawn: Math.max(...parts.map(({ drawn }) => drawn)),
  };
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds: wall time, and processor time of the thread. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

const longestOf = (tasks: readonly Task[]): Task =>
  tasks.reduce((longest, one) => (one.ms > longest.ms ? one : longest), { ownMs: 0, ms: 0 });

/**
 * Returns the longest task from a trace. The browser's own list of long tasks does not show which of them only waited
 * for a processor.
 */
async function longestTask(page: Page, during: () => Promise<void>): Promise<Task> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser.');
  await browser.startTracing(page, { categories: ['toplevel'] });
  await during();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }; // the format of the trace
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const isOfPage = ({ pid, tid }: TraceEvent): boolean => threads.some((one) => one.pid === pid && one.tid === tid);
  const tasks = traceEvents.filter((one) => one.ph === 'X' && one.tdur !== undefined && isOfPage(one));
  if (tasks.length < FRAMES) throw new Error(`The trace has ${tasks.length} tasks for ${FRAMES} frames.`);
  return longestOf(tasks.map(({ dur = 0, tdur = 0 }) => ({ ownMs: tdur / 1_000, ms: dur / 1_000 })));
}
