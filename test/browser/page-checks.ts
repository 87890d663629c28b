// Checks of any page for tests and proofs: its errors, and the violations that axe finds.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

export interface PageErrors {
  /** Calls of the page that were refused or broke off. */
  refusals: string[];
  /** External addresses that a page requested, and errors in its console. */
  complaints: string[];
}

export function collectPageErrors(page: Page): PageErrors {
  const refusals: string[] = [];
  const complaints: string[] = [];
  page.on('requestfailed', (request) => refusals.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (answer) => {
    if (!answer.ok()) refusals.push(`${answer.url()}: ${answer.status()}`);
  });
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol !== 'data:' && hostname !== 'localhost') complaints.push(`asked for ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(`threw ${error.message}`));
  page.on('console', (message) => {
    // The browser logs a refused call itself, and the page shows it as a problem.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) {
      complaints.push(`logged ${message.text()}`);
    }
  });
  return { refusals, complaints };
}

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that depend on the theme. The other rules concern both themes alike. */
export const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Returns the names of the violated rules with their elements, for all rules or for the given ones. */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The page keeps axe until it is reloaded, because transferring axe takes as long as running it.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(AXE);
  return page.evaluate(findViolations, rules && [...rules]);
}

/** Runs in the page. Does not request passed rules, which would list each element. */
async function findViolations(rules: string[] | undefined): Promise<string[]> {
  if (!window.axe) throw new Error('The page was reloaded during the check.');
  const { violations } = await window.axe.run({
    resultTypes: ['violations'],
    // Rules that axe checks only on request: the minimum target size of WCAG 2.2, and the place of complementary regions.
    rules: { 'target-size': { enabled: true }, 'landmark-complementary-is-top-level': { enabled: true } },
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  });
  return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`);
}

/** Returns how much wider than the screen the page is, in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Returns controls and column heads that extend beyond their container, which the width of the page does not show. */
export const clippedElementsOf = (page: Page): Promise<string[]> => page.evaluate(findClippedElements);

/** Runs in the page. */
function findClippedElements(): string[] {
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

/** Waits for all finite animations: colours in transition belong to neither theme. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ends = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ends.map(({ finished }) => finished));
  });
}

/** Returns the time as the page shows an exact time, in its zone. */
export const shownTime = (page: Page, at: string): Promise<string> =>
  page.evaluate(
    (time) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(time)),
    at,
  );
