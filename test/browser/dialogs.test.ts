// Forms in dialogs of the Console, in a real browser: they never lose input, and show each error once.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleIn } from '../../server/test/guide-examples.ts';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { type AppWithEndpoint, startAppWithEndpoint } from './app-with-endpoint.ts';
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
