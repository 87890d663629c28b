// `npm run prove -- console [--only keys,webhooks] [--widths 1440,390]`: checks every page of the Console in every
// state, in both themes, on a desktop and on a phone. There must be no accessibility violation, nothing wider than the
// screen, no unexpected movement, no external request, and no error in the browser's console. A page of the build
// without a case fails. Pictures of all pages are written to test-results/console.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { argument, progress } from '../bench/kit.ts';
import { findChromium, launchChromium } from '../test/browser/chromium.ts';
import { root } from '../test/slipway.ts';
import { type Site, startConsoleSetup } from './console/data-sets.ts';
import { type InspectionResult, type InspectionTarget, PageInspector } from './console/inspect-pages.ts';
import { type KeyboardResult, runKeyboardTasks } from './console/keyboard.ts';
import { PAGES, type PageAddress } from './console/pages.ts';
import { startProductionSite } from './console/production-site.ts';
import { type Check, conclude } from './kit.ts';

const WIDTHS = (argument('--widths') ?? '1440,390').split(',').map(Number);
const ONLY = argument('--only')?.split(',');
const AT_ONCE = 3;
const FOLDER = join(root, 'test-results/console');

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const setup = await startConsoleSetup();
const second = await startProductionSite();
let browser: Browser | undefined;
try {
  browser = await launchChromium(await findChromium());
  const all = listInspectionTargets();
  const isOfSecond = ({ state }: InspectionTarget): boolean => state.in === 'production';
  const inputs = all.filter((input) => !isOfSecond(input));
  const typed = isWanted('keyboard') ? await runKeyboardTasks(browser, setup, FOLDER) : [];
  const before = await walkAll(
    browser,
    setup,
    inputs.filter(({ state }) => state.isBeforeAll),
  );
  await setup.fill();

  const after = await walkAll(
    browser,
    setup,
    inputs.filter(({ state }) => !state.isBeforeAll),
  );
  const inProduction = await walkAll(browser, second, all.filter(isOfSecond));
  await setup.fillHostile();
  const hostile = await walkAll(browser, setup, listHostileInspectionTargets());
  conclude('console', [
    ...(ONLY ? [] : [checkList()]),
    ...typed.map(toCheck),
    ...checksOf([...before, ...after, ...inProduction, ...hostile]),
  ]);
} finally {
  await browser?.close();
  await second.remove();
  await setup.remove();
}

function listInspectionTargets(): InspectionTarget[] {
  return addressesOf().flatMap((address) =>
    Object.entries(PAGES[address]).flatMap(([name, state]) => WIDTHS.map((width) => ({ address, name, state, width }))),
  );
}

/** Returns every page of an organisation and its apps, with the details that open next to it. */
function listHostileInspectionTargets(): InspectionTarget[] {
  const [width = 0] = WIDTHS;
  return addressesOf()
    .filter((address) => address.includes('$organisationId') && !address.includes('/reference'))
    .map((address) => {
      const after = address.endsWith('/webhooks') ? '?delivery={hostileDelivery}' : '';
      return { address, name: 'hostile', state: { in: 'hostile', after, ready: '' }, width };
    });
}

function isWanted(name: string): boolean {
  return ONLY?.some((one) => name.includes(one)) ?? true;
}

function addressesOf(): PageAddress[] {
  return (Object.keys(PAGES) as PageAddress[]).filter(isWanted); // the type of the table
}

function toCheck({ name, presses, wrong }: KeyboardResult): Check {
  const figure = [`${presses} key presses in addition to typed text`, ...wrong].join('\n        ');
  return { name: `with the keyboard alone: ${name}`, ok: wrong.length === 0, figure };
}

async function walkAll(of: Browser, at: Site, inputs: readonly InspectionTarget[]): Promise<InspectionResult[]> {
  const looks: InspectionResult[] = [];
  const waiting = [...inputs];
  const work = async (): Promise<void> => {
    const walkers = new Map<string, PageInspector>();
    for (let input = waiting.shift(); input; input = waiting.shift()) {
      const isVisitor = input.state.isVisitor ?? false;
      const kind = `${input.width} ${isVisitor}`;
      const walker = walkers.get(kind) ?? new PageInspector(of, at, FOLDER, { width: input.width, isVisitor });
      walkers.set(kind, walker);
      const look = await (input.name === 'hostile' ? walker.lookAtHostile(input) : walker.look(input));
      for (const one of look.faults) progress(`${input.address} ${input.name} ${input.width}: ${one}`);
      looks.push(look);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return looks;
}

/** Compares the cases with the build's list of pages. */
function checkList(): Check {
  const built = JSON.parse(readFileSync(join(root, 'console/dist/pages.json'), 'utf8')) as { path: string }[]; // written by the build
  const cased = new Set(Object.keys(PAGES).map((one) => one.replace(/^\/in\//, '/sandbox/').replaceAll('$', ':')));
  const without = built.filter(({ path }) => !cased.has(path.replace(/^\/production\//, '/sandbox/')));
  return {
    name: 'each page of the build has a case',
    ok: built.length > 0 && without.length === 0,
    figure: without.map(({ path }) => path).join(', ') || `${built.length} pages`,
  };
}

function checksOf(looks: readonly InspectionResult[]): Check[] {
  const addresses = [...new Set(looks.map(({ target: input }) => input.address))];
  return addresses.map((address) => {
    const own = looks.filter(({ target: input }) => input.address === address);
    const wrong = own.flatMap((look) =>
      look.faults.map((one) => `${look.target.name} at ${look.target.width}: ${one}`),
    );
    const pictures = own.reduce((sum, one) => sum + one.pictures, 0);
    const shift = Math.max(...own.map((one) => one.shift));
    const states = new Set(own.map(({ target: input }) => input.name)).size;
    return {
      name: address,
      ok: wrong.length === 0,
      figure: `${states} states, ${pictures} screenshots, layout shift of ${shift.toFixed(3)} at most${wrong.map((one) => `\n        ${one.slice(0, 300)}`).join('')}`,
    };
  });
}
