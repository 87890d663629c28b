// The Console without a mail server in a real browser: the pages that send a link, and a member whose membership is
// suspended after a restore.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { startConsole, type TestConsole, type TestVisitor } from '../../server/test/console-app.ts';
import { foundOrganisation, type TestOrganisation } from '../../server/test/organisation.fixture.ts';
import { enrolSecondFactor } from '../../server/test/second-factor.fixture.ts';
import { inspect, launch, visit } from './browser.ts';

let site: TestConsole;
let home: TestOrganisation;
let url: string;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  site = await startConsole('local', { consoleUrl: url, port });
  home = await foundOrganisation(site);
  browser = await launch();
  ({ page } = await visit(browser, 1440));
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function signIn({ cookie }: TestVisitor): Promise<void> {
  const cookies = cookie.split('; ').map((one) => one.split(/=(.*)/s));
  await page.context().addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url })));
}

test('the pages that ask for a link name the operator as its source if no mail server is configured', async () => {
  for (const [path, title] of [
    ['/sign-up', 'Create an account'],
    ['/reset-password', 'Reset password'],
  ]) {
    await page.goto(`${url}${path}`);
    await page.getByRole('heading', { name: title ?? '' }).waitFor();
    expect(await page.getByText(/mailed|by mail/).count()).toBe(0);
    await page.getByLabel('E-mail address').fill('new@example.org');
    await page.getByRole('button', { name: 'Request a link' }).click();
    await page.getByRole('heading', { name: 'Ask the operator for the link' }).waitFor();
    await page.getByText('No mail server is configured, so no mail is sent', { exact: false }).waitFor();
    await inspect(page, `without-mail-${path?.slice(1)}`);
  }
});

test('the dialogs that disable a second factor promise no mail if no mail server is configured', async () => {
  const { visitor } = await site.newPerson();
  await enrolSecondFactor(visitor);
  await signIn(visitor);
  await page.goto(`${url}/account`);
  await page.getByRole('button', { name: 'Disable' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('your recovery codes become invalid.').waitFor();
  expect(await dialog.textContent()).not.toMatch(/mail/);
  await dialog.getByRole('button', { name: 'I have neither my authenticator nor a recovery code' }).click();
  await dialog.getByText('No mail server is configured, so you receive no link', { exact: false }).waitFor();
  expect(await dialog.textContent()).not.toMatch(/receive a mail/);
  await inspect(page, 'without-mail-second-factor');
  await page.context().clearCookies();
});

test('a suspended member sees the reason and the owners, and not an invitation to create a first organisation', async () => {
  const member = await home.join('developer');
  await site.database.superuser.query(
    'update members set suspended_at = clock_timestamp() where organisation_id = $1 and member_id = $2',
    [fromId('org', home.id), fromId('mem', member.memberId)],
  );
  await signIn(member.visitor);
  await page.goto(url);
  await page.getByText('Your membership of Harbour Tools is suspended').waitFor();
  await page
    .getByText(`Ask an owner to reinstate you under Team: ${home.owner.person.email}`, { exact: false })
    .waitFor();
  expect(await page.getByText('Create your first organisation').count()).toBe(0);
  await inspect(page, 'suspended-member');
  await page.setViewportSize({ width: 390, height: 800 });
  await inspect(page, 'phone-suspended-member');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
});
