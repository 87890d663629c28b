// Visits a page as Lighthouse does: with an empty cache, a slow processor and a slow network. Returns the browser's own
// measurements.
import type { Browser } from 'playwright-core';
import { DESKTOP, type Measures, MOBILE } from './score.ts';

export interface Profile {
  name: string;
  curves: typeof MOBILE;
  viewport: { width: number; height: number };
  /** The slowdown factor of the processor. */
  cpu: number;
  latencyMs: number;
  kbps: { down: number; up: number };
}

/**
 * Lighthouse's slow 4G and its mid-range telephone, as it applies them (its core/config/constants.js): each request has
 * the round trips of a connection.
 */
export const MOBILE_PROFILE: Profile = {
  name: 'telephone',
  curves: MOBILE,
  viewport: { width: 412, height: 823 },
  cpu: 4,
  latencyMs: 562.5,
  kbps: { down: 1_474.56, up: 675 },
};

/** Its desktop profile: a line of 10 Mbit/s. */
export const DESKTOP_PROFILE: Profile = {
  name: 'desk',
  curves: DESKTOP,
  viewport: { width: 1_350, height: 940 },
  cpu: 1,
  latencyMs: 40,
  kbps: { down: 10_240, up: 10_240 },
};

// Runs in the page before the page's own code. Shifts count in sessions: less than a second apart, for at most five
// seconds.
const OBSERVER = `
  window.seen = { fcp: 0, lcp: 0, tasks: [], shifts: [], what: '' };
  const on = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  on('paint', (one) => { if (one.name === 'first-contentful-paint') seen.fcp = one.startTime; });
  on('largest-contentful-paint', (one) => { seen.lcp = one.startTime; seen.what = (one.element?.textContent ?? one.url).slice(0, 60); });
  on('longtask', (one) => seen.tasks.push([one.startTime, one.duration]));
  on('layout-shift', (one) => { if (!one.hadRecentInput) seen.shifts.push([one.startTime, one.value]); });`;

// Waits for two seconds without a long task, so that late content and shifts are included.
const WAIT_UNTIL_IDLE = `new Promise((resolve) => {
  const look = () => {
    const last = Math.max(0, ...seen.tasks.map(([at, took]) => at + took));
    if (performance.now() - last > 2000) resolve();
    else setTimeout(look, 100);
  };
  setTimeout(look, 2000);
})`;

interface PageTimings {
  fcp: number;
  lcp: number;
  tasks: [startMs: number, durationMs: number][];
  shifts: [startMs: number, value: number][];
  what: string;
}

export interface Visit extends Measures {
  /** The element of the largest paint. */
  what: string;
}

export interface Session {
  cookies: { name: string; value: string; url: string }[];
}

/** Waits for `ready` on the page, and then for late content. */
export async function measurePage(
  browser: Browser,
  profile: Profile,
  { cookies }: Session,
  { url, ready }: { url: string; ready: string },
): Promise<Visit> {
  const context = await browser.newContext({ viewport: profile.viewport });
  try {
    await context.addCookies(cookies);
    await context.addInitScript(OBSERVER);
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: profile.latencyMs,
      downloadThroughput: (profile.kbps.down * 1024) / 8,
      uploadThroughput: (profile.kbps.up * 1024) / 8,
    });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: profile.cpu });
    await page.goto(url, { waitUntil: 'commit' });
    await page.getByText(ready).first().waitFor();
    await page.evaluate(WAIT_UNTIL_IDLE);
    return toVisit(await page.evaluate('seen'));
  } finally {
    await context.close();
  }
}

function toVisit(seen: unknown): Visit {
  const { fcp, lcp, tasks, shifts, what } = seen as PageTimings; // the structure that OBSERVER creates
  const blocked = tasks.filter(([at]) => at >= fcp).reduce((sum, [, took]) => sum + Math.max(0, took - 50), 0);
  return { fcp, lcp, tbt: blocked, cls: worstSession(shifts), what };
}

function worstSession(shifts: PageTimings['shifts']): number {
  let [worst, sum, firstMs, lastMs] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (const [atMs, value] of shifts) {
    if (atMs - lastMs > 1_000 || atMs - firstMs > 5_000) [sum, firstMs] = [0, atMs];
    sum += value;
    lastMs = atMs;
    worst = Math.max(worst, sum);
  }
  return worst;
}
