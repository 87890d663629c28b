// Keys and endpoints behind the first page of their list, in a real browser: selections, searches and dialogs never
// state or omit something only because an older entry is not loaded.
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { createTicket, firstServerId } from '../visitor.ts';
import { type AppWithEndpoint, type NewKey, startAppWithEndpoint } from './app-with-endpoint.ts';
import { launch } from './browser.ts';
import { holdRequests } from './held-requests.ts';

let instance: SlipwayInstance;
let browser: Browser;
let hooked: AppWithEndpoint;
let page: Page;
/** The address of the app in the Console. */
let base: string;
/** Older than a hundred other keys, too. */
let narrow: NewKey;
/** The demo's key, which is older than a hundred other keys. */
let demoKeyId: string;

const FIRST_KEYS = /\/keys\?limit=100$/;
const LATER_KEYS = /\/keys\?.*cursor=/;
const FIRST_ENDPOINTS = /\/endpoints\?limit=100$/;
const LATER_ENDPOINTS = /\/endpoints\?.*cursor=/;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  browser = await launch();
  hooked = await startAppWithEndpoint(instance, browser, { eventTypes: ['ticket.created'] });
  page = hooked.page;
  base = hooked.webhooksUrl.replace(/\/webhooks$/, '');
  const { keyIds } = await hooked.read<{ keyIds: string[] }>(`/endpoints/${hooked.endpointId}`);
  demoKeyId = keyIds[0] ?? '';
  narrow = await hooked.post<NewKey>('/keys', { name: 'Narrow bridge', scopes: ['servers:read'], expiresInDays: 7 });
  for (let made = 0; made < 100; made++) await hooked.makeKey(`Newer key ${made}`);
  await addEndpoint('/newest', [demoKeyId]);
  // An app has 20 endpoints unless the operator permits more, so the first page has one.
  await page.route(FIRST_ENDPOINTS, limitToOne);
});
afterAll(async () => {
  await browser?.close();
  hooked?.close();
  await instance?.remove();
});

const limitToOne = (route: Route): Promise<void> =>
  route.continue({ url: route.request().url().replace('limit=100', 'limit=1') });

/** Adds an endpoint and returns its address. */
async function addEndpoint(path: string, keyIds: string[]): Promise<string> {
  const input = { url: hooked.hookUrl + path, keyIds, eventTypes: ['ticket.created'] };
  const { endpoint } = await hooked.post<{ endpoint: { url: string } }>('/endpoints', input);
  return endpoint.url;
}

/** Returns the button that loads older keys or endpoints in a part of the page, when it is there. */
async function findLoadOlder(part: Locator, noun: 'keys' | 'endpoints'): Promise<Locator> {
  const older = part.getByRole('button', { name: `Load older ${noun}` });
  await older.waitFor();
  return older;
}

async function loadOlder(part: Locator, noun: 'keys' | 'endpoints'): Promise<void> {
  const older = await findLoadOlder(part, noun);
  await older.click();
  await older.waitFor({ state: 'detached' });
}

const form = () => page.getByRole('dialog', { name: /^Add an endpoint/ });
const replay = () => page.getByRole('form', { name: 'Replay' });
const dialog = () => page.getByRole('dialog');

async function openReplay(): Promise<void> {
  const { headers } = await hooked.ticket('Replayed with an older key');
  await page.goto(`${base}/requests?request=${headers.get('request-id')}`);
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
}

test('the form of an endpoint offers a key behind a hundred newer keys', async () => {
  await page.goto(`${hooked.webhooksUrl}#new`);
  const older = await findLoadOlder(form(), 'keys');
  expect(await form().getByText('No key of this app can deliver').count()).toBe(0);
  await older.click();
  await older.waitFor({ state: 'detached' });
  await form()
    .getByText(/^Demo key/)
    .first()
    .waitFor();
});

test('the settings of an endpoint name its key behind a hundred newer keys', async () => {
  await page.goto(`${hooked.webhooksUrl}/endpoints/${hooked.endpointId}?view=settings`);
  const settings = page.getByRole('region', { name: 'Settings', exact: true });
  await settings
    .getByText(/^Demo key \(/)
    .first()
    .waitFor();
});

test('the replay of a request selects its key behind a hundred newer keys', async () => {
  await openReplay();
  const key = replay().getByRole('combobox', { name: 'Key' });
  await until(async () => /^Demo key/.test(await key.inputValue()));
});

test('a replay selects no other key while the key of the request is read again after a failure', async () => {
  const stop = (route: Route): Promise<void> => route.abort();
  await page.route(LATER_KEYS, stop);
  const { headers } = await hooked.ticket('Replayed after a failure');
  await page.goto(`${base}/requests?request=${headers.get('request-id')}`);
  const open = page.getByRole('button', { name: 'Replay', exact: true });
  await until(() => open.isEnabled());
  await page.unroute(LATER_KEYS, stop);
  const later = await holdRequests(page, LATER_KEYS);
  await open.click();
  await until(() => later.hasAny());
  const key = replay().getByRole('combobox', { name: 'Key' });
  expect([await key.inputValue(), await key.getAttribute('placeholder')]).toEqual(['', 'Loading…']);
  expect(await replay().getByRole('button', { name: 'Replay in the sandbox' }).isDisabled()).toBe(true);
  const stored = replay().getByRole('checkbox', { name: 'Send the stored body' });
  await stored.uncheck();
  await later.release();
  await until(async () => /^Demo key/.test(await key.inputValue()));
  expect(await stored.isChecked()).toBe(false); // the form kept its state
});

test('a tried request selects the first key with the scope behind a hundred newer keys', async () => {
  const later = await holdRequests(page, LATER_KEYS);
  await page.goto(`${base}/reference/operations/listEvents`);
  const attempt = page.getByRole('form', { name: 'Try it' });
  await until(() => later.hasAny());
  // A newer key without the scope is not selected before the older keys are loaded.
  expect(await attempt.getByText('The key lacks events:read', { exact: false }).count()).toBe(0);
  expect(await attempt.getByRole('button', { name: 'Send in the sandbox' }).isDisabled()).toBe(true);
  await later.release();
  const key = attempt.getByRole('combobox', { name: 'Key' });
  await until(async () => /^Demo key/.test(await key.inputValue()));
});

test('the form of a redelivery offers endpoints behind the first page', async () => {
  await page.goto(`${hooked.webhooksUrl}/redeliveries`);
  const many = page.getByRole('region', { name: 'Redeliver many' });
  await loadOlder(many, 'endpoints');
  await many.getByRole('combobox', { name: 'Endpoint' }).click();
  await page.getByRole('option', { name: hooked.hookUrl, exact: true }).waitFor();
});

test('a redelivery names its endpoint behind the first page', async () => {
  const at = '2026-11-02T08:00:00.000Z';
  const filter = { since: at, until: null, statuses: ['failed'], endpointId: hooked.endpointId, eventType: null };
  const counts = { total: 1, done: 1, skipped: 0, isTotalExact: true, ratePerSecond: 10 };
  const ended = { state: 'finished', createdAt: at, createdBy: 'Imke', finishedAt: at, finishedBy: null };
  const job = { id: 'rdl_01j9z3v8k6e5t8m2n4p6q8r0s5', filter: { ...filter, reason: null }, ...counts, ...ended };
  const jobs = /\/redeliveries\?/;
  await page.route(jobs, (route) => route.fulfill({ json: { data: [job], nextCursor: null } }));
  await page.goto(`${hooked.webhooksUrl}/redeliveries`);
  const link = page.getByRole('table', { name: 'Redeliveries' }).getByRole('link');
  await until(async () => (await link.textContent())?.endsWith(`, ${hooked.hookUrl}`));
  await page.unroute(jobs);
});

test('an event can be sent to an endpoint behind the first page', async () => {
  await hooked.ticket('Sent to an older endpoint');
  await page.goto(`${base}/events?type=ticket.created`);
  await page.getByRole('table', { name: 'Events' }).getByRole('link', { name: 'ticket.created' }).first().click();
  const send = page.getByRole('region', { name: 'Send to an endpoint' });
  await loadOlder(send, 'endpoints');
  await send.getByRole('combobox', { name: 'Endpoint' }).click();
  await page.getByRole('option', { name: hooked.hookUrl, exact: true }).waitFor();
});

test('a change of the list does not cancel the load of a further page', async () => {
  await hooked.ticket('Before the change');
  await page.goto(`${base}/events?type=ticket.created`);
  const links = page.getByRole('table', { name: 'Events' }).getByRole('link', { name: 'ticket.created' });
  await links.first().click();
  const send = page.getByRole('region', { name: 'Send to an endpoint' });
  const older = await findLoadOlder(send, 'endpoints');
  const events = await links.count();
  const further = await holdRequests(page, LATER_ENDPOINTS);
  await older.click();
  await until(() => further.hasAny());
  const added = await addEndpoint('/added-meanwhile', [demoKeyId]);
  await hooked.ticket('After the change'); // its row proves that the page already received the earlier change
  await until(async () => (await links.count()) > events);
  await further.release();
  await older.waitFor({ state: 'detached' });
  await send.getByRole('combobox', { name: 'Endpoint' }).click();
  await page.getByRole('option', { name: hooked.hookUrl, exact: true }).waitFor();
  await page.getByRole('option', { name: added, exact: true }).waitFor();
});

test('the explanation of access offers a key behind a hundred newer keys', async () => {
  await page.goto(`${base}/installations/access`);
  const call = page.getByRole('search', { name: 'The call' });
  await loadOlder(call, 'keys');
  await call.getByRole('combobox', { name: 'Key' }).click();
  await page.getByRole('option', { name: /^Demo key/ }).waitFor();
});

/** Opens a page whose filter names an object behind the first page of its list, and expects the name of the object. */
async function expectName(address: string, filters: string, filter: string, name: string): Promise<void> {
  await page.goto('about:blank'); // so that the page reads its lists again
  await page.goto(address);
  const field = page.getByRole('search', { name: filters }).getByRole('combobox', { name: filter, exact: true });
  await until(async () => (await field.inputValue()).startsWith(name));
}

test('an address with a key or an endpoint behind the first page shows its name', async () => {
  await expectName(`${base}/installations/access?key=${demoKeyId}`, 'The call', 'Key', 'Demo key (');
  await expectName(`${base}/requests?key=${demoKeyId}`, 'Filters', 'Key', 'Demo key (');
  const ofEndpoint = `${hooked.webhooksUrl}?endpoint=${hooked.endpointId}`;
  await expectName(ofEndpoint, 'Filters of deliveries', 'Endpoint', hooked.hookUrl);
});

test('the filter of requests names a key behind a hundred newer keys', async () => {
  await page.goto(`${base}/requests`);
  const filters = page.getByRole('search', { name: 'Filters' });
  const older = await findLoadOlder(filters, 'keys');
  for (const width of [390, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    if (width === 390) await page.getByRole('button', { name: 'More filters' }).click();
    const [inner, outer] = await Promise.all([older.boundingBox(), filters.boundingBox()]);
    const endOf = (box: typeof inner) => (box ? Math.round(box.x + box.width) : Number.NaN);
    expect([width, endOf(inner) <= endOf(outer)]).toEqual([width, true]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await older.click();
  await older.waitFor({ state: 'detached' });
  await filters.getByRole('combobox', { name: 'Key' }).click();
  await page.getByRole('option', { name: /^Demo key/ }).waitFor();
});

test('the signature diagnosis offers endpoints behind the first page', async () => {
  const { data } = await hooked.read<{ data: { id: string; url: string }[] }>('/endpoints');
  await page.goto(`${hooked.webhooksUrl}/endpoints/${data[0]?.id}/signature`);
  await loadOlder(page.getByRole('main'), 'endpoints');
  await page.getByRole('combobox', { name: 'Secret' }).selectOption({ label: hooked.hookUrl });
});

test('the filter of deliveries offers endpoints behind the first page', async () => {
  await page.goto(hooked.webhooksUrl);
  const filters = page.getByRole('search', { name: 'Filters of deliveries' });
  await loadOlder(filters, 'endpoints');
  await filters.getByRole('combobox', { name: 'Endpoint' }).click();
  await page.getByRole('option', { name: hooked.hookUrl, exact: true }).click();
  await page.waitForURL(new RegExp(`endpoint=${hooked.endpointId}`));
});

test('a search in the command palette finds keys and endpoints behind the first page, which only a search reads', async () => {
  const later: string[] = [];
  const note = async (route: Route): Promise<void> => {
    later.push(route.request().url());
    await route.continue();
  };
  await page.route(/\/(keys|endpoints)\?.*cursor=/, note);
  await page.goto(`${base}/overview`);
  await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor();
  await page.getByRole('link', { name: 'All endpoints', exact: true }).waitFor(); // the first page has not all of them
  await page.keyboard.press('Control+k');
  const search = dialog().getByRole('combobox');
  await page.getByRole('option', { name: /^Newer key 99/ }).waitFor();
  await page.evaluate(() => fetch('/').then(() => {})); // a read of the palette would precede this one
  expect(later).toEqual([]);
  await search.fill('Demo key');
  await page.getByRole('option', { name: /^Demo key/ }).waitFor();
  await search.fill(hooked.hookUrl);
  await page.getByRole('option', { name: hooked.hookUrl, exact: true }).waitFor();
  await page.unroute(/\/(keys|endpoints)\?.*cursor=/);
});

test('an address opens a key behind a hundred newer keys, and denies no key while older ones are read', async () => {
  const later = await holdRequests(page, LATER_KEYS);
  await page.goto(`${base}/keys?key=${demoKeyId}`);
  await page.getByRole('row').filter({ hasText: 'Newer key 99' }).waitFor();
  await until(() => later.hasAny());
  expect(await page.getByText('This list has no key with this id.').count()).toBe(0);
  await later.release();
  await page.getByText('Only one key is shown.').waitFor();
  await page.getByRole('row').filter({ hasText: 'Demo key' }).waitFor();
});

test('an address opens the activity of a key behind a hundred newer keys under its name', async () => {
  await page.goto(`${base}/keys?activity=${demoKeyId}`);
  await page.getByRole('dialog', { name: 'Activity of “Demo key”' }).waitFor();
});

test('dialogs of a key name endpoints and keys behind the first page, and a form preselects no key before they are known', async () => {
  const wanted = { name: 'Hooks', scopes: ['events:read'], expiresInDays: 7 };
  const { key } = await hooked.post<NewKey>('/keys', wanted);
  const url = await addEndpoint('/two-keys', [key.id, demoKeyId]);
  await addEndpoint('/one-key', [demoKeyId]);
  await page.goto(`${base}/keys`);
  const further = await holdRequests(page, LATER_ENDPOINTS);
  await page.getByRole('button', { name: 'Revoke Hooks', exact: true }).click();
  await dialog().getByText('Reading the endpoints…').waitFor();
  expect(await dialog().getByText('no endpoint delivers through this key').count()).toBe(0);
  await further.release();
  await dialog().getByText(`Deliveries to ${url} continue through another key.`).waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await page.goto('about:blank'); // so that the page reads the endpoints again
  await page.goto(`${base}/keys`);
  const again = await holdRequests(page, LATER_ENDPOINTS);
  await page.getByRole('button', { name: 'Rotate Hooks', exact: true }).click();
  await dialog().getByText('Reading the endpoints…').waitFor();
  await again.release();
  await dialog().getByText(`Webhooks to ${url} use the new key from now on.`).waitFor();
  expect(await dialog().getByText('Reading the endpoints…').count()).toBe(0);
  await page.goto(`${hooked.webhooksUrl}#new`);
  await findLoadOlder(form(), 'keys');
  await form().getByRole('combobox', { name: 'Keys' }).click();
  await page.getByRole('option', { name: /^Hooks/, selected: false }).waitFor();
  await hooked.post(`/keys/${key.id}/revoke`, {});
});

test('a request that was refused for its scope leads to a key with the scopes of a key behind a hundred newer keys', async () => {
  const { status, headers } = await createTicket(instance, narrow.token, {
    serverId: await firstServerId(instance, narrow.token),
    subject: 'Refused',
    idempotencyKey: 'refused',
  });
  expect(status).toBe(403);
  await page.goto(`${base}/requests?request=${headers.get('request-id')}`);
  await page.getByText('The key “Narrow bridge” does not have the scope tickets:create.').waitFor();
  await page.getByRole('button', { name: 'Generate a key with tickets:create', exact: true }).click();
  const keyForm = page.getByRole('dialog', { name: /^Generate a key/ });
  expect(await keyForm.getByLabel('Name').inputValue()).toBe('Narrow bridge');
  const chosen = keyForm.getByRole('checkbox', { checked: true });
  expect(await chosen.evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value))).toEqual([
    'servers:read',
    'tickets:create',
  ]);
});

test('the first steps count active keys behind a revoked one', async () => {
  await page.route(FIRST_KEYS, limitToOne); // the newest key is revoked
  await page.goto(`${base}/overview`);
  await page.getByText(/^5 of 5 steps are done/).waitFor();
  await page.getByText('Show the steps').click();
  await page.getByText('There are at least 100 active keys.').waitFor();
});

test('no form says that the app has no active key while older keys are not loaded', async () => {
  await page.route(FIRST_KEYS, limitToOne); // the newest key is revoked
  await page.goto(`${base}/reference/operations/getMe`);
  await findLoadOlder(page.getByRole('form', { name: 'Try it' }), 'keys');
  await openReplay();
  await until(async () => /^Demo key/.test(await replay().getByRole('combobox', { name: 'Key' }).inputValue()));
  await page.goto(`${hooked.webhooksUrl}#new`);
  await findLoadOlder(form(), 'keys');
  expect(await form().getByText('No key of this app can deliver').count()).toBe(0);
});
