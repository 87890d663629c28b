// First steps and urgent tasks of a user, with the number of interactions; responses of a hostile receiver; and the
// keys of an app. Runs on the built server with its demo.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExternalPostgres, startExternalPostgres } from '../external-postgres.ts';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { type Answer, ask, createTicket, firstServerId, listServers, readNote, send } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';
import { HOSTILE } from './hostile.ts';

let postgres: ExternalPostgres;
let instance: SlipwayInstance;
let receiver: Server;
let hook: string;
let browser: Browser;
let result: Visit;
let page: Page;
let key: string;
/** The address of the demo's app. */
let base: string;
let caught = 0;
let answering = 500;
let presses = 0;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume();
    for (const [at, text] of HOSTILE.entries()) response.setHeader(`x-hostile-${at}`, text);
    response.writeHead(answering, { 'content-type': 'text/html' }).end(HOSTILE.join('\n'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hook = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // a TCP address
  [postgres, instance] = await Promise.all([startExternalPostgres(copyPreparedData), createInstance()]);
  await instance.start({ ...postgres.settings, SLIPWAY_WEBHOOK_ALLOW_HOSTS: hook }).ready;
  browser = await launch();
  result = await visit(browser);
  page = result.page;
  await page.exposeFunction('caught', () => {
    caught += 1;
  });
});
afterAll(async () => {
  await browser?.close();
  receiver?.close();
  await instance?.remove();
  await postgres?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const dialog = () => page.getByRole('dialog');

const press = async (on: Locator): Promise<void> => {
  presses += 1;
  await on.click();
};

/** Calls the management API of the app as its owner. */
async function manage<Body>(path: string, body?: unknown): Promise<Answer<Body>> {
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const url = base.replace('/sandbox/', '/api/sandbox/organisations/') + path;
  return body === undefined ? ask<Body>(url, { headers: { cookie } }) : send<Body>(url, body, { cookie });
}

async function newTicket(subject: string): Promise<void> {
  const serverId = await firstServerId(instance, key);
  const idempotencyKey = `of ${subject.length} characters`;
  expect((await createTicket(instance, key, { serverId, subject, idempotencyKey })).status).toBe(201);
}

test('caches keep built files, whose names change with their content, and no error', async () => {
  const html = await (await fetch(`${instance.consoleUrl}/sign-in`)).text();
  const asset = /\/assets\/[\w.-]+\.js/.exec(html)?.[0] ?? '';
  const keeping = async (path: string) => {
    const { status, headers } = await ask(instance.consoleUrl + path, { headers: { accept: 'text/html' } });
    return [status, headers.get('cache-control')];
  };
  expect(await keeping(asset)).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(await keeping('/favicon.svg')).toEqual([200, 'max-age=86400']);
  expect(await keeping('/sign-in')).toEqual([200, 'no-cache']);
  expect(await keeping('/no-such-page')).toEqual([404, 'no-store']);
  expect(await keeping('/assets/none.js')).toEqual([404, 'no-store']);
});

test('a visitor without a session is redirected to sign in before a page is shown, and then back to the wanted page', async () => {
  const wanted = '/sandbox/org_1/apps/app_1/requests?status=4&path=//evil.example';
  const answer = await ask(instance.consoleUrl + wanted, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store']);
  expect(answer.headers.get('location')).toBe(`/sign-in?return=${encodeURIComponent(wanted)}#`);
  await page.goto(`${instance.consoleUrl}/account#token=nothing`);
  await page.getByLabel('E-mail address').waitFor();
  expect([new URL(page.url()).hash, result.refusals.filter((one) => one.endsWith(': 401'))]).toEqual(['', []]);
});

test('signing in, seeing the first request live and delivering the first webhook takes at most eight interactions', async () => {
  const note = readNote(instance);
  key = note.key ?? '';
  await page.goto(`${instance.consoleUrl}/sign-in#link=${note.link}`);
  await press(button('Sign in as the owner'));
  presses += 1;
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await press(button('Set password'));
  await press(page.getByRole('link', { name: 'Demo app' }));
  await page.getByText('Waiting for the first call').waitFor();
  base = page.url().replace(/\/overview$/, '');
  presses += 1; // copying the command and pasting it into a shell
  const command = await page
    .locator('pre')
    .filter({ hasText: /\/tickets'/ })
    .textContent();
  expect(command).toContain(`"Authorization: Bearer $SLIPWAY_KEY"`);
  const serverId = /srv_\w+/.exec(command ?? '')?.[0] ?? '';
  const first = { serverId, subject: 'The first ticket', idempotencyKey: 'first' };
  expect((await createTicket(instance, key, first)).status).toBe(201);
  await page.getByText('5 of 5 steps are done').waitFor();
  await press(page.getByRole('link', { name: 'Open the Request Inspector' }));
  await page.getByRole('status').getByText('Up to date', { exact: true }).waitFor();
  await page
    .getByRole('table', { name: 'Requests' })
    .getByText(/\/tickets$/)
    .first()
    .waitFor();
  await press(page.getByRole('link', { name: 'Webhooks', exact: true }));
  await page.getByRole('table', { name: 'Deliveries' }).getByText('succeeded').first().waitFor();
  expect(presses).toBeLessThanOrEqual(8);
});

/** Lets the retry of a delivery with one attempt wait for an hour. */
async function waitForAnHour(): Promise<void> {
  const wait = `update queue set due_at = now() + interval '1 hour' where attempt_no = 1 and state = 'waiting' returning 1`;
  await until(async () => (await postgres.query(wait))[0]);
}

/** Makes a delivery with one attempt fail finally, because the schedule would take days. */
async function failNow(): Promise<void> {
  await until(async () => (await postgres.query(`select 1 from queue where attempt_no = 1 and state = 'waiting'`))[0]);
  await postgres.query(`with gone as (delete from queue returning delivery_id)
    update deliveries d set status = 'failed', finished_at = now() from gone where d.delivery_id = gone.delivery_id`);
}

test('finding the cause of a failed delivery and redelivering it takes three interactions, and a hostile response is shown as text', async () => {
  const [{ id: keyId = '' } = {}] = (await manage<{ data: { id: string }[] }>('/keys')).body.data;
  const input = { url: `http://${hook}/hooks`, keyId, eventTypes: ['ticket.created'], description: HOSTILE[0] };
  const { endpoint } = (await manage<{ endpoint: { id: string } }>('/endpoints', input)).body;
  await newTicket(HOSTILE.join(' ').slice(0, 200));
  await failNow();
  await page.goto(`${base}/overview`);
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  presses = 0;
  await press(page.getByRole('link', { name: 'Webhooks', exact: true }));
  await press(deliveries.getByText('failed'));
  for (const text of HOSTILE) await dialog().locator('pre').filter({ hasText: text }).first().waitFor();
  await inspect(page, 'hostile-delivery');
  answering = 204;
  await press(dialog().getByRole('button', { name: 'Redeliver' }));
  await dialog().getByText('a manual redelivery').first().waitFor();
  await dialog().getByText('succeeded').first().waitFor();
  expect(presses).toBeLessThanOrEqual(3);
  for (const path of [`/webhooks/endpoints/${endpoint.id}`, '/webhooks']) {
    await page.goto(base + path);
    await page
      .getByText(HOSTILE[0] ?? '')
      .first()
      .waitFor();
  }
  expect(await page.locator('main iframe, main script, main img, main [onerror], main [onload]').count()).toBe(0);
  expect(caught).toBe(0);
});

test('finding the wrong field of a request that was refused with 400 takes at most two interactions', async () => {
  const serverId = await firstServerId(instance, key);
  const refused = await createTicket(instance, key, { serverId, subject: '', idempotencyKey: 'a wrong field' });
  expect(refused.status).toBe(400);
  await page.goto(`${base}/overview`);
  presses = 0;
  await press(page.getByRole('link', { name: 'Requests', exact: true }));
  const requests = page.getByRole('table', { name: 'Requests' });
  await press(requests.locator('tbody tr', { hasText: '400' }).first());
  await dialog().getByText('/subject').first().waitFor();
  expect(presses).toBeLessThanOrEqual(2);
  await page.goto(`${base}/webhooks`);
});

test('the health of an endpoint is updated while its page is open', async () => {
  await page.getByRole('link', { name: `http://${hook}/hooks` }).click();
  await page.getByText('50 % of the last 2 attempts succeeded').waitFor();
  await newTicket('One more');
  await page.getByText('66 % of the last 3 attempts succeeded').waitFor();
});

test('the failed and the waiting deliveries of an endpoint are counted and redelivered from its page', async () => {
  answering = 500;
  await newTicket('Lost');
  await failNow();
  await newTicket('Waiting');
  await waitForAnHour();
  answering = 204;
  await button('Redeliver failed').click();
  await dialog()
    .getByText(/^2 deliveries would be redelivered \(1 waiting \+ 1 failed\)/)
    .waitFor();
  // A time of one's own, before which nothing happened.
  await dialog().getByLabel('Events of').selectOption({ label: 'the time since…' });
  await dialog().getByLabel('Events since').fill('2126-01-01T00:00');
  await dialog().getByText('No delivery matches.').waitFor();
  await dialog().getByLabel('Events since').fill('');
  await dialog().getByText('Enter a date and a time.').waitFor();
  await dialog().getByLabel('Events since').fill('2026-01-01T00:00');
  await dialog()
    .getByText(/^2 deliveries would be redelivered/)
    .waitFor();
  await inspect(page, 'redeliver-failed');
  await dialog().getByRole('button', { name: 'Redeliver', exact: true }).click();
  await dialog().getByText('2 of 2 redelivered').waitFor();
  await dialog().getByText('succeeded').first().waitFor();
});

test('a key shows its last use, gets a note, and is rotated by keyboard alone; both keys work until the old one ends', async () => {
  await page.goto(`${base}/keys`);
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row', { name: /Demo key/ });
  await row
    .getByText(/^used /)
    .filter({ visible: true })
    .waitFor();
  await button('Change Demo key').click();
  await dialog().getByLabel('Note').fill(`Kept in the vault. ${key}`);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog()
    .getByText(/secret of a key/)
    .waitFor();
  await dialog().getByLabel('Note').fill('Kept in the vault.');
  await inspect(page, 'key-change');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await row.getByText('Kept in the vault.').waitFor();
  await dialog().waitFor({ state: 'detached' });

  await button('Rotate Demo key').focus();
  await page.keyboard.press('Enter');
  await dialog()
    .getByText(/use the new key/)
    .waitFor();
  await dialog().locator(':focus').waitFor();
  await inspect(page, 'key-rotate');
  await dialog().getByRole('button', { name: 'Rotate the key' }).focus();
  await page.keyboard.press('Enter');
  const successor = ((await page.getByLabel('The key').textContent()) ?? '').trim();
  await dialog()
    .getByText(/works until /)
    .waitFor();
  await inspect(page, 'key-rotated');
  await dialog().getByLabel('I have stored it').focus();
  await page.keyboard.press('Space');
  await dialog().getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Enter');
  await row.getByText('rotated: 23 hours left').filter({ visible: true }).waitFor();
  for (const one of [key, successor]) expect((await listServers(instance, one)).status).toBe(200);
  expect(await button('Rotate Demo key').count()).toBe(1);
  await page.setViewportSize({ width: 390, height: 800 });
  await inspect(page, 'phone-keys-rotated');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('one scope can be paused on every server, after a preview of their number', async () => {
  await page.goto(`${base}/installations`);
  await button('Change every server').click();
  await dialog().getByRole('combobox', { name: 'On every server' }).click();
  await page.getByRole('option', { name: 'servers:read' }).click();
  const said =
    (await dialog()
      .getByText(/^It immediately changes \d+ servers/)
      .textContent()) ?? '';
  const count = Number(/\d+/.exec(said)?.[0]);
  await inspect(page, 'installations-every');
  await button(`Change ${count}`).click();
  await dialog().waitFor({ state: 'detached' });
  await until(async () => (await button(/^servers:read on .*: paused/).count()) === count);
  const { body } = await manage<{ data: { serverId: string }[] }>('/installations?limit=100');
  expect(body.data.length).toBe(count);
  const refused = await ask(`${instance.apiUrl}/v1/servers/${body.data[0]?.serverId}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(refused.body.code).toBe('installation_paused');
  expect(result.complaints.filter((one) => !one.includes('ERR_'))).toEqual([]);
});
