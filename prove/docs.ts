// `npm run prove -- docs`: five pages of the documentation site, as the built server serves them. Lighthouse's
// performance score must be at least 95 on its mobile and desktop profiles. In both themes, at 1440 and 390 pixels, axe
// must find nothing and no page may scroll sideways. A page must have the parts that Lighthouse's best practices and
// SEO require. `--rounds N` sets the visits per page; `--only quickstart,runbook` selects pages.
import type { Browser, Page } from 'playwright-core';
import { argument } from '../bench/kit.ts';
import { createBenchServer, start } from '../bench/server.ts';
import { findChromium, launchChromium } from '../test/browser/chromium.ts';
import { collectPageErrors, overflowOf, violationsOf, waitForAnimations } from '../test/browser/page-checks.ts';
import { type Check, conclude, numberAfter } from './kit.ts';
import { checkSpeed } from './page-speed/check-speed.ts';
import { DESKTOP_PROFILE, MOBILE_PROFILE } from './page-speed/measure.ts';

const ROUNDS = numberAfter('--rounds', 3);
const ONLY = argument('--only')?.split(',');
const THEMES = ['light', 'dark'];
const WIDTHS = [1440, 390];

/** The path of each page, and a text that appears when the page is ready. */
const PAGES: readonly (readonly [path: string, ready: string])[] = [
  ['', 'Slipway documentation'],
  ['start/quickstart/', 'Make the first call'],
  ['webhooks/delivery-guarantees/', 'Attempts and backoff'],
  ['reference/api/create-ticket/', 'createTicket'],
  ['operate/runbook/', 'SlipwayNotReady'],
];

const at = await createBenchServer();
/** The address with `localhost`: the proof reports a page that loads from any other host. */
const site = `${at.consoleUrl.replace('127.0.0.1', 'localhost')}/docs`;
const run = await start(at, [process.execPath, 'server/dist/main.js']);
const browser = await launchChromium(await findChromium());
const checks: Check[] = [];
try {
  for (const [path, ready] of PAGES.filter(([path]) => ONLY?.some((one) => path.includes(one)) ?? true)) {
    const page = { name: `/docs/${path}`, url: `${site}/${path}`, ready, session: { cookies: [] } };
    for (const profile of [MOBILE_PROFILE, DESKTOP_PROFILE])
      checks.push(await checkSpeed(browser, page, profile, ROUNDS));
    checks.push(...(await checkLooks(browser, page)));
  }
} finally {
  await browser.close();
  await run.stop();
  at.remove();
}
conclude('docs', checks);

async function checkLooks(of: Browser, { name, url, ready }: { name: string; url: string; ready: string }) {
  const context = await of.newContext();
  const page = await context.newPage();
  const errors = collectPageErrors(page);
  const found: Check[] = [];
  try {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(url);
      await page.getByText(ready).first().waitFor();
      for (const theme of THEMES) {
        await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme);
        await waitForAnimations(page);
        found.push(lacksNone(`accessibility: ${name}, ${theme}, ${width} px`, await violationsOf(page)));
      }
      const overflow = await overflowOf(page);
      found.push({ name: `width: ${name}, ${width} px`, ok: overflow <= 0, figure: `${overflow} px too wide` });
    }
    found.push(lacksNone(`best practices and SEO: ${name}`, await missingParts(page)));
    // The second visit revalidates the icon.
    const refusals = errors.refusals.filter((one) => !one.endsWith(': 304'));
    found.push(lacksNone(`errors in the browser: ${name}`, [...refusals, ...errors.complaints]));
    return found;
  } finally {
    await context.close();
  }
}

function lacksNone(name: string, faults: readonly string[]): Check {
  return { name, ok: faults.length === 0, figure: faults.join('; ') || 'none' };
}

/** Returns the names of missing parts that Lighthouse's audits of best practices and SEO look for. */
function missingParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const attribute = (selector: string, name: string): string =>
      document.querySelector(selector)?.getAttribute(name)?.trim() ?? '';
    const parts: Record<string, boolean> = {
      doctype: document.doctype?.name === 'html',
      charset: document.characterSet === 'UTF-8',
      language: document.documentElement.lang !== '',
      title: document.title.trim() !== '',
      description: attribute('meta[name=description]', 'content') !== '',
      viewport: attribute('meta[name=viewport]', 'content').includes('width=device-width'),
      'one h1': document.querySelectorAll('h1').length === 1,
      'sizes of images': [...document.images].every((image) => image.hasAttribute('width')),
      'texts of links': [...document.links].every(
        (link) => (link.textContent ?? '').trim() !== '' || link.getAttribute('aria-label') !== null,
      ),
    };
    return Object.keys(parts).filter((part) => parts[part] !== true);
  });
}
