// Forms in dialogs of the Console, in a real browser: they never lose input, and show each error once.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleIn } from '../../server/test/guide-examples.ts';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { createTicket, firstServerId } from '../visitor.ts';
import { type AppWithEndpoint, type NewKey, startAppWithEndpoint } from './app-with-endpoint.ts';
import { inspect, launch } from './browser.ts';
import { holdRequests } from './held-requests.ts';

let instance: SlipwayInstance;
let browser: Browser;
let hooked: AppWithEndpoint;
let page: Page;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  browser = await launch();
  hooked = await startAppWithEndpoint(instance, browser, { eventTypes: ['ticket.created'] });
  page = hooked.page;
});
afterAll(async () => {
  await browser?.close();
  hooked?.close();
  await instance?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const form = () => page.getByRole('dialog', { name: /^Add an endpoint/ });
const keyForm = () => page.getByRole('dialog', { name: /^Generate a key/ });
const question = () => page.getByRole('dialog', { name: 'Discard what you entered?' });

const onePage = () => `${hooked.webhooksUrl}/endpoints/${hooked.endpointId}?view=settings`;

async function openForm(): Promise<void> {
  await page.goto(`${hooked.webhooksUrl}#new`);
  await form().waitFor();
}

test('a form without input closes without a question', async () => {
  await openForm();
  await page.keyboard.press('Escape');
  await form().waitFor({ state: 'detached' });
  expect(await question().count()).toBe(0);
  await button('Add an endpoint').first().click();
  await form().getByRole('button', { name: 'Close' }).click();
  await form().waitFor({ state: 'detached' });
  expect(await question().count()).toBe(0);
});

test('a form with input survives a click outside, and asks before Escape or the close button discards it', async () => {
  await openForm();
  const description = form().getByLabel(/^Description/);
  await description.fill('The bridge in staging');
  await page.mouse.click(5, 5);
  await page.keyboard.press('Escape');
  await question().waitFor();
  await inspect(page, 'discard-question');
  await page.keyboard.press('Escape');
  await question().waitFor({ state: 'detached' });
  expect(await description.inputValue()).toBe('The bridge in staging');
  await form().getByRole('button', { name: 'Close' }).click();
  await question().getByRole('button', { name: 'Keep editing' }).click();
  expect(await description.inputValue()).toBe('The bridge in staging');
  await form().getByRole('button', { name: 'Close' }).click();
  await question().getByRole('button', { name: 'Discard' }).click();
  await form().waitFor({ state: 'detached' });
  expect(await question().count()).toBe(0);
});

test('a choice from a list counts as input', async () => {
  await openForm();
  await form().getByRole('combobox', { name: 'Servers' }).click();
  const servers = page.getByRole('listbox').getByRole('option');
  await servers.first().click();
  await page.keyboard.press('Escape'); // closes the list
  await servers.first().waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await question().getByRole('button', { name: 'Discard' }).click();
  await form().waitFor({ state: 'detached' });
});

test('a form that another form opened discards only its own input', async () => {
  await openForm();
  await form().getByRole('button', { name: 'Generate another key' }).click();
  await keyForm().getByLabel('Name').fill('Staging bridge');
  await page.keyboard.press('Escape');
  await question().getByRole('button', { name: 'Discard' }).click();
  await keyForm().waitFor({ state: 'detached' });
  expect(await form().isVisible()).toBe(true);
  await page.keyboard.press('Escape'); // nothing was entered in the form itself
  await form().waitFor({ state: 'detached' });
  expect(await question().count()).toBe(0);
});

test('a private address is refused once, at its field, with a listener as the fix', async () => {
  await openForm();
  await form().getByLabel('URL', { exact: true }).fill('http://localhost:3000/hook');
  await form().getByRole('button', { name: 'Add', exact: true }).click();
  const refusal = form().getByText('The URL must lead to a public address.');
  await refusal.getByText('run slipway listen').waitFor();
  expect(await refusal.count()).toBe(1);
  expect(await form().getByRole('alert').count()).toBe(0);
  await inspect(page, 'endpoint-refused');
  await form().getByRole('button', { name: 'Use a listener' }).click();
  await form().getByRole('button', { name: 'Add', exact: true }).click();
  const secret = page.getByRole('dialog', { name: /signing secret/ });
  const command = await secret.getByRole('region', { name: 'Receive on your machine' }).innerText();
  const name = /^slipway listen --forward-to http:\/\/localhost:3000\/hook --name (receiver-\w{6})$/.exec(command)?.[1];
  const { data } = await hooked.read<{ data: { url: string }[] }>('/endpoints');
  // The command takes an endpoint whose address begins like this.
  expect(data.filter(({ url }) => url.startsWith(`listener:${name}-`))).toHaveLength(1);
  await secret.getByText('Verify in your code').click();
  await secret.getByRole('region', { name: 'Verify in Node' }).waitFor();
  await inspect(page, 'listener-added');
  await secret.getByLabel('I have stored it').check();
  await secret.getByRole('button', { name: 'Close' }).click();
});

test('the signing secret shows the receivers of the guide', async () => {
  await page.goto(onePage());
  await page.getByText('Verify in your code').click();
  for (const [label, language] of [
    ['Python', 'python'],
    ['Go', 'go'],
    ['Node', 'js'],
  ] as const) {
    await page.getByRole('tab', { name: label, exact: true }).click();
    const code = page.getByRole('region', { name: `Verify in ${label}` });
    expect((await code.textContent())?.trim()).toBe(exampleIn(language).trim());
  }
  const link = page.getByRole('link', { name: 'Receive and verify webhooks', exact: true });
  expect(await link.getAttribute('href')).toBe('/docs/webhooks/receiving/');
});

const settings = () => page.getByRole('region', { name: 'Settings', exact: true });
const conditionsOf = async () =>
  (await hooked.read<{ conditions: unknown[] }>(`/endpoints/${hooked.endpointId}`)).conditions;

test('an unfinished condition blocks saving with a sentence at its field', async () => {
  await page.goto(onePage());
  await settings().getByLabel('Description').fill('The bridge in staging');
  await settings().getByLabel('Field', { exact: true }).fill('/data/subject');
  await button('Save the settings').click();
  await settings().getByText('Enter the value of the condition, or clear its field.').waitFor();
  await inspect(page, 'unfinished-condition');
  await settings().getByLabel('Field', { exact: true }).fill('');
  await settings().getByLabel('Value', { exact: true }).fill('Wanted');
  await button('Save the settings').click();
  await settings().getByText('Enter the field of the condition, or clear its value.').waitFor();
  expect(await hooked.read(`/endpoints/${hooked.endpointId}`)).toMatchObject({ description: '', conditions: [] });
});

test('a header that was typed but not set blocks saving', async () => {
  await settings().getByLabel('Value', { exact: true }).fill('');
  await settings().getByLabel('Header name').fill('X-Tenant');
  await button('Save the settings').click();
  await settings().getByText('Set the header, or clear its name and value.').waitFor();
  expect(await hooked.read(`/endpoints/${hooked.endpointId}`)).toMatchObject({ description: '', headerNames: [] });
  await settings().getByLabel('Header name').fill('');
});

test('Enter adds a complete condition, and saving keeps one that was typed but not added', async () => {
  await settings().getByLabel('Field', { exact: true }).fill('/data/subject');
  await settings().getByLabel('Comparison').selectOption('prefix');
  await settings().getByLabel('Value', { exact: true }).fill('Wanted');
  await page.keyboard.press('Enter');
  await settings().getByText('/data/subject begins with Wanted').waitFor();
  expect(await conditionsOf()).toEqual([]); // Enter did not save the form
  await settings().getByLabel('Field', { exact: true }).fill('/data/priority');
  await settings().getByLabel('Comparison').selectOption('exists');
  await button('Save the settings').click();
  await page.getByText('The endpoint was changed').waitFor();
  const saved = [
    { pointer: '/data/subject', prefix: 'Wanted' },
    { pointer: '/data/priority', exists: true },
  ];
  expect(await conditionsOf()).toEqual(saved);
  await settings().getByText('/data/priority exists').waitFor();
  expect(await settings().getByLabel('Field', { exact: true }).inputValue()).toBe('');
});

test('the preview of a filter shows no count of an earlier filter', async () => {
  const preview = settings().getByRole('status', { name: 'Preview of the filter' });
  await preview.getByText(/^(Keeps \d+ of \d+ events?|The app can read no event) since /).waitFor();
  const counts = await holdRequests(page, /\/filter-previews$/);
  await settings().getByRole('button', { name: 'Remove the condition /data/priority exists' }).click();
  await preview.getByText('Counting…').waitFor();
  await until(() => counts.hasAny());
  await counts.release();
  await preview.getByText(/^(Keeps \d+ of \d+ events?|The app can read no event) since /).waitFor();
});

let narrow: NewKey;

test('the form of an endpoint offers a key behind a hundred newer keys', async () => {
  narrow = await hooked.post<NewKey>('/keys', { name: 'Narrow bridge', scopes: ['servers:read'], expiresInDays: 7 });
  for (let made = 0; made < 100; made++) await hooked.makeKey(`Newer key ${made}`);
  await openForm();
  const older = form().getByRole('button', { name: 'Load older keys' });
  await older.waitFor();
  expect(await form().getByText('No key of this app can deliver').count()).toBe(0);
  await older.click();
  await older.waitFor({ state: 'detached' });
  const demoKey = form().getByText(/^Demo key/);
  await demoKey.first().waitFor();
});

test('the replay of a request selects its key behind a hundred newer keys', async () => {
  const { headers } = await hooked.ticket('Replayed with an older key');
  await page.goto(`${hooked.webhooksUrl.replace(/webhooks$/, 'requests')}?request=${headers.get('request-id')}`);
  await button('Replay').click();
  const key = page.getByRole('form', { name: 'Replay' }).getByRole('combobox', { name: 'Key' });
  await until(async () => /^Demo key/.test(await key.inputValue()));
});

/** Gives the first page of endpoints one endpoint: an app has 20 endpoints unless the operator permits more. */
async function shortenFirstPage(): Promise<void> {
  await page.route(/\/endpoints\?limit=100$/, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
  );
}

test('the form of a redelivery offers endpoints behind the first page', async () => {
  const path = '/endpoints';
  const { keyIds, url } = await hooked.read<{ keyIds: string[]; url: string }>(`${path}/${hooked.endpointId}`);
  await hooked.post(path, { url: `${url}/newest`, keyIds, eventTypes: ['ticket.created'] });
  await shortenFirstPage();
  await page.goto(`${hooked.webhooksUrl}/redeliveries`);
  const many = page.getByRole('region', { name: 'Redeliver many' });
  const older = many.getByRole('button', { name: 'Load older endpoints' });
  await older.click();
  await older.waitFor({ state: 'detached' });
  await many.getByRole('combobox', { name: 'Endpoint' }).click();
  await page.getByRole('option', { name: url, exact: true }).waitFor();
});

/** Loads the older keys or endpoints in a part of the page. */
async function loadOlder(part: Locator, noun: 'keys' | 'endpoints'): Promise<void> {
  const older = part.getByRole('button', { name: `Load older ${noun}` });
  await older.click();
  await older.waitFor({ state: 'detached' });
}

const base = () => hooked.webhooksUrl.replace(/\/webhooks$/, '');

test('the explanation of access offers a key behind a hundred newer keys', async () => {
  await page.goto(`${base()}/installations/access`);
  const call = page.getByRole('search', { name: 'The call' });
  await loadOlder(call, 'keys');
  await call.getByRole('combobox', { name: 'Key' }).click();
  await page.getByRole('option', { name: /^Demo key/ }).waitFor();
});

test('the filter of requests names a key behind a hundred newer keys', async () => {
  await page.goto(`${base()}/requests`);
  const filters = page.getByRole('search', { name: 'Filters' });
  await loadOlder(filters, 'keys');
  await filters.getByRole('combobox', { name: 'Key' }).click();
  await page.getByRole('option', { name: /^Demo key/ }).waitFor();
});

test('the signature diagnosis offers endpoints behind the first page', async () => {
  await shortenFirstPage();
  const { data } = await hooked.read<{ data: { id: string; url: string }[] }>('/endpoints');
  await page.goto(`${hooked.webhooksUrl}/endpoints/${data[0]?.id}/signature`);
  await loadOlder(page.getByRole('main'), 'endpoints');
  await page.getByRole('combobox', { name: 'Secret' }).selectOption({ label: hooked.hookUrl });
});

test('the filter of deliveries offers endpoints behind the first page', async () => {
  await shortenFirstPage();
  await page.goto(hooked.webhooksUrl);
  const filters = page.getByRole('search', { name: 'Filters of deliveries' });
  await loadOlder(filters, 'endpoints');
  await filters.getByRole('combobox', { name: 'Endpoint' }).click();
  await page.getByRole('option', { name: hooked.hookUrl, exact: true }).click();
  await page.waitForURL(new RegExp(`endpoint=${hooked.endpointId}`));
});

test('a search in the command palette finds a key behind a hundred newer keys', async () => {
  await page.goto(`${base()}/overview`);
  await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('Demo key');
  await page.getByRole('option', { name: /^Demo key/ }).waitFor();
});

test('an address opens a key behind a hundred newer keys', async () => {
  const { keyIds } = await hooked.read<{ keyIds: string[] }>(`/endpoints/${hooked.endpointId}`);
  await page.goto(`${base()}/keys?key=${keyIds[0]}`);
  await page.getByText('Only one key is shown.').waitFor();
  await page.getByRole('row').filter({ hasText: 'Demo key' }).waitFor();
});

test('the revocation of a key names an older key through which deliveries continue', async () => {
  const { keyIds, url } = await hooked.read<{ keyIds: string[]; url: string }>(`/endpoints/${hooked.endpointId}`);
  const { key } = await hooked.post<NewKey>('/keys', { name: 'Hooks', scopes: ['events:read'], expiresInDays: 7 });
  const endpoint = { url: `${url}/two-keys`, keyIds: [key.id, ...keyIds], eventTypes: ['ticket.created'] };
  await hooked.post('/endpoints', endpoint);
  await page.goto(`${base()}/keys`);
  await button('Revoke Hooks').click();
  await page.getByText(`Deliveries to ${endpoint.url} continue through another key.`).waitFor();
});

test('a request that was refused for its scope leads to a key with the scopes of a key behind a hundred newer keys', async () => {
  const serverId = await firstServerId(instance, narrow.token);
  const ticket = { serverId, subject: 'Refused', idempotencyKey: 'refused' };
  const { status, headers } = await createTicket(instance, narrow.token, ticket);
  expect(status).toBe(403);
  await page.goto(`${base()}/requests?request=${headers.get('request-id')}`);
  await page.getByText('The key “Narrow bridge” does not have the scope tickets:create.').waitFor();
  await button('Generate a key with tickets:create').click();
  expect(await keyForm().getByLabel('Name').inputValue()).toBe('Narrow bridge');
  const chosen = keyForm().getByRole('checkbox', { checked: true });
  expect(await chosen.evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value))).toEqual([
    'servers:read',
    'tickets:create',
  ]);
});
