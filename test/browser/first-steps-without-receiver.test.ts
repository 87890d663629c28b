// An installation without a receiver of webhooks, for example with a process per role: a developer begins with their
// own receiver, or with a key alone.
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExternalPostgres, startExternalPostgres } from '../external-postgres.ts';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { readNote } from '../visitor.ts';
import { inspect, launch, visit } from './browser.ts';
import { holdRequests } from './held-requests.ts';

const PASSWORD = 'a long sentence is a good one';

let postgres: ExternalPostgres;
let instance: SlipwayInstance;
let receiver: Server;
let hookUrl: string;
let browser: Browser;
let page: Page;
let presses = 0;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // a TCP address
  hookUrl = `http://${host}/hooks`;
  [postgres, instance] = await Promise.all([startExternalPostgres(copyPreparedData), createInstance()]);
  await instance.start({ ...postgres.settings, SLIPWAY_DEMO: 'off', SLIPWAY_WEBHOOK_ALLOW_HOSTS: host }).ready;
  browser = await launch();
  await makeOrganisation((await visit(browser)).page);
  ({ page } = await visit(browser));
});
afterAll(async () => {
  await browser?.close();
  receiver?.close();
  await instance?.remove();
  await postgres?.remove();
});

/** The one-time steps of the operator of the installation. */
async function makeOrganisation(owner: Page): Promise<void> {
  await owner.goto(`${instance.consoleUrl}/sign-in#link=${readNote(instance).link}`);
  await owner.getByRole('button', { name: 'Sign in as the owner' }).click();
  await owner.getByLabel('New password').fill(PASSWORD);
  await owner.getByRole('button', { name: 'Set password' }).click();
  await owner.getByRole('button', { name: 'Create an organisation' }).click();
  await owner.getByLabel('Name').fill('Harbour Tools');
  await owner.getByRole('button', { name: 'Create', exact: true }).click();
  await owner.getByText('Register your first app').waitFor();
}

const press = async (on: Locator): Promise<void> => {
  presses += 1;
  await on.click();
};

const type = async (label: string, text: string): Promise<void> => {
  presses += 1;
  await page.getByLabel(label, { exact: true }).fill(text);
};

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

/** Inspects the page in both themes, on a desktop and on a phone, without horizontal overflow. */
async function look(name: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page, `${name}-${width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/**
 * Pastes the command in the dialog into a shell. Asynchronous, because the server blocks unless this process reads its
 * log.
 */
async function pasteCommand(): Promise<void> {
  const command = await page.getByRole('dialog').locator('pre').filter({ hasText: 'curl' }).innerText();
  expect((await promisify(execFile)('sh', ['-c', command])).stdout).toMatch(/ 201 /);
}

async function leaveDialog(): Promise<void> {
  await page.getByLabel('I have stored it').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('signing in, seeing the first request and delivering the first webhook to an own receiver takes at most eight interactions', async () => {
  await page.goto(instance.consoleUrl);
  await type('E-mail address', 'owner@slipway.local');
  await type('Password', PASSWORD);
  await press(button('Sign in'));
  await button('Register').waitFor();
  await look('first-app');
  await type('Name', 'Ticket bridge');
  await press(button('Register'));
  await page.getByLabel('URL of your receiver').waitFor();
  await look('begin-own');
  await type('URL of your receiver', hookUrl);
  await press(button('Create key and endpoint'));
  presses += 1; // copying the command and pasting it into a shell
  await page.getByText('The event is delivered to the endpoint').waitFor();
  await pasteCommand();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The call is in the inspector: POST, answered 201.').waitFor();
  await dialog.getByText('ticket.created was delivered').waitFor();
  expect(presses).toBeLessThanOrEqual(8);
  await leaveDialog();
  await page.getByText('5 of 5 steps are done').waitFor();
});

async function registerAnother(name: string): Promise<void> {
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await button('Register an app').click();
  await page.getByLabel('Name').fill(name);
  await button('Register').click();
  await button('Start with a key only').waitFor();
}

test('a developer without a receiver begins with a key alone, and finds the endpoint among the steps', async () => {
  await registerAnother('Without an address');
  await button('Start with a key only').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The call appears here').waitFor();
  expect(await dialog.getByText('The event is delivered').count()).toBe(0);
  await pasteCommand();
  await dialog.getByText('answered 201').waitFor();
  await leaveDialog();
  await page.getByText('3 of 5 steps are done').waitFor();
  await button('Add an endpoint').waitFor();
  await page.goto(page.url().replace(/overview$/, 'webhooks'));
  await page.getByText('Add an endpoint first, then create a ticket through the API.', { exact: false }).waitFor();
});

test('a refused receiver address shows the reason, and another address can replace it for the same key', async () => {
  await registerAnother('At a private address');
  await page.getByLabel('URL of your receiver').fill('https://10.0.0.1/hooks');
  await button('Create key and endpoint').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The URL must lead to a public address').waitFor();
  await look('begin-refused');
  expect(await dialog.getByText('The event is delivered').count()).toBe(0);
  const adding = await holdRequests(page, /\/endpoints$/);
  await dialog.getByLabel('URL').fill(hookUrl);
  await button('Add the endpoint').click();
  // A call before the endpoint exists would never have a delivery.
  await until(() => adding.hasAny());
  await dialog.getByText('The endpoint is being added.').waitFor();
  await look('begin-adding');
  expect(await dialog.locator('pre').filter({ hasText: 'curl' }).count()).toBe(0);
  await adding.release();
  await dialog.getByText('The event is delivered').waitFor();
  await pasteCommand();
  await dialog.getByText('ticket.created was delivered').waitFor();
  await leaveDialog();
});
