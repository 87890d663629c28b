// Access of an app and its reasons, in a real browser: the history of its installations, the rules about one call, and
// its deprecated uses.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { idAt, msAgo } from '../day-of-traffic.ts';
import { ask } from '../visitor.ts';
import { type AppWithTraffic, startAppWithTraffic } from './app-with-traffic.ts';
import { inspect, visit } from './browser.ts';

let stocked: AppWithTraffic;
let page: Page;
let base: string;
let server: { serverId: string; serverName: string };
/** The address of the app in the management API, and the headers of its owner. */
let app: string;
let headers: Record<string, string>;

const HOSTILE = '<img src=x onerror=alert(1)> a look at what stops';

beforeAll(async () => {
  stocked = await startAppWithTraffic();
  ({ page, base } = stocked);
  app = base.replace('/sandbox/', '/api/sandbox/organisations/');
  headers = { cookie: stocked.cookie, 'content-type': 'application/json', 'slipway-console': '1' };
  const { body } = await ask<{ data: (typeof server)[] }>(`${app}/installations?limit=1`, { headers });
  server = body.data[0] ?? server;
  const scope = `${app}/servers/${server.serverId}/installation/scopes/tickets:create`;
  const input = JSON.stringify({ state: 'paused', reason: HOSTILE });
  expect((await ask(scope, { method: 'PUT', headers, body: input })).status).toBe(200);
});
afterAll(() => stocked?.close());

test('signing in, seeing a new app’s first request and delivering its first webhook takes at most eight interactions', async () => {
  const { page: own } = await visit(page.context().browser() as Browser); // the context belongs to a browser
  let presses = 0;
  const press = async (on: Locator): Promise<void> => {
    presses += 1;
    await on.click();
  };
  const type = async (label: string, text: string): Promise<void> => {
    presses += 1;
    await own.getByLabel(label, { exact: true }).fill(text);
  };
  await own.goto(stocked.instance.consoleUrl);
  await type('E-mail address', 'owner@slipway.local');
  await type('Password', 'a long sentence is a good one');
  await press(own.getByRole('button', { name: 'Sign in', exact: true }));
  await press(own.getByRole('button', { name: 'Register an app' }));
  await type('Name', 'Ticket bridge');
  await press(own.getByRole('button', { name: 'Register', exact: true }));
  await press(own.getByRole('button', { name: 'Create key and endpoint' }));
  presses += 1; // copying the command and pasting it into a shell
  const dialog = own.getByRole('dialog');
  const command = await dialog.locator('pre').filter({ hasText: 'curl' }).innerText();
  await dialog.getByText('The call appears here').waitFor();
  await inspect(own, 'begin');
  // Asynchronous, because the server blocks unless this process reads its log.
  expect((await promisify(execFile)('sh', ['-c', command])).stdout).toMatch(/ 201 /);
  await dialog.getByText('The call is in the inspector: POST, answered 201.').waitFor();
  await dialog.getByText('ticket.created was delivered').waitFor();
  expect(presses).toBeLessThanOrEqual(8);
  await dialog.getByLabel('I have stored it').check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await own.getByText('5 of 5 steps are done').waitFor();
  await own.setViewportSize({ width: 390, height: 800 });
  expect(await own.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
});

const table = (name: string) => page.getByRole('table', { name });

/** Inspects the page in both themes, and on a phone without horizontal overflow. */
async function look(name: string): Promise<void> {
  await inspect(page, name);
  await page.setViewportSize({ width: 390, height: 800 });
  await inspect(page, `phone-${name}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('the history shows what changed where, by whom and why, and filters are part of the address', async () => {
  await page.goto(`${base}/installations`);
  await page.getByRole('link', { name: 'History' }).click();
  const changes = table('Changes of installations').getByRole('row');
  const paused = changes.filter({ hasText: 'paused' });
  await paused.waitFor();
  // The creation of the sandbox data is one row that opens to its servers.
  const created = changes.filter({ hasText: /\d+ servers/ });
  expect(await created.count()).toBe(1);
  expect(await created.getByRole('link').count()).toBe(0);
  await created.getByText(/\d+ servers/).click();
  await created.getByRole('link', { name: server.serverName }).first().waitFor();
  expect(await paused.innerText()).toMatch(/tickets:create[\s\S]*authorised[\s\S]*paused[\s\S]*a look at what stops/);
  expect(await page.locator('main img').count()).toBe(0);
  await paused.getByRole('link', { name: server.serverName }).click();
  await page.waitForURL(/history\?server=srv_\w+$/);
  await page.getByRole('combobox', { name: 'Scope' }).click();
  await page.getByRole('option', { name: 'tickets:create' }).click();
  await page.waitForURL(/scope=tickets/);
  await paused.waitFor();
  await look('installation-history');
  await page.goto(`${base}/installations/history?server=srv_01j9z3v8k6e5t8m2n4p6q8r0s4`);
  await page.getByText('No change matches these filters').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await changes.nth(1).waitFor();
});

test('a call is explained rule by rule, for a recorded request or for a chosen call', async () => {
  await page.goto(`${base}/installations/access`);
  await page.getByText('Select a call').waitFor();
  await page.getByRole('combobox', { name: 'Operation' }).click();
  await page.getByRole('option', { name: 'createTicket' }).click();
  await page.getByText('createTicket belongs to one server: select it.').waitFor();
  await page.getByRole('combobox', { name: 'Key' }).click();
  await page.getByRole('option', { name: /Demo key/ }).click();
  await page.getByRole('combobox', { name: 'Server' }).click();
  await page.getByRole('option', { name: server.serverName }).click();
  await page.getByText('The response would be installation_paused').waitFor();
  const rules = table('Rules').getByRole('row');
  const broken = rules.filter({ hasText: 'broken' });
  expect([await broken.count(), await broken.innerText()]).toEqual([1, expect.stringContaining('not paused there')]);
  expect(await rules.nth(1).innerText()).toContain('broken'); // the first row below the head
  await look('access');

  await page.goto(`${base}/installations/access?operation=listServers&key=nothing`);
  await page.getByRole('alert').getByText('invalid_request').waitFor();
  await stocked.query(`
    insert into request_records (app_id, request_id, at, duration_us, authority_us, status, operation_id, method, path, response_bytes)
    values ('${fromId('app', stocked.appId)}', ${idAt(msAgo('1'), '9')}, now(), 900, 100, 200, 'listServers', 'GET', '/v1/servers', 0)`);
  await page.goto(`${base}/requests?live=false&operation=listServers`);
  await table('Requests').getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('link', { name: 'Explain access' }).click();
  await page.getByRole('heading', { name: /^Every rule holds/ }).waitFor();
});

/** Creates a ticket with a new key and returns the identifier of the refused request. */
async function refusedTicket(name: string, scopes: string[]): Promise<string> {
  const input = JSON.stringify({ name, scopes, expiresInDays: 7 });
  const made = await ask<{ token: string }>(`${app}/keys`, { method: 'POST', headers, body: input });
  const answer = await ask(`${stocked.instance.apiUrl}/v1/servers/${server.serverId}/tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.body.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ subject: 'The crane', body: 'It does not turn.' }),
  });
  expect(answer.status).toBe(403);
  return answer.headers.get('request-id') ?? '';
}

const request = () => page.getByRole('dialog', { name: 'Request' });
const keyForm = () => page.getByRole('dialog', { name: /^Generate a key for/ });
const generate = () => request().getByRole('button', { name: 'Generate a key with tickets:create' });

test('a request that was refused for its scope names the scope', async () => {
  const without = await refusedTicket('Narrow bridge', ['servers:read']);
  await page.goto(`${base}/requests?request=${without}`);
  await request().getByText('The key “Narrow bridge” does not have the scope tickets:create.').waitFor();
  await look('missing-scope');
});

test('Escape closes the form of a new key, and the request stays open', async () => {
  await generate().click();
  await keyForm().waitFor();
  await page.keyboard.press('Escape');
  await keyForm().waitFor({ state: 'detached' });
  expect(await request().isVisible()).toBe(true);
});

test('a request that was refused for its scope leads to a key that has it', async () => {
  await generate().click();
  expect(await keyForm().getByLabel('Name').inputValue()).toBe('Narrow bridge');
  const chosen = keyForm().getByRole('checkbox', { checked: true });
  expect(await chosen.evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value))).toEqual([
    'servers:read',
    'tickets:create',
  ]);
  await inspect(page, 'missing-scope-dialog');
  await keyForm().getByRole('button', { name: 'Generate', exact: true }).click();
  const secret = page.getByRole('dialog', { name: /^Your key “Narrow bridge”/ });
  await secret.getByLabel('I have stored it').check();
  await secret.getByRole('button', { name: 'Close' }).click();
});

test('a request that was refused for a paused scope names the server, and leads to the installation', async () => {
  const paused = await refusedTicket('Paused bridge', ['tickets:create']);
  await page.goto(`${base}/requests?request=${paused}`);
  await request().getByText(`The scope tickets:create is paused on ${server.serverName}.`).waitFor();
  await look('paused-scope');
  await request().getByRole('link', { name: 'Open the installation' }).click();
  await page.getByText('Only one server is shown.').waitFor();
  expect(await table('Servers and scopes').textContent()).toContain(server.serverName);
});

test('the app’s deprecated uses are listed with their replacement', async () => {
  await page.goto(`${base}/requests`);
  await page.getByText('Deprecated', { exact: true }).click();
  await page.getByText('No deprecated use').waitFor();
  await stocked.query(`insert into deprecated_uses (app_id, deprecation_id, day, uses, last_used_at)
    values ('${fromId('app', stocked.appId)}', 'ticket-requester-external-id', now()::date, 1234, now())`);
  await page.reload();
  const use = table('Deprecated uses').getByRole('row').last();
  await use.getByText('1,234', { exact: true }).waitFor();
  expect(await use.getByRole('link').getAttribute('href')).toMatch(/\/deprecations\/ticket-requester-external-id$/);
  await look('deprecated');
  await use.getByRole('button', { name: 'Acknowledge' }).click();
  await use.getByText('Acknowledged by').waitFor();
  await use.getByRole('button', { name: 'Notify again' }).click();
  await use.getByRole('button', { name: 'Snooze' }).waitFor();
});

test('a notice of a deprecation leads to the uses, their newest request, and the button that postpones further notices', async () => {
  const appUuid = fromId('app', stocked.appId);
  await stocked.query(`update deprecated_uses set newest_request_ids =
    array(select request_id from request_records where app_id = '${appUuid}' order by request_id desc limit 1) where app_id = '${appUuid}'`);
  const deprecation = {
    ...{
      id: 'ticket-requester-external-id',
      title: 'The field `externalId`',
      replacement: 'Send `reference` instead.',
    },
    ...{ ends: '2027-05-31', daysAhead: 90, requests: 1234, requestIds: [], endpoints: 0, endpointIds: [] },
  };
  await stocked.query(`
    insert into notices (organisation_id, notice_id, app_id, key_id, kind, app_name, key_name, kid, key_created_by, expires_at, deprecation)
      select a.organisation_id, gen_random_uuid(), a.app_id, k.key_id, 'deprecation_announced', a.name, k.name, k.kid, k.created_by, k.expires_at,
        '${JSON.stringify(deprecation)}'
      from apps a join keys k using (app_id) where a.app_id = '${appUuid}' limit 1`);
  await page.goto(base.replace(/\/apps\/.*/, '/notices'));
  await page.getByText('uses a deprecated part of the API, which ends on 2027-05-31').waitFor();
  await page.getByText('The field externalId: 1,234 requests. Send reference instead.').waitFor();
  await look('deprecation-notice');
  await page.getByRole('link', { name: /^Deprecated uses of / }).click();
  const use = table('Deprecated uses').getByRole('row').last();
  await use.getByRole('button', { name: 'Snooze' }).click();
  await use.getByText(/^Snoozed until 20/).waitFor();
  await look('deprecation-snoozed');
  await use.getByRole('link', { name: /^req_/ }).click();
  await request().waitFor();
});
