// Inspects a page in one state at one width, in both themes. Returns its faults, and takes pictures.
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import {
  clippedElementsOf,
  collectPageErrors,
  overflowOf,
  type PageErrors,
  violationsOf,
  waitForAnimations,
} from '../../test/browser/page-checks.ts';
import type { Site } from './data-sets.ts';
import { isIdle, watchShifts, worstShift } from './in-page.ts';
import type { PageAddress, PageState } from './pages.ts';

export interface InspectionTarget {
  address: PageAddress;
  name: string;
  state: PageState;
  width: number;
}

export interface InspectionResult {
  target: InspectionTarget;
  /** The faults, in words. */
  faults: string[];
  /** The layout shift from the first picture to the last, by Lighthouse's definition. */
  shift: number;
  pictures: number;
}

const HEIGHT = 900;
const PATIENCE_MS = 20_000;
const MOST_SHIFT = 0.1;
const THEMES = ['light', 'dark'] as const;
/** Calls of the frame around every page of an app or organisation, which are not the page's own. */
const FRAME_CALLS =
  /\/api\/(session|environments|roles|providers|operator\/upstream-failures|[\w/]*\/(apps\/app_\w+(\/changes.*)?|notices\?.*unread=true.*))$/;

/**
 * What a page shows while it loads, once its code has loaded. The prerendered page shows the same before, but is inert
 * and therefore without landmarks and headings for axe.
 */
const LOADING = '#root > :not([inert]) main :is([aria-busy=true], [aria-label=Loading], .mantine-Skeleton-root)';

const MADE_OF_TEXT =
  ':is(main, header, [role=dialog]) :is(iframe, script, img:not([src="/favicon.svg"]), [onload], [onerror], [ontoggle], a[href^="javascript:" i])';

/** A browser window for inspections at one width. */
export class PageInspector {
  readonly #site: Site;
  readonly #folder: string;
  readonly #context: Promise<BrowserContext>;

  constructor(
    browser: Browser,
    setup: Site,
    folder: string,
    { width, isVisitor }: { width: number; isVisitor: boolean },
  ) {
    this.#site = setup;
    this.#folder = folder;
    this.#context = this.#open(browser, width, isVisitor);
  }

  async #open(browser: Browser, width: number, isVisitor: boolean): Promise<BrowserContext> {
    const isPhone = width < 600;
    const context = await browser.newContext({
      viewport: { width, height: HEIGHT },
      ...(isPhone && { isMobile: true, hasTouch: true }),
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const { consoleUrl: url, cookie } = this.#site;
    const cookies = isVisitor ? [] : cookie.split('; ').map((one) => one.split(/=(.*)/s));
    await context.addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url })));
    await context.addInitScript(watchShifts);
    return context;
  }

  /** Inspects a page with hostile names, which must appear as text. */
  async lookAtHostile(input: InspectionTarget): Promise<InspectionResult> {
    const page = await (await this.#context).newPage();
    const look: InspectionResult = { target: input, faults: [], shift: 0, pictures: 0 };
    try {
      const errors = collectPageErrors(page);
      await page.exposeFunction('caught', (by: unknown) => void look.faults.push(`executed a text as code: ${by}`));
      await page.goto(this.#site.consoleUrl + addressOf(input, this.#site));
      await page.getByText('caught(').filter({ visible: true }).first().waitFor();
      await page.waitForFunction(isIdle);
      const elements = await page
        .locator(MADE_OF_TEXT)
        .evaluateAll((all) => all.map(({ outerHTML }) => outerHTML.slice(0, 120)));
      if (elements.length > 0) look.faults.push(`rendered a text as elements: ${elements.join(' ')}`);
      look.faults.push(...errors.complaints);
    } catch (error) {
      look.faults.push(`could not be checked: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    } finally {
      await page.close();
    }
    return look;
  }

  /** Inspects a page. Takes no picture if the page could not be inspected. */
  async look(input: InspectionTarget): Promise<InspectionResult> {
    const page = await (await this.#context).newPage();
    const look: InspectionResult = { target: input, faults: [], shift: 0, pictures: 0 };
    try {
      await this.#visit(page, look);
    } catch (error) {
      look.faults.push(`could not be checked: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
      await page.screenshot({ path: join(this.#folder, `${nameOf(input)}-failed.png`) }).catch(() => {});
    } finally {
      await page.close();
    }
    return look;
  }

  async #visit(page: Page, look: InspectionResult): Promise<void> {
    const { target: input } = look;
    const errors = collectPageErrors(page);
    await page.emulateMedia({ colorScheme: 'light' });
    const release = await this.#meet(page, input.state);
    await page.goto(this.#site.consoleUrl + addressOf(input, this.#site));
    if (input.state.calls === 'held') {
      await page.locator(LOADING).first().waitFor();
      await this.#regard(page, look, 'loading');
      release();
    }
    await page.getByText(input.state.ready).filter({ visible: true }).first().waitFor();
    if (input.state.calls !== 'held' || input.name === 'full') await page.waitForFunction(isIdle);
    if (input.state.leadsTo && !input.state.leadsTo.test(page.url())) look.faults.push(`leads to ${page.url()}`);
    await this.#regard(page, look, input.name);
    look.shift = await page.evaluate(worstShift);
    if (look.shift > MOST_SHIFT) {
      const [, , what] = (await page.evaluate(() => window.shifts)).reduce((most, one) =>
        one[1] > most[1] ? one : most,
      );
      look.faults.push(`layout shift of ${look.shift.toFixed(2)}: “${what}” and more`);
    }
    look.faults.push(...problemsOf(errors));
  }

  /** Holds or changes the page's own calls. Resolves with a function that releases them. */
  async #meet(page: Page, { calls, own }: PageState): Promise<() => void> {
    let release = (): void => {};
    if (calls === undefined) return release;
    const isOwn = (url: string): boolean => (own ? own.test(url) : !FRAME_CALLS.test(url));
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/**', async (route: Route) => {
      const url = route.request().url();
      if (!isOwn(url)) return route.continue();
      if (calls === 'held') await held;
      // The server refuses any unknown parameter.
      const target = calls === 'held' ? url : `${url}${url.includes('?') ? '&' : '?'}unknown=1`;
      await route.continue({ url: target }).catch(() => {}); // the page may be closed
    });
    return release;
  }

  async #regard(page: Page, look: InspectionResult, name: string): Promise<void> {
    const { target: input, faults } = look;
    // An overlay is as high as the screen.
    const fullPage = (await page.getByRole('dialog').count()) === 0;
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor({ state: 'attached' });
      await waitForAnimations(page);
      await page.screenshot({ path: join(this.#folder, `${nameOf({ ...input, name })}-${theme}.png`), fullPage });
      look.pictures += 1;
      faults.push(...(await violationsOf(page)).map((one) => `${name}, ${theme}: ${one}`));
    }
    await page.emulateMedia({ colorScheme: 'light' });
    const overflow = await overflowOf(page);
    if (overflow > 0) faults.push(`${name}: ${overflow} pixels wider than the screen`);
    faults.push(...(await clippedElementsOf(page)).map((one) => `${name}: cut off: ${one}`));
  }
}

const nameOf = ({ address, name, width }: InspectionTarget): string => {
  const page = address
    .replaceAll(/\/in\/\$organisationId|\/apps\/\$appId|\/\$organisationId/g, '')
    .replaceAll(/(\/\$\w+)+/g, '-one')
    .replaceAll('/', '-');
  return `${page.slice(1) || (address.includes('/in/') ? 'apps' : 'home')}--${name}-${width}`;
};

function addressOf({ address, state }: InspectionTarget, { params, ids }: Site): string {
  const values: Record<string, string> = { ...params[state.in] };
  const path = address
    .replace(/^\/in\//, state.isInProduction ? '/production/' : '/sandbox/')
    .replace('$kind/$name', state.item ?? '')
    .replaceAll(/\$(\w+)/g, (_: string, name: string) => values[name] ?? '');
  return path + (state.after ?? '').replaceAll(/\{(\w+)\}/g, (_: string, name: string) => ids[name] ?? '');
}

// The browser alone logs an expected refusal.
const problemsOf = ({ complaints }: PageErrors): string[] => complaints.map((one) => `it ${one}`);
