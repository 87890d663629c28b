// A Console whose restore gate is closed, in a real browser.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { startConsole, type TestConsole } from '../../server/test/console-app.ts';
import { launch, visit } from './browser.ts';

let site: TestConsole;
let url: string;
let browser: Browser;
let page: Page;
let isClosed = false;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  site = await startConsole('local', { consoleUrl: url, port, isClosed: () => isClosed });
  browser = await launch();
  ({ page } = await visit(browser, 1440));
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

test('a closed Console shows the reason to a person with a session, without a wait for Retry-After', async () => {
  const { visitor } = await site.newPerson();
  const cookies = visitor.cookie.split('; ').map((one) => one.split(/=(.*)/s));
  await page.context().addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url })));
  isClosed = true;
  await page.goto(`${url}/account`);
  // The responses ask for waits of 60 s, and a wait of the page fails after 60 s.
  await page.getByText('The service was restored from a backup', { exact: false }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1);
});
