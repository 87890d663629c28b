// The activity of a key in a real browser with the built server: a member opens it from the page of keys, restricts it to
// a time, and exports it. The notice of a leaked key leads to it.
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KeyActivity, keyActivityTable } from '../../sdk/src/management.ts';
import { fromId, msOfUuid } from '../../server/src/kit/crypto/ids.ts';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { ask, createTicket, send } from '../visitor.ts';
import { type AppWithEndpoint, type NewKey, startAppWithEndpoint } from './app-with-endpoint.ts';
import { inspect, launch } from './browser.ts';
import { overflowOf } from './page-checks.ts';

let instance: SlipwayInstance;
let browser: Browser;
let home: AppWithEndpoint;
let page: Page;
/** The address of the app in the Console. */
let base: string;
let bridge: NewKey;
let serverIds: string[];
const ticketIds: string[] = [];
/** When the newest request of the key arrived. */
let newestAt: string;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  browser = await launch();
  // Sandbox data changes by itself, but only the app creates tickets.
  home = await startAppWithEndpoint(instance, browser, { eventTypes: ['ticket.created'] });
  page = home.page;
  base = home.webhooksUrl.replace(/\/webhooks$/, '');
  bridge = await home.makeKey('Bridge');
  const other = await home.makeKey('Other');
  await callWithBridge();
  await ticketOn(serverIds[0], 'Of the other key', other.token);
  await until(async () => (await listOf(`/requests?keyId=${bridge.key.id}`)).length === 5);
  // Both endpoints of the app received the three tickets of the key and the one of the other key.
  await until(async () => (await listOf<{ status: string }>('/deliveries?status=succeeded')).length === 8);
});
afterAll(async () => {
  await browser?.close();
  home?.close();
  await instance?.remove();
});

/** Lists the servers, creates two tickets on the first server and one on the second, and fails once in between. */
async function callWithBridge(): Promise<void> {
  const headers = { authorization: `Bearer ${bridge.token}` };
  const { body } = await ask<{ data: { id: string }[] }>(`${instance.apiUrl}/v1/servers`, { headers });
  serverIds = body.data.map(({ id }) => id);
  await ticketOn(serverIds[0], 'The crane does not turn');
  await ticketOn(serverIds[0], 'The crane creaks');
  expect((await ask(`${instance.apiUrl}/v1/servers/srv_00000000000000000000000000`, { headers })).status).toBe(404);
  const newest = await ticketOn(serverIds[1], 'The gate is stuck');
  newestAt = new Date(msOfUuid(fromId('req', newest) ?? '')).toISOString();
}

/** Creates a ticket, and returns the identifier of the request. */
async function ticketOn(serverId = '', subject = '', token = bridge.token): Promise<string> {
  const answer = await createTicket(instance, token, { serverId, subject, idempotencyKey: subject });
  expect(answer.status).toBe(201);
  if (token === bridge.token) ticketIds.push(answer.body.id);
  return answer.headers.get('request-id') ?? '';
}

const listOf = async <Item>(path: string): Promise<Item[]> => (await home.read<{ data: Item[] }>(path)).data;
const dialog = (): Locator => page.getByRole('dialog', { name: 'Activity of “Bridge”' });
const summary = (part = dialog()): Locator => part.getByRole('status', { name: 'Summary' });
const summaryLine = (text: RegExp): Promise<void> => summary().getByText(text).waitFor();
const rowsOf = (table: string): Locator => dialog().getByRole('table', { name: table, exact: true }).getByRole('row');

/** Returns the name and the count of each row below the heads. */
async function entriesOf(table: string): Promise<string[][]> {
  const rows = await rowsOf(table).all();
  const cells = await Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allTextContents()));
  return cells.map((row) => row.slice(0, 2));
}

/** Inspects the dialog in both themes, and on a phone without horizontal overflow. */
async function look(name: string): Promise<void> {
  await inspect(page, name);
  await page.setViewportSize({ width: 390, height: 800 });
  await inspect(page, `phone-${name}`);
  const overflow = await dialog().evaluate((one) => one.scrollWidth - one.clientWidth);
  expect([name, await overflowOf(page), overflow]).toEqual([name, 0, 0]);
  await page.setViewportSize({ width: 1280, height: 800 });
}

const ALL = /^5 requests since .* caused 3 events about 3 objects\.$/;

test('the activity of a key names what was done with it, and nothing of another key', async () => {
  await page.goto(`${base}/keys`);
  const row = page.getByRole('row').filter({ hasText: 'Bridge' });
  await row.getByRole('link', { name: 'Activity: Bridge' }).filter({ visible: true }).click();
  await page.waitForURL(`${base}/keys?activity=${bridge.key.id}`);
  await summaryLine(ALL);
  await summaryLine(/^The oldest record is of .* Records do not show which objects a read returned\.$/);
  expect(await entriesOf('Operations')).toEqual([
    ['createTicket', '3'],
    ['getServer', '1'],
    ['listServers', '1'],
  ]);
  expect(await entriesOf('Servers')).toEqual([
    [serverIds[0], '2'],
    [serverIds[1], '1'],
    ['srv_00000000000000000000000000', '1'], // not the app's: its request was refused
  ]);
  expect(await entriesOf('Addresses')).toHaveLength(1);
  expect(await entriesOf('Events caused')).toEqual([['ticket.created', '3']]);
  expect((await entriesOf('Objects written')).toSorted()).toEqual(ticketIds.map((id) => [id, '1']).toSorted());
  const receivers = await entriesOf('Receivers of these events');
  expect(receivers).toHaveLength(2);
  expect(receivers).toContainEqual([home.hookUrl, '3']);
  expect(await rowsOf('Receivers of deliveries through the key').count()).toBe(0);
  const chart = dialog().getByRole('region', { name: 'Requests over time' });
  const bars = chart.getByRole('group', { name: 'Last 24 hours: 5 requests, 1 refused (4xx)' });
  await bars.waitFor();
  await look('key-activity');
  const bar = bars.getByRole('button', { name: /: [1-9]/ }).first();
  await bar.click();
  await page.waitForURL(new RegExp(`/requests\\?key=${bridge.key.id}&since=.*&until=`));
});

test('the activity since a time counts only later requests, and its link can be shared', async () => {
  await page.goto(`${base}/keys?activity=${bridge.key.id}&since=${newestAt}`);
  await summaryLine(/^1 request since .* caused 1 event about 1 object\.$/);
  expect(await entriesOf('Objects written')).toEqual([[ticketIds[2], '1']]);
  const since = dialog().getByLabel('Since, in your time zone');
  await since.fill('');
  await dialog().getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL(`${base}/keys?activity=${bridge.key.id}`);
  await summaryLine(ALL);
  await since.fill('2026-01-02T03:04:05');
  await dialog().getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL(/since=2026-01-0/);
  await summaryLine(/^5 requests since [12] Jan 2026, /);
  await dialog().getByRole('link', { name: '5 requests' }).click();
  await page.waitForURL(`${base}/requests?key=${bridge.key.id}`);
});

test('the exports of an activity have every entry', async () => {
  const textOf = async (name: string): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog().getByRole('button', { name, exact: true }).click(),
    ]);
    return readFile(await download.path(), 'utf8');
  };
  await page.goto(`${base}/keys?activity=${bridge.key.id}`);
  await summaryLine(ALL);
  const activity = JSON.parse(await textOf('Download JSON')) as KeyActivity;
  expect(activity).toMatchObject({ keyId: bridge.key.id, requests: 5, progress: 1, nextCursor: null });
  const objects = activity.entries.filter(({ kind }) => kind === 'object');
  expect(objects.map(({ name }) => name).toSorted()).toEqual(ticketIds.toSorted());
  expect(await textOf('Download CSV')).toBe(keyActivityTable(activity));
});

test('an activity in several parts shows its progress, and is exported only when it is complete', async () => {
  const cursors: (string | null)[] = [];
  await page.route('**/activity?*', async (route) => {
    const url = new URL(route.request().url());
    cursors.push(url.searchParams.get('cursor'));
    if (cursors.length === 1) {
      const response = await route.fetch();
      const json = { ...(await response.json()), progress: 0.4, nextCursor: 'AAAA', lostRecords: 7 };
      return route.fulfill({ response, json });
    }
    await summaryLine(/^40 % of the records are read\. .* For 7 requests of the app, the record was lost\.$/);
    expect(await dialog().getByRole('button', { name: 'Download JSON' }).isDisabled()).toBe(true);
    url.searchParams.delete('cursor');
    return route.continue({ url: url.href });
  });
  await page.goto(`${base}/keys?activity=${bridge.key.id}&since=2026-01-01T00:00:00.000Z`);
  // The same part twice: the dialog adds up the parts.
  await summaryLine(/^10 requests since .* caused 6 events about 3 objects\.$/);
  await dialog().getByRole('button', { name: 'Download JSON' }).and(page.locator(':enabled')).waitFor();
  expect(cursors).toEqual([null, 'AAAA']);
  await page.unroute('**/activity?*');
});

test('the activity of a key that the app does not have is not found', async () => {
  await page.goto(`${base}/keys?activity=key_01j9z3v8k6e5t8m2n4p6q8r0s7`);
  const unknown = page.getByRole('dialog', { name: 'Activity of a key' });
  await unknown.getByRole('alert').waitFor();
  await unknown.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.waitForURL(`${base}/keys`);
});

test('the revocation of a key and the notice of its leak lead to its activity', async () => {
  await page.goto(`${base}/keys`);
  const row = page.getByRole('row').filter({ hasText: 'Bridge' });
  await row.getByRole('button', { name: 'Revoke Bridge', exact: true }).filter({ visible: true }).click();
  await page.getByRole('link', { name: 'Show everything that was done with the key: Bridge' }).click();
  await summaryLine(ALL);
  const { status } = await send(`${instance.apiUrl}/v1/leaked-keys`, { key: bridge.token });
  expect(status).toBeLessThan(300);
  await page.goto(`${base.replace(/\/apps\/.*/, '')}/notices`);
  await page.getByRole('link', { name: 'Activity of the key' }).click();
  await page.waitForURL(`${base}/keys?activity=${bridge.key.id}`);
  await summaryLine(ALL);
  expect(home.complaints).toEqual([]);
});
