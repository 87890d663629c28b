// The whole story in a real browser, on the built server and its embedded Postgres: from the one-time link over the
// first request and the first webhook to the revocation of access.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { ask, readNote, send } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';

interface Message {
  body: string;
  headers: Record<string, string>;
}

let instance: SlipwayInstance;
let browser: Browser;
let result: Visit;
let page: Page;
let receiver: Server;
let hookUrl: string;
const messages: Message[] = [];
const seen: { token: string; signingSecret: string; serverId: string } = { token: '', signingSecret: '', serverId: '' };

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  const port = await freePort();
  hookUrl = `http://127.0.0.1:${port}/hooks`;
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    messages.push({ body: Buffer.concat(chunks).toString(), headers: request.headers as Record<string, string> });
    response.writeHead(204).end();
  }).listen(port, '127.0.0.1');
  await once(receiver, 'listening');
  await instance.start({ SLIPWAY_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${port}` }).ready;
  browser = await launch();
  result = await visit(browser);
  page = result.page;
});
afterAll(async () => {
  await browser?.close();
  receiver?.close();
  await instance?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const createTicket = (subject: string) =>
  send<{ code?: string }>(
    `${instance.apiUrl}/v1/servers/${seen.serverId}/tickets`,
    { subject, body: 'From the story.' },
    { authorization: `Bearer ${seen.token}` },
  );

test('the one-time link signs the owner in, and a password lets them return', async () => {
  await page.goto(`${instance.consoleUrl}/sign-in#link=${readNote(instance).link}`);
  await button('Sign in as the owner').waitFor();
  await inspect(page, 'sign-in');
  await button('Sign in as the owner').click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await button('Set password').click();
  await page.waitForURL(/\/sandbox\/org_\w+\/apps/);
  await page.getByRole('link', { name: 'Demo app' }).waitFor();
  await inspect(page, 'apps');
});

test('a person creates an organisation and an app in it', async () => {
  await page.goto(`${instance.consoleUrl}/organisations`);
  await button(/Create an organisation/).click();
  await page.getByLabel('Name').fill('Harbour Tools');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Create/ })
    .click();
  await page.waitForURL(/\/sandbox\/org_\w+\/apps$/);
  await page.getByText('Register your first app').waitFor();
  await inspect(page, 'no-apps');
  await page.getByLabel('Name').fill('Ticket bridge');
  await button('Register').click();
  await page.waitForURL(/\/apps\/app_\w+\/overview$/);
  await inspect(page, 'overview');
});

test('a key is generated, shown once, and works', async () => {
  await page.getByRole('link', { name: 'Keys' }).first().click();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor(); // the overview has such a button too
  await button(/Generate a key/)
    .first()
    .click();
  await page.getByLabel('Name').fill('Staging bridge');
  for (const scope of ['servers:read', 'events:read', 'tickets:create']) await page.getByLabel(scope).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Generate' }).click();
  seen.token = ((await page.getByLabel('The key').textContent()) ?? '').trim();
  expect(seen.token).toMatch(/^slw_test_\w{12}_\w{38}$/);
  await page.keyboard.press('Escape'); // Escape must not close the dialog of the key
  expect(await page.getByLabel('The key').isVisible()).toBe(true);
  await inspect(page, 'key-shown-once');
  await page.getByLabel('I have stored it').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(seen.token);
  const servers = await ask<{ data: { id: string }[] }>(`${instance.apiUrl}/v1/servers`, {
    headers: { authorization: `Bearer ${seen.token}` },
  });
  expect(servers.status).toBe(200);
  seen.serverId = servers.body.data[0]?.id ?? '';
});

test('an endpoint is added, and the first signed webhook arrives', async () => {
  await page.getByRole('link', { name: 'Webhooks' }).first().click();
  await button(/Add an endpoint/)
    .first()
    .click();
  await page.getByLabel('URL').fill('http://10.0.0.1/hooks');
  // The only key that can deliver is selected already.
  await page
    .getByRole('dialog')
    .getByText(/^Staging bridge/)
    .first()
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').getByText('The URL must lead to a public address.').waitFor();
  await page.getByLabel('URL').fill(hookUrl);
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  seen.signingSecret = ((await page.getByLabel('The signing secret').textContent()) ?? '').trim();
  await page.getByLabel('I have stored it').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  expect((await createTicket('Hello')).status).toBe(201);
  const message = await until(() => messages[0]);
  const event = new Webhook(seen.signingSecret).verify(message.body, message.headers);
  expect(event).toMatchObject({ type: 'ticket.created', environment: 'sandbox', data: { subject: 'Hello' } });
  await page.getByRole('table', { name: 'Deliveries' }).getByText('succeeded').first().waitFor();
  await inspect(page, 'webhooks');
});

test('the inspector shows the request, and a refused request with its problem', async () => {
  const { body: refusal } = await ask(`${instance.apiUrl}/v1/servers/${seen.serverId}?wrong=1`, {
    headers: { authorization: `Bearer ${seen.token}` },
  });
  await page.getByRole('link', { name: 'Requests' }).first().click();
  const table = page.getByRole('table', { name: 'Requests' });
  await table.getByText('invalid_request').first().waitFor();
  await table
    .getByText(/\/tickets/)
    .first()
    .waitFor();
  await inspect(page, 'requests');
  await table.getByText('invalid_request').first().click();
  await page.getByRole('dialog').getByText(/req_/).first().waitFor();
  await inspect(page, 'request');
  await page.keyboard.press('Escape');
  // The complete response, whose request id is near its end.
  await page.getByLabel('Find', { exact: true }).fill(JSON.stringify(refusal));
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('request') === refusal.requestId);
  await page.getByRole('dialog', { name: 'Request' }).getByText(String(refusal.requestId)).first().waitFor();
  await page.keyboard.press('Escape');
});

test('text pasted into Find leads to the event or the delivery that it names', async () => {
  const event: { id: string } = JSON.parse(messages[0]?.body ?? '');
  const requestsUrl = page.url();
  const find = page.getByLabel('Find', { exact: true });
  await find.fill(event.id);
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Event' });
  await drawer.getByText('This event').waitFor();
  await drawer.getByRole('link', { name: /^POST / }).waitFor();
  await inspect(page, 'event');
  await drawer.getByRole('link', { name: /^Delivery to / }).click();
  await page.waitForURL(/\/webhooks\?delivery=dlv_\w+$/);
  const delivery = page.url();
  await page.goBack();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.goto(requestsUrl);
  await find.fill(delivery.split('=')[1] ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL(delivery);
  await page.getByRole('dialog', { name: 'Delivery' }).waitFor();
  await page.keyboard.press('Escape');
});

test('pausing a server stops calls on it and holds its deliveries; resuming releases both', async () => {
  await page.getByRole('link', { name: 'Installations' }).first().click();
  // Another server can have the same name.
  const row = page.getByRole('row').nth(1);
  const whole = row.getByRole('button', { name: /^Whole installation on .*: authorised/ });
  await whole.waitFor();
  await inspect(page, 'installations');
  expect(await row.getByRole('button', { name: /: authorised$/ }).allInnerTexts()).toEqual(Array(7).fill(''));
  await page.getByText('authorised', { exact: true }).waitFor(); // the legend of the symbol
  const name = (await whole.getAttribute('aria-label'))?.replace(/: authorised$/, '') ?? '';
  await whole.click();
  await page.getByRole('menuitem', { name: /^Pause/ }).click();
  const pause = page.getByRole('dialog', { name: /^Pause the whole installation on / });
  await pause.getByText(/^Since .+, this change would have refused \d+ request/).waitFor();
  await pause.getByText(/^Since .+, this change would have held \d+ deliver/).waitFor();
  await inspect(page, 'pause-grant');
  await pause.getByRole('button', { name: 'Pause', exact: true }).click();
  await row.getByRole('button', { name: `${name}: paused` }).waitFor();
  expect((await createTicket('Not now')).body.code).toBe('installation_paused');
  await row.getByRole('button', { name: `${name}: paused` }).click();
  await page.getByRole('menuitem', { name: /^Resume/ }).click();
  await row.getByRole('button', { name: `${name}: authorised` }).waitFor();
  expect((await createTicket('Now')).status).toBe(201);
  await until(() => messages.find((one) => one.body.includes('"Now"')));
});

test('revoking the key stops calls and deliveries immediately', async () => {
  await page.getByRole('link', { name: 'Keys' }).first().click();
  await button('Revoke Staging bridge').click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.textContent()).toMatch(/sandbox/i);
  await inspect(page, 'revoke-key');
  await dialog.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('is revoked').waitFor();
  const delivered = messages.length;
  expect((await createTicket('Too late')).body.code).toBe('revoked_key');
  expect(messages.length).toBe(delivered);
});

test('every page fits on a phone, without errors or external requests', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const base = page.url().replace(/\/keys.*$/, '');
  for (const tab of ['overview', 'keys', 'installations', 'webhooks', 'requests']) {
    await page.goto(`${base}/${tab}`);
    await page.getByRole('main').waitFor();
    // A live stream never ends, so the network is never idle.
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    await inspect(page, `phone-${tab}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([tab, overflow]).toEqual([tab, 0]);
  }
  expect(result.complaints).toEqual([]);
});

test('a signed-out person is redirected to sign in, and with the password back to their page', async () => {
  const wanted = page.url();
  const cookies = await page.context().cookies();
  await page.context().addCookies(cookies.map((one) => ({ ...one, value: 'ended' })));
  const refused = (): number => result.refusals.filter((one) => one.endsWith(': 401')).length;
  const before = refused();
  // Every call of the page is refused before the sign-in page is available.
  await page.route(/\/assets\/sign-in-page/, async (route) => {
    await until(() => refused() >= before + 2);
    await route.continue();
  });
  await page.goto(wanted);
  await page.getByLabel('E-mail address').fill('owner@slipway.local');
  await page.getByLabel('Password', { exact: true }).fill('a long sentence is a good one');
  await button('Sign in').click();
  await page.waitForURL(wanted);
});
