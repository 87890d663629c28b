// The forecast of a change in a real browser with the built server: dialogs that take access away show how many recorded
// requests and deliveries the change would have stopped, and link the newest one.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { ask, createTicket } from '../visitor.ts';
import { type AppWithEndpoint, type NewKey, startAppWithEndpoint } from './app-with-endpoint.ts';
import { inspect, launch } from './browser.ts';
import { overflowOf, shownTime } from './page-checks.ts';

interface Server {
  id: string;
  name: string;
}

interface StoredPeriod {
  requests: { since: string };
  deliveries: { since: string };
}

let instance: SlipwayInstance;
let browser: Browser;
let home: AppWithEndpoint;
let page: Page;
/** The address of the app in the Console. */
let base: string;
let bridge: NewKey;
let first: Server;
let second: Server;
/** The deliveries of both endpoints, newest first. */
let deliveries: { id: string; endpointId: string }[];
const newest = { request: '', requestOnFirst: '' };
/** The times from which records are stored, as the Console shows them. */
const since = { requests: '', deliveries: '' };

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  browser = await launch();
  // Sandbox data changes by itself, but only the app creates tickets.
  home = await startAppWithEndpoint(instance, browser, { eventTypes: ['ticket.created'] });
  page = home.page;
  base = home.webhooksUrl.replace(/\/webhooks$/, '');
  bridge = await home.makeKey('Bridge');
  await home.makeKey('Idle');
  await callWithBridge();
  const change = { key: { keyId: bridge.key.id, state: 'revoked' } };
  const { requests, deliveries } = await home.post<StoredPeriod>('/access-forecasts', change);
  since.requests = await shownTime(page, requests.since);
  since.deliveries = await shownTime(page, deliveries.since);
});
afterAll(async () => {
  await browser?.close();
  home?.close();
  await instance?.remove();
});

/** Lists the servers, creates two tickets on the first server and one on the second, and fails once. */
async function callWithBridge(): Promise<void> {
  const headers = { authorization: `Bearer ${bridge.token}` };
  const { body } = await ask<{ data: [Server, Server] }>(`${instance.apiUrl}/v1/servers`, { headers }); // the demo has 20
  [first, second] = body.data;
  await ticketOn(first, 'The crane does not turn');
  newest.requestOnFirst = await ticketOn(first, 'The crane creaks');
  newest.request = await ticketOn(second, 'The gate is stuck');
  expect((await ask(`${instance.apiUrl}/v1/servers/srv_00000000000000000000000000`, { headers })).status).toBe(404);
  await until(async () => (await listOf(`/requests?keyId=${bridge.key.id}`)).length === 5);
  deliveries = await until(async () => {
    const found = await listOf<(typeof deliveries)[number]>('/deliveries');
    return found.length === 6 && found;
  });
}

async function ticketOn(server: Server, subject: string): Promise<string> {
  const ticket = { serverId: server.id, subject, idempotencyKey: subject };
  const { status, headers } = await createTicket(instance, bridge.token, ticket);
  expect(status).toBe(201);
  return headers.get('request-id') ?? '';
}

const listOf = async <Item>(path: string): Promise<Item[]> => (await home.read<{ data: Item[] }>(path)).data;
const dialog = () => page.getByRole('dialog');
const forecastIn = (part: Locator) => part.getByRole('status', { name: 'Forecast' });
const forecast = () => forecastIn(dialog());
const requestsLine = (text: string) =>
  forecast().getByText(`Since ${since.requests}, this change would have refused ${text}.`, { exact: true }).waitFor();
const deliveriesLine = (text: string, end = 'skipped') =>
  forecast().getByText(`Since ${since.deliveries}, this change would have ${end} ${text}.`, { exact: true }).waitFor();
/** The forecast of a change that can refuse no request. */
async function onlyDeliveriesIn(part: Locator, text: string): Promise<void> {
  const line = `Since ${since.deliveries}, this change would have skipped ${text}.`;
  await forecastIn(part).getByText(line, { exact: true }).waitFor();
  expect((await forecastIn(part).innerText()).trim()).toBe(line);
}

async function openRevocationOf(key: string): Promise<void> {
  await page.goto(`${base}/keys`);
  const row = page.getByRole('row').filter({ hasText: key });
  await row.getByRole('button', { name: `Revoke ${key}`, exact: true }).click();
  await dialog().getByText(`Revoke the sandbox key “${key}”?`).waitFor();
}

async function openRevocationOn(server: Server, grant: string): Promise<void> {
  await page.goto(`${base}/installations?server=${server.id}`);
  await page.getByRole('button', { name: `${grant} on ${server.name}: authorised` }).click();
  await page.getByRole('menuitem', { name: /^Revoke/ }).click();
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

test('the revocation of a key counts its successful requests and leads to the newest', async () => {
  await openRevocationOf('Bridge');
  await requestsLine('4 requests of 1 key (newest request)');
  await deliveriesLine('0 deliveries');
  await forecast()
    .getByText(/^The oldest record is of \d/)
    .waitFor();
  await look('forecast-key');
  await forecast().getByRole('link', { name: 'newest request' }).click();
  await page.waitForURL(`${base}/requests?request=${newest.request}`);
  const drawer = page.getByRole('dialog', { name: 'Request' });
  await drawer.getByRole('heading', { name: `POST /v1/servers/${second.id}/tickets` }).waitFor();
});

test('the revocation of a key that delivers counts the deliveries of its endpoints', async () => {
  await openRevocationOf('Demo key');
  await requestsLine('1 request of 1 key (newest request)');
  await deliveriesLine('6 deliveries (newest delivery)');
});

test('the forecast for a key without requests counts nothing and has no link', async () => {
  await openRevocationOf('Idle');
  await requestsLine('0 requests');
  await deliveriesLine('0 deliveries');
  expect(await forecast().getByRole('link').count()).toBe(0);
  await look('forecast-none');
});

test('the revocation of an installation counts only the requests and deliveries of its server', async () => {
  await openRevocationOn(first, 'Whole installation');
  await requestsLine('2 requests of 1 key (newest request)');
  await deliveriesLine('4 deliveries (newest delivery)');
  await forecast()
    .getByText(/^2 lists would have left out a server\./)
    .waitFor();
  await look('forecast-grant');
  await forecast().getByRole('link', { name: 'newest delivery' }).click();
  // The two newest deliveries belong to the ticket on the second server.
  await page.waitForURL(`${base}/webhooks?delivery=${deliveries[2]?.id}`);
});

test('the revocation of one scope counts only the requests that need it', async () => {
  await openRevocationOn(second, 'servers:read');
  await requestsLine('0 requests');
  await deliveriesLine('0 deliveries');
  await forecast()
    .getByText(/^2 lists would have left out a server\./)
    .waitFor();
  await openRevocationOn(first, 'tickets:create');
  await requestsLine('2 requests of 1 key (newest request)');
  await deliveriesLine('4 deliveries (newest delivery)');
  await forecast().getByRole('link', { name: 'newest request' }).click();
  await page.waitForURL(`${base}/requests?request=${newest.requestOnFirst}`);
});

test('the pause of one grant asks first, with the requests and deliveries that it would have stopped', async () => {
  await page.goto(`${base}/installations?server=${first.id}`);
  await page.getByRole('button', { name: `tickets:create on ${first.name}: authorised` }).click();
  await page.getByRole('menuitem', { name: /^Pause/ }).click();
  await dialog().getByText(`Pause tickets:create on “${first.name}” in the sandbox?`).waitFor();
  await requestsLine('2 requests of 1 key (newest request)');
  await deliveriesLine('4 deliveries (newest delivery)', 'held');
  await look('forecast-pause');
  await dialog().getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: `tickets:create on ${first.name}: authorised` }).waitFor();
});

test('a rotation counts the requests of the old key only if it ends immediately, and no delivery', async () => {
  await page.goto(`${base}/keys`);
  await page.getByRole('button', { name: 'Rotate Demo key', exact: true }).click();
  await dialog().getByText('This creates a successor', { exact: false }).waitFor();
  expect(await forecast().count()).toBe(0);
  await dialog()
    .getByRole('combobox', { name: / works$/ })
    .click();
  await page.getByRole('option', { name: 'no longer: it is revoked immediately' }).click();
  await requestsLine('1 request of 1 key (newest request)');
  expect(
    await forecast()
      .getByText(/deliver/)
      .count(),
  ).toBe(0);
  await look('forecast-rotation');
});

test('a pause of every server counts the requests and deliveries of the servers that would change', async () => {
  await page.goto(`${base}/installations`);
  await page.getByRole('button', { name: 'Change every server' }).click();
  await requestsLine('3 requests of 1 key (newest request)');
  await deliveriesLine('6 deliveries (newest delivery)', 'held');
  await dialog().getByRole('combobox', { name: 'becomes' }).click();
  await page.getByRole('option', { name: 'authorised' }).click();
  await forecast().waitFor({ state: 'detached' });
});

test('disabling an endpoint counts its deliveries, and a narrower filter those that it withholds', async () => {
  await page.goto(`${home.webhooksUrl}/endpoints/${home.endpointId}`);
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await onlyDeliveriesIn(dialog(), '3 deliveries (newest delivery)');
  await look('forecast-endpoint');
  await dialog().getByRole('button', { name: 'Keep it' }).click();
  await dialog().waitFor({ state: 'detached' });

  await page.getByRole('tab', { name: 'Settings' }).click();
  const settings = page.getByRole('region', { name: 'Settings', exact: true });
  expect(await forecastIn(settings).count()).toBe(0);
  await settings.getByLabel('Field', { exact: true }).fill('/data/subject');
  await settings.getByLabel('Comparison').selectOption('prefix');
  await settings.getByLabel('Value', { exact: true }).fill('The crane');
  await settings.getByRole('button', { name: 'Add condition' }).click();
  await onlyDeliveriesIn(settings, '1 delivery (newest delivery)');
  await inspect(page, 'forecast-filter');
  await forecastIn(settings).getByRole('link', { name: 'newest delivery' }).click();
  const [withheld] = deliveries.filter(({ endpointId }) => endpointId === home.endpointId);
  await page.waitForURL(`${home.webhooksUrl}?delivery=${withheld?.id}`);
});

test('a forecast in several parts shows its progress until it is complete', async () => {
  const cursors: unknown[] = [];
  await page.route('**/access-forecasts', async (route) => {
    const { cursor, ...change } = route.request().postDataJSON();
    cursors.push(cursor);
    if (cursor === undefined) {
      const response = await route.fetch();
      const json = { ...(await response.json()), progress: 0.4, nextCursor: 'AAAA', lostRecords: 7 };
      return route.fulfill({ response, json });
    }
    await forecast()
      .getByText(/^40 % of the records are read\. .*For 7 requests, the record was lost\./)
      .waitFor();
    return route.continue({ postData: JSON.stringify(change) });
  });
  await openRevocationOf('Bridge');
  await forecast()
    .getByText(/^The oldest record is of/)
    .waitFor();
  await requestsLine('4 requests of 1 key (newest request)');
  expect(cursors).toEqual([undefined, 'AAAA']);
  await page.unroute('**/access-forecasts');
});

test('a forecast names one time from which requests are stored, and another for deliveries', async () => {
  const times = { requests: '2026-10-20T08:30:00.000Z', deliveries: '2026-10-12T09:40:00.000Z' };
  await page.route('**/access-forecasts', async (route) => {
    const response = await route.fetch();
    const { requests, deliveries: stopped, ...rest } = await response.json();
    const json = {
      ...rest,
      requests: { ...requests, since: times.requests },
      deliveries: { ...stopped, since: times.deliveries },
    };
    return route.fulfill({ response, json });
  });
  await openRevocationOf('Idle');
  const ofRequests = `Since ${await shownTime(page, times.requests)}, this change would have refused 0 requests.`;
  await forecast().getByText(ofRequests, { exact: true }).waitFor();
  const ofDeliveries = `Since ${await shownTime(page, times.deliveries)}, this change would have skipped 0 deliveries.`;
  await forecast().getByText(ofDeliveries, { exact: true }).waitFor();
  await page.unroute('**/access-forecasts');
});

test('a failed forecast is reported and does not prevent the change', async () => {
  await page.route('**/access-forecasts', (route) => route.abort());
  await openRevocationOf('Idle');
  await forecast()
    .getByText(/^The forecast failed\. /)
    .waitFor();
  await look('forecast-failed');
  await dialog().getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('“Idle” is revoked').waitFor();
  expect(home.complaints).toEqual([]);
});
