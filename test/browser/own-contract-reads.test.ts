// The first steps under a contract whose creations all need an identifier of the app.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, root, type SlipwayInstance } from '../slipway.ts';
import { readNote } from '../visitor.ts';
import { launch, visit } from './browser.ts';

let instance: SlipwayInstance;
let browser: Browser;

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start({ SLIPWAY_CONTRACT: join(root, 'server/test/contracts/choir') }).ready;
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

test('the first steps show a command that reads, and refer to Simulation for the first event', async () => {
  const { page, complaints } = await visit(browser, 1440);
  const dialog = page.getByRole('dialog');
  await page.goto(`${instance.consoleUrl}/sign-in#link=${readNote(instance).link}`);
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('button', { name: 'Register an app', exact: true }).click();
  await dialog.getByLabel('Name').fill('Bridge');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('button', { name: 'Create key and endpoint', exact: true }).click();
  const command = await dialog.locator('pre').filter({ hasText: '/v1/' }).innerText();
  await dialog.getByText('Trigger an event under Simulation.').waitFor();
  expect((await promisify(execFile)('sh', ['-c', command])).stdout).toMatch(/ 200 /);
  await dialog.getByText('The call is in the inspector: GET, answered 200.').waitFor();
  expect(complaints).toEqual([]);
});
