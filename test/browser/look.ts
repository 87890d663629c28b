// What is looked for on any page, by tests and by proofs: what it complains of, and what axe finds.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

export interface Heard {
  /** Calls of the page that were refused or broke off. */
  refusals: string[];
  /** Addresses outside this machine that a page asked for, and errors in its console. */
  complaints: string[];
}

export function listenTo(page: Page): Heard {
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
    // A refused call is logged by the browser itself; the page shows it as a problem.
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

/** All in which the themes differ; the other rules are about what both have. */
export const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Names of the rules that the page breaks, with the elements; all rules, or these alone. */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Kept by the page for as long as it is not loaded anew: to hand it over takes as long as to look.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(AXE);
  return page.evaluate(findViolations, rules && [...rules]);
}

/** Runs in the page. What passed is not asked for: it would be told of each element. */
async function findViolations(rules: string[] | undefined): Promise<string[]> {
  if (!window.axe) throw new Error('The page was loaded anew while it was looked at.');
  const { violations } = await window.axe.run({
    resultTypes: ['violations'],
    // As large as a finger: of the rules of WCAG 2.2, which axe leaves aside unless it is asked for them.
    rules: { 'target-size': { enabled: true } },
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  });
  return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`);
}

/** How much wider than the screen the page is, in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Until nothing that has an end moves: colours that are still on their way are those of neither theme. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ends = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ends.map(({ finished }) => finished));
  });
}
