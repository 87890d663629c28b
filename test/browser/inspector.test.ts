// The Request Inspector in a real browser: filters in the address, the live tail with its interruptions, the histogram,
// groups of problems, exports, and missing records. It runs on a Postgres that the tests can access too.
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { withConnection } from '../../server/src/kit/db/db.ts';
import { callsOf } from '../day-of-traffic.ts';
import { type ExternalPostgres, startExternalPostgres } from '../external-postgres.ts';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type Run, type SlipwayInstance, until } from '../slipway.ts';
import { ask, createTicket, firstServerId, listServers, readNote } from '../visitor.ts';
import { signIn } from './app-with-endpoint.ts';
import { inspect, launch, type Visit, visit } from './browser.ts';
import { holdRequests } from './held-requests.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
let postgres: ExternalPostgres;
let instance: SlipwayInstance;
let run: Run;
let browser: Browser;
let inspector: Visit;
let page: Page;
let base: string;
let appId: string;
/** The demo's key. The first sign-in deletes the note that contains it. */
let key: string;

beforeAll(async () => {
  [postgres, instance] = await Promise.all([startExternalPostgres(copyPreparedData), createInstance()]);
  run = instance.start(postgres.settings);
  await run.ready;
  const note = readNote(instance);
  key = note.key ?? '';
  browser = await launch();
  inspector = await visit(browser);
  page = inspector.page;
  for (const path of ['/v1/me', '/v1/servers?wrong=1', '/v1/server'])
    await call(path, { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` });
  for (let at = 0; at < 24; at += 1) await call('/v1/servers?limit=1');
  ({ appId } = await signIn(page, instance, note.link));
  base = page.url().replace(/overview$/, 'requests');
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
  await postgres?.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const rows = () => page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
const query = (): URLSearchParams => new URL(page.url()).searchParams;
const live = (on = page) => on.getByRole('status').getByText('Up to date', { exact: true });

/** Calls the API with the demo's key and returns the identifier of the request. */
async function call(path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await ask(instance.apiUrl + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
  // A request without a confirmed caller (503) is in no app's list.
  expect([200, 400, 404]).toContain(answer.status);
  return answer.headers.get('request-id') ?? '';
}
/** Returns the saved views of the signed-in person. */
async function savedViews(): Promise<{ page: string; name: string; filters: string }[]> {
  const [organisationId] = /org_[0-9a-z]{26}/.exec(base) ?? [];
  const answer = await page.request.get(`${instance.consoleUrl}/api/organisations/${organisationId}/saved-views`);
  return (await answer.json()).data;
}
const row = (requestId: string) => rows().filter({ has: page.getByTitle(requestId) });

test('pasted text becomes the matching filter, and each filter can be removed', async () => {
  await page.goto(base);
  await live().waitFor();
  await until(async () => (await rows().count()) === 27);
  await page.getByLabel('Find', { exact: true }).fill(TRACE);
  await page.keyboard.press('Enter');
  await until(async () => (await rows().count()) === 3);
  expect(query().get('trace')).toBe(TRACE);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: '404' }).click();
  await until(async () => (await rows().count()) === 1);
  expect(query().get('status')).toBe('404');
  await inspect(page, 'inspector-filters');
  await page.reload();
  await until(async () => (await rows().count()) === 1);
  await button('Remove the filter: Status 404').click();
  await until(async () => (await rows().count()) === 3);
  await button('Clear all').click();
  await until(async () => (await rows().count()) === 27);
  expect(query().size).toBe(0);
});

test('every other filter of the address applies to the list', async () => {
  const counts: Record<string, number> = {
    'path=SERVERS': 25,
    'operation=getMe': 1,
    'operation=none': 1,
    'above=60000': 0,
    'simulated=false': 27,
    'last=15m': 27,
    'until=2020-01-01T00:00:00.000Z': 0,
  };
  for (const [filter, count] of Object.entries(counts)) {
    await page.goto(`${base}?${filter}`);
    await (count === 0 ? page.getByText('No request matches these filters') : rows().first()).waitFor();
    expect([filter, await rows().count()]).toEqual([filter, count]);
  }
});

test('the list begins in the upper half of a screen of 900 px, with all filters on one line', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${base}?last=1h`);
  await rows().first().waitFor();
  await page.getByRole('region', { name: 'Requests over time' }).getByRole('group').waitFor();
  const top = (await page.getByRole('table', { name: 'Requests' }).boundingBox())?.y ?? 900;
  expect(top).toBeLessThan(450);
  const names = ['Status', 'Problem code', 'Operation', 'Method', 'Key', 'Server', 'Duration', 'Simulated fault'];
  const lines = await Promise.all(
    names.map(async (name) => (await page.getByRole('combobox', { name, exact: true }).boundingBox())?.y),
  );
  expect(new Set(lines).size).toBe(1);
});

test('the list stays usable next to the drawer, and j and k open the next and the previous request', async () => {
  await page.goto(`${base}?trace=${TRACE}`);
  await until(async () => (await rows().count()) === 3);
  const links = rows().getByRole('link');
  await links.first().click();
  const drawer = page.getByRole('dialog', { name: 'Request' });
  const shown = async (at: number): Promise<void> => {
    const id = new URL((await links.nth(at).getAttribute('href')) ?? '', base).searchParams.get('request') ?? '';
    await drawer.getByText(id, { exact: true }).first().waitFor();
    expect(query().get('request')).toBe(id);
  };
  await shown(0);
  expect(await drawer.getAttribute('aria-modal')).toBeNull();
  await page.keyboard.press('j');
  await shown(1);
  await page.getByRole('status').getByText('Request 2 of 3: 400 GET /v1/servers').waitFor({ state: 'attached' });
  await page.keyboard.press('k');
  await shown(0);
  await links.nth(2).click(); // without an overlay in between
  await shown(2);
  await page.keyboard.press('j');
  await page.getByText('This is the last request of the list.').waitFor({ state: 'attached' });
  await inspect(page, 'inspector-drawer-beside-list');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(await links.nth(2).evaluate((link) => link === document.activeElement)).toBe(true);
});

test('a filter lists only values that requests of the app have', async () => {
  await page.goto(base);
  await rows().first().waitFor();
  const choices = async (name: string): Promise<string[]> => {
    await page.getByRole('combobox', { name, exact: true }).click();
    await page.getByRole('option').first().waitFor();
    const texts = await page.getByRole('option').allTextContents();
    await page.keyboard.press('Escape');
    return texts;
  };
  expect(await choices('Status')).toEqual(['2xx', '4xx', '200', '400', '404']);
  expect(await choices('Operation')).toEqual(['getMe', 'listServers', 'No operation']);
  expect(await choices('Problem code')).toEqual(['invalid_request', 'not_found']);
  expect(await choices('Method')).toEqual(['GET']);
  expect(await choices('Key')).toEqual([expect.stringContaining('Demo key')]);
});

test('a path that does not exist is shown as it was called', async () => {
  await page.goto(`${base}?status=404`);
  await rows().getByRole('link', { name: '/v1/server', exact: true }).waitFor();
});

test('a member saves the filters as a view, without a secret of the address, opens the view, and removes it', async () => {
  await page.goto(`${base}?status=404&trace=${TRACE}&path=${key}`);
  await button('Views').click();
  await page.getByRole('menuitem', { name: 'Save the current filters' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Wrong paths');
  await inspect(page, 'inspector-save-view');
  await button('Save').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const stored = await savedViews();
  expect(stored).toMatchObject([{ page: 'requests', name: 'Wrong paths' }]);
  expect(JSON.stringify(stored)).not.toContain(key);
  // A view is stored in the account, so another browser of the person has it.
  await page.evaluate(() => localStorage.clear());
  await page.goto(base);
  await until(async () => (await rows().count()) === 27);
  await button('Views').click();
  await inspect(page, 'inspector-views');
  await page.getByRole('menuitem', { name: 'Wrong paths', exact: true }).click();
  await until(async () => (await rows().count()) === 1);
  expect([query().get('status'), query().get('trace')]).toEqual(['404', TRACE]);
  await button('Views').click();
  await page.getByRole('menuitem', { name: 'Delete the view Wrong paths' }).click();
  await page.getByText('No saved views yet').waitFor();
  await page.keyboard.press('Escape');
});

test.each([
  ['events', 'type=ticket.created&last=24h'],
  ['webhooks', 'status=failed&type=ping'],
])('a member saves the filters of the list on the page %s, and opens the view from the list without filters', async (name, filters) => {
  const list = base.replace(/requests$/, name);
  await page.goto(`${list}?${filters}`);
  await button('Views').click();
  await page.getByRole('menuitem', { name: 'Save the current filters' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(`View of ${name}`);
  await button('Save').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goto(list);
  await button('Views').click();
  await page.getByRole('menuitem', { name: `View of ${name}`, exact: true }).click();
  await page.waitForURL(`${list}?${filters}`);
  expect((await savedViews()).filter((view) => view.name === `View of ${name}`)).toMatchObject([{ filters }]);
});

test('the palette opens the key and the server of a pasted id', async () => {
  const servers = await listServers(instance, key);
  const server = servers.body.data[1];
  const paste = async (text: string, command: RegExp): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Page, app, key/ }).fill(text);
    await page.getByRole('option', { name: command }).click();
  };
  await paste(server?.id ?? '', /^Open the server in this app/);
  await page.getByText('Only one server is shown.').waitFor();
  const grid = page.getByRole('table', { name: 'Servers and scopes' });
  expect(await grid.locator('tbody tr').count()).toBe(1);
  expect(await grid.textContent()).toContain(server?.id.slice(-8) ?? 'no id');
  await page.getByRole('link', { name: 'Show all servers' }).click();
  await until(async () => (await grid.locator('tbody tr').count()) > 1);
  await page.goto(base);
  await rows().first().waitFor();
  await page.getByRole('combobox', { name: 'Key', exact: true }).click();
  await page.getByRole('option', { name: /Demo key/ }).click();
  const keyId = query().get('key') ?? '';
  await paste(keyId, /^Open the key in this app/);
  await page.getByText('Only one key is shown.').waitFor();
  expect(await page.getByRole('table', { name: 'Keys' }).locator('tbody tr').count()).toBe(1);
  await paste(keyId, /^Show requests of the key in this app/);
  await page.waitForURL(/\/requests\?key=/);
  await page.goto(base);
});

test('an answered request appears immediately; while paused it is counted, and shown on demand', async () => {
  const streams = page.waitForRequest(/request-tail/);
  await page.goto(base);
  await streams;
  await live().waitFor();
  await row(await call('/v1/me')).waitFor();
  await button('Pause').click();
  await page.getByRole('status').getByText('Paused').waitFor();
  const known = await rows().count();
  const missing = [await call('/v1/me'), await call('/v1/nothing')];
  await button('2 new').waitFor();
  expect(await rows().count()).toBe(known);
  await button('2 new').click();
  for (const id of missing) await row(id).waitFor();
  await button('Resume').click();
  await live().waitFor();
  await page.mouse.move(0, 0);
  await page.evaluate(() => window.scrollTo({ top: 400 }));
  await page.getByRole('status').getByText('Paused while you read').waitFor({ state: 'attached' });
  const last = await call('/v1/me');
  await page.locator('[role=status]', { hasText: '1 new' }).getByRole('button').last().click();
  await row(last).waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test('a bar of the histogram narrows the time range, and Back restores it', async () => {
  const bars = page.getByRole('group', { name: /^Last 24 hours: \d+ requests, \d+ refused \(4xx\)$/ });
  const newest = bars.getByRole('button', { name: /: [1-9]/ }).last();
  await newest.click();
  await page.waitForURL(/since=.*until=/);
  await page.getByText('A range with an end is not live.').waitFor();
  await rows().first().waitFor();
  await page.goBack();
  await live().waitFor();
});

test('problems are grouped, with their fix and a link to each request', async () => {
  await page.getByText('By problem', { exact: true }).click();
  const groups = page.getByRole('table', { name: 'Problems' });
  const group = groups.locator('tbody tr', { hasText: 'invalid_request' });
  expect(await group.textContent()).toContain('listServers');
  const fix = await group.getByRole('link', { name: 'Solution' }).getAttribute('href');
  expect(fix).toMatch(/\/reference\/problems\/invalid_request$/);
  await groups.locator('[aria-label$="no such path"][href*="code=not_found&operation=none"]').waitFor();
  await inspect(page, 'inspector-problems');
  await group.getByRole('link', { name: 'Newest' }).click();
  await page.getByRole('dialog').getByText('invalid_request').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await group.getByRole('link', { name: 'Show requests with invalid_request of listServers' }).click();
  await until(async () => (await rows().count()) === 1);
  expect([query().get('code'), query().get('operation')]).toEqual(['invalid_request', 'listServers']);
});

test('an export contains the requests that match the filters', async () => {
  const textOf = async (name: RegExp): Promise<string[]> => {
    await button('Export').click();
    const started = page.waitForEvent('download');
    await page.getByRole('menuitem', { name }).click();
    const download = await started;
    return (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
  };
  await page.goto(`${base}?trace=${TRACE}`);
  await rows().first().waitFor();
  const table = await textOf(/CSV/);
  expect(table).toHaveLength(4);
  expect(table[0]).toContain('operationId');
  const lines = (await textOf(/NDJSON/)).map((line) => JSON.parse(line) as { status: number });
  expect(lines.map(({ status }) => status).sort()).toEqual([200, 400, 404]);
});

test('live views report a lost connection, and continue where they were after it returns', async () => {
  const webhooks = await page.context().newPage();
  await webhooks.goto(base.replace(/requests$/, 'webhooks'));
  await webhooks.getByText('No deliveries yet').waitFor();
  const next = await webhooks.getByRole('link', { name: 'Send a test event' }).getAttribute('href');
  expect(next).toMatch(/\/webhooks\/endpoints\/whe_\w+\?view=test$/);
  await page.goto(base);
  for (const one of [page, webhooks]) await live(one).waitFor();
  run.child.kill('SIGTERM');
  await run.exited;
  for (const one of [page, webhooks]) await one.getByText('Disconnected, retrying').waitFor();
  run = instance.start(postgres.settings);
  await run.ready;
  const id = await call('/v1/me');
  await row(id).waitFor();
  for (const one of [page, webhooks]) await live(one).waitFor();
  expect(await row(id).count()).toBe(1);
  const serverId = await firstServerId(instance, key);
  const ticket = { serverId, subject: 'After the restart', idempotencyKey: 'restart' };
  expect((await createTicket(instance, key, ticket)).status).toBe(201);
  await webhooks.getByRole('table', { name: 'Deliveries' }).getByText('succeeded').waitFor();
});

test('a tail with more requests than it can show reports the number of the others and links to them', async () => {
  await postgres.query(callsOf(fromId('app', appId), 6_000, 0));
  const note = page.getByText(/requests arrived too fast to be shown here/);
  await note.waitFor();
  const missed = Number(/([\d,]+) requests/.exec((await note.textContent()) ?? '')?.[1]?.replace(',', ''));
  expect(missed).toBeGreaterThan(1_000);
  await page.getByRole('link', { name: 'Show them' }).click();
  await page.waitForURL(/since=.*until=/);
  await until(async () => (await rows().count()) === 50);
});

test('a search that reaches its limit says how far it searched, and continues on demand', async () => {
  await postgres.query(callsOf(fromId('app', appId), 31_000, 120));
  await page.goto(`${base}?path=servers`);
  await page.getByText(/This is everything back to/).waitFor();
  // The next page is requested before the list is live, and answered before or after that.
  for (const isAnsweredFirst of [true, false]) {
    const tail = await holdRequests(page, /request-tail\?.*no-such-path/);
    const further = await holdRequests(page, /\/api\/.*cursor=/);
    await page.goto(`${base}?path=no-such-path`);
    await page.getByText(/^None back to/).waitFor();
    await button('Search further back').click();
    await until(() => tail.hasAny() && further.hasAny());
    if (isAnsweredFirst) await further.release();
    if (isAnsweredFirst) await page.getByText('No request matches these filters').waitFor();
    await tail.release(/\/requests\?(?!.*cursor=)/);
    await further.release();
    await page.getByText('No request matches these filters').waitFor();
  }
});

test('the page reports requests without a record, and their time', async () => {
  await withConnection({ connectionString: postgres.superuserUrl }, async (client) => {
    await client.query('begin; lock table request_records in access exclusive mode');
    await call('/v1/me');
    await client.query('rollback');
    // Gaps are written every few seconds.
    await until(async () => (await client.query('select from record_gaps')).rowCount === 1);
  });
  await page.goto(`${base}?trace=${TRACE}`);
  await page.getByText('1 request has no record').waitFor();
  await button('Show the minutes').click();
  await page.getByText('1 missing').waitFor();
  await inspect(page, 'inspector-gaps');
});

test('all views fit on a phone, without errors or external requests', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  for (const view of ['', '&view=problems']) {
    await page.goto(`${base}?trace=${TRACE}${view}`);
    await page.getByRole('table').waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([view, overflow]).toEqual([view, 0]);
    await inspect(page, `phone-inspector${view.replace(/\W/g, '-')}`);
  }
  await button('More filters').click();
  await page.getByRole('combobox', { name: 'Status' }).waitFor();
  await inspect(page, 'phone-inspector-filters');
  expect(inspector.complaints).toEqual([]);
});
