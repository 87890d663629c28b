// `npm run prove -- console-speed`: the Console's main pages, measured with Lighthouse's metrics in the browser.
// Performance must be at least 95 on its mobile profile (slow 4G, a processor four times slower) and on its desktop
// profile, without accessibility violations. Ten thousand rows, and a thousand cards on a phone, must scroll smoothly.
// `--rounds N` sets the visits per page, of which the median counts; `--only apps,scrolling` selects pages.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { argument, percentile, progress } from '../bench/kit.ts';
import { createBenchServer, readNote, signIn, start } from '../bench/server.ts';
import { fromId } from '../server/src/kit/crypto/ids.ts';
import { findChromium, launchChromium } from '../test/browser/chromium.ts';
import { deliveriesOf, requestsOf, serversOf } from '../test/day-of-traffic.ts';
import { startExternalPostgres } from '../test/external-postgres.ts';
import { atMost, type Check, conclude, numberAfter } from './kit.ts';
import { checkSpeed, type MeasuredPage } from './page-speed/check-speed.ts';
import { DESKTOP_PROFILE, MOBILE_PROFILE, type Profile, type Session } from './page-speed/measure.ts';
import { scrollThrough } from './page-speed/scroll.ts';

const ROUNDS = numberAfter('--rounds', 3);
const ONLY = argument('--only')?.split(',');
const ROWS = 10_000;
const CARDS = 1_000;
/** One of sixty frames per second. */
const FRAME_MS = 1_000 / 60;
/** Three frames: a longer one is visible. */
const MOST_FRAME_MS = 50;
/** One frame: the thread must not work longer than a frame. */
const MOST_WORK_MS = FRAME_MS;

const postgres = await startExternalPostgres();
const at = await createBenchServer();
Object.assign(at.env, postgres.settings);
const run = await start(at, [process.execPath, 'server/dist/main.js']);
const browser = await launchChromium(await findChromium());
const checks: Check[] = [];
try {
  const { pages, requests, installations } = await openPages();
  for (const page of pages.filter(({ name }) => isWanted(name))) {
    for (const profile of [MOBILE_PROFILE, DESKTOP_PROFILE])
      checks.push(await checkSpeed(browser, page, profile, ROUNDS));
    checks.push(await checkAccessibility(browser, page));
  }
  if (isWanted('scrolling')) checks.push(...(await checkScrolling(browser, requests, installations)));
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

async function openPages(): Promise<{ pages: MeasuredPage[]; requests: MeasuredPage; installations: MeasuredPage }> {
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
  await postgres.query(serversOf(fromId('app', appId), CARDS));
  const organisation = `${at.consoleUrl}/sandbox/${organisationId}`;
  const page = (label: string, url: string, ready: string, of: Session = session): MeasuredPage => ({
    ...{ name: label, url, ready },
    session: of,
  });
  const app = `${organisation}/apps/${appId}`;
  const requests = page('requests', `${app}/requests`, '/v1/servers');
  return {
    requests,
    installations: page('installations', `${app}/installations`, 'Server 7'),
    pages: [
      page('sign-in', `${at.consoleUrl}/sign-in`, 'Password', { cookies: [] }),
      page('apps', `${organisation}/apps`, 'Demo app'),
      page('overview', `${app}/overview`, 'The last 24 hours'),
      requests,
      page('webhooks', `${app}/webhooks`, 'succeeded'),
      page('keys', `${app}/keys`, 'Demo key'),
      page('reference', `${app}/reference`, 'List servers'),
    ],
  };
}

async function checkAccessibility(of: Browser, { name, url, ready, session }: MeasuredPage): Promise<Check> {
  const context = await of.newContext({ viewport: DESKTOP_PROFILE.viewport });
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

async function checkScrolling(of: Browser, requests: MeasuredPage, installations: MeasuredPage): Promise<Check[]> {
  // A time range with an end, so that new requests do not appear.
  const rows = { ...requests, url: `${requests.url}?until=${new Date().toISOString()}` };
  return [
    ...(await scroll(of, rows, {
      name: 'requests',
      rows: ROWS,
      selector: 'tbody tr',
      viewport: DESKTOP_PROFILE.viewport,
    })),
    ...(await scroll(of, installations, {
      ...{ name: 'cards of installations', rows: CARDS, selector: 'li[aria-posinset]' },
      viewport: MOBILE_PROFILE.viewport,
    })),
  ];
}

interface List {
  name: string;
  rows: number;
  selector: string;
  viewport: Profile['viewport'];
}

async function scroll(of: Browser, { url, ready, session }: MeasuredPage, list: List): Promise<Check[]> {
  const context = await of.newContext({ viewport: list.viewport });
  await context.addCookies(session.cookies);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(url);
  await page.getByText(ready).first().waitFor();
  const { frames, still, longest, workMs, drawn } = await scrollThrough(page, list.rows, list.selector);
  await context.close();
  const describe = (times: readonly number[]): string =>
    [50, 95, 99, 100].map((part) => `${part} %: ${percentile(times, part).toFixed(0)} ms`).join(', ');
  const dropped = frames.reduce((sum, ms) => sum + Math.max(0, Math.round(ms / FRAME_MS) - 1), 0);
  const what = `while ${list.rows} ${list.name} scroll`;
  progress(`frames ${what}: ${describe(frames)}; without a change: ${describe(still)}`);
  progress(`${what}: ${dropped} frames dropped, ${frames.length} shown`);
  progress(
    `the longest task ${what}: ${longest.ms.toFixed(0)} ms, of which ${longest.ownMs.toFixed(0)} on a processor`,
  );
  return [
    atMost(`a frame ${what} (95 %)`, percentile(frames, 95), MOST_FRAME_MS, 'ms'),
    atMost(`the longest task ${what}`, longest.ms, 2 * MOST_FRAME_MS, 'ms'),
    atMost(`work for a frame ${what}`, workMs, Math.round(MOST_WORK_MS), 'ms'),
    atMost(`rendered rows of ${list.rows} ${list.name}`, drawn, 100, 'rows'),
  ];
}
