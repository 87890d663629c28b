// The data browser in a real browser with the built server: objects by kind and server, their events and causes, and
// triggers that create and change them.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance } from '../slipway.ts';
import { type AppWithEndpoint, startAppWithEndpoint } from './app-with-endpoint.ts';
import { inspect, launch } from './browser.ts';
import { refuseReads } from './refused-reads.ts';

let instance: SlipwayInstance;
let browser: Browser;
let home: AppWithEndpoint;
let page: Page;
/** The address of the data browser. */
let data: string;
const made = { ticketId: '', requestId: '' };

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  browser = await launch();
  home = await startAppWithEndpoint(instance, browser, { eventTypes: ['ticket.closed'] });
  page = home.page;
  data = home.webhooksUrl.replace(/webhooks$/, 'data');
  const answer = await home.ticket('The crane does not turn');
  made.ticketId = answer.body.id;
  made.requestId = answer.headers.get('request-id') ?? '';
});
afterAll(async () => {
  home?.close();
  await browser?.close();
  await instance?.remove();
});

const drawer = () => page.getByRole('dialog', { name: 'Object', exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const table = (name: string) => page.getByRole('table', { name, exact: true });
const tab = (name: RegExp) => page.getByRole('tab', { name });
const resource = () => drawer().getByRole('region', { name: /as \/v1 returns it$/ });
const eventOf = (type: string) => drawer().getByRole('row', { name: new RegExp(type.replace('.', '\\.')) });
const linkToRequest = () => eventOf('ticket.created').locator(`a[title="${made.requestId}"]`).filter({ visible: true });

/** Inspects the page on a phone, where nothing may be wider than the screen. */
async function inspectPhone(name: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await inspect(page, name);
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('the navigation leads to the servers, and a kind and a server select the objects', async () => {
  await page
    .getByRole('navigation', { name: 'Sections of the app' })
    .getByRole('link', { name: 'Data', exact: true })
    .click();
  await page.waitForURL(data);
  await table('Servers').waitFor();
  await tab(/^Publications \d/).click();
  await page.waitForURL(/\?kind=publication$/);
  await table('Publications').waitFor();
  await page.getByRole('combobox', { name: 'Server' }).click();
  await page.getByRole('option').first().click();
  await page.waitForURL(/server=srv_\w+/);
  const serverId = /srv_\w{26}/.exec(page.url())?.[0] ?? '';
  const objects = await home.read<{ data: { title: string; serverId: string }[] }>(
    `/world/objects?kind=publication&serverId=${serverId}&limit=50`,
  );
  expect(new Set(objects.data.map((one) => one.serverId))).toEqual(new Set([serverId]));
  const titles = table('Publications').getByRole('row').getByRole('link');
  await titles.nth(objects.data.length - 1).waitFor();
  expect(await titles.allTextContents()).toEqual(objects.data.map(({ title }) => title));
});

test('the list of a kind has no violation in either theme on a desktop', async () => {
  await page.goto(data);
  await table('Servers').waitFor();
  await inspect(page, 'data-servers');
});

test('the list of a kind has no violation in either theme on a phone', async () => {
  await page.goto(`${data}?kind=publication`);
  await table('Publications').waitFor();
  await inspectPhone('data-publications-phone');
});

test('a ticket of the API is found under its kind, with the call that returns it', async () => {
  await page.goto(data);
  await tab(/^Tickets \d/).click();
  await page.waitForURL(/\?kind=ticket$/);
  await table('Tickets').getByRole('link', { name: 'The crane does not turn' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`object=${made.ticketId}`));
  await resource().getByText('"subject": "The crane does not turn"').waitFor();
  await drawer()
    .getByRole('link', { name: /^GET \/v1\/tickets\// })
    .waitFor();
  await linkToRequest().waitFor();
  await inspect(page, 'data-ticket');
});

test('the drawer of a ticket has no violation in either theme on a phone', async () => {
  await inspectPhone('data-ticket-phone');
});

test('the drawer leads to the event of the ticket and to the request that created it', async () => {
  await eventOf('ticket.created').getByRole('link', { name: 'ticket.created' }).click();
  await page.waitForURL(/\/events\?.*event=evt_\w+/);
  await page.getByRole('dialog', { name: 'Event', exact: true }).getByText('"bodyMarkdown"').waitFor();
  await page.goBack();
  await linkToRequest().click();
  await page.waitForURL(new RegExp(`/requests\\?request=${made.requestId}`));
  await page.getByRole('region', { name: 'Trace' }).getByRole('link', { name: 'ticket.created' }).waitFor();
});

test('a change by a trigger closes the ticket, shows its event without a reload, and reaches the endpoint', async () => {
  await page.goto(`${data}?object=${made.ticketId}`);
  await drawer().getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: 'Close the ticket' }).click();
  await dialog('Close the ticket').getByRole('button', { name: 'Close the ticket' }).click();
  await dialog('Close the ticket').waitFor({ state: 'detached' });
  await resource().getByText('"status": "closed"').waitFor();
  await eventOf('ticket.closed').getByText('owner@slipway.local').filter({ visible: true }).waitFor();
  await home.arrived('ticket.closed');
});

test('a change that does not fit keeps the dialog open and says why', async () => {
  await drawer().getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: 'Close the ticket' }).click();
  await dialog('Close the ticket').getByRole('button', { name: 'Close the ticket' }).click();
  await dialog('Close the ticket').getByText('The ticket is closed.').waitFor();
  await inspect(page, 'data-refused');
});

test('a change of another member appears in an open drawer without a reload', async () => {
  const ticket = await home.ticket('The lamp flickers');
  await page.goto(`${data}?object=${ticket.body.id}`);
  await resource().getByText('"status": "open"').waitFor();
  await home.trigger('ticket.closed', ticket.body.id);
  await resource().getByText('"status": "closed"').waitFor();
  await eventOf('ticket.closed').waitFor();
});

test('a pause of an installation, whose event has no object here, leaves the drawer of the server open', async () => {
  await page.goto(data);
  await table('Servers').getByRole('row').nth(1).getByRole('link').click();
  await resource().getByText('"installation"').waitFor();
  const address = page.url();
  await drawer().getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: 'Pause the installation' }).click();
  await dialog('Pause the installation').getByRole('button', { name: 'Pause the installation' }).click();
  await dialog('Pause the installation').waitFor({ state: 'detached' });
  await eventOf('installation.paused').waitFor();
  expect(page.url()).toBe(address);
});

test('a new ticket with texts of choice opens its drawer and joins the list', async () => {
  await page.goto(`${data}?kind=ticket`);
  await page.getByRole('button', { name: 'Create a ticket' }).click();
  await dialog('Create a ticket').getByRole('textbox', { name: 'Subject' }).fill('The gate is stuck');
  await inspect(page, 'data-create');
  await dialog('Create a ticket').getByRole('button', { name: 'Create a ticket' }).click();
  await resource().getByText('"subject": "The gate is stuck"').waitFor();
  await page.keyboard.press('Escape');
  await table('Tickets').getByRole('link', { name: 'The gate is stuck' }).waitFor();
});

test('the list stays usable next to the drawer, and j and k open the next and the previous ticket', async () => {
  const links = table('Tickets').getByRole('row').getByRole('link');
  const isOpen = async (at: number): Promise<void> => {
    const title = (await links.nth(at).textContent()) ?? '';
    await drawer().getByRole('heading', { name: title, exact: true }).waitFor();
  };
  await links.nth(0).click();
  await isOpen(0);
  expect(await drawer().getAttribute('aria-modal')).toBeNull();
  await page.keyboard.press('j');
  await isOpen(1);
  await page
    .getByRole('status')
    .getByText(/^Object 2 of \d+: /)
    .waitFor({ state: 'attached' });
  await page.keyboard.press('k');
  await isOpen(0);
  await links.nth(1).click(); // without an overlay in between
  await isOpen(1);
  await page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
});

test('the command palette opens the object of a pasted identifier', async () => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Page, app, key/ }).fill(made.ticketId);
  await page.getByRole('option', { name: /^Open the ticket in this app/ }).click();
  await page.waitForURL(new RegExp(`/data\\?.*object=${made.ticketId}`));
  await resource().getByText('"subject": "The crane does not turn"').waitFor();
});

test('a kind without objects says how to create one, and a refused list can be read again', async () => {
  await page.goto(`${data}?kind=workflow_run`);
  await page.getByText('No workflow runs here').waitFor();
  await inspect(page, 'data-none');
  const refused = await refuseReads(page, /\/world\/objects\?/);
  await tab(/^Publications/).click();
  await refused.retry();
  await table('Publications').waitFor();
});
