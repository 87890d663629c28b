// The events of an app in a real browser with the built server: list, filters, drawer, and an event that is sent again.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { type AppWithEndpoint, startAppWithEndpoint } from './app-with-endpoint.ts';
import { inspect, launch } from './browser.ts';
import { refuseReads } from './refused-reads.ts';

let instance: SlipwayInstance;
let browser: Browser;
let home: AppWithEndpoint;
let page: Page;
/** The address of the page of events. */
let events: string;
const made = { ticketId: '', requestId: '' };

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  browser = await launch();
  // The endpoint selects a type that the tests do not cause.
  home = await startAppWithEndpoint(instance, browser, { eventTypes: ['workflow_run.failed'] });
  page = home.page;
  events = home.webhooksUrl.replace(/webhooks$/, 'events');
  const answer = await home.ticket('The crane does not turn');
  made.ticketId = answer.body.id;
  made.requestId = answer.headers.get('request-id') ?? '';
});
afterAll(async () => {
  home?.close();
  await browser?.close();
  await instance?.remove();
});

const table = () => page.getByRole('table', { name: 'Events' });
const drawer = () => page.getByRole('dialog', { name: 'Event' });
const rows = () => table().getByRole('row', { name: /ticket\.created/ });
/** The text field; each row has a button whose name contains the same word. */
const subject = () => page.getByRole('textbox', { name: 'Subject', exact: true });
const payload = () => drawer().getByRole('region', { name: 'Payload' });

test('the event of a request is found by its type and its subject, in both themes and on a phone', async () => {
  await page.goto(events);
  await page.getByRole('navigation', { name: 'Sections of the app' }).getByRole('link', { name: 'Events' }).waitFor();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'ticket.created' }).waitFor();
  const listed = await page.getByRole('option').allTextContents();
  const { data } = await home.read<{ data: { type: string }[] }>('/events?limit=100');
  expect(data.map(({ type }) => type)).toEqual(expect.arrayContaining(listed));
  expect(listed).not.toContain('workflow_run.failed');
  await page.getByRole('option', { name: 'ticket.created' }).click();
  await page.waitForURL(/\?type=ticket\.created$/);
  await subject().fill('whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUh');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a whole identifier.').waitFor();
  expect(page.url()).not.toContain('whsec');
  await subject().fill(made.ticketId);
  await page.keyboard.press('Enter');
  await page.waitForURL(/subject=tkt_/);
  await rows().locator(`a[title="${made.requestId}"]`).waitFor();
  expect(await rows().count()).toBe(1);
  await inspect(page, 'events');
  await page.setViewportSize({ width: 390, height: 844 });
  await rows()
    .getByText(`req_…${made.requestId.slice(-8)}`)
    .filter({ visible: true })
    .waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await inspect(page, 'events-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('the drawer shows the payload in each schema version and leads to the request', async () => {
  await rows().getByRole('link', { name: 'ticket.created' }).focus();
  await page.keyboard.press('Enter');
  await payload().getByText('"bodyMarkdown"').waitFor();
  await drawer().getByRole('tab', { name: 'Version 1' }).click();
  await payload().getByText('"body":').waitFor();
  await inspect(page, 'event-drawer');
  await drawer().locator(`a[title="${made.requestId}"]`).click();
  await page.waitForURL(new RegExp(`/requests\\?request=${made.requestId}$`));
  await page.getByRole('region', { name: 'Trace' }).getByRole('link', { name: 'ticket.created' }).click();
  await page.waitForURL(/\/events\?event=evt_\w+$/);
  await payload().getByText('"bodyMarkdown"').waitFor();
});

test('an event is sent to an endpoint that did not receive it, and the refusal of a second one says why', async () => {
  home.receiver.answering = 503;
  await drawer().getByRole('combobox', { name: 'Endpoint' }).click();
  await page.getByRole('option', { name: home.hookUrl }).click();
  const send = drawer().getByRole('button', { name: 'Send to endpoint' });
  await send.click();
  const message = await home.arrived('The crane does not turn');
  expect(message.headers).toMatchObject({ 'slipway-trigger': 'manual', 'slipway-attempt': '1' });
  await drawer().getByRole('status').getByText('answered 503').waitFor();
  await drawer()
    .getByRole('region', { name: 'Trace' })
    .getByRole('link', { name: `Delivery to ${home.hookUrl}` })
    .waitFor();
  await send.click();
  await drawer().getByText('A delivery of the event to this endpoint has not ended yet.').waitFor();
  await inspect(page, 'event-sent');
});

test('the filters of deliveries list the types that occur, and find the failing delivery', async () => {
  await page.goto(home.webhooksUrl);
  const list = page.getByRole('region', { name: 'Deliveries', exact: true });
  await list.getByRole('combobox', { name: 'Event type' }).click();
  const types = page.getByRole('listbox', { name: 'Event type' });
  await types.getByRole('option', { name: 'ticket.created' }).waitFor();
  expect(await types.getByRole('option', { name: 'workflow_run.failed' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await list.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'failing' }).click();
  await page.waitForURL(/\?status=failing$/);
  const shown = list.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
  await until(async () => (await shown.count()) === 1);
  await shown.getByText('failing', { exact: true }).waitFor();
  await inspect(page, 'deliveries-failing');
  await shown.getByRole('link', { name: 'ticket.created' }).click();
  await page.getByRole('dialog').getByText('an event sent by hand').waitFor();
});

test('the list shows a new event without a reload', async () => {
  await page.goto(`${events}?type=ticket.created`);
  await rows().first().waitFor(); // without rows, an earlier event would count as the new one
  const before = await rows().count();
  await home.ticket('The gate is stuck');
  await rows().nth(before).waitFor();
});

test('the list stays usable next to the drawer, and j and k open the next and the previous event', async () => {
  const links = rows().getByRole('link', { name: 'ticket.created' });
  const idOf = async (at: number): Promise<string> =>
    new URL((await links.nth(at).getAttribute('href')) ?? '', events).searchParams.get('event') ?? '';
  const isOpen = async (at: number): Promise<void> => {
    const id = await idOf(at);
    await page.waitForURL((url) => url.searchParams.get('event') === id);
    await drawer().getByText(id, { exact: true }).first().waitFor();
  };
  await links.nth(0).click();
  await isOpen(0);
  expect(await drawer().getAttribute('aria-modal')).toBeNull();
  await page.keyboard.press('j');
  await isOpen(1);
  await page
    .getByRole('status')
    .getByText(/^Event 2 of \d+: ticket\.created of tkt_/)
    .waitFor({ state: 'attached' });
  await page.keyboard.press('k');
  await isOpen(0);
  const last = (await links.count()) - 1;
  await links.nth(last).click(); // without an overlay in between
  await isOpen(last);
  await page.keyboard.press('j');
  await page.getByText('This is the last event of the list.').waitFor({ state: 'attached' });
  await inspect(page, 'events-drawer-beside-list');
  await page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
  expect(await links.nth(last).evaluate((link) => link === document.activeElement)).toBe(true);
});

test('a filter without events offers to clear it', async () => {
  await page.goto(`${events}?subject=tkt_01j9z3v8k6e5t8m2n4p6q8r0s4`);
  await page.getByText('No event matches these filters').waitFor();
  await inspect(page, 'events-none');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.waitForURL(events);
  await table().waitFor();
});

test('a refused list shows the problem, and can be read again', async () => {
  const refused = await refuseReads(page, /\/apps\/\w+\/events\?/);
  await page.goto(events);
  await refused.retry();
  await table().waitFor();
});
