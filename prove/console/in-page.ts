// What runs in a page that is looked at: functions that know nothing but it.

declare global {
  interface Window {
    /** Of each what moved, too. */
    shifts: [atMs: number, value: number, what: string][];
  }
}

/** As the browser tells of it; its types do not know it. */
interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

/** Runs in the page, before anything of its own. */
export function watchShifts(): void {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const one of list.getEntries() as Shift[]) {
      const [moved] = one.sources.map(({ node }) => node?.textContent?.trim().slice(0, 60) ?? '');
      if (!one.hadRecentInput) window.shifts.push([one.startTime, one.value, moved ?? '']);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Runs in the page. Shifts count in sessions: those less than a second apart, for at most five. */
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

/** Runs in the page. What can be used or names a column, and ends beyond what contains it. */
export function findCut(): string[] {
  const cut: string[] = [];
  for (const one of document.querySelectorAll(
    'main :is(button, a, th, input, select), [role=dialog] :is(button, a, th, input)',
  )) {
    const { right, left, width } = one.getBoundingClientRect();
    if (width <= 1 || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    for (let around = one.parentElement; around && around !== document.body; around = around.parentElement) {
      const { overflowX, position } = getComputedStyle(around);
      if (position === 'fixed') break;
      // What scrolls by itself shows all of it in time; a text that ends in dots says so.
      if (overflowX === 'auto' || overflowX === 'scroll') break;
      const edges = around.getBoundingClientRect();
      if (overflowX === 'visible' || edges.width <= 1 || getComputedStyle(around).textOverflow === 'ellipsis') continue;
      if (right > edges.right + 1 || left < edges.left - 1) cut.push((one.textContent || one.outerHTML).slice(0, 80));
    }
  }
  return cut;
}

/** Runs in the page. */
export function isQuiet(): boolean {
  const waits = '[aria-busy=true], [aria-label=Loading], .mantine-Skeleton-root, [data-loading=true]';
  return document.querySelector(waits) === null;
}
