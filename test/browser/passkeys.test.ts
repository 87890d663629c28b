// Passkeys in a real browser with Chromium's virtual authenticator: registration, sign-in and removal.
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance } from '../slipway.ts';
import { readNote } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';

const PASSWORD = 'a long sentence is a good one';
const EMAIL = 'owner@slipway.local';

let instance: SlipwayInstance;
let browser: Browser;
let owner: Visit;
let page: Page;
let devtools: CDPSession;
let authenticatorId: string;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start().ready;
  browser = await launch();
  owner = await visit(browser);
  page = owner.page;
  devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  authenticatorId = await addAuthenticator();
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

async function addAuthenticator(): Promise<string> {
  const added = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return added.authenticatorId;
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = () => page.getByRole('dialog');
const passkeys = () => page.getByRole('table', { name: 'Your passkeys' });

/** Passes the first step of a sign-in. */
async function enterPassword(): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${instance.consoleUrl}/sign-in`);
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button('Sign in').click();
  await page.getByText('Your account requires a second factor.').waitFor();
}

let recoveryCodes: string[] = [];

test('a passkey is registered after the recovery codes, and switches the second factor on', async () => {
  await page.goto(`${instance.consoleUrl}/sign-in#link=${readNote(instance).link}`);
  await button('Sign in as the owner').click();
  await page.getByLabel('New password').fill(PASSWORD);
  await button('Set password').click();
  await page.waitForURL(/\/sandbox\/org_\w+\/apps/);
  await page.goto(`${instance.consoleUrl}/account`);
  await button('Add a passkey').click();
  await dialog().getByLabel('Name').fill('Security key');
  await dialog().getByLabel('Your password').fill(PASSWORD);
  await inspect(page, 'add-passkey');
  await dialog().getByRole('button', { name: 'Continue' }).click();
  recoveryCodes = ((await page.getByLabel('The recovery codes').textContent()) ?? '').split('\n');
  expect(recoveryCodes.length).toBeGreaterThan(5);
  await page.getByLabel('I have stored it').check();
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await dialog().getByRole('button', { name: 'Create the passkey' }).click();
  await passkeys().getByText('Security key').waitFor();
  await passkeys().getByText('never').waitFor();
  await inspect(page, 'passkeys');
  await page.setViewportSize({ width: 390, height: 800 });
  await inspect(page, 'phone-passkeys');
  await page.setViewportSize({ width: 1280, height: 800 });
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toMatchObject([{ rpId: new URL(instance.consoleUrl).hostname }]);
});

test('a sign-in offers the passkey or a recovery code, and the list shows the last use', async () => {
  await enterPassword();
  await page.getByText('A recovery code.').waitFor();
  await inspect(page, 'passkey-second-step');
  await button('Use a passkey').click();
  await page.waitForURL(/\/sandbox\/org_\w+\/apps/);
  await page.goto(`${instance.consoleUrl}/account`);
  await passkeys().getByText('Security key').waitFor();
  expect(await passkeys().getByText('never').count()).toBe(0);
  await enterPassword();
  await page.getByLabel('Code').fill(recoveryCodes[0] ?? '');
  await button('Sign in').click();
  await page.waitForURL(/\/sandbox\/org_\w+\/apps/);
});

test('a second passkey requires a verification after a sign-in with a recovery code', async () => {
  await page.goto(`${instance.consoleUrl}/account`);
  await button('Add a passkey').click();
  await dialog().getByLabel('Name').fill('Phone');
  await dialog().getByLabel('Your password').fill(PASSWORD);
  await dialog().getByRole('button', { name: 'Create the passkey' }).click();
  await page.getByText('Confirm your second factor').waitFor();
  await button('Use a passkey').click();
  // The virtual authenticator has a passkey of this account, and refuses another one.
  await page.getByText('This device has a passkey of your account already.').waitFor();
  await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  authenticatorId = await addAuthenticator();
  await dialog().getByRole('button', { name: 'Create the passkey' }).click();
  await passkeys().getByText('Phone').waitFor();
});

test('a passkey is removed with another one; the last one is disabled with the second factor', async () => {
  await button('Remove Security key').click();
  await inspect(page, 'remove-passkey');
  await dialog().getByRole('button', { name: 'Use a passkey' }).click();
  await passkeys().getByText('Security key').waitFor({ state: 'detached' });
  await button('Remove Phone').click();
  await dialog().getByRole('button', { name: 'Use a passkey' }).click();
  await dialog().getByText('This passkey is your only second factor.').waitFor();
  await dialog().getByRole('button', { name: 'Keep it' }).click();
  await button('Disable').click();
  await dialog().getByRole('button', { name: 'Use a passkey' }).click();
  await button('Set up').waitFor();
  expect(await passkeys().count()).toBe(0);
  expect(owner.complaints).toEqual([]);
});
