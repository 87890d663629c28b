// The Console with the contract of an operator: an app from its registration to a delivered event, its data, its
// installations, and the texts, which come from the contract.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, root, type SlipwayInstance } from '../slipway.ts';
import { readNote } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';

let instance: SlipwayInstance;
let browser: Browser;
let result: Visit;
let page: Page;
/** The address of the app. */
let base: string;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start({ SLIPWAY_CONTRACT: join(root, 'server/test/contracts/spaces') }).ready;
  browser = await launch();
  result = await visit(browser, 1440);
  page = result.page;
  await page.goto(`${instance.consoleUrl}/sign-in#link=${readNote(instance).link}`);
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Demo app' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = (name?: string) => page.getByRole('dialog', name === undefined ? {} : { name, exact: true });
const table = (name: string) => page.getByRole('table', { name, exact: true });

/** Inspects the page, also on a phone, and expects no word of the default contract in it. */
async function inspectOwn(name: string): Promise<void> {
  expect(await page.locator('main').innerText()).not.toMatch(/ticket|publication|roadmap|workflow/i);
  await inspect(page, name);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await inspect(page, `${name}-phone`);
  await page.setViewportSize({ width: 1440, height: 800 });
}

test('a new app gets its first key, and the command of the contract leads to a delivered event', async () => {
  await button('Register an app').click();
  await dialog().getByText('The app gets synthetic objects, and the grants of all scopes.').waitFor();
  await dialog().getByLabel('Name').fill('Bridge');
  await button('Register').click();
  await button('Create key and endpoint').click();
  const command = await dialog().locator('pre').filter({ hasText: '/v1/tasks' }).innerText();
  await dialog().getByText('The call appears here').waitFor();
  expect((await promisify(execFile)('sh', ['-c', command])).stdout).toMatch(/ 201 /);
  await dialog().getByText('The call is in the inspector: POST, answered 201.').waitFor();
  await dialog().getByText('task.created was delivered').waitFor();
  await dialog().getByLabel('I have stored it').check();
  await dialog().getByRole('button', { name: 'Close' }).click();
  await page.getByText('5 of 5 steps are done').waitFor();
  base = page.url().replace(/\/overview$/, '');
  await inspectOwn('own-overview');
});

test('the form of a key offers the scopes and presets of the contract', async () => {
  await page.goto(`${base}/keys`);
  await table('Keys').waitFor();
  await inspectOwn('own-keys');
  await button('Generate a key').click();
  const scopes = dialog().getByRole('checkbox');
  expect(await scopes.count()).toBe(6);
  await dialog().getByText('Change tasks').waitFor();
  await inspect(page, 'own-key-form');
});

test('the reference calls an operation of the contract', async () => {
  await page.goto(`${base}/reference/operations/createTask`);
  const form = page.getByRole('form', { name: 'Try it' });
  await page.getByLabel('spaceId').fill('1');
  await page.getByLabel('Body', { exact: true }).fill('{"name":"Tea"}');
  await form.waitFor();
  await button('Send in the sandbox').click();
  const answer = page.getByRole('status', { name: 'Response' });
  await answer.getByText('"space_id"').waitFor();
  expect(await answer.textContent()).toMatch(/201.*Tea/s);
  await page.getByRole('tab', { name: 'SDK' }).click();
  await page.getByText('api.createTask({').waitFor();
  await inspectOwn('own-reference');
});

test('the reference names type and size of a response that is not text', async () => {
  await page.goto(`${base}/reference/operations/printTask`);
  await page.getByLabel('taskId').fill('1');
  await button('Send in the sandbox').click();
  const answer = page.getByRole('status', { name: 'Response' });
  await answer.getByText(/^The response is not text: application\/pdf, \d+ bytes\.$/).waitFor();
  expect(await answer.textContent()).not.toContain('%PDF');
});

test('the browser of the data shows kinds, objects and triggers of the contract', async () => {
  await page.goto(`${base}/data`);
  await table('Spaces').waitFor();
  await inspectOwn('own-data');
  await page.getByRole('tab', { name: /^Tasks \d/ }).click();
  await table('Tasks').getByRole('link', { name: 'Tea' }).first().click();
  const object = dialog('Object');
  await object
    .getByRole('region', { name: /as \/v1 returns it$/ })
    .getByText('"Tea"')
    .waitFor();
  await object.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: 'A task changed.' }).click();
  await dialog('A task changed.').getByRole('button', { name: 'A task changed.' }).click();
  await object.getByRole('row', { name: /task\.changed/ }).waitFor();
  await inspect(page, 'own-object');
});

test('the simulation triggers an event of the contract, which the events list', async () => {
  await page.goto(`${base}/simulation`);
  await page.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('option', { name: 'space.renamed' }).click();
  await button('Trigger event').click();
  await page.getByText('space.renamed happened').waitFor();
  await inspectOwn('own-simulation');
  await page.goto(`${base}/events`);
  await table('Events').getByRole('link', { name: 'space.renamed' }).first().waitFor();
  await inspectOwn('own-events');
});

test('an endpoint is added for event types of the contract', async () => {
  await page.goto(`${base}/webhooks`);
  await table('Endpoints').waitFor();
  await inspectOwn('own-webhooks');
  await button('Add an endpoint').click();
  await dialog().getByText('task.created').first().waitFor();
  expect(await dialog().innerText()).not.toMatch(/ticket/i);
  await inspect(page, 'own-endpoint-form');
});

test('each space is an installation, and the access to an operation of the contract is explained', async () => {
  await page.goto(`${base}/installations`);
  const grants = table('Servers and scopes').getByRole('row');
  await grants.filter({ hasText: 'Account' }).waitFor();
  expect(await grants.count()).toBe(5);
  await inspectOwn('own-installations');
  await page.goto(`${base}/installations/access?operation=createTask`);
  await page.getByRole('combobox', { name: 'Server' }).click();
  await page.getByRole('option').last().click();
  await page.getByRole('heading', { name: /^Every rule holds/ }).waitFor();
  await inspectOwn('own-access');
});

test('no page had an error', () => {
  expect(result.complaints).toEqual([]);
});
