// The receipt of a revocation in a real browser with the built server: a member downloads it after the revocation and
// from the audit log, and verifies it with the public keys of the environment and the CLI.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance } from '../slipway.ts';
import { type AppWithEndpoint, startAppWithEndpoint } from './app-with-endpoint.ts';
import { inspect, launch } from './browser.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'slipway-receipts-'));
let instance: SlipwayInstance;
let browser: Browser;
let home: AppWithEndpoint;
let page: Page;
/** The address of the app in the Console. */
let base: string;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  browser = await launch();
  home = await startAppWithEndpoint(instance, browser, { eventTypes: ['ticket.created'] });
  page = home.page;
  base = home.webhooksUrl.replace(/\/webhooks$/, '');
  await home.makeKey('Bridge');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await browser?.close();
  home?.close();
  await instance?.remove();
});

const dialog = () => page.getByRole('dialog');

/** Downloads the receipt that this part of the page offers. Returns its file. */
async function download(part: Locator): Promise<string> {
  const [started] = await Promise.all([
    page.waitForEvent('download'),
    part.getByRole('button', { name: 'Download receipt' }).click(),
  ]);
  expect(started.suggestedFilename()).toMatch(/^rct_\w{26}\.jws$/);
  const file = join(folder, started.suggestedFilename());
  await started.saveAs(file);
  return file;
}

/** Verifies a receipt with the CLI, and the keys at the address that the page names. Returns the content. */
async function verify(file: string, keysUrl: string): Promise<Record<string, unknown>> {
  const keysFile = join(folder, 'receipt-keys.json');
  writeFileSync(keysFile, await (await fetch(keysUrl)).text());
  const cli = new URL('../../cli/bin/slipway.mjs', import.meta.url).pathname;
  const { stdout } = await run(process.execPath, [cli, 'receipts', 'verify', file, '--key', keysFile]);
  return JSON.parse(stdout);
}

let receiptOfKey: string;

test('a member downloads the receipt of a revoked key, and verifies it', async () => {
  await page.goto(`${base}/keys`);
  const row = page.getByRole('row').filter({ hasText: 'Bridge' });
  await row.getByRole('button', { name: 'Revoke Bridge', exact: true }).click();
  await dialog().getByRole('button', { name: 'Revoke the key' }).click();
  const message = page.getByRole('alert').filter({ hasText: '“Bridge” is revoked' });
  await message.waitFor();
  await inspect(page, 'receipt-of-key');
  receiptOfKey = await download(message);
  const keysUrl = await message.getByRole('link', { name: 'public keys' }).getAttribute('href');
  expect(keysUrl).toBe(`${instance.apiUrl}/receipt-keys`);
  expect(await verify(receiptOfKey, keysUrl ?? '')).toMatchObject({
    environment: 'sandbox',
    revoked: { keys: [{ keyId: expect.stringMatching(/^key_/) }], grants: [] },
    deliveries: { cancelled: 0, attemptsInFlight: 0 },
  });
});

test('a member downloads the receipt of a revoked scope', async () => {
  await page.goto(`${base}/installations`);
  await page
    .getByRole('button', { name: /^roadmap:read on .+: authorised$/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: /^Revoke/ }).click();
  await dialog().getByRole('button', { name: 'Revoke', exact: true }).click();
  const message = page.getByRole('alert').filter({ hasText: 'Download receipt' }).last();
  const file = await download(message);
  expect(await verify(file, `${instance.apiUrl}/receipt-keys`)).toMatchObject({
    revoked: { keys: [], grants: [{ scopes: ['roadmap:read'] }] },
  });
});

test('a member downloads the receipt of a rotation without an overlap, and an overlap has none', async () => {
  await home.makeKey('Rotated');
  await page.goto(`${base}/keys`);
  const rotate = async (overlap: string): Promise<void> => {
    await page.getByRole('button', { name: 'Rotate Rotated', exact: true }).click();
    await dialog()
      .getByRole('combobox', { name: / works$/ })
      .click();
    await page.getByRole('option', { name: overlap }).click();
    await dialog().getByRole('button', { name: 'Rotate the key' }).click();
    await dialog().getByLabel('I have stored it').check();
  };
  await rotate('no longer: it is revoked immediately');
  await inspect(page, 'receipt-of-rotation');
  const file = await download(dialog());
  expect(await verify(file, `${instance.apiUrl}/receipt-keys`)).toMatchObject({
    revoked: { keys: [{ keyId: expect.stringMatching(/^key_/) }], grants: [] },
  });
  await dialog().getByRole('button', { name: 'Close' }).click();
  await dialog().waitFor({ state: 'detached' });
  await rotate('for 1 hour');
  expect(await dialog().getByRole('button', { name: 'Download receipt' }).count()).toBe(0);
});

test('a member downloads the receipt of a scope that is revoked on every server', async () => {
  await page.goto(`${base}/installations`);
  await page.getByRole('button', { name: 'Change every server' }).click();
  await dialog().getByRole('combobox', { name: 'On every server' }).click();
  await page.getByRole('option', { name: 'workflows:run' }).click();
  await dialog().getByRole('combobox', { name: 'becomes' }).click();
  await page.getByRole('option', { name: 'revoked, for good' }).click();
  const [, count] = /changes (\d+) servers/.exec((await dialog().getByRole('list').first().textContent()) ?? '') ?? [];
  await dialog()
    .getByRole('button', { name: `Change ${count}`, exact: true })
    .click();
  const message = page.getByRole('alert').filter({ hasText: 'workflows:run is revoked' });
  await message.waitFor();
  await inspect(page, 'receipt-of-every-server');
  const content = await verify(await download(message), `${instance.apiUrl}/receipt-keys`);
  const { grants } = content.revoked as { grants: unknown[] }; // the receipt's format
  expect(grants).toHaveLength(Number(count));
});

test('an owner downloads the same receipt from the audit log', async () => {
  const organisation = /org_\w+/.exec(base)?.[0] ?? '';
  await page.goto(`${instance.consoleUrl}/organisations/${organisation}/audit?action=key.revoke`);
  await page.getByRole('table').getByRole('button', { name: 'Revoked a key' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Entry of the audit log' });
  await drawer.getByRole('button', { name: 'Download receipt' }).waitFor();
  await inspect(page, 'receipt-in-audit-log');
  const again = await download(drawer);
  expect(readFileSync(again, 'utf8')).toBe(readFileSync(receiptOfKey, 'utf8'));
});
