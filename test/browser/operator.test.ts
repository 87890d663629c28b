// The operators' pages in a real browser with the built server and its demo, each on a desktop and on a phone, in both
// themes. No control is cut off on a wide screen.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { ask, readNote, send, signIn } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';
import { clippedElementsOf, shownTime } from './page-checks.ts';
import { refuseReads } from './refused-reads.ts';

const PASSWORD = 'a long sentence is a good one';
const GUEST = 'imke@example.org';

let instance: SlipwayInstance;
let browser: Browser;
let result: Visit;
let page: Page;
let organisationId: string;
const owner = { cookie: '' };
const invited = { token: '' };

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start().ready;
  owner.cookie = (await signIn(instance, readNote(instance).link)).cookie;
  const session = await ask<{ organisations: { id: string }[] }>(`${instance.consoleUrl}/api/session`, {
    headers: owner,
  });
  organisationId = session.body.organisations[0]?.id ?? '';
  browser = await launch();
  result = await visit(browser);
  page = result.page;
  await comeAs(owner.cookie);
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
const call = <Body>(path: string, body: object, headers: Record<string, string> = {}) =>
  send<Body>(`${instance.consoleUrl}/api${path}`, body, headers);
const go = (path: string) => page.goto(`${instance.consoleUrl}/operator${path}`);

async function comeAs(cookie: string): Promise<void> {
  const url = instance.consoleUrl;
  const cookies = cookie.split('; ').map((one) => one.split(/=(.*)/s));
  await page.context().clearCookies();
  await page.context().addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url })));
}

async function inspectInBothWidths(name: string): Promise<void> {
  await inspect(page, `operator-${name}`);
  await page.setViewportSize({ width: 390, height: 800 });
  await inspect(page, `phone-operator-${name}`);
  expect([name, await overflow()]).toEqual([name, 0]);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect([name, await clippedElementsOf(page)]).toEqual([name, []]);
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('an operator reaches the pages by the account menu and by the command palette', async () => {
  await page.goto(instance.consoleUrl);
  // `/` redirects to the apps of the organisation, and a menu opened earlier closes with its page.
  await page.getByRole('heading', { name: 'Apps' }).waitFor();
  await button('Your account').click();
  await page.getByRole('menuitem', { name: 'Operator' }).click();
  await page.waitForURL(/\/operator\/organisations$/);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Outbox');
  await page.getByRole('option', { name: /^Outbox/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/operator\/messages$/);
  await page.getByText('No messages').waitFor();
  await inspect(page, 'operator-outbox-empty');
});

test('an organisation is suspended with a reason and resumed by keyboard alone', async () => {
  const asMember = async () =>
    (await ask(`${instance.consoleUrl}/api/sandbox/organisations/${organisationId}/apps`, { headers: owner })).body
      .code;
  await go('');
  await page.waitForURL(/\/operator\/organisations$/);
  const row = page.getByRole('row', { name: /Demo organisation/ });
  await row.getByText('active').filter({ visible: true }).waitFor();
  await button('Suspend Demo organisation').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Suspend “Demo organisation”?' });
  await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
  expect(await dialog.getByRole('button', { name: 'Suspend' }).isDisabled()).toBe(true);
  await page.keyboard.type('The invoice of March is open.');
  await inspectInBothWidths('suspend');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await row.getByText('The invoice of March is open.').filter({ visible: true }).waitFor();
  await dialog.waitFor({ state: 'hidden' });
  expect(await asMember()).toBe('organisation_suspended');
  // The button to resume has the focus where the other one was.
  await button('Resume Demo organisation').and(page.locator(':focus')).waitFor();
  await inspectInBothWidths('organisations');
  await button('Resume Demo organisation').focus(); // a phone has a menu in its place
  await page.keyboard.press('Enter');
  await row.getByText('active').filter({ visible: true }).waitFor();
  expect(await asMember()).toBeUndefined();
});

test('quotas can be set, and an empty quota returns to the default', async () => {
  const row = page.getByRole('row', { name: /Demo organisation/ });
  await button('Quotas of Demo organisation').click();
  await page.getByLabel('Apps', { exact: true }).fill('20');
  await page.getByLabel('Days of request records').fill('7');
  await inspectInBothWidths('quotas');
  await button('Save quotas').click();
  await row.getByText('Apps: 20').filter({ visible: true }).waitFor();
  await row.getByText('Days of request records: 7').filter({ visible: true }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await button('Actions of Demo organisation').click();
  await page.getByRole('menuitem', { name: 'Quotas' }).click();
  await page.getByLabel('Apps', { exact: true }).fill('');
  await page.getByLabel('Days of request records').fill('');
  await button('Save quotas').click();
  await row.getByText('Default quotas').filter({ visible: true }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  const { body } = await ask<{ data: object[] }>(`${instance.consoleUrl}/api/operator/organisations`, {
    headers: owner,
  });
  expect(body.data).toMatchObject([{ quotas: {} }]);
});

test('the sign-up policy is a form that rejects an invalid domain', async () => {
  await go('/sign-up');
  await page.getByLabel('Addresses of certain domains').check();
  const domains = page.getByRole('textbox', { name: 'Domains' }).or(page.getByRole('combobox', { name: 'Domains' }));
  await domains.fill('nonsense');
  await button('Save policy').click();
  await page.getByText('Each must be a domain').waitFor();
  await inspectInBothWidths('sign-up');
  await domains.press('Backspace');
  await domains.fill('Example.org');
  await domains.press('Enter');
  await button('Save policy').click();
  await page.getByText('The sign-up policy was saved.').waitFor();
  const saved = await ask(`${instance.consoleUrl}/api/operator/sign-up-policy`, { headers: owner });
  expect(saved.body).toEqual({ policy: 'domain', domains: ['example.org'] });
});

test('the text of a message is loaded only by a click that announces that reading is recorded', async () => {
  const invitation = await call<{ url: string }>(
    `/organisations/${organisationId}/invitations`,
    { email: GUEST, role: 'viewer' },
    owner,
  );
  await call('/sign-ups', { email: GUEST });
  await until(async () => {
    const { body } = await ask<{ data: object[] }>(`${instance.consoleUrl}/api/operator/messages`, { headers: owner });
    return body.data.length === 2;
  });
  const texts: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/messages/msg_')) texts.push(request.url());
  });
  await go('/messages?state=waiting');
  await inspectInBothWidths('outbox');
  await page.getByRole('link', { name: /account/ }).click();
  await page.waitForURL(/\/messages\?state=waiting&message=msg_\w+$/);
  const drawer = page.getByRole('dialog', { name: 'Message' });
  await drawer.getByText('Message id').waitFor();
  await page.reload();
  await drawer.getByText('The log records that you read it').waitFor();
  await inspectInBothWidths('message-unread');
  expect(texts).toEqual([]);
  await button('Read the text and record it').click();
  const text = (await page.getByRole('region', { name: 'Text' }).textContent()) ?? '';
  await inspect(page, 'operator-message');
  expect(texts).toHaveLength(1);
  const token = /\/sign-up#token=(\S+)/.exec(text)?.[1];
  const made = await call('/accounts', { token, name: 'Imke', password: PASSWORD });
  invited.token = made.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const accept = { token: invitation.body.url.split('#token=')[1] };
  expect((await call('/invitations/accept', accept, { cookie: invited.token })).status).toBe(200);
});

test('the refusal to show a text is shown if a mail server is configured, and a list that failed can be loaded again', async () => {
  const problem = (status: number, code: string, detail: string) => ({
    status,
    contentType: 'application/problem+json',
    json: { type: 'about:blank', title: 'A refusal', status, code, detail },
  });
  const mailed = 'This installation sends mail, so only the recipient can read a message.';
  await page.route(/\/messages\/msg_/, (route) => route.fulfill(problem(409, 'conflict', mailed)));
  await page.reload();
  await button('Read the text and record it').click();
  await page.getByRole('alert').getByText(mailed).waitFor();
  await page.unroute(/\/messages\/msg_/);

  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const refused = await refuseReads(page, /\/api\/operator\/messages/, async (route) => {
    await held;
    await route.fulfill(problem(403, 'conflict', 'Not now.'));
  });
  await go('/messages?state=failed');
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  answer();
  await page.getByRole('alert').getByText('Not now.').waitFor();
  await inspect(page, 'operator-outbox-error');
  await refused.retry();
  await page.getByText('No messages in this state').waitFor();
});

test('requests without a key are listed, and those above the limit are counted', async () => {
  const path = `${instance.consoleUrl}/api/operator/unauthenticated-requests`;
  const { since } = await until(async () => {
    // Each node keeps some requests singly.
    for (let sent = 0; sent < 40; sent += 1) await ask(`${instance.apiUrl}/v1/servers`);
    const { body } = await ask<{ since: string; data: object[]; counts: object[] }>(path, { headers: owner });
    return body.data.length > 0 && body.counts.length > 0 && body;
  });
  await go('/requests');
  await page.getByText(`The records go back to ${await shownTime(page, since)}.`).waitFor();
  const kept = page.getByRole('table', { name: 'Requests without a key' });
  await kept.getByText('GET /v1/servers').first().waitFor();
  // Requests with the same address and problem are one row until they are opened.
  const alike = kept.getByRole('row').filter({ hasText: 'missing_key' });
  await alike.filter({ visible: true }).first().waitFor();
  expect(await alike.count()).toBe(1);
  await alike
    .getByRole('button', { name: /^\d+ more$/ })
    .filter({ visible: true })
    .click();
  await alike.nth(2).waitFor();
  await page.getByRole('table', { name: 'Counted requests' }).getByText('missing_key').first().waitFor();
  await inspectInBothWidths('requests');
  // The longest relative time must fit into its column.
  await page.setViewportSize({ width: 1440, height: 900 });
  const isWhole = await kept.locator('time').evaluateAll((times) =>
    times.map((time) => {
      time.textContent = '59 minutes ago';
      return time.getBoundingClientRect().right <= (time.closest('table')?.getBoundingClientRect().right ?? 0);
    }),
  );
  expect(new Set(isWhole)).toEqual(new Set([true]));
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a list without requests states since when every request had a valid key', async () => {
  const since = '2026-10-03T10:20:00.000Z';
  await page.route(/\/unauthenticated-requests\?/, (route) => route.fulfill({ json: { since, data: [], counts: [] } }));
  await go('/requests');
  await page.getByText(`Every request since ${await shownTime(page, since)} had a valid key.`).waitFor();
  await page.unroute(/\/unauthenticated-requests\?/);
});

test('the page of the upstream API is empty without production', async () => {
  await go('/platform');
  await page.getByText('No production yet').waitFor();
  await inspectInBothWidths('platform');
});

test('a viewer without the operator role finds no link, and the addresses show the problem in words', async () => {
  await comeAs(invited.token);
  await page.goto(instance.consoleUrl);
  // `/` redirects to the apps of the organisation, and a menu opened earlier closes with its page.
  await page.getByRole('heading', { name: 'Apps' }).waitFor();
  await button('Your account').click();
  await page.getByRole('menuitem', { name: 'Account' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Operator' }).count()).toBe(0);
  for (const path of ['/organisations', '/platform', '/messages', '/requests', '/sign-up']) {
    await go(path);
    const alert = page.getByRole('alert');
    await alert.getByText('operator_required', { exact: true }).waitFor();
    await alert.getByText(/^Ask an operator\./).waitFor();
    expect(await page.getByRole('navigation', { name: 'Sections of the operator' }).count()).toBe(0);
  }
  await inspectInBothWidths('refused');
  expect(result.complaints).toEqual([]);
});
