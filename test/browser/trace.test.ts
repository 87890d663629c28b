// One request with its effects, its replay, and the audit log, in a real browser with the built server and its demo.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { type Answer, ask, readNote, send, tokenMailedTo } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';
import { endCaptures } from './end-captures.ts';
import { holdRequests } from './held-requests.ts';

const PASSWORD = 'a long sentence is a good one';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

let instance: SlipwayInstance;
let browser: Browser;
let result: Visit;
let page: Page;
let serverId: string;
let organisationId: string;
/** The address of the demo's app. */
let base: string;
const demo = { key: '' };
const owner = { cookie: '' };

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start().ready;
  const note = readNote(instance);
  demo.key = note.key ?? '';
  serverId = /servers\/(srv_\w+)\/tickets/.exec(note.text)?.[1] ?? '';
  browser = await launch();
  result = await visit(browser);
  page = result.page;
  await page.goto(`${instance.consoleUrl}/sign-in#link=${note.link}`);
  await button('Sign in as the owner').click();
  await page.getByLabel('New password').fill(PASSWORD);
  await button('Set password').click();
  await page.getByRole('link', { name: 'Demo app' }).click();
  await page.waitForURL(/\/overview$/);
  base = page.url().replace(/\/overview$/, '');
  await endCaptures(page);
  organisationId = /org_\w+/.exec(base)?.[0] ?? '';
  const cookies = await page.context().cookies();
  owner.cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const drawer = () => page.getByRole('dialog', { name: 'Request' });
const trace = () => page.getByRole('region', { name: 'Trace' });
const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
const idOf = ({ headers }: Answer<unknown>): string => headers.get('request-id') ?? '';
const linkTo = (answer: Answer<unknown>) => drawer().locator(`a[title="${idOf(answer)}"]`);
const createTicket = (ticket: object, headers: Record<string, string> = {}) =>
  send<Record<string, unknown>>(`${instance.apiUrl}/v1/servers/${serverId}/tickets`, ticket, {
    authorization: `Bearer ${demo.key}`,
    ...headers,
  });

async function open(requestId: string): Promise<void> {
  await page.goto(`${base}/requests?request=${requestId}`);
  await drawer().getByText('Request id').waitFor();
}

test('a request shows its whole record, and links to its event, delivery and attempt', async () => {
  const headers = {
    'idempotency-key': 'the-first',
    traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
    'user-agent': 'bridge/1.4',
  };
  const made = await createTicket({ subject: 'Hello', body: 'From a test.' }, headers);
  const again = await createTicket({ subject: 'Hello', body: 'From a test.' }, headers);
  expect([made.status, again.status]).toEqual([201, 201]);

  await open(idOf(again));
  await drawer().getByText('stored response of').waitFor();
  await linkTo(made).waitFor();
  await drawer().getByText('The request caused no event.').waitFor();

  await open(idOf(made));
  for (const kept of [TRACE_ID, '00f067aa0ba902b7', 'bridge/1.4', 'Demo key', 'the operation', 'confirming access']) {
    await drawer().getByText(kept).first().waitFor();
  }
  expect(await drawer().textContent()).toMatch(/Idempotency hash[0-9a-f]{64}/);
  await trace().getByRole('link', { name: 'ticket.created' }).waitFor();
  const attempt = trace().getByRole('link', { name: /^Attempt 1: answered 2/ });
  await attempt.waitFor();
  await inspect(page, 'request-trace');
});

test('a delivery leads back to the request that caused it', async () => {
  const { searchParams } = new URL(page.url());
  await trace()
    .getByRole('link', { name: /^Delivery to / })
    .click();
  await page.waitForURL(/\/webhooks\?delivery=dlv_\w+$/);
  await page.getByRole('dialog', { name: 'Delivery' }).waitFor();
  await trace().getByText('This delivery').waitFor();
  await inspect(page, 'delivery-trace');
  await trace()
    .getByRole('link', { name: /^POST / })
    .click();
  await page.waitForURL(`${base}/requests?request=${searchParams.get('request')}`);
});

test('a refusal shows its reason and pointer, and no text from places that the contract does not define', async () => {
  const refused = await createTicket({ subject: 7, body: 'gnp\u202e.exe', nonsense: 'a-secret-word' });
  expect(refused.status).toBe(400);
  await open(idOf(refused));
  await drawer().getByText('/subject').waitFor();
  await drawer().getByText('"subject": "[number]"').waitFor();
  await drawer().getByText('"body": "[string of 8 characters]"').waitFor();
  expect(await drawer().textContent()).not.toMatch(/a-secret-word|nonsense|gnp/);
  await inspect(page, 'request-refused');
  await drawer().getByRole('link', { name: 'invalid_request means' }).click();
  await page.waitForURL(/\/reference\/problems\/invalid_request$/);
});

test('a request is available as curl, fetch and SDK code, without the key', async () => {
  const read = await ask(`${instance.apiUrl}/v1/servers?limit=2`, { headers: { authorization: `Bearer ${demo.key}` } });
  await open(idOf(read));
  const code = (label: string) => page.getByRole('region', { name: label, exact: true });
  await code('As curl').getByText('/v1/servers?limit=2').waitFor();
  await page.getByRole('tab', { name: 'fetch' }).click();
  await code('As fetch').getByText('await fetch(').waitFor();
  await page.getByRole('tab', { name: 'SDK' }).click();
  await code('As SDK').getByText('slipway.listServers(').waitFor();
  expect(await page.content()).not.toContain(demo.key);
  // A read is replayed without a confirmation.
  await button('Replay').click();
  await page.getByRole('status', { name: 'Response' }).getByText('200', { exact: true }).waitFor();
});

test('the actions of a request wait for the keys of the app, so that a replay never asks for another key', async () => {
  const read = await ask(`${instance.apiUrl}/v1/servers?limit=3`, { headers: { authorization: `Bearer ${demo.key}` } });
  const id = idOf(read);
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/keys\?limit/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('about:blank'); // so that the page reads the keys again
  await open(id);
  expect(await button('Replay').isDisabled()).toBe(true);
  release();
  await button('Replay').click();
  await page.getByRole('status', { name: 'Response' }).getByText('200', { exact: true }).waitFor();
  await page.unroute(/\/keys\?limit/);
});

test('a path pasted from a log is found, and a secret never becomes part of an address', async () => {
  await page.goto(`${base}/requests`);
  const find = page.getByLabel('Find', { exact: true });
  await find.fill(demo.key);
  await page.keyboard.press('Enter');
  await page.getByText('This is a secret').waitFor();
  expect(page.url()).not.toContain('slw_test');
  await find.fill(`GET ${instance.apiUrl}/v1/servers?a=b`);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${base}/requests?path=%2Fv1%2Fservers`);
});

test('replaying a mutation asks for confirmation, names the environment, and links both requests to each other', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const made = await createTicket({ subject: 'Once', body: 'From a test.' });
  await open(idOf(made));
  await button('Replay').click();
  const form = page.getByRole('form', { name: 'Replay' });
  expect(await form.textContent()).toMatch(/In the sandbox/);
  await form.getByLabel('Body').fill('{"subject":"gnp\u202e.exe","body":"From a test."}');
  await inspect(page, 'phone-replay');
  expect(await overflow()).toBe(0);
  await form.getByRole('button', { name: 'Replay in the sandbox' }).click();
  await page.getByRole('status', { name: 'Response' }).getByText('"subject": "gnp\\u202e.exe"').waitFor(); // not as fxe.png
  await page.getByRole('link', { name: 'Show its record' }).click();
  await page.waitForURL((url) => url.searchParams.get('request') !== idOf(made));
  await drawer().getByText('Replay of').waitFor();
  await trace().getByRole('link', { name: 'ticket.created' }).waitFor();
  await linkTo(made).click();
  await page.waitForURL(`${base}/requests?request=${idOf(made)}`);
  await drawer().getByText('Replayed by').waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('the body of a replay waits for its example, so that it never changes a typed text', async () => {
  const made = await createTicket({ subject: 'Held', body: 'From a test.' });
  const contract = await holdRequests(page, /\/contract$/);
  await open(idOf(made));
  await button('Replay').click();
  const form = page.getByRole('form', { name: 'Replay' });
  await until(() => contract.hasAny());
  expect(await form.getByLabel('Body').isDisabled()).toBe(true);
  await contract.release();
  await until(async () => (await form.getByLabel('Body').inputValue()).includes('"subject"'));
  expect(await form.getByLabel('Body').isEnabled()).toBe(true);
});

const call = <Body>(path: string, body: object, headers: Record<string, string> = {}) =>
  send<Body>(`${instance.consoleUrl}/api${path}`, body, headers);
const invited = { email: 'imke@example.org', token: '' };

test('the audit log names actor and action, is filtered by its address, and can be exported', async () => {
  const { email } = invited;
  const path = `/organisations/${organisationId}/invitations`;
  const { body } = await call<{ url: string }>(path, { email, role: 'viewer' }, owner);
  invited.token = body.url.split('#token=')[1] ?? '';

  await page.keyboard.press('Escape');
  await button('Demo organisation').click();
  await page.getByRole('menuitem', { name: 'Audit log' }).click();
  await page.waitForURL(`${instance.consoleUrl}/organisations/${organisationId}/audit`);
  const table = page.getByRole('table', { name: 'Audit log' });
  await table.getByRole('button', { name: 'Invited a person' }).waitFor();
  await page.getByRole('status').getByText('Up to date').waitFor();
  await inspect(page, 'audit');
  // Without a reload.
  await call(path, { email: 'second@example.org', role: 'viewer' }, owner);
  await table.getByRole('button', { name: 'Invited a person' }).nth(1).waitFor();

  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Made a call with a key' }).click();
  await page.waitForURL(/[?]action=key\.use$/);
  await until(async () => (await table.getByRole('row').count()) === 2); // its head, and the replay of a mutation
  await page.getByLabel('Actor').fill('nobody@example.org');
  await page.keyboard.press('Enter');
  await page.getByText('No entry matches these filters').waitFor();
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await page.waitForURL(/[?&]from=\d{4}-\d{2}-\d{2}$/);
  const from = new URL(page.url()).searchParams.get('from') ?? '';
  expect((new Date().setHours(0, 0, 0, 0) - new Date(`${from}T00:00`).getTime()) / 86_400_000).toBeCloseTo(6, 0);
  await page.goto(`${instance.consoleUrl}/organisations/${organisationId}/audit?action=key.use`);

  await button('Export').click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /CSV/ }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n');
  expect([file.suggestedFilename(), lines.length]).toEqual(['audit-log.csv', 2]);
  expect(lines[1]).toContain('key.use');
  await table.getByRole('button', { name: 'Made a call with a key' }).click();
  const entry = page.getByRole('dialog', { name: 'Entry of the audit log' });
  await page.waitForURL(/entry=aud_/);
  await page.goto(page.url().replace('key.use', 'key.revoke')); // a separate address, independent of the list's content
  await entry
    .getByText(/^[0-9a-f]{64}$/)
    .first()
    .waitFor();
  expect(await entry.textContent()).toMatch(/Actionkey\.use.*Hash[0-9a-f]{64}/);
  await inspect(page, 'audit-entry');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 800 });
  await inspect(page, 'phone-audit');
  expect(await overflow()).toBe(0);
});

test('a viewer sees which roles may replay and read the audit log, and looking creates no audit entry', async () => {
  const { email, token } = invited;
  await call('/sign-ups', { email });
  const joined = await call('/accounts', {
    token: await tokenMailedTo(instance, owner.cookie, email),
    name: 'Imke',
    password: PASSWORD,
  });
  const [name = '', value = ''] = (joined.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '').split('=');
  const accepted = await call('/invitations/accept', { token }, { cookie: `${name}=${value}` });
  expect(accepted.status).toBe(200);
  const read = await ask(`${instance.apiUrl}/v1/servers`, { headers: { authorization: `Bearer ${demo.key}` } });

  await page.context().clearCookies();
  await page.context().addCookies([{ name, value, url: instance.consoleUrl }]);
  await open(idOf(read));
  await page.locator('[aria-disabled=true]', { hasText: 'Replay' }).hover();
  await page.getByText('This action requires one of: owner, admin, developer.').waitFor();
  await page.goto(`${instance.consoleUrl}/organisations/${organisationId}/audit`);
  await page.getByText('This action requires one of: owner, admin, auditor.').waitFor();
  expect(await button('Export').count()).toBe(0);
  const log = `${instance.consoleUrl}/api/organisations/${organisationId}/audit-log?action=access.refused`;
  const { body } = await ask<{ data: unknown[] }>(log, { headers: owner });
  expect(body.data).toEqual([]);
  expect(result.complaints).toEqual([]);
});
