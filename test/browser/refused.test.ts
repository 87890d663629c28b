// A refused request in the inspector: what of it is masked is filled in before it is replayed. In a real browser, on the built server.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place } from '../slipway.ts';
import { readNote, send } from '../visitor.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';

let place: Place;
let browser: Browser;
let story: Visit;
let page: Page;
/** The address of the demo's app. */
let base: string;
const demo = { key: '', serverId: '' };

beforeAll(async () => {
  place = await makePlace();
  await place.start().ready;
  const note = readNote(place);
  demo.key = note.key ?? '';
  demo.serverId = /servers\/(srv_\w+)\/tickets/.exec(note.text)?.[1] ?? '';
  browser = await launch();
  story = await visit(browser);
  page = story.page;
  await page.goto(`${place.consoleUrl}/sign-in#link=${note.link}`);
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('link', { name: 'Demo app' }).click();
  await page.waitForURL(/\/overview$/);
  base = page.url().replace(/\/overview$/, '');
});
afterAll(async () => {
  await browser?.close();
  await place?.remove();
});

const form = () => page.getByRole('form', { name: 'Replay' });
const replayButton = () => form().getByRole('button', { name: 'Replay in the sandbox' });
const answer = () => page.getByRole('status', { name: 'Answer' });

/** Opens the form for a ticket that the API refused. */
async function openReplay(ticket: object): Promise<void> {
  const refused = await send(`${place.apiUrl}/v1/servers/${demo.serverId}/tickets`, ticket, {
    authorization: `Bearer ${demo.key}`,
  });
  expect(refused.status).toBe(400);
  await page.goto(`${base}/requests?request=${refused.headers.get('request-id')}`);
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await form().waitFor();
}

test('a replay is not sent until each masked value is filled in, and the form marks them and says why', async () => {
  await openReplay({ subject: 'x', body: 'From a test.', nonsense: 1 });
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/replay')) calls.push(request.postData() ?? '');
  });
  await form().getByText('keeps only the kind and size of 3 values').waitFor();
  await replayButton().click();
  await form().getByText('Fill this in.').first().waitFor();
  expect(await form().locator(':focus').getAttribute('aria-invalid')).toBe('true');
  await form().getByText('Was: string of 1 character.').waitFor();
  await inspect(page, 'replay-masked');

  await form().getByLabel('/subject').fill('Broken door');
  await form().getByLabel('/body').fill('At the harbour.');
  await form().getByText('keeps only the kind and size of /*').waitFor();
  await replayButton().click();
  expect(calls).toEqual([]);
  await form().getByRole('button', { name: 'Leave out' }).click();
  await form().getByText('Every value that the record does not keep is filled in.').waitFor();
  await replayButton().click();
  await answer().getByText('201', { exact: true }).waitFor();
  const sent = calls.map((one) => JSON.parse(JSON.parse(one).body));
  expect(sent).toEqual([{ subject: 'Broken door', body: 'At the harbour.' }]);
});

test('a value that equals its own mask is sent when it is typed into its field', async () => {
  const text = '[string of 25 characters]';
  await openReplay({ subject: text, body: 7 });
  await form().getByText('keeps only the kind and size of 2 values').waitFor();
  await form().getByLabel('/subject').fill(text);
  await form().getByLabel('/body').fill('Seven');
  await replayButton().click();
  await answer().getByText(`"subject": "${text}"`).waitFor();
  expect(story.complaints).toEqual([]);
});
