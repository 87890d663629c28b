// Destinations of notices: a member adds a signed webhook and a chat, tests them, receives a notice whose link leads to
// its cause, and disables and deletes the destinations.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { ask, send } from '../visitor.ts';
import { type AppWithEndpoint, type Message, startAppWithEndpoint, verifyMessage } from './app-with-endpoint.ts';
import { inspect, launch } from './browser.ts';

let instance: SlipwayInstance;
let browser: Browser;
let hooked: AppWithEndpoint;
let secret: string;
let notices: string;
beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  browser = await launch();
  hooked = await startAppWithEndpoint(instance, browser, { eventTypes: ['ping'] });
  notices = `${hooked.webhooksUrl.replace(/\/apps\/.*/, '')}/notices?view=settings`;
});
afterAll(async () => {
  hooked?.close();
  await browser?.close();
  await instance?.remove();
});

interface Body {
  kind: string;
  notices: { subject: string; link: string }[];
}

/** Waits for the first message of this kind, and verifies its signature. */
async function received(kind: string): Promise<Body> {
  const bodyOf = ({ body }: Message): Body => JSON.parse(body);
  // The Console takes notices every 30 seconds.
  const message = await until(() => hooked.messages.find((one) => bodyOf(one).kind === kind), 60_000);
  verifyMessage(message, secret);
  return bodyOf(message);
}

/** Returns the text in the column of results. A hidden copy for narrow screens precedes it. */
const result = (text: string, name = /Alerts/) => hooked.page.getByRole('row', { name }).getByText(text).last();

test('a member adds a signed webhook, whose secret is shown once', async () => {
  const { page, hookUrl } = hooked;
  await page.goto(notices);
  await page.getByRole('button', { name: 'Add a destination' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a destination' });
  await dialog.getByLabel('Name').fill('Alerts');
  await dialog.getByLabel('Address').fill('http://127.0.0.1:1/hooks');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('The URL must lead to a public address.').waitFor();
  await inspect(page, 'add-destination');
  await dialog.getByLabel('Address').fill(`${hookUrl}/of-a-secret-path`);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const shown = page.getByRole('dialog', { name: 'The signing secret of “Alerts”' });
  secret = (await shown.getByLabel('The signing secret', { exact: true }).textContent()) ?? '';
  await shown.getByLabel('I have stored it').click();
  await shown.getByRole('button', { name: 'Close' }).click();
  await result('no message yet').waitFor();
  expect(await page.getByRole('row', { name: /Alerts/ }).textContent()).not.toContain('of-a-secret-path');
});

test('a test message arrives, and the list shows its result', async () => {
  const { page } = hooked;
  await page.getByRole('button', { name: 'Send test to Alerts' }).click();
  const { notices: [notice] = [] } = await received('test');
  expect(notice?.subject).toBe('A test message to "Alerts"');
  await result('delivered').waitFor();
  await inspect(page, 'destinations');
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
});

const toChat = (): Message[] => hooked.messages.filter(({ body }) => body.includes('"blocks"'));

test('a member adds a chat, which receives a test message', async () => {
  const { page, hookUrl } = hooked;
  await page.getByRole('button', { name: 'Add a destination' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a destination' });
  await dialog.getByLabel('Kind').selectOption('PagerDuty');
  await dialog.getByLabel('Integration key', { exact: true }).waitFor();
  await inspect(page, 'add-on-call');
  await dialog.getByLabel('Kind').selectOption('Slack');
  await dialog.getByText('It receives notices of production only.').waitFor();
  await dialog.getByLabel('Name').fill('Team chat');
  await dialog.getByLabel('Address').fill(`${hookUrl}/services`);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send test to Team chat' }).click();
  await result('delivered', /Team chat/).waitFor();
  expect(toChat().map(({ body }) => JSON.parse(body).text)).toEqual(['A test message to "Team chat"']);
});

test('a notice of the sandbox arrives at the webhook with the address of its cause, and not at the chat', async () => {
  const { page, makeKey } = hooked;
  await send(`${instance.apiUrl}/v1/leaked-keys`, { key: (await makeKey('A leaked key')).token });
  const { notices: [notice] = [] } = await received('key_leaked');
  expect(notice?.subject).toMatch(/was reported as leaked and is revoked$/);
  expect(toChat()).toHaveLength(1);
  await page.goto(notice?.link ?? '');
  await page.getByRole('heading', { name: 'Requests' }).first().waitFor();
  expect(page.url()).toMatch(/\/sandbox\/org_\w+\/apps\/app_\w+\/requests\?key=key_/);
});

test('a member changes name, environments and notices of a destination, and a muted notice does not arrive', async () => {
  const { page, makeKey, messages } = hooked;
  await page.goto(notices);
  await page.getByRole('button', { name: 'Change Team chat' }).click();
  const chat = page.getByRole('dialog', { name: 'Change the destination “Team chat”' });
  await chat.getByLabel('Name').waitFor();
  // A chat receives notices of production only.
  expect(await chat.getByRole('group', { name: 'Environments' }).count()).toBe(0);
  await chat.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Change Alerts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the destination “Alerts”' });
  await dialog.getByLabel('Name').fill('Alerts at night');
  await dialog.getByRole('checkbox', { name: 'production' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'A key was reported as leaked' }).uncheck();
  await inspect(page, 'change-destination');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: /Alerts at night/ });
  await row.getByText(/^Signed webhook at .*; sandbox$/).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Change Alerts at night' }).click();
  const changed = page.getByRole('dialog', { name: 'Change the destination “Alerts at night”' });
  expect(await changed.getByRole('checkbox', { name: 'A key was reported as leaked' }).isChecked()).toBe(false);
  expect(await changed.getByRole('checkbox', { name: 'A key expires' }).isChecked()).toBe(true);
  expect(await changed.getByRole('checkbox', { name: 'production' }).isChecked()).toBe(false);
  await changed.getByRole('button', { name: 'Cancel' }).click();
  await changed.waitFor({ state: 'detached' });
  const before = messages.length;
  await send(`${instance.apiUrl}/v1/leaked-keys`, { key: (await makeKey('Another leaked key')).token });
  // The later notice of another kind arrives, so the muted one was not sent.
  const headers = {
    authorization: `Bearer ${(await makeKey('A key in a page')).token}`,
    origin: 'https://page.example',
  };
  expect((await ask(`${instance.apiUrl}/v1/servers`, { headers })).status).toBe(403);
  await received('key_in_browser');
  expect(messages.slice(before).filter(({ body }) => body.includes('key_leaked'))).toEqual([]);
});

test('a destination is disabled by a response with 410, enabled and deleted', async () => {
  const { page, receiver, complaints } = hooked;
  await page.goto(notices);
  receiver.answering = 410;
  await page.getByRole('button', { name: 'Send test to Alerts' }).click();
  await result('The receiver responded with 410 Gone.').waitFor();
  await page.getByRole('button', { name: 'Enable Alerts' }).click();
  await result('failed').waitFor();
  for (const name of ['Alerts', 'Team chat']) {
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete the destination' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  await page.getByText('No destinations yet').waitFor();
  expect(complaints).toEqual([]);
});
