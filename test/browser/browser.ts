// A real browser for browser tests. It may connect only to this machine; any other request fails its test.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { root } from '../slipway.ts';
import { launchChromium, NO_OPTIMISING_COMPILER } from './chromium.ts';
import {
  collectPageErrors,
  type PageErrors,
  RULES_OF_COLOURS,
  violationsOf,
  waitForAnimations,
} from './page-checks.ts';

const PICTURES = join(root, 'test-results');

export const launch = (): Promise<Browser> => launchChromium(inject('chromiumPath'), NO_OPTIMISING_COMPILER);

/** The visits of the files that this process has run. */
export const visits: Visit[] = [];

/**
 * Takes a picture of a failure. `npm run prove -- console` takes pictures of correct pages, of each page in each state.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name.replaceAll(/[^\w-]+/g, '-').slice(0, 80)}.png`) });
}

export interface Visit extends PageErrors {
  page: Page;
}

export async function visit(browser: Browser, width = 1280): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000); // only ends a wait for something that never appears; a busy machine can need 20 s
  const made = { page, ...collectPageErrors(page) };
  visits.push(made);
  return made;
}

/** Expects no accessibility violations in either theme, and takes a picture of a page with violations. */
export async function inspect(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), theme);
    await waitForAnimations(page);
    const found = await violationsOf(page, theme === 'dark' ? RULES_OF_COLOURS : undefined);
    if (found.length > 0) await takePicture(page, `${name}-${theme}`);
    expect([name, theme, found]).toEqual([name, theme, []]);
  }
}
