// A real browser for stories. It may speak to this machine alone; a page that asks for anything else fails its test.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { root } from '../slipway.ts';
import { launchChromium, UNHURRIED } from './chromium.ts';
import { type Heard, listenTo, RULES_OF_COLOURS, settle, violationsOf } from './look.ts';

const PICTURES = join(root, 'test-results');

export const launch = (): Promise<Browser> => launchChromium(inject('chromiumPath'), UNHURRIED);

/** Of the files that this process has run. */
export const visited: Visit[] = [];

/** To look at what failed: of what is as it should be `npm run prove -- console` takes them, of each page in each state. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name.replaceAll(/[^\w-]+/g, '-').slice(0, 80)}.png`) });
}

export interface Visit extends Heard {
  page: Page;
}

export async function visit(browser: Browser, width = 1280): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const made = { page, ...listenTo(page) };
  visited.push(made);
  return made;
}

/** Holds the page to zero accessibility violations in both themes, and keeps a picture of what has one. */
export async function inspect(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), theme);
    await settle(page);
    const found = await violationsOf(page, theme === 'dark' ? RULES_OF_COLOURS : undefined);
    if (found.length > 0) await takePicture(page, `${name}-${theme}`);
    expect([name, theme, found]).toEqual([name, theme, []]);
  }
}
