// `npm run prove -- console-speed`: the Console's main pages by Lighthouse's measures, taken by the browser itself: performance at least
// 95 on its telephone (slow 4G, a processor four times slower) and at its desk, no accessibility violations; and ten thousand rows that
// scroll without stutter. `--rounds N` visits each page so often, of which the median counts; `--only apps,scrolling` looks at these.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { argument, median, progress } from '../bench/kit.ts';
import { makeInstallation, readNote, signIn, start } from '../bench/server.ts';
import { percentile } from '../bench/webhooks-parts.ts';
import { fromId } from '../server/src/kit/ids.ts';
import { findChromium, launchChromium } from '../test/browser/chromium.ts';
import { startExternalPostgres } from '../test/external-postgres.ts';
import { deliveriesOf, requestsOf } from '../test/stock.ts';
import { DESK, measurePage, type Profile, type Session, TELEPHONE, type Visit } from './console-speed/measure.ts';
import { performanceOf } from './console-speed/score.ts';
import { scrollThrough } from './console-speed/scroll.ts';
import { atMost, type Check, conclude, numberAfter } from './kit.ts';

const ROUNDS = numberAfter('--rounds', 3);
const ONLY = argument('--only')?.split(',');
const LEAST_SCORE = 95;
const ROWS = 10_000;
/** Three frames of sixty in a second: what is longer is seen. */
const MOST_FRAME_MS = 50;

interface Page {
  name: string;
  url: string;
  /** A text that is there when the page is. */
  ready: string;
  session: Session;
}

const postgres = await startExternalPostgres();
const at = await makeInstallation();
Object.assign(at.env, postgres.settings);
const run = await start(at, [process.execPath, 'server/dist/main.js']);
const browser = await launchChromium(await findChromium());
const checks: Check[] = [];
try {
  const { pages, requests } = await openPages();
  for (const page of pages.filter(({ name }) => isWanted(name))) {
    for (const profile of [TELEPHONE, DESK]) checks.push(await checkSpeed(browser, page, profile));
    checks.push(await checkAccessibility(browser, page));
  }
  if (isWanted('scrolling')) checks.push(...(await checkScrolling(browser, requests)));
} finally {
  await browser.close();
  await run.stop();
  at.remove();
  await postgres.remove();
}
conclude('console-speed', checks);

function isWanted(name: string): boolean {
  return ONLY?.includes(name) ?? true;
}

async function openPages(): Promise<{ pages: Page[]; requests: Page }> {
  const [name = '', value = ''] = (await signIn(at, (await readNote(at)).link)).split('=');
  const session: Session = { cookies: [{ name, value, url: at.consoleUrl }] };
  const headers = { cookie: `${name}=${value}` };
  const read = async (path: string) => (await fetch(`${at.consoleUrl}/api/${path}`, { headers })).json();
  const known = (await read('session')) as { organisations: { id: string }[] };
  const organisationId = known.organisations[0]?.id ?? '';
  const apps = (await read(`sandbox/organisations/${organisationId}/apps`)) as { data: { id: string }[] };
  const appId = apps.data[0]?.id ?? '';
  await postgres.query(requestsOf(fromId('app', appId), 9));
  await postgres.query(deliveriesOf(fromId('app', appId)));
  const organisation = `${at.consoleUrl}/sandbox/${organisationId}`;
  const page = (label: string, url: string, ready: string, of: Session = session): Page => ({
    ...{ name: label, url, ready },
    session: of,
  });
  const app = `${organisation}/apps/${appId}`;
  const requests = page('requests', `${app}/requests`, '/v1/servers');
  return {
    requests,
    pages: [
      page('sign-in', `${at.consoleUrl}/sign-in`, 'Password', { cookies: [] }),
      page('apps', `${organisation}/apps`, 'Demo app'),
      page('overview', `${app}/overview`, 'The last 24 hours'),
      requests,
      page('webhooks', `${app}/webhooks`, 'succeeded'),
      page('keys', `${app}/keys`, 'Demo key'),
    ],
  };
}

async function checkSpeed(of: Browser, page: Page, profile: Profile): Promise<Check> {
  const visits: Visit[] = [];
  for (let round = 0; round < ROUNDS; round++) visits.push(await measurePage(of, profile, page.session, page));
  const middle = (name: 'fcp' | 'lcp' | 'tbt' | 'cls'): number => median(visits.map((visit) => visit[name]));
  const measures = { fcp: middle('fcp'), lcp: middle('lcp'), tbt: middle('tbt'), cls: middle('cls') };
  const score = performanceOf(measures, profile.curves);
  const { fcp, lcp, tbt, cls } = measures;
  const parts = `FCP ${fcp.toFixed(0)} ms, LCP ${lcp.toFixed(0)} ms, TBT ${tbt.toFixed(0)} ms, CLS ${cls.toFixed(3)}`;
  progress(`${page.name}, ${profile.name}: ${score.toFixed(0)} (${parts}; LCP is of “${visits[0]?.what}”)`);
  return {
    name: `performance: ${page.name}, ${profile.name}`,
    ok: score >= LEAST_SCORE,
    figure: `${score.toFixed(0)} (at least ${LEAST_SCORE}): ${parts}`,
  };
}

async function checkAccessibility(of: Browser, { name, url, ready, session }: Page): Promise<Check> {
  const context = await of.newContext({ viewport: DESK.viewport });
  await context.addCookies(session.cookies);
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText(ready).first().waitFor();
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = (await page.evaluate(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id }) => id))',
  )) as string[]; // names of rules
  await context.close();
  return { name: `accessibility: ${name}`, ok: found.length === 0, figure: found.join(', ') || 'no violations' };
}

async function checkScrolling(of: Browser, { url, session }: Page): Promise<Check[]> {
  const context = await of.newContext({ viewport: DESK.viewport });
  await context.addCookies(session.cookies);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  // A time with an end: what comes meanwhile does not belong to it.
  await page.goto(`${url}?until=${new Date().toISOString()}`);
  await page.getByRole('table', { name: 'Requests' }).waitFor();
  const { frames, still, drawn } = await scrollThrough(page, ROWS);
  await context.close();
  const told = (of: readonly number[]): string =>
    [50, 95, 99, 100].map((part) => `${part} %: ${percentile(of, part).toFixed(0)} ms`).join(', ');
  progress(`frames while ${ROWS} rows scroll: ${told(frames)}; while nothing moves: ${told(still)}`);
  return [
    atMost(`a frame while ${ROWS} rows scroll (95 %)`, percentile(frames, 95), MOST_FRAME_MS, 'ms'),
    atMost('rows that are drawn of them', drawn, 100, 'rows'),
  ];
}
