// A real browser for stories. It may speak to this machine alone; a page that asks for anything else fails its test.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterEach, expect, inject } from 'vitest';
import { root } from '../slipway.ts';
import { launchChromium } from './chromium.ts';

const PICTURES = join(root, 'test-results');

export const launch = (): Promise<Browser> => launchChromium(inject('chromiumPath'));

const visited: Visit[] = [];

// What was on the screen tells most of why a test waited in vain.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const { page, refusals } of visited.filter((one) => !one.page.isClosed())) {
    const text = await page.locator('body').innerText();
    console.log(`After "${task.name}", ${page.url()} shows:\n${text}\nRefused on the way:\n${refusals.join('\n')}`);
  }
});

export interface Visit {
  page: Page;
  /** Calls of the page that were refused or broke off. */
  refusals: string[];
  /** Addresses outside this machine that a page asked for, and errors in its console. */
  complaints: string[];
}

export async function visit(browser: Browser, width = 1280): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  const refusals: string[] = [];
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
  const made = { page, complaints, refusals };
  visited.push(made);
  return made;
}

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// All in which the themes differ; the other rules are about what both have.
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Keeps pictures of the page in both themes, and holds it to zero accessibility violations in each. */
export async function inspect(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  // Kept by the page for as long as it is not loaded anew: to hand it over takes as long as to look.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(AXE);
  for (const theme of ['light', 'dark']) {
    await page.evaluate(showTheme, theme);
    await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`) });
    const found = await page.evaluate(findViolations, theme === 'dark' ? RULES_OF_COLOURS : undefined);
    expect([name, theme, found]).toEqual([name, theme, []]);
  }
}

/** Runs in the page. Colours that are still on their way are those of neither theme; what turns without an end is not waited for. */
async function showTheme(theme: string): Promise<void> {
  document.documentElement.setAttribute('data-mantine-color-scheme', theme);
  const ends = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.allSettled(ends.map(({ finished }) => finished));
}

/** Runs in the page. What passed is not asked for: it would be told of each element. */
async function findViolations(rules: string[] | undefined): Promise<string[]> {
  if (!window.axe) throw new Error('The page was loaded anew while it was looked at.');
  const { violations } = await window.axe.run({
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  });
  return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`);
}
