// Details of the Console in a real browser with the built server: a refused request that is replayed, an event, a
// search, counts in words, dialogs.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance } from '../slipway.ts';
import { ask, readNote, send } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';
import { endCaptures } from './end-captures.ts';

let instance: SlipwayInstance;
let browser: Browser;
let result: Visit;
let page: Page;
/** The address of the demo's app. */
let base: string;
const demo = { key: '', serverId: '' };

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start().ready;
  const note = readNote(instance);
  demo.key = note.key ?? '';
  demo.serverId = /servers\/(srv_\w+)\/tickets/.exec(note.text)?.[1] ?? '';
  browser = await launch();
  result = await visit(browser);
  page = result.page;
  await page.goto(`${instance.consoleUrl}/sign-in#link=${note.link}`);
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Demo app' }).click();
  await page.waitForURL(/\/overview$/);
  base = page.url().replace(/\/overview$/, '');
  await endCaptures(page);
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

const form = () => page.getByRole('form', { name: 'Replay' });
const replayButton = () => form().getByRole('button', { name: 'Replay in the sandbox' });
const answer = () => page.getByRole('status', { name: 'Response' });

/** Opens the replay form of a ticket that the API refused. */
async function openReplay(ticket: object): Promise<void> {
  const refused = await send(`${instance.apiUrl}/v1/servers/${demo.serverId}/tickets`, ticket, {
    authorization: `Bearer ${demo.key}`,
  });
  expect(refused.status).toBe(400);
  await page.goto(`${base}/requests?request=${refused.headers.get('request-id')}`);
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await form().waitFor();
}

test('a replay is not sent until each masked value is filled in, and the form marks them and says why', async () => {
  await openReplay({ subject: 'x', body: 'From a test.', nonsense: 1 });
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/replay')) calls.push(request.postData() ?? '');
  });
  await form().getByText('stores only type and size of 3 values').waitFor();
  await replayButton().click();
  await form().getByText('Enter a value.').first().waitFor();
  expect(await form().locator(':focus').getAttribute('aria-invalid')).toBe('true');
  await form().getByText('Previously: string of 1 character.').waitFor();
  await inspect(page, 'replay-masked');

  await form().getByLabel('/subject').fill('Broken door');
  await form().getByLabel('/body').fill('At the harbour.');
  await form().getByText('stores only type and size of /*').waitFor();
  await replayButton().click();
  expect(calls).toEqual([]);
  await form().getByRole('button', { name: 'Omit' }).click();
  await form().getByText('All masked values have been replaced.').waitFor();
  await replayButton().click();
  await answer().getByText('201', { exact: true }).waitFor();
  const sent = calls.map((one) => JSON.parse(JSON.parse(one).body));
  expect(sent).toEqual([{ subject: 'Broken door', body: 'At the harbour.' }]);
});

test('a read whose record masks the query is not replayed until each masked parameter is filled in or left out', async () => {
  const refused = await ask(`${instance.apiUrl}/v1/servers?limit=1000&nonsense=1`, {
    headers: { authorization: `Bearer ${demo.key}` },
  });
  await page.goto(`${base}/requests?request=${refused.headers.get('request-id')}`);
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/replay')) calls.push(request.postData() ?? '');
  });
  await form().getByText('The record does not store limit=* and *=*').waitFor();
  await replayButton().click();
  await form().getByText('Replace limit=* or remove it.').waitFor();
  await inspect(page, 'replay-masked-query');
  expect(calls).toEqual([]);
  await form().getByLabel('Query').fill('limit=2');
  await replayButton().click();
  await answer().getByText('200', { exact: true }).waitFor();
  expect(calls.map((one) => JSON.parse(one).query)).toEqual(['limit=2']);
});

test('a value that equals its own mask is sent when it is typed into its field', async () => {
  const text = '[string of 25 characters]';
  await openReplay({ subject: text, body: 7 });
  await form().getByText('stores only type and size of 2 values').waitFor();
  await form().getByLabel('/subject').fill(text);
  await form().getByLabel('/body').fill('Seven');
  await replayButton().click();
  await answer().getByText(`"subject": "${text}"`).waitFor();
});

test('the drawer of a triggered event says who triggered it and when, and shows its payload', async () => {
  await page.goto(`${base}/simulation`);
  await page.getByRole('button', { name: 'Trigger event' }).click();
  await page.getByText('ping happened').waitFor();
  await page.getByRole('link', { name: 'Show event' }).click();
  const drawer = page.getByRole('dialog', { name: 'Event' });
  await drawer.getByText('owner@slipway.local caused it from the Console').waitFor();
  await drawer.getByRole('region', { name: 'Payload' }).getByText('"type": "ping"').waitFor();
  const text = (await drawer.textContent()) ?? '';
  expect(text).toMatch(/Happened\d{1,2} \w+ \d{4}.*Caused byowner@slipway\.local/);
  expect(text).not.toContain('No request caused it');
  await inspect(page, 'event-triggered');
});

test('a pasted id opens its object, and a search replaces the previous search', async () => {
  const call = async (path: string): Promise<string> => {
    const answer = await fetch(instance.apiUrl + path, { headers: { authorization: `Bearer ${demo.key}` } });
    return answer.headers.get('request-id') ?? '';
  };
  const [first, second] = [await call('/v1/me'), await call('/v1/servers')];
  await page.goto(`${base}/requests`);
  const search = async (text: string): Promise<void> => {
    await page.getByLabel('Find', { exact: true }).fill(text);
    await page.keyboard.press('Enter');
  };
  const drawer = page.getByRole('dialog', { name: 'Request' });
  for (const [id, path] of [
    [first, '/v1/me'],
    [second, '/v1/servers'],
  ] as const) {
    await search(id);
    await drawer.getByRole('heading', { name: `GET ${path}` }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  }
  const filters = async (): Promise<Record<string, string>> => Object.fromEntries(new URL(page.url()).searchParams);
  const isSearched = (name: string, value: string) => page.waitForURL((url) => url.searchParams.get(name) === value);
  await search('/v1/servers');
  await isSearched('path', '/v1/servers');
  await search('/v1/me');
  await isSearched('path', '/v1/me');
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  await search(trace);
  await isSearched('trace', trace);
  await search(demo.serverId);
  await isSearched('server', demo.serverId);
  expect(await filters()).toEqual({ server: demo.serverId });
});

test('a request that is opened before it is stored is shown as soon as it is stored', async () => {
  const call = await fetch(`${instance.apiUrl}/v1/me`, { headers: { authorization: `Bearer ${demo.key}` } });
  const id = call.headers.get('request-id');
  const address = `**/requests/${id}`;
  let answered = 0;
  await page.route(address, (route) => {
    answered += 1;
    if (answered > 2) return route.continue();
    const json = { type: 'about:blank', title: 'Not found', status: 404, code: 'not_found', requestId: id };
    return route.fulfill({ status: 404, contentType: 'application/problem+json', json });
  });
  await page.goto(`${base}/requests?request=${id}`);
  await page.getByRole('dialog', { name: 'Request' }).getByRole('heading', { name: 'GET /v1/me' }).waitFor();
  expect(answered).toBeGreaterThan(2);
  await page.unroute(address);
});

test('the overview states the number of active keys, for one and for two', async () => {
  await page.goto(`${base}/overview`);
  await page.getByText('Show the steps').click(); // folded, because all are done
  await page.getByText('There is 1 active key. Its secret was shown once').waitFor();
  await page.getByRole('button', { name: 'Generate another' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('A second key');
  await dialog.getByLabel('servers:read').check();
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await page.getByLabel('I have stored it').check();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('There are 2 active keys. Each secret was shown once').waitFor();
});

test('an expiry and a name beyond their limits stay as entered, show the limit and are not sent', async () => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/keys')) sent.push(request.url());
  });
  await page.goto(`${base}/keys`);
  await page.getByRole('button', { name: 'Generate a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('servers:read').check();
  const [name, days] = [dialog.getByLabel('Name'), dialog.getByLabel('Expires in days')];
  await name.fill('x'.repeat(101));
  await days.fill('99');
  await days.blur();
  await dialog.getByText('From 1 to 30.').waitFor();
  await dialog.getByText('At most 100 characters: this text has 101.').waitFor();
  expect([(await name.inputValue()).length, await days.inputValue()]).toEqual([101, '99']);
  await inspect(page, 'limits');
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  expect(await dialog.locator('form').evaluate((form: HTMLFormElement) => form.checkValidity())).toBe(false);
  await name.fill('x'.repeat(100));
  await days.fill('30');
  expect(sent).toEqual([]);
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await page.getByLabel('I have stored it').check();
  await page.getByRole('button', { name: 'Close' }).click();
});

test('the dialog of a fault rule opens with its form visible and its list closed', async () => {
  await page.goto(`${base}/simulation`);
  await page.getByRole('button', { name: 'Add a fault rule' }).click();
  const dialog = page.getByRole('dialog', { name: /^Add a fault rule/ });
  const operation = dialog.getByRole('combobox', { name: 'Calls of' });
  await operation.waitFor();
  expect(await operation.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await operation.getAttribute('aria-expanded')).toBe('false');
  expect(await page.getByRole('option').count()).toBe(0);
  await inspect(page, 'fault-dialog');
  await operation.click();
  await page.getByRole('option', { name: /^createTicket/ }).click();
  await page.keyboard.press('Escape');
  expect(result.complaints).toEqual([]);
});
