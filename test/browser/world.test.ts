// Control of the sandbox in a real browser with the built server: the world, its clock, faults and single calls, the
// command palette, notices, and the end and restoration of apps and organisations.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { ask, joinOrganisation, readNote, send } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';

let instance: SlipwayInstance;
let browser: Browser;
let result: Visit;
let page: Page;
let key: string;
/** The address of the demo's app, and of its organisation's settings. */
let app: string;
let organisation: string;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start().ready;
  key = readNote(instance).key ?? '';
  browser = await launch();
  result = await visit(browser);
  page = result.page;
  await page.goto(`${instance.consoleUrl}/sign-in#link=${readNote(instance).link}`);
  await button('Sign in as the owner').click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await button('Set password').click();
  await page.getByRole('link', { name: 'Demo app' }).click();
  await page.waitForURL(/\/overview$/);
  app = page.url().replace(/\/overview$/, '');
  organisation = `${instance.consoleUrl}/organisations/${/org_\w+/.exec(app)?.[0]}`;
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const dialog = () => page.getByRole('dialog');
const call = (headers: Record<string, string> = {}) =>
  ask<{ code?: string; data?: object[] }>(`${instance.apiUrl}/v1/servers?limit=50`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  });

/** Inspects the page on a desktop, and checks that it fits on a phone. */
async function inspectBoth(name: string): Promise<void> {
  await inspect(page, name);
  await page.setViewportSize({ width: 390, height: 800 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect([name, overflow]).toEqual([name, 0]);
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('the world’s clock runs faster until it returns to normal, and an event can be triggered', async () => {
  await page.goto(`${app}/simulation`);
  await page.getByText('Twenty servers').waitFor();
  await page.getByRole('radiogroup', { name: 'Speed of the clock' }).getByText('60x').click();
  await page.getByText(/returns to 1x in (59|60) minutes|returns to 1x in 1 hour/).waitFor();
  await button('Back to normal').click();
  await page.getByText('Changes happen at normal speed').waitFor();
  await inspectBoth('simulation');
  await button('Trigger event').click();
  await page.getByText('ping happened').waitFor();
});

test('the world is reset to another one, after a preview of the parts that stay', async () => {
  await button('Reset the data').click();
  expect(await dialog().textContent()).toMatch(/sandbox.*Kept.*Keys.*Grants.*Removed/is);
  await dialog().getByLabel('Preset').selectOption('unicode');
  await dialog().getByLabel('Seed').fill('friday');
  await inspect(page, 'reset-world');
  await dialog().getByRole('button', { name: 'Reset the data' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('friday').waitFor();
  const { status, body } = await call();
  expect([status, body.data?.length]).toEqual([200, 10]); // the key still works in the new world
});

test('a fault rule makes calls fail until it is disabled or deleted', async () => {
  await button('Add a fault rule').click();
  await dialog().getByRole('combobox', { name: 'Calls of' }).click();
  await page.getByRole('option', { name: /^listServers/ }).click();
  await dialog().getByLabel('Share of calls').fill('100');
  await inspect(page, 'add-fault');
  await dialog().getByRole('button', { name: 'Add' }).click();
  const rules = page.getByRole('table', { name: 'Fault rules' });
  await rules.getByText('All calls of listServers are answered rate_limited').waitFor();
  const limited = await call();
  expect([limited.status, limited.headers.get('sandbox-simulated')]).toEqual([429, 'code=rate_limited']);
  await rules.getByRole('switch').focus();
  await page.keyboard.press('Space');
  await until(async () => !(await rules.getByRole('switch').isChecked()));
  await until(async () => (await call()).status === 200);
  await inspectBoth('faults');
  await button(/^Delete the rule/).click();
  await dialog().getByRole('button', { name: 'Delete the rule' }).click();
  await page.getByText('No fault rules').waitFor();
});

test('the command of a single call requests the chosen fault, and meets it', async () => {
  await page.getByRole('radiogroup', { name: 'Effect' }).getByText('A problem').click();
  await page.getByRole('combobox', { name: 'Problem' }).click();
  await page.getByRole('option', { name: /unavailable/ }).click();
  await page.getByLabel('Delay (optional)').fill('50');
  const command = page
    .getByRole('region', { name: 'curl' })
    .getByText('Sandbox-Simulate: latency=50, code=unavailable');
  await command.waitFor();
  const header = /Sandbox-Simulate: ([^']+)'/.exec((await command.textContent()) ?? '')?.[1] ?? '';
  expect((await call({ 'sandbox-simulate': header })).body.code).toBe('unavailable');
});

test('the palette leads by keyboard to pages, keys and pasted identifiers, and returns the focus', async () => {
  await page.goto(`${app}/overview`);
  const toggle = button('Command palette');
  await toggle.focus();
  await page.keyboard.press('Control+K');
  const input = page.getByRole('combobox', { name: /^Page, app, key/ });
  await input.fill('simul');
  await page.getByRole('status').getByText('1 command matches').waitFor();
  await inspectBoth('palette');
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  expect(await toggle.evaluate((node) => node === document.activeElement)).toBe(true);

  await page.keyboard.press('Control+K');
  await input.fill('simul');
  const active = await input.getAttribute('aria-activedescendant');
  const option = page.getByRole('group', { name: 'This app' }).getByRole('option', { name: 'Simulation', exact: true });
  expect(await option.getAttribute('id')).toBe(active);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/simulation$/);

  const requestId = (await call()).headers.get('request-id') ?? '';
  await page.keyboard.press('Control+K');
  await input.fill(` ${requestId} `);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/requests\\?.*${requestId}`));
  await dialog().getByText(requestId).first().waitFor();
  await page.keyboard.press('Escape');

  await page.reload(); // `inspect` has changed the theme without the page's knowledge
  await toggle.waitFor();
  const scheme = () => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
  const before = await scheme();
  await page.keyboard.press('Control+K');
  await input.fill(before === 'dark' ? 'light theme' : 'dark theme');
  await page.keyboard.press('Enter');
  await until(async () => (await scheme()) !== before);
});

test.each([
  ['Generate a key', /^Generate a key for/, /\/keys$/],
  ['Add an endpoint', /^Add an endpoint/, /\/webhooks$/],
  ['Create a ticket', /^Create a ticket$/, /\/data\?kind=ticket$/],
])('the action %s of the palette opens the dialog of its page, from another page and from the same one', async (label, title, address) => {
  await page.goto(`${app}/overview`);
  await button('Command palette').waitFor();
  for (let times = 0; times < 2; times++) {
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: /^Page, app, key/ }).fill(label);
    await page.getByRole('option', { name: new RegExp(`^${label}`) }).click();
    await page.getByRole('dialog', { name: title }).waitFor();
    await page.waitForURL(address);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  }
});

async function runCommand(label: string): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: /^Page, app, key/ }).fill(label);
  await page.getByRole('option', { name: new RegExp(`^${label}`) }).waitFor(); // the table of roles can load later
  await page.keyboard.press('Enter');
}

test('the palette triggers an event of any type from any page, and opens the object of the event', async () => {
  await page.goto(`${app}/overview`);
  await button('Command palette').waitFor();
  await runCommand('Trigger an event');
  const form = page.getByRole('dialog', { name: 'Trigger an event' });
  await form.getByRole('textbox', { name: 'Subject' }).fill('From the palette');
  await inspectBoth('palette-trigger');
  await form.getByRole('button', { name: 'Create a ticket' }).click();
  await page.waitForURL(/\/data\?.*object=tkt_/);
  await page.getByRole('heading', { name: 'From the palette' }).waitFor();

  await page.goto(`${app}/overview`);
  await button('Command palette').waitFor();
  await runCommand('Trigger an event');
  await form.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('option', { name: /^ping/ }).click();
  await form.getByRole('button', { name: 'Send a ping' }).click();
  await page.getByText('ping happened').waitFor();
  await page.waitForURL(/\/data\?.*object=srv_/); // a ping is about a server
});

test('the palette pauses a server and resumes it, from any page, and offers no revoked server', async () => {
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'content-type': 'application/json', 'slipway-console': '1' };
  const api = app.replace('/sandbox/', '/api/sandbox/organisations/');
  const { body } = await ask<{ data: { serverId: string }[] }>(`${api}/installations`, { headers });
  const revoke = { method: 'PUT', headers, body: JSON.stringify({ state: 'revoked' }) };
  const revoked = await ask(`${api}/servers/${body.data.at(-1)?.serverId}/installation`, revoke);
  expect(revoked.status).toBe(200);
  const form = page.getByRole('dialog', { name: 'Pause or resume a server' });
  const select = async (): Promise<void> => {
    await runCommand('Pause or resume');
    await form.getByRole('combobox', { name: 'Server' }).click();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').count()).toBe(body.data.length - 1);
    await page.getByRole('option').first().click();
  };
  await page.goto(`${app}/overview`);
  await button('Command palette').waitFor();
  await select();
  await form.getByText('The installation is authorised.').waitFor();
  await form.getByText(/^Since .+, this change would have refused \d+ request/).waitFor();
  await inspectBoth('palette-pause');
  const before = (await call()).body.data?.length ?? 0;
  await form.getByRole('button', { name: 'Pause', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  expect((await call()).body.data).toHaveLength(before - 1);
  await select();
  await form.getByText('The installation is paused.').waitFor();
  expect(await form.getByRole('status', { name: 'Forecast' }).count()).toBe(0);
  await form.getByRole('button', { name: 'Resume', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  expect((await call()).body.data).toHaveLength(before);
});

test('the address / returns to the last app, also from another page of its organisation, and not to a missing app', async () => {
  await page.goto(`${app}/keys`);
  // A page of the app stores the visit once the app is read, which can be later than its heading.
  const isStored = (id = '') => localStorage.getItem('slipway-last-visit')?.includes(id);
  await page.waitForFunction(isStored, /app_\w+/.exec(app)?.[0]);
  await page.goto(`${organisation}/settings`);
  await page.getByRole('heading', { name: /^Settings of/ }).waitFor();
  await page.goto(instance.consoleUrl);
  await page.waitForURL(`${app}/overview`);
  // This page stores no visit.
  await page.goto(`${instance.consoleUrl}/account`);
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  const missing = app.replace(/app_\w+/, 'app_01j9z3v8k6e5t8m2n4p6q8r0s4');
  const [id, organisationId] = [/app_\w+/, /org_\w+/].map((pattern) => pattern.exec(missing)?.[0]);
  await page.evaluate((visit) => localStorage.setItem('slipway-last-visit', visit), `sandbox ${organisationId} ${id}`);
  await page.goto(instance.consoleUrl);
  await page.getByText('There is no such app').waitFor();
  await page.goto(instance.consoleUrl);
  await page.waitForURL(app.replace(/\/app_\w+$/, ''));
});

test('the sheet of shortcuts opens by its key, and not over an open dialog', async () => {
  await page.getByRole('main').focus();
  await page.keyboard.press('Shift+?');
  await dialog().getByRole('table', { name: 'Shortcuts: Everywhere' }).waitFor();
  await inspectBoth('shortcuts');
  // Disabled shortcuts do nothing, and the palette still leads to the sheet.
  await dialog().getByLabel('Single-key shortcuts').click();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+?');
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: /^Page, app, key/ }).fill('shortcuts');
  await page.keyboard.press('Enter');
  await dialog().getByLabel('Single-key shortcuts').click();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await page.goto(`${app}/simulation`);
  await button('Reset the data').click();
  await page.keyboard.press('Control+K');
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
});

test('a leaked key has a notice, and the reader of the notice is recorded', async () => {
  await page.goto(`${app.replace(/\/apps\/.*/, '')}/notices`);
  await page.getByText('No notices').waitFor();
  await inspect(page, 'no-notices');
  const report = await send(`${instance.apiUrl}/v1/leaked-keys`, { key });
  expect(report.status).toBeLessThan(300);
  await page.reload();
  await page.getByText('was reported as leaked, and is revoked').waitFor();
  await page.getByRole('link', { name: 'Notices: 1 unread' }).waitFor();
  await inspectBoth('notices');
  await button(/^Mark as read/).click();
  await page.getByRole('link', { name: 'Notices', exact: true }).waitFor();
  await page.getByText('Unread', { exact: true }).click();
  await page.waitForURL(/unread=true/);
  await page.getByText('No unread notices').waitFor();
});

test('a member chooses a daily mail of notices without one kind, and the page shows the choice later', async () => {
  await page.getByText('Settings', { exact: true }).click();
  const timing = page.getByLabel('Mail', { exact: true });
  const failing = page.getByRole('checkbox', { name: 'An endpoint fails' });
  expect([await timing.inputValue(), await failing.isChecked()]).toEqual(['', true]);
  await timing.selectOption('daily');
  await failing.click();
  await button('Save mail settings').click();
  await page.getByText('Your mail settings were saved.').waitFor();
  await page.reload();
  await failing.waitFor();
  expect([await timing.inputValue(), await failing.isChecked()]).toEqual(['daily', false]);
});

test('an app is suspended, resumed, deleted with a grace period, and restored', async () => {
  await page.goto(`${app}/settings`);
  await button('Suspend the app').click();
  expect(await dialog().textContent()).toMatch(/sandbox/i);
  await dialog().getByRole('button', { name: 'Suspend the app' }).click();
  await button('Resume the app').click();
  await button('Suspend the app').waitFor();
  await inspectBoth('app-settings');
  await button('Delete the app').click();
  expect(await dialog().textContent()).toMatch(/sandbox/i);
  await dialog().getByRole('button', { name: 'Delete the app' }).click();
  await page.getByText('Deletion in progress: everything is erased').waitFor();
  await inspect(page, 'app-deleting');
  await button('Cancel the deletion').click();
  await button('Resume the app').click();
  await button('Suspend the app').waitFor();
});

test('an organisation is renamed, and the header and the audit log show the new name', async () => {
  await page.goto(`${organisation}/settings`);
  const name = page.getByLabel('Name of the organisation');
  const before = await name.inputValue();
  await name.fill(`${before} North`);
  await button('Rename').click();
  await page.getByRole('heading', { name: `Settings of ${before} North`, exact: true }).waitFor();
  await button(`${before} North`).waitFor();
  await page.goto(`${organisation}/audit`);
  await page.getByRole('table').getByText('Renamed the organisation').first().waitFor();
});

test('an organisation is exported, deleted by its name, and restored', async () => {
  await page.goto(`${organisation}/settings`);
  await page.getByText('You are the only member').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), button('Download export').click()]);
  expect(readFileSync(await download.path(), 'utf8').trimEnd()).toMatch(/^\{"kind":"organisation".*\{"kind":"end"\}$/s);
  await inspectBoth('organisation-settings');
  await button('Delete the organisation').click();
  const confirm = dialog().getByRole('button', { name: 'Delete the organisation' });
  expect(await confirm.isDisabled()).toBe(true);
  const name = /Settings of (.+)/.exec((await page.getByRole('heading', { level: 1 }).textContent()) ?? '')?.[1] ?? '';
  await dialog().getByRole('textbox').fill(name);
  await inspect(page, 'delete-organisation');
  await confirm.click();
  await page.getByText('sandbox: all its apps are stopped').waitFor();
  await inspect(page, 'organisation-deleting');
  await button('Cancel the deletion').click();
  await button('Delete the organisation').waitFor();
});

test('ownership moves to another member, and the former owner can no longer delete', async () => {
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  await joinOrganisation(instance, { cookie, organisationId: /org_\w+/.exec(app)?.[0] ?? '' }, 'imke@example.org');
  await page.reload();
  await page.getByRole('combobox', { name: 'New owner' }).click();
  await page.getByRole('option', { name: /imke@example.org/ }).click();
  await button('Transfer').click();
  await inspect(page, 'transfer');
  await dialog().getByRole('button', { name: 'Transfer ownership' }).click();
  await page.getByText('Ownership transferred').waitFor();
  for (const name of ['Transfer', 'Download export', 'Delete the organisation']) {
    await page.locator('button[aria-disabled=true]', { hasText: name }).waitFor();
  }
  expect(result.complaints).toEqual([]);
});
