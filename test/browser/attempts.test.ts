// A delivery's attempts in a real browser with the built server. Each attempt shows the URL that it called, even after
// the endpoint's URL and schedule were changed. The demo's own receiver passes the receiver drill.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from '../slipway.ts';
import { type AppWithEndpoint, type NewKey, startAppWithEndpoint } from './app-with-endpoint.ts';
import { inspect, launch } from './browser.ts';

let instance: SlipwayInstance;
let browser: Browser;
let hooked: AppWithEndpoint;
beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  browser = await launch();
  hooked = await startAppWithEndpoint(instance, browser, { eventTypes: ['ticket.created'] });
});
afterAll(async () => {
  await browser?.close();
  hooked?.close();
  await instance?.remove();
});

test('attempts keep the URL that each called, and waiting retries follow a changed URL and schedule', async () => {
  const { page, hookUrl, receiver } = hooked;
  receiver.answering = 500;
  await hooked.ticket('The harbour light is out');
  const { id } = await hooked.findDelivery('pending');
  await until(async () => (await hooked.read<{ attempts: unknown[] }>(`/deliveries/${id}`)).attempts.length >= 2);

  const moved = `${hookUrl}/moved`;
  await page.goto(`${hooked.webhooksUrl}/endpoints/${hooked.endpointId}?view=settings`);
  const settings = page.getByRole('region', { name: 'Settings', exact: true });
  await settings.getByText('Waiting retries move with it').waitFor();
  await settings.getByText(/^Demo key \(slw_test_/).waitFor();
  await settings.getByLabel('URL').fill(moved);
  await settings.getByLabel('Retry schedule').selectOption('3600');
  receiver.answering = 204;
  await page.getByRole('button', { name: 'Save the settings', exact: true }).click();
  await page.getByText('Waiting retries move to a new schedule within seconds').waitFor();
  // The third attempt was due five minutes after the second.
  await until(async () => (await hooked.read<{ status: string }>(`/deliveries/${id}`)).status === 'succeeded');

  await page.goto(`${hooked.webhooksUrl}?delivery=${id}`);
  const drawer = page.getByRole('dialog', { name: 'Delivery' });
  // The newest attempt comes first and is open; the earlier ones are folded.
  await drawer.getByText(`Called ${moved}`, { exact: true }).waitFor();
  await drawer.getByRole('link', { name: '“Demo key”' }).first().waitFor();
  const titles = await drawer.locator('summary').allTextContents();
  expect(titles.map((one) => /^Attempt \d: answered \d{3}/.exec(one)?.[0])).toEqual(
    [
      [3, 204],
      [2, 500],
      [1, 500],
    ].map(([number, status]) => `Attempt ${number}: answered ${status}`),
  );
  const called = drawer.getByText(`Called ${hookUrl}`, { exact: true });
  expect([await called.count(), await called.first().isVisible()]).toEqual([2, false]);
  await drawer.locator('summary', { hasText: 'Attempt 2' }).click();
  await called.first().waitFor();
  // The pointer stands on the time of an attempt, which has a tooltip.
  await page.mouse.move(0, 0);
  await page.getByRole('tooltip').first().waitFor({ state: 'detached' });
  await inspect(page, 'attempt-urls');
});

test("the demo's receiver passes the receiver drill, all twelve steps", async () => {
  const { page } = hooked;
  const { data } = await hooked.read<{ data: { id: string }[] }>('/endpoints');
  const demo = data.find(({ id }) => id !== hooked.endpointId)?.id ?? '';
  await page.goto(`${hooked.webhooksUrl}/endpoints/${demo}`);
  await page.getByRole('link', { name: 'Receiver drill' }).click();
  await page.getByRole('button', { name: 'Start a drill', exact: true }).click();
  const report = page.getByRole('region', { name: 'Report', exact: true });
  await report.getByText('completed').waitFor();
  const steps = report.getByRole('button', { name: /passed/ });
  expect(await steps.count()).toBe(0);
  await report.getByText('12 passed steps').click();
  expect(await steps.count()).toBe(12);
});

test('the dialog preselects the only key that can deliver', async () => {
  const { page } = hooked;
  const dialog = () => page.getByRole('dialog');
  await page.goto(hooked.webhooksUrl);
  await page.getByRole('button', { name: 'Add an endpoint', exact: true }).first().click();
  await dialog()
    .getByText(/^Demo key \(slw_test_/)
    .first()
    .waitFor();
  await inspect(page, 'endpoint-add');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
});

test('the page of an endpoint warns if its last key ends within 7 days', async () => {
  const { page } = hooked;
  const wanted = { name: 'For a week', scopes: ['events:read'], expiresInDays: 7 };
  const { key } = await hooked.post<NewKey>('/keys', wanted);
  const input = { url: hooked.hookUrl, keyId: key.id, eventTypes: ['ping'] };
  const { endpoint } = await hooked.post<{ endpoint: { id: string } }>('/endpoints', input);
  await page.goto(`${hooked.webhooksUrl}/endpoints/${endpoint.id}`);
  await page.getByText('The last key ends soon').waitFor();
  await inspect(page, 'endpoint-last-key');
  await page.goto(`${hooked.webhooksUrl}/endpoints/${hooked.endpointId}`);
  await page.getByRole('region', { name: 'Health' }).waitFor();
  expect(await page.getByText('The last key ends soon').count()).toBe(0);
});

/** Answers the reads of notices with these pages, and then with an empty one. Returns the cursors of the reads. */
async function answerNotices(...pages: { data: object[]; nextCursor: string }[]): Promise<(string | null)[]> {
  const cursors: (string | null)[] = [];
  const reads = /\/notices\?limit=100/;
  await hooked.page.unroute(reads);
  await hooked.page.route(reads, async (route) => {
    cursors.push(new URL(route.request().url()).searchParams.get('cursor'));
    await route.fulfill({ json: pages[cursors.length - 1] ?? { data: [], nextCursor: null } });
  });
  return cursors;
}

const warning = (endpointId: string, daysFailing: number, createdAt = new Date().toISOString()) => ({
  ...{ id: `ntc_${endpointId}_${daysFailing}`, kind: 'endpoint_failing' },
  ...{ endpointId, createdAt, daysFailing },
});

test('the health of a failing endpoint lists a warning that a page of other notices precedes', async () => {
  const { page, endpointId } = hooked;
  hooked.receiver.answering = 500;
  await hooked.ticket('The crane stands still');
  const failingSince = await until(async () => {
    const { health } = await hooked.read<{ health: { failingSince: string | null } }>(`/endpoints/${endpointId}`);
    return health.failingSince ?? undefined;
  });
  const exhausted = { id: 'ntc_3', kind: 'delivery_exhausted', endpointId, createdAt: new Date().toISOString() };
  const other = warning('ep_of_another_run', 1);
  const cursors = await answerNotices(
    { data: [exhausted, other], nextCursor: 'AAAA' },
    { data: [warning(endpointId, 1)], nextCursor: 'BBBB' },
  );
  await page.goto(`${hooked.webhooksUrl}/endpoints/${endpointId}`);
  const health = page.getByRole('region', { name: 'Health', exact: true });
  const notified = health.getByText(/^Your organisation was notified /);
  await notified.getByText(/, after a day\.$/).waitFor();
  expect([await notified.count(), cursors]).toEqual([1, [null, 'AAAA']]);

  // A notice from before the failures is of an earlier run, and older pages have only such notices.
  const before = new Date(Date.parse(failingSince) - 60_000).toISOString();
  const ofThisRun = await answerNotices({
    data: [warning(endpointId, 3), warning(endpointId, 1, before)],
    nextCursor: 'CCCC',
  });
  await page.reload();
  await notified.getByText(/, after 3 days\.$/).waitFor();
  expect([await notified.count(), ofThisRun]).toEqual([1, [null]]);
});
