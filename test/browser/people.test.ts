// People in a real browser, on the built server: an invitation, from the address to the organisation.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place, until } from '../slipway.ts';
import { ask, readNote, send } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';

const PASSWORD = 'a long sentence is a good one';

let place: Place;
let browser: Browser;
let people: Visit;
let page: Page;
/** The owner's session, for when another person sits at the page: contexts of this browser share their cookies. */
const owner = { cookie: '' };

beforeAll(async () => {
  place = await makePlace();
  await place.start().ready;
  browser = await launch();
  people = await visit(browser, 390);
  page = people.page;
});
afterAll(async () => {
  await browser?.close();
  await place?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });

/** The link in the newest message to somebody, as the operator reads it where no mail is sent. */
async function linkMailedTo(email: string, path: string): Promise<string> {
  const messages = `${place.consoleUrl}/api/operator/messages`;
  const { id } = await until(async () => {
    const { body } = await ask<{ data: { id: string; to: string; subject: string }[] }>(messages, { headers: owner });
    return body.data.find(({ to, subject }) => to === email && /account|password/.test(subject));
  });
  const { body } = await ask<{ text: string }>(`${messages}/${id}`, { headers: owner });
  return new RegExp(`${place.consoleUrl}${path}#token=\\S+`).exec(body.text)?.[0] ?? '';
}

test('who is invited signs up on a phone, comes back to the link, and accepts it', async () => {
  await page.goto(`${place.consoleUrl}/sign-in#link=${readNote(place).link}`);
  await button('Sign in as the owner').click();
  await page.getByLabel('New password').fill(PASSWORD);
  await button('Set the password').click();
  await page.waitForURL(/\/sandbox\/org_\w+\/apps/);
  const cookies = await page.context().cookies();
  owner.cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const organisationId = /org_\w+/.exec(page.url())?.[0];
  const invited = await send<{ url: string }>(
    `${place.consoleUrl}/api/organisations/${organisationId}/invitations`,
    { email: 'imke@example.org', role: 'developer' },
    owner,
  );
  expect(invited.status).toBe(201);

  await page.context().clearCookies();
  await page.goto(invited.body.url);
  await page.getByText('You are invited').waitFor();
  await inspect(page, 'phone-invitation-visitor');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('E-mail address').fill('imke@example.org');
  await button('Mail me a link').click();
  await page.getByText('Look into your mail').waitFor();
  await page.goto(await linkMailedTo('imke@example.org', '/sign-up'));
  await page.getByLabel('Your name').fill('Imke');
  await page.getByLabel('New password').fill(PASSWORD);
  await inspect(page, 'phone-sign-up');
  await button('Create the account').click();
  await page.waitForURL(/\/organisations$/);
  await page.goto(invited.body.url);
  await page.getByText('imke@example.org').waitFor();
  await inspect(page, 'phone-invitation');
  await button('Accept the invitation').click();
  await page.waitForURL(new RegExp(`/sandbox/${organisationId}/apps$`));
  await page.getByRole('link', { name: 'Demo app' }).waitFor();
});
