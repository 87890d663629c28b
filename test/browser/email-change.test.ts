// The change of a person's own e-mail address in a real browser: request, confirmation, refusal in the session of another
// person, and restoration from the previous address.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { startConsole, type TestConsole, type TestVisitor } from '../../server/test/console-app.ts';
import { EMAIL_PASSWORD, emailChanges } from '../../server/test/email-change.fixture.ts';
import { foundOrganisation, type JoinedMember, type TestOrganisation } from '../../server/test/organisation.fixture.ts';
import { codeOf, enrolSecondFactor } from '../../server/test/second-factor.fixture.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';

const FIRST = 'imke.janssen@example.com';
const SECOND = 'imke@example.com';

let site: TestConsole;
let home: TestOrganisation;
let member: JoinedMember;
let url: string;
let browser: Browser;
let opened: Visit;
let page: Page;
const { tokenMailedTo, setPassword } = emailChanges(() => site);

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  site = await startConsole('local', { consoleUrl: url, port, sendsMail: true });
  home = await foundOrganisation(site);
  member = await home.join('developer');
  await setPassword(member.visitor);
  browser = await launch();
  opened = await visit(browser, 1440);
  page = opened.page;
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');

async function useSession({ cookie }: TestVisitor): Promise<void> {
  await page.context().clearCookies();
  const cookies = cookie.split('; ').map((one) => one.split(/=(.*)/s));
  await page.context().addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url })));
}

async function inspectWide(name: string): Promise<void> {
  await inspect(page, name);
  await page.setViewportSize({ width: 390, height: 800 });
  await inspect(page, `phone-${name}`);
  await page.setViewportSize({ width: 1440, height: 800 });
}

/** Requests the address in the account. */
async function request(email: string): Promise<void> {
  await page.goto(`${url}/account`);
  await button('Change address').click();
  await dialog().getByLabel('New e-mail address').fill(email);
  await dialog().getByLabel('Your password').fill(EMAIL_PASSWORD);
  await dialog().getByRole('button', { name: 'Request a link' }).click();
}

test('a person requests a new address in their account, and confirms it in the same session', async () => {
  await useSession(member.visitor);
  await page.goto(`${url}/account`);
  await button('Change address').click();
  await dialog().getByLabel('New e-mail address').fill(FIRST);
  await dialog().getByLabel('Your password').fill('a wrong long sentence');
  await dialog().getByRole('button', { name: 'Request a link' }).click();
  await dialog().getByText('The password is not correct.').waitFor();
  await inspectWide('change-email');
  expect(await dialog().getByLabel('New e-mail address').inputValue()).toBe(FIRST);
  await dialog().getByLabel('Your password').fill(EMAIL_PASSWORD);
  await dialog().getByRole('button', { name: 'Request a link' }).click();
  await dialog().getByText(`Slipway mails a link to ${FIRST}.`, { exact: false }).waitFor();
  await inspectWide('change-email-requested');
  await dialog().getByRole('button', { name: 'Close' }).last().click();

  await page.goto(`${url}/confirm-email#token=${await tokenMailedTo(FIRST, '/confirm-email')}`);
  await page.getByText(`You are signed in as ${member.person.email}.`, { exact: false }).waitFor();
  await inspectWide('confirm-email');
  await button('Confirm the address').click();
  await page.getByRole('heading', { name: 'Your address was changed' }).waitFor();
  await inspectWide('confirm-email-done');
  await page.getByRole('link', { name: 'To your account' }).click();
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  await page.getByText(FIRST).first().waitFor();
});

test('the link is refused in the session of another person, who can sign in as its person on the same page', async () => {
  await request(SECOND);
  await dialog().getByText(`Slipway mails a link to ${SECOND}.`, { exact: false }).waitFor();
  const token = await tokenMailedTo(SECOND, '/confirm-email');
  await useSession(home.owner.visitor);
  await page.goto('about:blank');
  await page.goto(`${url}/confirm-email#token=${token}`);
  await page.getByText(`You are signed in as ${home.owner.person.email}.`, { exact: false }).waitFor();
  await button('Confirm the address').click();
  await page.getByText('only for the account that requested it', { exact: false }).waitFor();
  await inspectWide('confirm-email-refused');
  await button('Sign in as another person').click();
  await page.getByText('Sign in to the account that requested the new address', { exact: false }).waitFor();
  await inspectWide('confirm-email-sign-in');
  await page.getByLabel('E-mail address').fill(FIRST);
  await page.getByLabel('Password', { exact: true }).fill(EMAIL_PASSWORD);
  await button('Sign in').click();
  await page.getByText(`You are signed in as ${FIRST}.`, { exact: false }).waitFor();
  await button('Confirm the address').click();
  await page.getByText(`Sign in as ${SECOND} from now on.`, { exact: false }).waitFor();
});

test('the holder of the first address restores it with a new password', async () => {
  await page.context().clearCookies();
  const token = await tokenMailedTo(member.person.email, '/restore-email');
  await page.goto(`${url}/restore-email#token=${token}`);
  await page.getByRole('heading', { name: 'Restore your address' }).waitFor();
  await inspectWide('restore-email');
  await page.getByLabel('New password').fill('another long sentence');
  await button('Restore the address').click();
  await page.getByRole('heading', { name: 'Your address is restored' }).waitFor();
  await inspectWide('restore-email-done');
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('E-mail address').fill(member.person.email);
  await page.getByLabel('Password', { exact: true }).fill('another long sentence');
  await button('Sign in').click();
  await page.waitForURL(/\/(sandbox|organisations)/);
  await page.goto(`${url}/account`);
  await page.getByText(member.person.email).first().waitFor();
  expect(opened.complaints).toEqual([]);
});

test('a person with a second factor confirms it before the request', async () => {
  const { visitor } = await site.newPerson();
  const { uri } = await enrolSecondFactor(visitor);
  await site.database.superuser.query("update second_factor_proofs set proved_at = now() - interval '11 minutes'");
  await useSession(visitor);
  await page.goto(`${url}/account`);
  await button('Change address').click();
  await dialog().getByLabel('New e-mail address').fill('new@example.com');
  await dialog().getByRole('button', { name: 'Request a link' }).click();
  await page.getByLabel('Code').fill(codeOf(uri, 1));
  await button('Confirm').click();
  await dialog().getByText('Slipway mails a link to new@example.com.', { exact: false }).waitFor();
});
