// Webhooks in a real browser with the built server: an endpoint with its settings, secret and health; a delivery that
// fails and is redelivered, singly and by a job; the receiver drill and the signature diagnosis.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { type AppWithEndpoint, startAppWithEndpoint, verifyMessage } from './app-with-endpoint.ts';
import { inspect, launch } from './browser.ts';

/** Deliveries that a disabled endpoint misses. At one per second, their redelivery is long enough to be paused. */
const MISSED = 30;

let instance: SlipwayInstance;
let browser: Browser;
let hooked: AppWithEndpoint;
let page: Page;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  browser = await launch();
  const inputs = { eventTypes: ['ticket.created', 'ticket.closed', 'ping'], schemaVersions: { 'ticket.created': 1 } };
  hooked = await startAppWithEndpoint(instance, browser, inputs);
  page = hooked.page;
});
afterAll(async () => {
  await browser?.close();
  hooked?.close();
  await instance?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const region = (name: string) => page.getByRole('region', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const onePage = (view = '') => `${hooked.webhooksUrl}/endpoints/${hooked.endpointId}${view && `?view=${view}`}`;
const openView = (name: string) => page.getByRole('tab', { name, exact: true }).click();

test('the settings of an endpoint can be changed, and header values are never shown again', async () => {
  await page.goto(`${hooked.webhooksUrl}?endpoint=${hooked.endpointId}`);
  await page.getByRole('link', { name: hooked.hookUrl, exact: true }).click();
  await openView('Settings');
  await page.waitForURL(/\/endpoints\/whe_\w+\?view=settings$/);
  const settings = region('Settings');
  await settings.getByLabel('Description').fill('The bridge in staging');
  await settings.getByLabel('Attempts per second').fill('20');
  await settings.getByLabel('In order per subject').check();
  await settings.getByLabel('Retry schedule').selectOption('60');
  await settings.getByLabel('Header name').fill('X-Tenant');
  await settings.getByLabel('Header value').fill('harbour-seal');
  await settings.getByRole('button', { name: 'Set header' }).click();
  await settings.getByText('is added when you save').waitFor();
  await button('Save the settings').click();
  await page.getByText('The endpoint was changed').waitFor();
  await settings.getByText('its value is not shown').waitFor();
  expect(await hooked.read(`/endpoints/${hooked.endpointId}`)).toMatchObject({
    description: 'The bridge in staging',
    ratePerSecond: 20,
    isOrdered: true,
    scheduleSpeed: 60,
    headerNames: ['x-tenant'],
    schemaVersions: { 'ticket.created': 1, ping: 1 },
  });
  expect(await page.content()).not.toContain('harbour-seal');
  await settings.getByLabel('Schema version of ticket.created').waitFor();

  // An invalid value is refused at its field, and changes nothing.
  await settings.getByLabel('URL').fill('http://10.0.0.1/hooks');
  await button('Save the settings').click();
  await settings.getByText('The URL must lead to a public address.').waitFor();
  expect(await settings.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
  await button('Discard').click();
  expect(await settings.getByLabel('URL').inputValue()).toBe(hooked.hookUrl);
});

test('a test event arrives with its header and signature, and the page reports it', async () => {
  await openView('Test');
  const part = region('Test event');
  await part.getByLabel('Type').selectOption('ping');
  await button('Send a test event').click();
  await part.getByText('succeeded').waitFor();
  await part.getByText('answered 204').waitFor();
  const message = await until(() => hooked.messages[0]);
  expect(message.headers).toMatchObject({ 'x-tenant': 'harbour-seal', 'slipway-trigger': 'test' });
  expect(verifyMessage(message, hooked.secrets[0] ?? '')).toMatchObject({ type: 'ping' });
});

test('the secret is revealed with an audit entry, rotated with an overlap, and the overlap is ended', async () => {
  await openView('Settings');
  const part = region('Signing secret');
  await part.getByRole('button', { name: 'Reveal' }).click();
  await dialog().getByText('audit log').waitFor();
  expect(await page.content()).not.toContain(hooked.secrets[0]);
  await button('Reveal secret').click();
  expect(await dialog().getByLabel('The signing secret').textContent()).toBe(hooked.secrets[0]);
  await inspect(page, 'secret-revealed');
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await dialog().waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(hooked.secrets[0]);
  const audit = await hooked.read<{ data: { action: string }[] }>('/../../audit-entries?limit=1');
  expect(audit.data[0]?.action).toBe('signing_secret.reveal');

  await part.getByRole('button', { name: 'Rotate' }).click();
  await dialog().getByLabel('Overlap in hours').fill('2');
  await button('Rotate the secret').click();
  hooked.secrets.push(((await dialog().getByLabel('The signing secret').textContent()) ?? '').trim());
  await page.getByLabel('I have stored it').check();
  await dialog().getByRole('button', { name: 'Close' }).click();
  await part.getByText('The previous secret signs too').waitFor();
  expect((await hooked.ticket('Two signatures')).status).toBe(201);
  const message = await hooked.arrived('Two signatures');
  for (const secret of hooked.secrets) expect(verifyMessage(message, secret)).toMatchObject({ type: 'ticket.created' });

  await part.getByRole('button', { name: 'End the overlap' }).click();
  expect(await dialog().textContent()).toMatch(/sandbox/);
  await dialog().getByRole('button', { name: 'End the overlap' }).click();
  await part.getByText('The previous secret signs too').waitFor({ state: 'detached' });
});

test('the changes of a newer schema version are shown on the endpoint’s own event', async () => {
  await page.goto(onePage('test'));
  const part = region('Newer schema versions');
  await part.getByRole('button', { name: /ticket\.created.*version 1 to 2/ }).click();
  await part.getByText('Only in the newer version').waitFor();
  await part.getByText('Current: version 1').waitFor();
  await inspect(page, 'endpoint-preview');
});

test('a filter shows how many recent events it would keep, and a withheld event becomes a skipped delivery', async () => {
  await page.goto(onePage('settings'));
  const settings = region('Settings');
  await settings.getByText(/^Keeps [1-9]\d* of \d+ events? since /).waitFor();
  await settings.getByLabel('Field', { exact: true }).fill('/data/subject');
  await settings.getByLabel('Comparison').selectOption('prefix');
  await settings.getByLabel('Value', { exact: true }).fill('Wanted');
  await button('Add condition').click();
  await settings.getByText(/^Keeps 0 of [1-9]\d* events?/).waitFor();
  await inspect(page, 'endpoint-filter');
  await button('Save the settings').click();
  await page.getByText('The endpoint was changed').waitFor();
  expect((await hooked.ticket('Unwanted')).status).toBe(201);
  const filtered = await hooked.findDelivery('skipped');
  await page.goto(`${hooked.webhooksUrl}?delivery=${filtered.id}`);
  await dialog().getByText('The filter of the endpoint withholds the event.').first().waitFor();
  await page.goto(onePage('settings'));
  await settings.getByRole('button', { name: 'Remove the condition /data/subject begins with Wanted' }).click();
  await button('Save the settings').click();
  await page.getByText('The endpoint was changed').waitFor();
});

test('a failing delivery is shown as a timeline, and its endpoint is reported as failing', async () => {
  hooked.receiver.answering = 500;
  const ticket = await hooked.ticket('Storm');
  expect(ticket.status).toBe(201);
  await hooked.arrived('Storm');
  const failing = await hooked.findDelivery('pending');
  await page.goto(`${hooked.webhooksUrl}?delivery=${failing.id}`);
  await dialog().getByText('answered 500').first().waitFor();
  await dialog().getByText('x-receiver: careless').first().waitFor();
  expect(await dialog().locator('b').count()).toBe(0); // a receiver's response is shown as text
  await dialog()
    .getByText(/^Attempt 2/)
    .first()
    .waitFor();
  await inspect(page, 'delivery-failing');
  // Without the click, the next attempt would begin after five minutes.
  await dialog().getByRole('button', { name: 'Send now' }).click();
  await dialog()
    .getByText(/^Attempt 3/)
    .first()
    .waitFor();
  // The endpoint is ordered, so the next event of the ticket waits.
  expect((await hooked.trigger('ticket.closed', ticket.body.id)).status).toBe(201);
  const waiting = await until(async () => {
    const { data } = await hooked.read<{ data: { id: string; eventType: string }[] }>('/deliveries?status=pending');
    return data.find(({ eventType }) => eventType === 'ticket.closed');
  });
  await page.goto(`${hooked.webhooksUrl}?delivery=${waiting.id}`);
  await dialog().getByText('The earlier event of the subject is delivered first.').waitFor();
  expect(await dialog().getByRole('button', { name: 'Send now' }).isDisabled()).toBe(true);
  await page.goto(onePage());
  await region('Health').getByText('Every attempt fails').waitFor();
  await region('Health').getByText('After 5 days of continuous failures').waitFor();
  await inspect(page, 'endpoint-failing');
  await openView('Deliveries');
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await deliveries.getByRole('row').filter({ hasText: 'failing' }).getByText('500', { exact: true }).waitFor();
  await page.goto(hooked.webhooksUrl);
  const endpoint = page.getByRole('table', { name: 'Endpoints' }).getByRole('row').filter({ hasText: hooked.hookUrl });
  expect(await endpoint.innerText()).toMatch(/failing[\s\S]*\d+ %[\s\S]*(ago|just now)/);
  await inspect(page, 'endpoints-failing');
});

test('the deliveries of an endpoint are filtered by event type, event and time on its page', async () => {
  const { eventId } = await hooked.read<{ eventId: string }>(
    `/deliveries/${(await hooked.findDelivery('pending')).id}`,
  );
  await page.goto(onePage('deliveries'));
  const list = region('Deliveries');
  const deliveries = list.getByRole('table', { name: 'Deliveries' });
  await deliveries.getByRole('row').nth(2).waitFor();
  await page.goto(`${onePage('deliveries')}&type=publication.archived`);
  await list.getByText('No delivery matches these filters').waitFor();
  await inspect(page, 'endpoint-deliveries-none');
  await list.getByRole('button', { name: 'Clear' }).click();
  await list.getByLabel('Event id').fill('correct horse battery staple');
  await page.keyboard.press('Enter');
  await list.getByText('Enter a whole identifier.').waitFor();
  expect(page.url()).not.toContain('correct');
  await list.getByLabel('Event id').fill(eventId);
  await page.keyboard.press('Enter');
  await until(async () => (await deliveries.locator('tbody tr').count()) === 1);
  await list.getByRole('button', { name: 'Any time' }).click();
  await page.getByRole('button', { name: 'Last hour' }).click();
  await page.waitForURL((url) => url.searchParams.get('last') === '1h' && url.searchParams.get('event') === eventId);
  await deliveries.getByRole('link').click();
  await dialog().getByText(eventId).first().waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/endpoints\/whe_\w+$/);
  await inspect(page, 'endpoint-delivery');
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await page.goto(`${onePage()}?event=${eventId}`);
  await list.getByRole('button', { name: 'Clear' }).click();
  await page.waitForURL(onePage('deliveries'));
});

test('disabling cancels waiting deliveries, which can be redelivered after enabling', async () => {
  await button('Disable').click();
  await dialog().getByText('Disable the sandbox endpoint?').waitFor();
  await dialog()
    .getByLabel(/^Reason/)
    .fill('The bridge moves.');
  await button('Disable the endpoint').click();
  await page.getByText('Disabled: The bridge moves.').waitFor();
  for (let at = 1; at <= MISSED; at++) expect((await hooked.ticket(`Missed ${at}`)).status).toBe(201);
  hooked.receiver.answering = 204;
  await button('Enable').click();
  await page.getByText('The endpoint is enabled').waitFor();

  const lost = await hooked.findDelivery('cancelled');
  const before = hooked.messages.length;
  await page.goto(`${hooked.webhooksUrl}?status=cancelled&delivery=${lost.id}`);
  await dialog().getByRole('button', { name: 'Redeliver' }).click();
  await page.waitForURL((url) => url.searchParams.get('delivery') !== lost.id);
  await dialog().getByText('a manual redelivery').first().waitFor();
  await dialog().getByText('succeeded').first().waitFor();
  expect(hooked.messages.length).toBe(before + 1);
  await dialog().getByRole('link', { name: lost.id }).first().click();
  await dialog().getByText('Redelivered as').waitFor();
});

test('many deliveries are counted, and redelivered by a job that can be paused and resumed', async () => {
  await page.goto(`${hooked.webhooksUrl}/redeliveries`);
  await page.getByText('No redeliveries yet').waitFor();
  const form = region('Redeliver many');
  await form.getByLabel('failed').uncheck();
  await form.getByLabel('were skipped').check();
  await form.getByLabel('Deliveries per second').fill('1');
  await button('Count').click();
  await form.getByText(`${MISSED} deliveries would be redelivered`).waitFor();
  await inspect(page, 'redeliveries');
  await button('Start redelivery').click();
  const progress = dialog().getByText(new RegExp(`^\\d+ of ${MISSED} redelivered`));
  await progress.waitFor();
  await button('Pause').click();
  await dialog().getByText('paused', { exact: true }).waitFor();
  await inspect(page, 'redelivery');
  await button('Resume').click();
  await button('Pause').waitFor();
  const { pathname, searchParams } = new URL(page.url());
  const path = pathname.replace('/sandbox/', '/api/sandbox/organisations/').replace('/webhooks', '');
  const job = `${path}/${searchParams.get('job')}`;
  const faster = { headers: { 'slipway-console': '1' }, data: { ratePerSecond: 100 } };
  expect((await page.request.patch(new URL(job, page.url()).href, faster)).status()).toBe(200);
  await dialog().getByRole('link', { name: 'Show its deliveries' }).click();
  await page.getByText(/^Created by the redelivery/).waitFor();
  await page.getByRole('table', { name: 'Deliveries' }).getByText('succeeded').first().waitFor();
  await page.goBack();
  await dialog().getByText(`${MISSED} of ${MISSED} redelivered`).waitFor();
  await dialog().getByText('finished', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('table', { name: 'Redeliveries' }).getByText('finished').waitFor();
});

test('a drill tells the developer of a careless receiver what to fix', async () => {
  await page.goto(onePage());
  await page.getByRole('link', { name: 'Receiver drill' }).click();
  await button('Start a drill').click();
  const report = region('Report');
  await report.getByText('completed').waitFor();
  await report.getByText(/^12 of 12 steps/).waitFor();
  const forged = report.getByRole('button', { name: /A wrong signature/ });
  expect(await forged.textContent()).toMatch(/failed.*accepts forged events/s);
  await forged.click();
  await report.getByText('An event that is signed with another secret.').waitFor();
  await inspect(page, 'drill');
  await page.getByRole('table', { name: 'Drills' }).getByText('completed').waitFor();
});

test('the signature diagnosis recognises a reserialised body', async () => {
  await page.getByRole('link', { name: 'Endpoint', exact: true }).click();
  await page.getByRole('link', { name: 'Signature diagnosis' }).click();
  const { body, headers } = hooked.redelivered();
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  await page.getByLabel('Headers').fill(names.map((name) => `${name}: ${headers[name]}`).join('\n'));
  await page.getByLabel('Raw body').fill(JSON.stringify(JSON.parse(body), null, 2));
  await button('Diagnose').click();
  await region('Diagnosis').getByText('body_reserialised').waitFor();
  await inspect(page, 'doctor');
  await page.getByLabel('Raw body').fill(body);
  await button('Diagnose').click();
  await page.getByText('The signature is valid').waitFor();
});

test('a second key is generated and put first, and after its revocation deliveries continue through the other key', async () => {
  hooked.receiver.answering = 204;
  await page.goto(onePage('settings'));
  const settings = region('Settings');
  const generate = async (name: string): Promise<void> => {
    await settings.getByRole('button', { name: 'Generate another key' }).click();
    await dialog().getByLabel('Name').fill(name);
    expect(await dialog().getByLabel('events:read').isChecked()).toBe(true);
    await dialog().getByRole('button', { name: 'Generate', exact: true }).click();
    await page.getByLabel('I have stored it').check();
    await dialog().getByRole('button', { name: 'Close' }).click();
    await dialog().waitFor({ state: 'detached' });
  };
  await generate('Second key');
  const order = settings.getByRole('list', { name: 'Order of the keys' }).getByRole('listitem');
  await order.nth(1).getByText('2. Second key').waitFor();
  await settings.getByRole('button', { name: /^Move Second key .* up$/ }).click();
  await order.nth(0).getByText('1. Second key').waitFor();
  await inspect(page, 'endpoint-keys');
  await button('Save the settings').click();
  await page.getByText('The endpoint was changed').waitFor();
  const { keyIds } = await hooked.read<{ keyIds: string[] }>(`/endpoints/${hooked.endpointId}`);
  expect(keyIds).toHaveLength(2);

  const keyOf = async (text: string): Promise<string | undefined> => {
    expect((await hooked.ticket(text)).status).toBe(201);
    const { headers } = await hooked.arrived(text);
    const read = () =>
      hooked.read<{ attempts: { keyId: string }[] }>(`/deliveries/${String(headers['slipway-delivery-id'])}`);
    return until(async () => (await read()).attempts[0]?.keyId);
  };
  expect(await keyOf('Through the second key')).toBe(keyIds[0]);

  await page.goto(hooked.webhooksUrl.replace(/webhooks$/, 'keys'));
  const row = page.getByRole('row').filter({ hasText: 'Second key' });
  await row.getByRole('button', { name: /^Revoke/ }).click();
  await dialog().getByText('continue through another key').waitFor();
  await button('Revoke the key').click();
  await page.getByText('Deliveries to 1 endpoint continue through another key.').waitFor();
  expect(await keyOf('Through the first key')).toBe(keyIds[1]);

  // A generated key replaces the revoked one in the list, because the server accepts only usable keys.
  await page.goto(onePage('settings'));
  await generate('Third key');
  await order.nth(1).getByText('2. Third key').waitFor();
  await button('Save the settings').click();
  await page.getByText('The endpoint was changed').waitFor();
  const changed = await hooked.read<{ keyIds: string[] }>(`/endpoints/${hooked.endpointId}`);
  expect(changed.keyIds).toEqual([keyIds[1], expect.any(String)]);
});

test('every page fits on a phone, without errors', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const views = ['', 'deliveries', 'settings', 'test'].map(onePage);
  const { webhooksUrl } = hooked;
  const others = [webhooksUrl, `${onePage()}/drill`, `${onePage()}/signature`, `${webhooksUrl}/redeliveries`];
  for (const address of [...views, ...others]) {
    await page.goto(address);
    await page.getByRole('status').getByText('Up to date', { exact: true }).waitFor();
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    if (address === webhooksUrl) {
      const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1);
      await row.getByText(/^(just now|.* ago), (localhost|127\.0\.0\.1):\d+\//).waitFor();
    }
    if (views.includes(address)) await inspect(page, `phone-endpoint-${views.indexOf(address)}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([address, overflow]).toEqual([address, 0]);
  }
  expect(hooked.complaints).toEqual([]);
});

test('the page of a deleted endpoint leads back, and its address reports the deletion', async () => {
  await page.goto(onePage());
  // The page may read the deletion before it receives the response to it.
  await page.route('**/endpoints/whe_*', async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    const response = await route.fetch();
    await page.getByText('There is no such endpoint').waitFor();
    await route.fulfill({ response });
  });
  await button('Delete').click();
  await button('Delete the endpoint').click();
  await page.waitForURL(/\/webhooks$/);
  await page.goto(onePage());
  await page.getByText('There is no such endpoint').waitFor();
});
