// Functions that run in the inspected page, and use nothing outside of it.

declare global {
  interface Window {
    /** Each with the element that moved. */
    shifts: [atMs: number, value: number, what: string][];
  }
}

/** A layout shift as the browser reports it; the standard types lack it. */
interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

/** Runs in the page, before the page's own code. */
export function watchShifts(): void {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const one of list.getEntries() as Shift[]) {
      const [moved] = one.sources.map(({ node }) => node?.textContent?.trim().slice(0, 60) ?? '');
      if (!one.hadRecentInput) window.shifts.push([one.startTime, one.value, moved ?? '']);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/**
 * Runs in the page. Returns the largest sum of shifts in a session: less than a second apart, for at most five seconds.
 */
export function worstShift(): number {
  let [worst, sum, firstMs, lastMs] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (const [atMs, value] of window.shifts) {
    if (atMs - lastMs > 1_000 || atMs - firstMs > 5_000) [sum, firstMs] = [0, atMs];
    sum += value;
    lastMs = atMs;
    worst = Math.max(worst, sum);
  }
  return worst;
}

/** Runs in the page. */
export function isIdle(): boolean {
  const waits = '[aria-busy=true], [aria-label=Loading], .mantine-Skeleton-root, [data-loading=true]';
  return document.querySelector(waits) === null;
}
