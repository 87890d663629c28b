// Features of many pages in a real browser: charts as text, drawing and table, and the API reads of a page as code.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snippetsOf } from '../../console/src/shell/page-api/snippets.ts';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { idAt, msAgo, serversOf } from '../day-of-traffic.ts';
import { ask } from '../visitor.ts';
import { type AppWithTraffic, startAppWithTraffic } from './app-with-traffic.ts';
import { inspect } from './browser.ts';
import { COLOUR_VISIONS, measureFrame } from './colour-vision.ts';
import { loadMore } from './load-more.ts';
import { REFUSING_TOKENS, readsOfPages, runSnippets } from './run-snippets.ts';

let stocked: AppWithTraffic;
let page: Page;
let base: string;
let endpointUrl: string;

beforeAll(async () => {
  stocked = await startAppWithTraffic();
  ({ page, base } = stocked);
});
afterAll(() => stocked?.close());

const charts = (name: string) => page.getByRole('region', { name, exact: true });

test('the overview shows the last day, and a bar of its chart leads to its requests', async () => {
  await page.goto(`${base}/overview`);
  const bars = charts('Requests over time').getByRole('group', {
    name: 'Last 24 hours: 1,200 requests, 96 refused (4xx), 24 failed (5xx)',
  });
  await bars.waitFor();
  const drawn = charts('Requests over time').getByRole('img', { name: /^Duration of requests, up to \d/ });
  expect(await drawn.locator('path').count()).toBe(3);
  expect(await page.getByRole('table', { name: 'Keys nearing expiry' }).getByRole('row').count()).toBe(1);
  await inspect(page, 'charts-overview');
  await bars
    .getByRole('button', { name: /: [1-9]/ })
    .first()
    .click();
  await page.waitForURL(/\/requests\?since=.*until=/);
});

test('the navigation of an app can be collapsed to its icons, and this browser remembers it', async () => {
  await page.goto(`${base}/keys`);
  const links = page.getByRole('navigation', { name: 'Sections of the app' });
  const keys = links.getByRole('link', { name: 'Keys', exact: true });
  const widthOf = async (): Promise<number> => (await keys.boundingBox())?.width ?? 0;
  await keys.waitFor();
  expect(await links.getByRole('list', { name: 'Observe' }).getByRole('link').allTextContents()).toEqual([
    'Requests',
    'Events',
    'Webhooks',
  ]);
  expect([await keys.getAttribute('aria-current'), await widthOf()]).toEqual(['page', 188]);
  await page.getByRole('button', { name: 'Collapse the sidebar' }).click();
  expect(await widthOf()).toBe(38);
  await inspect(page, 'navigation-collapsed');
  await page.reload();
  await keys.waitFor();
  expect(await widthOf()).toBe(38);
  await links.getByRole('link', { name: 'Webhooks' }).hover();
  await page.getByRole('tooltip', { name: 'Webhooks' }).waitFor();
  await page.getByRole('button', { name: 'Expand the sidebar' }).click();
  expect(await widthOf()).toBe(188);
});

test('the navigation leads to the drill of each endpoint', async () => {
  await page.goto(`${base}/keys`);
  const test = page.getByRole('navigation', { name: 'Sections of the app' }).getByRole('list', { name: 'Test' });
  await test.getByRole('link', { name: 'Drills' }).waitFor();
  expect(await test.getByRole('link').allTextContents()).toEqual(['Simulation', 'Drills']);
  await test.getByRole('link', { name: 'Drills' }).click();
  const endpoints = page.getByRole('table', { name: 'Endpoints' });
  await endpoints.waitFor();
  await inspect(page, 'drills');
  await endpoints.getByRole('link').first().click();
  await page.waitForURL(/\/endpoints\/whe_\w+\/drill$/);
  await page.getByRole('heading', { name: 'Receiver drill' }).first().waitFor();
});

test('the list of each page begins in the upper half of a screen of 900 px', async () => {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 1280, height: 900 });
  const lists = {
    keys: 'Keys',
    installations: 'Servers and scopes',
    data: 'Servers',
    requests: 'Requests',
    events: 'Events',
    webhooks: 'Endpoints',
    drills: 'Endpoints',
  };
  const low: string[] = [];
  for (const [path, name] of Object.entries(lists)) {
    await page.goto(`${base}/${path}`);
    const table = page.getByRole('table', { name, exact: true });
    await table.waitFor();
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    const top = Math.round((await table.boundingBox())?.y ?? 900);
    if (top >= 450) low.push(`${path}: ${top} px`);
  }
  expect(low).toEqual([]);
  await page.setViewportSize({ width, height });
});

test('on a phone, the drawer has the sections of the app', async () => {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${base}/keys`);
  expect(await page.getByRole('navigation', { name: 'Sections of the app' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Navigation' }).click();
  const drawer = page.getByRole('dialog', { name: 'Navigation' });
  const guide = drawer.getByRole('link', { name: 'Guide: Authentication' });
  expect(await guide.getAttribute('href')).toBe('/docs/build/authentication/');
  await inspect(page, 'navigation-drawer');
  await drawer.getByRole('link', { name: 'Webhooks' }).click();
  await page.waitForURL(`${base}/webhooks`);
  await drawer.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width, height });
});

test('charts can be read as a table, and by keyboard part by part', async () => {
  await page.goto(`${base}/requests?status=4`);
  const region = charts('Requests over time');
  const bars = region.getByRole('group');
  await bars.getByRole('button').last().focus();
  for (let steps = 0; steps < 8; steps += 1) await page.keyboard.press('ArrowLeft');
  // Both charts announce the same part.
  const [count, durations] = await region.getByText(/ to \d\d:\d\d: /).allTextContents();
  expect(count).toMatch(/: [23] requests, [23] refused \(4xx\)$/);
  expect(durations).toMatch(/: p50 [\d.]+ ms, p95 [\d.]+ ms, p99 [\d.]+ ms$/);
  expect(durations?.split(': ')[0]).toBe(count?.split(': ')[0]);
  await region.getByRole('button', { name: 'As a table' }).click();
  const table = region.getByRole('table', { name: 'Requests over time' });
  await table.waitFor();
  const cells = await table
    .getByRole('row')
    .filter({ hasText: count?.split(': ')[0] ?? 'nothing' })
    .getByRole('cell')
    .allTextContents();
  expect([cells[0], cells.length]).toEqual([count?.match(/: (\d)/)?.[1], 7]);
  expect(durations).toContain(cells[4]);
  await inspect(page, 'charts-table');
});

test('requests without a response are shown apart from the others, and the time axis ends now', async () => {
  await stocked.query(`
    insert into request_records (app_id, request_id, at, duration_us, authority_us, status, simulated, method, path, response_bytes)
    select app_id, ${idAt(msAgo('1'), '9')}, now(), 900, 100, null, 'reset', 'GET', '/v1/me', 0 from apps`);
  await page.goto(`${base}/requests?last=15m`);
  const region = charts('Requests over time');
  const bars = region.getByRole('group', { name: /^Last 15 minutes: .*, 1 not answered$/ });
  await bars.waitFor();
  await region.getByText('not answered', { exact: true }).waitFor();
  const last = (await bars.getByRole('button').last().getAttribute('aria-label')) ?? '';
  const [, ...end] = / to (\d+):(\d+):(\d+)/.exec(last) ?? [];
  const seconds = end.reduce((sum, part) => sum * 60 + Number(part), 0);
  const now = await page.evaluate(() => (Date.now() / 1000 - new Date().getTimezoneOffset() * 60) % 86_400);
  expect(seconds - now).toBeLessThan(1);
  await inspect(page, 'charts-unanswered');
});

test('an endpoint’s page shows the outcomes of its attempts, for a day or a week', async () => {
  await page.goto(`${base}/webhooks`);
  await page.getByRole('table', { name: 'Endpoints' }).getByRole('link').first().click();
  const region = charts('Attempts over time');
  await region.getByRole('group', { name: 'Last 24 hours: 79 % of 200 attempts succeeded' }).waitFor();
  await region.getByRole('button', { name: 'As a table' }).click();
  await region.getByRole('table').waitFor();
  const rates = await region.getByRole('cell').filter({ hasText: '%' }).allTextContents();
  expect(rates).toContain('0 %');
  expect(rates).toContain('100 %');
  await region.getByRole('button', { name: 'As a chart' }).click();
  await page.getByText('Last 7 days').click();
  await page.waitForURL(/\?charts=7d$/);
  await region.getByRole('group', { name: 'Last 7 days: 79 % of 200 attempts succeeded' }).waitFor();
  endpointUrl = page.url();
});

test('a long list draws only rows near the screen, and announces its full length', async () => {
  await page.goto(`${base}/requests?live=false&until=${new Date().toISOString()}`);
  const table = page.getByRole('table', { name: 'Requests' });
  await table.waitFor();
  await loadMore(page, 1_200);
  const count = Number(await table.getAttribute('aria-rowcount'));
  expect(await table.getByRole('row').count()).toBeLessThan(80);
  const last = table.getByRole('row').and(page.locator(`[aria-rowindex="${count}"]`));
  expect(await last.count()).toBe(0);
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight }));
  await last.getByText('20 hours ago').waitFor();
  expect(await table.getByRole('row').count()).toBeLessThan(80);
  // A row in the middle keeps its position while a dialog opens and closes.
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight / 2 }));
  const near = table.getByRole('row').and(page.locator(`[aria-rowindex="${Math.round(count / 2)}"]`));
  await near.waitFor();
  const before = (await near.boundingBox())?.y;
  await near.getByRole('link').click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await near.boundingBox())?.y).toBe(before);
});

test('the commands and programs of each page read its data with an access token', async () => {
  const { organisationId, instance } = stocked;
  const site = `${instance.consoleUrl}/api`;
  const { reads, token } = await readsOfPages(stocked);
  const texts = reads.flatMap((one) => snippetsOf(one, instance.consoleUrl) ?? []);
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter(({ curl, sdk }) => (curl + sdk).includes('slp_'))).toEqual([]);
  const { answers, leftBehind } = await runSnippets(texts, token);
  expect(answers).toEqual([...texts.map(() => 'HTTP/1.1 200 OK'), ...texts.map(() => 'object')]);
  expect(leftBehind).toBe(false);

  // Operations that are declared to refuse tokens must refuse them.
  const refusing = reads.filter((one) => !snippetsOf(one, instance.consoleUrl)).map((one) => one.operation);
  expect(refusing.sort()).toEqual(REFUSING_TOKENS);
  for (const path of ['session', 'sessions', 'operator/organisations', `organisations/${organisationId}/deletion`]) {
    const { status } = await ask(`${site}/${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect([path, status === 401 || status === 403]).toEqual([path, true]);
  }
});

test('a page offers its API reads as code, and says where a token is not sufficient', async () => {
  await page.goto(`${base}/keys`);
  await page.getByRole('button', { name: 'Get this by API' }).click();
  const dialog = page.getByRole('dialog', { name: 'Get this by API' });
  await dialog.getByText(`'${stocked.instance.consoleUrl}/api/sandbox/organisations/`).waitFor();
  await dialog.getByRole('tab', { name: 'SDK' }).click();
  await dialog.getByText('await management.listKeys({').waitFor();
  await inspect(page, 'page-api');
  await page.keyboard.press('Escape');
  await page.goto(`${stocked.instance.consoleUrl}/account`);
  await page.getByRole('button', { name: 'Get this by API' }).click();
  await dialog.getByText('This read accepts no access token').first().waitFor();
});

test('sandbox and production differ by pattern, brightness, icon and words for every kind of colour vision', async () => {
  const paper = await page.context().newPage();
  for (const theme of ['light', 'dark']) {
    const sandbox = await measureFrame(page, paper, base, theme);
    const production = await measureFrame(page, paper, `${stocked.instance.consoleUrl}/production/apps`, theme);
    expect([sandbox.words, production.words]).toEqual([
      'Sandbox — synthetic data, no real effects',
      'Production — real data, real effects',
    ]);
    expect(sandbox.icon).not.toBe(production.icon);
    for (const [at, sight] of COLOUR_VISIONS.entries()) {
      const [one, other] = [sandbox.seen[at], production.seen[at]];
      const label = `${theme}, ${sight}: ${one?.deviation} ${other?.deviation}`;
      expect([label, (one?.deviation ?? 0) > 6, (other?.deviation ?? 99) < 1]).toEqual([label, true, true]);
      expect(Math.abs((one?.mean ?? 0) - (other?.mean ?? 0))).toBeGreaterThan(60);
    }
  }
  await page.getByText('This Slipway does not serve production yet').waitFor();
  await page.getByRole('button', { name: 'Environment: Production' }).waitFor();
  await inspect(page, 'production');
  await paper.close();
});

test('a page shows its prerendered content in the chosen theme until its code has loaded, and accepts no input', async () => {
  const early = await page.context().newPage();
  await early.route(/\/assets\/index-.*\.js$/, (route) => route.abort());
  await early.emulateMedia({ colorScheme: 'dark' });
  await early.goto(`${base}/keys`);
  await early.getByText('Bearer credentials for your servers').waitFor();
  expect(await early.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(16, 21, 27)');
  expect(await early.getByRole('link').count()).toBe(0);
  // This browser prefers reduced motion.
  expect(await early.evaluate(() => document.getAnimations().length)).toBe(0);
  await early.keyboard.press('Tab');
  expect(await early.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  // Only the browser knows the fragment of the address, on which the content may depend.
  await early.goto(`${stocked.instance.consoleUrl}/sign-in#link=whatever`);
  expect(await early.getByText('Forgot your password?').isVisible()).toBe(false);
  await early.goto(`${stocked.instance.consoleUrl}/sign-in`);
  expect(await early.getByText('Forgot your password?').isVisible()).toBe(true);
  await early.close();
});

test('a table folds its hidden columns into the main column on a phone', async () => {
  await page.goto(`${base}/keys`);
  const table = page.getByRole('table', { name: 'Keys' });
  await table.waitFor();
  const heads = async () => Promise.all((await table.getByRole('columnheader').all()).map((one) => one.textContent()));
  const cell = table.getByRole('row').nth(1).getByRole('cell').first();
  const state = cell.getByText(/^(active|expired|revoked)$/);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  try {
    await page.setViewportSize({ width: 390, height });
    await state.waitFor();
    expect(await heads()).toEqual(['Key']);
    expect(await table.getByRole('row').nth(1).getByRole('cell').count()).toBe(1);
    await page.setViewportSize({ width: 1440, height });
    await state.waitFor({ state: 'hidden' });
    expect(await heads()).toEqual(['Key', 'Scopes', 'Generated', 'Last used', 'State', 'Actions']);
  } finally {
    await page.setViewportSize({ width, height });
  }
});

test('a time shows its exact value to a pointer, and a copy button shows its purpose on keyboard focus', async () => {
  await page.goto(`${base}/keys`);
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row').nth(1);
  await row.locator('time').filter({ visible: true }).first().hover();
  const tip = page.getByRole('tooltip');
  expect(await tip.textContent()).toMatch(/^\d+ \w+ 20\d\d, \d\d:\d\d:\d\d UTC$/);
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'detached' });
  const copy = page.getByRole('button', { name: 'Copy app id' });
  await page.getByRole('link', { name: 'Apps', exact: true }).focus();
  await page.keyboard.press('Tab');
  expect(await copy.evaluate((one) => one === document.activeElement)).toBe(true);
  const described = page.locator(`[id="${await copy.getAttribute('aria-describedby')}"]`);
  expect([await tip.textContent(), await described.textContent()]).toEqual(['Copy app id', 'Copy app id']);
  await page.keyboard.press('Tab');
  await tip.waitFor({ state: 'detached' });
});

test('a phone draws only the cards near the screen of hundreds of servers, and states their number', async () => {
  await stocked.query(serversOf(fromId('app', stocked.appId), 400));
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${base}/installations`);
  const cards = page.getByRole('list', { name: 'Servers' }).getByRole('listitem');
  await cards.first().waitFor();
  await loadMore(page, 400);
  const count = Number(await cards.first().getAttribute('aria-setsize'));
  await expect.poll(() => cards.count()).toBeLessThan(60);
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight }));
  const last = page.locator(`li[aria-posinset="${count}"]`);
  await last.getByRole('button').click();
  await last.getByRole('button', { name: /^roadmap:read on / }).waitFor();
  await inspect(page, 'phone-installations-many');
});

test('a filter offers every server of hundreds when its list opens', async () => {
  await page.goto(`${base}/events`);
  await page.getByRole('combobox', { name: 'Server' }).click();
  const servers = page.getByRole('listbox').getByRole('option');
  await servers.nth(400).waitFor({ state: 'attached' });
  const last = servers.last();
  const name = (await last.textContent()) ?? '';
  await last.click();
  await page.waitForURL(/[?&]server=srv_/);
  expect(await page.getByRole('combobox', { name: 'Server' }).inputValue()).toBe(name);
});

test('the pages fit on a phone, without errors or external requests', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  for (const [name, url] of Object.entries({ endpoint: endpointUrl, overview: `${base}/overview` })) {
    await page.goto(url);
    await page.getByRole('region', { name: / over time$/ }).waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([name, overflow]).toEqual([name, 0]);
    await inspect(page, `phone-charts-${name}`);
  }
  expect(stocked.complaints).toEqual([]);
});
