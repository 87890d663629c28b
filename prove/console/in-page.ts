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

/** Runs in the page. Returns controls and column heads that extend beyond their container. */
export function findClippedElements(): string[] {
  const cut: string[] = [];
  for (const one of document.querySelectorAll(
    'main :is(button, a, th, input, select), [role=dialog] :is(button, a, th, input)',
  )) {
    const { right, left, width } = one.getBoundingClientRect();
    if (width <= 1 || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    for (let around = one.parentElement; around && around !== document.body; around = around.parentElement) {
      const { overflowX, position } = getComputedStyle(around);
      if (position === 'fixed') break;
      // A scrolling container shows all of its content eventually, and an ellipsis marks shortened text.
      if (overflowX === 'auto' || overflowX === 'scroll') break;
      const edges = around.getBoundingClientRect();
      if (overflowX === 'visible' || edges.width <= 1 || getComputedStyle(around).textOverflow === 'ellipsis') continue;
      if (right > edges.right + 1 || left < edges.left - 1) cut.push((one.textContent || one.outerHTML).slice(0, 80));
    }
  }
  return cut;
}

/** Runs in the page. */
export function isIdle(): boolean {
  const waits = '[aria-busy=true], [aria-label=Loading], .mantine-Skeleton-root, [data-loading=true]';
  return document.querySelector(waits) === null;
}
