// Charts in a real browser: what they say in words, as drawings and as tables, and where they lead. On a Postgres that the tests reach too.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromId } from '../../server/src/kit/ids.ts';
import { type ExternalPostgres, startExternalPostgres } from '../external-postgres.ts';
import { makePlace, type Place } from '../slipway.ts';
import { readNote } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';

let postgres: ExternalPostgres;
let place: Place;
let browser: Browser;
let visitor: Visit;
let page: Page;
/** The address of the demo's app. */
let base: string;

beforeAll(async () => {
  [postgres, place] = await Promise.all([startExternalPostgres(), makePlace()]);
  await place.start(postgres.settings).ready;
  browser = await launch();
  visitor = await visit(browser);
  page = visitor.page;
  await page.goto(`${place.consoleUrl}/sign-in#link=${readNote(place).link}`);
  await button('Sign in as the owner').click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await button('Set the password').click();
  await page.getByRole('link', { name: 'Demo app' }).click();
  await page.waitForURL(/\/apps\/app_\w+\/overview$/);
  base = page.url().replace(/\/overview$/, '');
  const appId = fromId('app', /app_\w+/.exec(base)?.[0] ?? '');
  await postgres.query(REQUESTS(appId));
  await postgres.query(DELIVERIES(appId));
});
afterAll(async () => {
  await browser?.close();
  await place?.remove();
  await postgres?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });

const idAt = (ms: string, i: string): string =>
  `(lpad(to_hex(${ms}), 12, '0') || '70008000' || lpad(to_hex(${i}), 12, '0'))::uuid`;
const msAgo = (minutes: string): string => `(extract(epoch from now()) * 1000)::bigint - (${minutes}) * 60000`;

/** 1200 calls of the last twenty hours, of which one in ten was refused, one in fifty failed, and the last hours took longer. */
const REQUESTS = (appId: string | undefined): string => `
  insert into request_records (app_id, request_id, at, duration_us, authority_us, status, method, path, response_bytes)
  select '${appId}', ${idAt('ms', 'i')}, to_timestamp(ms / 1000.0),
    (1500 + 400 * (i % 7)) * case when i < 300 then 12 else 1 end * case when i % 33 = 0 then 9 else 1 end, 100,
    case when i % 50 = 0 then 500 when i % 10 = 0 then 404 else 200 end, 'GET', '/v1/servers', 12
  from generate_series(5, 1204) i, lateral (select ${msAgo('i')} as ms)`;

/** 200 deliveries of the last ten hours to the demo's endpoint; for two hours nothing succeeded. */
const DELIVERIES = (appId: string | undefined): string => `
  with made as (
    insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, trigger, status, created_at, finished_at)
    select e.app_id, ${idAt('ms', 'i')}, e.endpoint_id, gen_random_uuid(), e.key_id, 'scheduled',
      case when i between 60 and 100 then 'failed' else 'succeeded' end, to_timestamp(ms / 1000.0), now()
    from generate_series(1, 200) i, lateral (select ${msAgo('i * 3')} as ms), endpoints e
    where e.app_id = '${appId}'
    returning *)
  insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status)
  select app_id, delivery_id, 1, created_at, 1000, 'response', case status when 'failed' then 500 else 204 end from made`;

const charts = (name: string) => page.getByRole('region', { name, exact: true });

test('the overview shows the last day, and a bar of it leads to its requests', async () => {
  await page.goto(`${base}/overview`);
  const bars = charts('Requests over time').getByRole('group', {
    name: 'Last 24 hours: 1,200 requests, 96 refused (4xx), 24 failed (5xx)',
  });
  await bars.waitFor();
  const drawn = charts('Requests over time').getByRole('img', { name: /^How long requests took, up to \d/ });
  expect(await drawn.locator('path').count()).toBe(3);
  expect(await page.getByRole('table', { name: 'Keys nearing expiry' }).getByRole('row').count()).toBe(1);
  await inspect(page, 'charts-overview');
  await bars
    .getByRole('button', { name: /: [1-9]/ })
    .first()
    .click();
  await page.waitForURL(/\/requests\?since=.*until=/);
});

test('whoever does not see the charts reads them as a table, and with the keyboard part by part', async () => {
  await page.goto(`${base}/requests?status=4`);
  const region = charts('Requests over time');
  const bars = region.getByRole('group');
  await bars.getByRole('button').last().focus();
  for (let steps = 0; steps < 8; steps += 1) await page.keyboard.press('ArrowLeft');
  // Both say the same part.
  const [count, durations] = await region.getByText(/ to \d\d:\d\d: /).allTextContents();
  expect(count).toMatch(/: [23] requests, [23] refused \(4xx\)$/);
  expect(durations).toMatch(/: half within [\d.]+ ms, 95 % within [\d.]+ ms, 99 % within [\d.]+ ms$/);
  expect(durations?.split(': ')[0]).toBe(count?.split(': ')[0]);
  await region.getByRole('button', { name: 'As a table' }).click();
  const table = region.getByRole('table', { name: 'Requests over time' });
  const told = await table
    .getByRole('row')
    .filter({ hasText: count?.split(': ')[0] ?? 'nothing' })
    .getByRole('cell')
    .allTextContents();
  expect([told[0], told.length]).toEqual([count?.match(/: (\d)/)?.[1], 7]);
  expect(durations).toContain(told[4]);
  await inspect(page, 'charts-table');
});

test('what had no answer is apart from what was answered, and the time ends now', async () => {
  await postgres.query(`
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

test('an endpoint’s page shows how its attempts went, of a day or of a week', async () => {
  await page.goto(`${base}/webhooks`);
  await page
    .getByRole('link', { name: /^Open http/ })
    .first()
    .click();
  const region = charts('Attempts over time');
  await region.getByRole('group', { name: 'Last 24 hours: 79 % of 200 attempts succeeded' }).waitFor();
  await region.getByRole('button', { name: 'As a table' }).click();
  const rates = await region.getByRole('cell').filter({ hasText: '%' }).allTextContents();
  expect(rates).toContain('0 %');
  expect(rates).toContain('100 %');
  await region.getByRole('button', { name: 'As a chart' }).click();
  await page.getByText('Last 7 days').click();
  await page.waitForURL(/\?last=7d$/);
  await region.getByRole('group', { name: 'Last 7 days: 79 % of 200 attempts succeeded' }).waitFor();
});

test('on a phone they fit, and nothing broke or asked for anything outside', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  for (const [name, url] of Object.entries({ endpoint: page.url(), overview: `${base}/overview` })) {
    await page.goto(url);
    await page.getByRole('region', { name: / over time$/ }).waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([name, overflow]).toEqual([name, 0]);
    await inspect(page, `phone-charts-${name}`);
  }
  expect(visitor.complaints).toEqual([]);
});
