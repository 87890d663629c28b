// Captures in a real browser with the built server: headers and bodies of a request are shown after a click that the
// audit log records, a wrong field is marked next to its value, and a member ends and begins captures.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance } from '../slipway.ts';
import { ask, firstServerId, readNote } from '../visitor.ts';
import { signIn } from './app-with-endpoint.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';

let instance: SlipwayInstance;
let browser: Browser;
let visited: Visit;
let page: Page;
let app: string;
let key: string;
beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start().ready;
  const note = readNote(instance);
  key = note.key ?? '';
  browser = await launch();
  visited = await visit(browser);
  page = visited.page;
  await signIn(page, instance, note.link);
  app = page.url().replace(/\/overview$/, '');
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

const captured = () => page.getByRole('region', { name: 'Headers and bodies' });
const button = (name: string) => captured().getByRole('button', { name, exact: true });

/** Sends a ticket with this priority and these fields, and returns the identifier of the request. */
async function sendTicket(priority: string, fields: object = {}): Promise<string> {
  const serverId = await firstServerId(instance, key);
  const response = await ask(`${instance.apiUrl}/v1/servers/${serverId}/tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ subject: 'The harbour light is out', body: 'Since yesterday.', priority, ...fields }),
  });
  return response.headers.get('request-id') ?? '';
}

test('headers and bodies are shown after a click, with the wrong field marked, and the audit log records it', async () => {
  const id = await sendTicket('soonest');
  await page.goto(`${app}/requests?request=${id}`);
  await button('Show headers and bodies').click();
  const body = captured().getByRole('region', { name: 'Body of the request' });
  await body.getByText('"priority": "soonest"').waitFor();
  expect(await body.locator('span', { hasText: '"priority"' }).first().innerText()).toMatch(/"soonest".* ← must be/);
  const headers = captured().getByRole('region', { name: 'Headers of the request' });
  expect(await headers.innerText()).toMatch(/authorization: \[string of \d+ characters\]/);
  expect(await captured().innerText()).not.toContain(key);
  expect(await captured().getByRole('region', { name: 'Body of the response' }).innerText()).toContain(id);
  const curl = captured().getByRole('region', { name: 'As curl, with the real body' });
  expect(await curl.innerText()).toContain('"priority":"soonest"');
  await inspect(page, 'captured-request');
  const organisation = /org_\w+/.exec(app)?.[0];
  await page.goto(`${instance.consoleUrl}/organisations/${organisation}/audit?action=capture.reveal`);
  await page.getByRole('button', { name: 'Revealed the headers and bodies of a request' }).waitFor();
});

test('a misspelt field is marked next to its value', async () => {
  await page.goto(`${app}/requests?request=${await sendTicket('low', { prioritty: 'high' })}`);
  await button('Show headers and bodies').click();
  const body = captured().getByRole('region', { name: 'Body of the request' });
  await body.getByText('"prioritty": "high" ← is not a known field').first().waitFor();
});

test('a replay sends the stored body, unless another one is entered', async () => {
  await page.goto(`${app}/requests?request=${await sendTicket('low')}`);
  await button('Show headers and bodies').waitFor();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  const form = page.getByRole('form', { name: 'Replay' });
  const stored = form.getByLabel('Send the stored body');
  expect([await stored.isChecked(), await form.getByRole('textbox', { name: 'Body' }).count()]).toEqual([true, 0]);
  await inspect(page, 'replay-stored-body');
  await form.getByRole('button', { name: 'Replay in the sandbox' }).click();
  const response = page.getByRole('status', { name: 'Response' });
  await response.getByText('"priority": "low"').waitFor();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await stored.uncheck();
  await form.getByRole('textbox', { name: 'Body' }).waitFor();
});

test('a masked body has a mark, no code with the real body, and is not offered for a replay', async () => {
  await page.goto(`${app}/requests?request=${await sendTicket('low', { metadata: { iban: 'DE-4711' } })}`);
  await button('Show headers and bodies').click();
  const body = captured().getByRole('region', { name: 'Body of the request' });
  await body.getByText('"priority": "low"').waitFor();
  expect(await captured().getByText('with masked values').count()).toBe(2); // in the request and in the response
  expect(await captured().innerText()).not.toContain('DE-4711');
  expect(await captured().getByRole('region', { name: 'As curl, with the real body' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  const form = page.getByRole('form', { name: 'Replay' });
  await form.getByRole('textbox', { name: 'Body' }).waitFor();
  expect(await form.getByLabel('Send the stored body').count()).toBe(0);
});

test('a body above 64 KiB is marked as cut', async () => {
  await page.goto(`${app}/requests?request=${await sendTicket('low', { body: 'x'.repeat(70_000) })}`);
  await button('Show headers and bodies').click();
  await captured().getByText('cut after 64 KiB').first().waitFor();
  expect(await captured().getByRole('region', { name: 'As curl, with the real body' }).count()).toBe(0);
});

test('ending captures makes them unreadable, and one click in a request begins them again', async () => {
  const earlier = await sendTicket('low');
  await page.goto(`${app}/requests?request=${earlier}`);
  await button('Show headers and bodies').waitFor();
  await page.goto(`${app}/settings`);
  await button('Stop storing them').click();
  await page.getByRole('button', { name: 'Stop and destroy' }).click();
  await button('Store them').waitFor();
  await inspect(page, 'captures-ended');
  await page.goto(`${app}/requests?request=${earlier}`);
  await captured().getByText('or has ended its captures since').waitFor();
  await button('Store them from now on').click();
  await button('Store them from now on').waitFor({ state: 'detached' });
  await page.goto(`${app}/requests?request=${await sendTicket('low')}`);
  await button('Show headers and bodies').click();
  await captured().getByRole('region', { name: 'Body of the response' }).waitFor();
});
