// The documentation site in a real browser under its Content-Security-Policy: without complaints, searchable without a network, accessible.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance } from '../slipway.ts';
import { launch, takePicture, type Visit, visit } from './browser.ts';
import { overflowOf, RULES_OF_COLOURS, violationsOf, waitForAnimations } from './page-checks.ts';

let instance: SlipwayInstance;
let browser: Browser;
let result: Visit;
let page: Page;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start().ready;
  browser = await launch();
  result = await visit(browser);
  ({ page } = result);
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

const open = (path: string) => page.goto(`${instance.consoleUrl}/docs/${path}`);

/** Types a query, and returns the addresses of the pages that are shown, without their anchors. */
async function search(query: string): Promise<string[]> {
  const field = page.getByRole('searchbox', { name: 'Search the documentation' });
  await field.fill('');
  await field.fill(query);
  await page.getByRole('status').getByText('pages found').waitFor({ state: 'attached' });
  const links = await page.locator('#results a').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  return links.map((link) => link.replace(/#.*/, '').replace('/docs/', ''));
}

test('pages load without a complaint of the browser, and the theme is remembered', async () => {
  await open('');
  await page.getByRole('heading', { level: 1, name: 'Slipway documentation' }).waitFor();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.reload();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.getByRole('button', { name: 'Light theme' }).click();
  expect(result.complaints).toEqual([]);
});

test('the search finds the page, shows the part, and works with the keyboard alone', async () => {
  await open('');
  await page.keyboard.press('/');
  await page.keyboard.type('createTicket');
  await page.getByRole('link', { name: 'Create a ticket' }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/reference\/api\/create-ticket\/$/);
  await open('?q=nothingofthekind');
  await page.getByText('No page found for “nothingofthekind”.').waitFor();
  expect(result.complaints).toEqual([]);
});

const LOOKED_AT = [
  '?q=rate%20limit', // the first page, with the results of a search
  'start/quickstart/',
  'concepts/overview/',
  'operate/runbook/',
  'webhooks/delivery-guarantees/',
  'contribute/sequences/',
  'reference/api/create-ticket/',
  'reference/cli/keys/',
  'webhooks/events/ticket-created/',
];

test.each(
  LOOKED_AT,
)('axe finds nothing on the page “%s” in either theme, and no screen scrolls sideways', async (path) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open(path);
    if (path.startsWith('?')) await page.locator('#results a').first().waitFor();
    for (const theme of ['light', 'dark']) {
      await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme);
      await waitForAnimations(page);
      const found = await violationsOf(page, theme === 'dark' ? RULES_OF_COLOURS : undefined);
      if (found.length > 0) await takePicture(page, `docs-${path}-${theme}-${width}`);
      expect([path, width, theme, found]).toEqual([path, width, theme, []]);
    }
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  }
  expect(result.complaints).toEqual([]);
});

test('on a phone the results are as wide as the screen, and the menu opens and leads to a page', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open('');
  await search('rate limit');
  expect((await page.locator('#results').boundingBox())?.width).toBeGreaterThan(340);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Menu' }).click();
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Problems' }).click();
  await page.getByRole('heading', { level: 1, name: 'Problems' }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
});

// The page that a reader looks for with each of these words.
const WANTED: Record<string, string> = {
  SSRF: 'security/security-model/',
  'at-least-once': 'webhooks/delivery-guarantees/',
  backoff: 'webhooks/delivery-guarantees/',
  idempotency: 'build/idempotency/',
  pagination: 'build/pagination/',
  RBAC: 'reference/roles/',
  'rate limit': 'build/rate-limits/',
  'rotate key': 'build/authentication/',
  sizing: 'operate/sizing/',
  'graceful shutdown': 'operate/high-availability/',
  troubleshooting: 'operate/troubleshooting/',
  upgrade: 'operate/upgrades/',
  'threat model': 'security/threat-model/',
  glossary: 'concepts/glossary/',
  'access token': 'build/authentication/',
  'signing secret': 'webhooks/receiving/',
};

test('the search without a network finds the right page among the first three for each term', async () => {
  await open('');
  await search('slipway');
  await page.context().setOffline(true);
  try {
    const found: Record<string, string | undefined> = {};
    for (const [term, wanted] of Object.entries(WANTED)) {
      found[term] = (await search(term)).slice(0, 3).find((slug) => slug === wanted);
    }
    expect(found).toEqual(WANTED);
  } finally {
    await page.context().setOffline(false);
  }
});
