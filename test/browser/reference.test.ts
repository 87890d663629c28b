// The API reference in a real browser with the built server: search, links, keyboard, phone, and calls with a key of
// which the page knows only the id.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { readNote } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';
import { refuseReads } from './refused-reads.ts';

let instance: SlipwayInstance;
let browser: Browser;
let result: Visit;
let page: Page;
let base: string;
/** The demo's key. The first sign-in deletes the note that contains it. */
let key: string;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start().ready;
  browser = await launch();
  result = await visit(browser);
  page = result.page;
  const note = readNote(instance);
  key = note.key ?? '';
  await page.goto(`${instance.consoleUrl}/sign-in#link=${note.link}`);
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Demo app' }).click();
  await page.getByRole('link', { name: 'Reference' }).click();
  await page.waitForURL(/\/reference$/);
  base = page.url();
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

const nav = () => page.getByRole('navigation', { name: 'Reference' });
const search = () => page.getByRole('searchbox', { name: 'Search the reference' });
const heading = (name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const answer = () => page.getByRole('status', { name: 'Response' });
const form = () => page.getByRole('form', { name: 'Try it' });
const send = async (): Promise<string> => {
  // The form is filled with an existing server as soon as it is known. Until then the browser asks for the value and
  // sends nothing.
  await until(() => form().evaluate((one: HTMLFormElement) => one.checkValidity()));
  await page.getByRole('button', { name: 'Send in the sandbox' }).click();
  await page.getByRole('button', { name: 'Send in the sandbox' }).and(page.locator(':not([data-loading])')).waitFor();
  await answer().waitFor();
  return (await answer().textContent()) ?? '';
};

test('a simulated reset has a record with its end under the API’s names, and a replay says that it left the fault out', async () => {
  const headers = { authorization: `Bearer ${key}`, 'sandbox-simulate': 'reset' };
  await expect(fetch(`${instance.apiUrl}/v1/me`, { headers })).rejects.toThrow();
  await page.goto(base.replace(/reference$/, 'requests?operationId=getMe&simulated=true'));
  await page.getByRole('button', { name: 'Remove the filter: getMe' }).waitFor();
  await page.getByRole('table', { name: 'Requests' }).getByRole('link').first().click();
  const drawer = page.getByRole('dialog', { name: 'Request' });
  await drawer.getByText('Ended', { exact: true }).waitFor();
  expect(await drawer.getByText(/^Answer(ed|’s size)$/).count()).toBe(0);
  await drawer.getByText("-H 'Sandbox-Simulate: reset'").waitFor();
  await drawer.getByRole('button', { name: 'Replay' }).click();
  await drawer.getByText('Omitted from the original request: the simulated fault.').waitFor();
  await inspect(page, 'request-reset');
  await page.goto(base);
});

describe('search and links of the reference', () => {
  test('the first page of the reference links to every operation', async () => {
    await nav().getByRole('link', { name: 'Create a ticket' }).waitFor();
    await inspect(page, 'reference');
    const contract = await fetch(`${instance.apiUrl}/v1/openapi.json`).then((response) => response.json());
    const ids = Object.values<Record<string, { operationId: string }>>(contract.paths).flatMap((item) =>
      Object.values(item).map((one) => one.operationId),
    );
    const links = await nav()
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    expect(ids.filter((id) => !links.some((link) => link.endsWith(`/operations/${id}`)))).toEqual([]);
  });

  test.each([
    ['ticket create', 'Create a ticket'],
    ['/v1/workflow-runs', 'Get a run'],
    ['installation_paused', 'installation_paused'],
    ['TicketRequester', 'TicketRequester'],
    ['roadmap:read', 'List the roadmap of a server'],
  ])('a search for “%s” finds %s', async (query, label) => {
    await search().fill(query);
    await nav().getByRole('link', { name: label }).first().waitFor();
    await nav()
      .getByText(/^\d+ results?$/)
      .waitFor();
  });

  test('a search without results says so, and leads back', async () => {
    await search().fill('no such thing <b>');
    await nav().getByText('No entry matches “no such thing <b>”.').waitFor();
    await nav().getByRole('button', { name: 'Show all entries' }).click();
    await nav().getByRole('link', { name: 'List servers' }).waitFor();
  });

  test('the search works by keyboard alone: slash, letters, arrow and Enter', async () => {
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('list servers');
    await nav()
      .getByText(/^\d+ results?$/)
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading('List servers').waitFor();
    expect(page.url()).toBe(`${base}/operations/listServers`);
    await search().press('Escape');
    expect(await search().inputValue()).toBe('');
  });

  test('every kind of page has a link, and a missing page is reported', async () => {
    await page.goto(`${base}/schemas/TicketRequester`);
    await heading('TicketRequester').waitFor();
    await page.goto(`${base}/problems/missing_scope`);
    await heading('Missing scope').waitFor();
    expect(await page.getByRole('link', { name: 'Its page' }).getAttribute('href')).toBe(
      `${instance.apiUrl}/problems/missing-scope`,
    );
    // No operation declares this problem, and it has a page nevertheless.
    await page.goto(`${base}/problems/method_not_allowed`);
    await heading('Method not allowed').waitFor();
    const text = (await page.getByRole('main').textContent()) ?? '';
    for (const part of ['Cause', 'Solution', 'Use one of the methods in the Allow header.'])
      expect([part, text.includes(part)]).toEqual([part, true]);
    await page.goto(`${base}/operations/noSuchOperation`);
    await page.getByText('There is no such page').waitFor();
  });
});

describe('calls in the reference', () => {
  test('an operation shows its scope, parameters with limits, body, responses and problems', async () => {
    await page.goto(`${base}/operations/createTicket`);
    await heading('Create a ticket').waitFor();
    const text = (await page.getByRole('main').textContent()) ?? '';
    for (const part of ['/v1/servers/{serverId}/tickets', 'tickets:create', '1 to 200 characters', 'invalid_request'])
      expect([part, text.includes(part)]).toEqual([part, true]);
    const pattern = page.getByText('latency=', { exact: false }).filter({ hasText: '^' }).last();
    expect(await pattern.isVisible()).toBe(false);
    await page
      .getByText(/^pattern of [\d,]+ characters$/)
      .first()
      .click();
    await pattern.waitFor();
    await page.getByRole('button', { name: 'Show the fields of requester' }).first().click();
    await page.getByText('externalId', { exact: true }).first().waitFor();
    await inspect(page, 'reference-operation');
  });

  test('a read is answered, and its record names the person', async () => {
    await page.goto(`${base}/operations/listServers`);
    await page.getByLabel('limit').fill('2');
    const text = await send();
    expect(text).toContain('200');
    expect(text).toContain('in the sandbox');
    expect(text).toContain('"nextCursor"');
    await answer().getByRole('link', { name: 'Show its record' }).click();
    const record = page.getByRole('dialog', { name: 'Request' });
    await record.getByText('owner@slipway.local').waitFor();
    await record.getByText('/v1/servers').first().waitFor();
  });

  test('a mutation uses the filled-in server, and the created object can be read with the offered id', async () => {
    await page.goto(`${base}/operations/createTicket`);
    await page.getByLabel('serverId').and(page.locator('[value^="srv_"]')).waitFor();
    expect(await send()).toMatch(/201.*tkt_/s);
    await nav().getByRole('link', { name: 'Get a ticket' }).click();
    await page.getByLabel('ticketId').and(page.locator('[value^="tkt_"]')).waitFor();
    expect(await send()).toMatch(/200.*Cannot join the voice channel/s);
  });

  test('a refusal is shown as a problem with its reason and pointer', async () => {
    await page.goto(`${base}/operations/createTicket`);
    await page.getByLabel('Body', { exact: true }).fill('{"subject": 1');
    await page.getByText('This is not valid JSON. It is sent as it is.').waitFor();
    expect(await send()).toContain('The body is not valid JSON.');
    await page.getByLabel('Body', { exact: true }).fill('{"subject": 1}');
    await answer().waitFor();
    expect(await send()).toMatch(/400/);
    await answer().getByText('/subject').first().waitFor();
    await inspect(page, 'reference-refusal');
    await answer().getByRole('link', { name: 'invalid_request means' }).click();
    await heading('Invalid request').waitFor();
  });

  test('a call is available as a command and as code, with the entered values', async () => {
    await page.goto(`${base}/operations/listServers`);
    await page.getByLabel('limit').fill('3');
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByText(`'${instance.apiUrl}/v1/servers?limit=3'`).waitFor();
    await page.getByRole('tab', { name: 'SDK' }).click();
    await page.getByText('slipway.listServers({').waitFor();
    expect(await page.content()).not.toMatch(/slw_test_\w{12}_\w/);
  });

  test('the page links to the keys if the app has no active key', async () => {
    await page.goto(base.replace('/reference', '/keys'));
    const revoke = page.getByRole('button', { name: /^Revoke / });
    await revoke.first().waitFor();
    for (const button of await revoke.all()) {
      await button.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.goto(`${base}/operations/listServers`);
    await page.getByRole('link', { name: 'Go to keys' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send in the sandbox' }).isDisabled()).toBe(true);
    await inspect(page, 'reference-no-key');
  });
});

test.each([
  '',
  '/operations/listServers',
  '/problems/not_found',
  '/schemas/Event',
])('the page reference%s fits on a phone, where the list makes room for the chosen entry', async (path) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(base + path);
  await page.getByRole('main').getByRole('heading', { level: 2 }).waitFor();
  await page.waitForLoadState('networkidle');
  await inspect(page, `phone-reference${path.replaceAll('/', '-')}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect([overflow, await nav().isVisible()]).toEqual([0, path === '']);
  if (path === '') return;
  await page.getByRole('link', { name: 'All of the reference' }).click();
  await search().waitFor();
});

test('the page reports a contract that cannot be loaded, and tries again', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const refused = await refuseReads(page, /\/contract$/, (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto(base);
  await refused.retry();
  await nav().getByRole('link', { name: 'List servers' }).waitFor();
});

test('no page made external requests or failed', () => {
  expect(result.complaints).toEqual([]);
});
