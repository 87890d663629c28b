// People in a real browser with the built server: an invitation up to the membership, a second factor from its setup to
// its removal, and the sign-in of a terminal.
import { createHmac } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { ask, readNote, send } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';

const PASSWORD = 'a long sentence is a good one';

let instance: SlipwayInstance;
let browser: Browser;
let people: Visit;
let page: Page;
/**
 * The owner's session, for the times when another person uses the page: contexts of this browser share their cookies.
 */
const owner = { cookie: '' };

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start().ready;
  browser = await launch();
  people = await visit(browser, 390);
  page = people.page;
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });

/** Returns the link in the newest message to an address, as an operator reads it without a mail server. */
async function linkMailedTo(email: string, path: string): Promise<string> {
  const messages = `${instance.consoleUrl}/api/operator/messages`;
  const { id } = await until(async () => {
    const { body } = await ask<{ data: { id: string; to: string; subject: string }[] }>(messages, { headers: owner });
    return body.data.find(({ to, subject }) => to === email && /account|password|removal/.test(subject));
  });
  const { body } = await ask<{ text: string }>(`${messages}/${id}`, { headers: owner });
  return new RegExp(`${instance.consoleUrl}${path}#token=\\S+`).exec(body.text)?.[0] ?? '';
}

// Returns a code by RFC 6238, `steps` of 30 s from now.
function totp(secret: string, steps: number): string {
  const bits = [...secret].map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'));
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test('an invited person signs up once, on a page that names the invitation, and becomes a member', async () => {
  await page.goto(`${instance.consoleUrl}/sign-in#link=${readNote(instance).link}`);
  await button('Sign in as the owner').click();
  await page.getByLabel('New password').fill(PASSWORD);
  await button('Set password').click();
  await page.waitForURL(/\/sandbox\/org_\w+\/apps/);
  const cookies = await page.context().cookies();
  owner.cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const organisationId = /org_\w+/.exec(page.url())?.[0];
  await page.goto(`${instance.consoleUrl}/organisations/${organisationId}/team`);
  await button('Invite a person').click();
  await page.getByLabel('E-mail address').fill('imke@example.org');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  const link = ((await page.getByLabel('The link', { exact: true }).textContent()) ?? '').trim();
  expect(link).toMatch(/\/invitation#token=\S{20,}$/);
  await page.getByText(/No mail server is configured, so no mail is sent.*give it only to that person/).waitFor();
  await page.getByLabel('I have stored it').check();
  await button('Close').click();
  await button('Revoke the invitation of imke@example.org').waitFor();
  await inspect(page, 'phone-team');

  await page.context().clearCookies();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Join Demo organisation' }).waitFor();
  const terms = 'owner@slipway.local invites you to the organisation Demo organisation with the role developer.';
  await page.getByText(terms).waitFor();
  await page.getByText('A developer can register apps').waitFor();
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('imke@example.org');
  await page.getByLabel('Your name').fill('Imke');
  await page.getByLabel('New password').fill(PASSWORD);
  await inspect(page, 'phone-invitation-visitor');
  // One sign-up leads directly into the organisation.
  await button('Create account and join').click();
  await page.waitForURL(new RegExp(`/sandbox/${organisationId}/apps$`));
  await page.getByRole('link', { name: 'Demo app' }).waitFor();

  await page.goto(`${instance.consoleUrl}/organisations/${organisationId}/team`);
  await page.getByRole('table', { name: 'Members' }).getByText('Imke (you)').waitFor();
  // The page shows the invitation of another member without a reload.
  await page.getByRole('status').getByText('Up to date').waitFor();
  const invitations = `${instance.consoleUrl}/api/organisations/${organisationId}/invitations`;
  expect((await send(invitations, { email: 'later@example.org', role: 'viewer' }, owner)).status).toBe(201);
  await page.getByText('later@example.org').waitFor();
  // The server's table of roles says that a developer can neither change roles nor invite.
  const refused = page.locator('[aria-disabled=true]', { hasText: 'Invite a person' });
  await refused.waitFor();
  // On keyboard focus the button explains why.
  await refused.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  expect(await page.getByRole('tooltip').textContent()).toMatch(/owner/);
  expect(await page.getByLabel(/^Role of/).count()).toBe(0);
});

test('a person changes their name in their account, and the page shows it', async () => {
  await page.goto(`${instance.consoleUrl}/account`);
  const name = page.getByLabel('Your name', { exact: true });
  const before = await name.inputValue();
  await name.fill('Imke Janssen');
  await button('Rename').click();
  await page.getByText('Your name was changed.').waitFor();
  await page.reload();
  expect(await name.inputValue()).toBe('Imke Janssen');
  await inspect(page, 'account-name');
  await name.fill(before);
  await button('Rename').click();
  await page.getByText('Your name was changed.').waitFor();
});

test('a second factor is set up, required, and disabled with a recovery code', async () => {
  await page.goto(`${instance.consoleUrl}/account`);
  await button('Set up').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const codes = ((await page.getByLabel('The recovery codes').textContent()) ?? '').split('\n');
  expect(codes.length).toBeGreaterThan(5);
  await page.getByLabel('I have stored it').check();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const secret = ((await page.locator('pre').textContent()) ?? '').trim();
  await dialog.getByLabel('Code').fill(totp(secret, 0));
  await inspect(page, 'phone-second-factor');
  await dialog.getByRole('button', { name: 'Enable' }).click();
  await button('Disable').waitFor();
  expect(await page.content()).not.toContain(secret);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('table', { name: 'Your sessions' }).getByText('this one').waitFor();
  await inspect(page, 'account');

  await button('Sign out everywhere').click();
  await page.getByText('all your access tokens in every organisation').waitFor();
  await inspect(page, 'sign-out-everywhere');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('You are signed out everywhere').waitFor();
  await page.getByText('You had no access tokens.').waitFor();
  await page.getByLabel('E-mail address').fill('imke@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button('Sign in').click();
  await page.getByLabel('Code').fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('second_factor_failed').waitFor();
  await inspect(page, 'second-step');
  await page.getByLabel('Code').fill(totp(secret, 1));
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Demo app' }).waitFor();

  await page.goto(`${instance.consoleUrl}/account`);
  await button('Disable').click();
  await button('I have neither my authenticator nor a recovery code').click();
  await page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD);
  await inspect(page, 'removal-request');
  await button('Request removal').click();
  await page.getByText('A removal is pending').waitFor();
  await inspect(page, 'removal-pending');
  const cancelLink = await linkMailedTo('imke@example.org', '/cancel-removal');
  await page.goto(cancelLink);
  await button('Cancel the removal').click();
  await page.getByText('The removal is cancelled').waitFor();
  await inspect(page, 'removal-cancelled');
  await page.goto(`${instance.consoleUrl}/account`);
  await button('Disable').click();
  await page
    .getByRole('dialog')
    .getByLabel('Code')
    .fill(codes[0] ?? '');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await button('Set up').waitFor();
});

test('a terminal is signed in with its code, after the person has signed in and reviewed the request', async () => {
  const codes = `${instance.consoleUrl}/api/device-sign-ins`;
  const { deviceCode, userCode } = (await send<Record<string, string>>(codes, { device: 'slipway on a laptop' })).body;
  await page.context().clearCookies();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${instance.consoleUrl}/device`);
  await page.getByText('Sign in first.').waitFor();
  await inspect(page, 'phone-device-visitor');
  await page.getByLabel('E-mail address').fill('imke@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button('Sign in').click();
  await page.getByLabel('Code').fill('bbbb-bbbb');
  await button('Continue').click();
  await page.getByText('No terminal shows this code').waitFor();
  await inspect(page, 'phone-device-problem');
  await page.getByLabel('Code').fill(String(userCode).toLowerCase());
  await button('Continue').click();
  await page.getByText('slipway on a laptop').waitFor();
  await page.getByText(`and that terminal shows ${userCode}`).waitFor();
  await inspect(page, 'phone-device');
  await page.getByLabel('Access').selectOption('write');
  await button('Sign in').click();
  await page.getByRole('status').getByText('signed in within a few seconds').waitFor();
  await inspect(page, 'phone-device-done');
  const polled = await send<Record<string, unknown>>(`${codes}/poll`, { deviceCode });
  expect(polled.body).toMatchObject({ state: 'approved', accessToken: { owner: 'imke@example.org', scope: 'write' } });
  expect(people.complaints).toEqual([]);
});
