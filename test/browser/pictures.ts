// Takes the pictures of the Console in the README: the real Console with an hour of calls by an invented integration.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { type ExternalPostgres, startExternalPostgres } from '../external-postgres.ts';
import { createInstance, root, type SlipwayInstance } from '../slipway.ts';
import { ask, readNote, send } from '../visitor.ts';
import { launch, visit } from './browser.ts';

const FOLDER = join(root, 'docs', 'pictures');

let postgres: ExternalPostgres;
let instance: SlipwayInstance;
let browser: Browser;
let page: Page;
/** The address of the demo's app. */
let base: string;

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  [postgres, instance] = await Promise.all([startExternalPostgres(), createInstance()]);
  await instance.start(postgres.settings).ready;
  browser = await launch();
  ({ page } = await visit(browser));
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
  await postgres?.remove();
});

/** Makes one round of typical calls of an integration, with occasional errors. */
async function makeCalls(key: string, serverId: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'user-agent': 'harbour-bridge/2.1' };
  const tickets = `${instance.apiUrl}/v1/servers/${serverId}/tickets`;
  const reads = ['/v1/me', '/v1/servers?limit=25', `/v1/servers/${serverId}`, '/v1/events?limit=5'];
  for (const path of [...reads, '/v1/servers/srv_01j9z3v8k6e5t8m2n4p6q8r0s2', '/v1/servers?limit=1000', ...reads]) {
    await ask(instance.apiUrl + path, { headers });
  }
  for (const subject of ['The crane does not turn', 'Where do I moor?', 'Invoice for berth 12']) {
    await send(tickets, { subject, body: 'As reported in the harbour office.' }, headers);
  }
  await send(tickets, { subject: 12, body: 'As reported in the harbour office.' }, headers);
  await ask(`${instance.apiUrl}/v1/events?serverId=${serverId}`, { headers });
}

/** Copies the calls over the last hour, because waiting for real ones would take too long. */
async function spread(): Promise<void> {
  await postgres.query(`
    create temp table copies as
      select r.*, make_interval(secs => (90 + 60 * minute + 50 * random())::float8) as before
      from request_records r cross join generate_series(0, 55) minute
      where random() < 0.25 + 0.2 * sin(minute / 5.0) and r.problem_code is null or random() < 0.04;
    update copies set at = at - before, request_id = overlay(request_id::text
      placing left(uuid_floor(at - before)::text, 13) from 1 for 13)::uuid;
    alter table copies drop column before;
    insert into request_records select * from copies on conflict do nothing`);
}

async function picture(name: string, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), theme);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}

test('takes the pictures of the README', async () => {
  const note = readNote(instance);
  const serverId = /servers\/(srv_\w+)\/tickets/.exec(note.text)?.[1] ?? '';
  await makeCalls(note.key ?? '', serverId);
  await spread();
  await makeCalls(note.key ?? '', serverId);

  await page.goto(`${instance.consoleUrl}/sign-in#link=${note.link}`);
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Demo app' }).click();
  await page.waitForURL(/\/overview$/);
  base = page.url().replace(/\/overview$/, '');

  await page.goto(`${base}/requests?last=1h`);
  await page.getByRole('status').getByText('Up to date', { exact: true }).waitFor();
  await page.getByRole('table', { name: 'Requests' }).waitFor();
  await picture('requests', 'light');

  await page.getByRole('row', { name: /^201/ }).first().getByRole('link').first().click();
  await page.getByRole('link', { name: /^Attempt 1: answered 2/ }).waitFor();
  await picture('trace', 'dark');

  await page.goto(`${base}/webhooks`);
  await page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(3).waitFor();
  await page.getByRole('table', { name: 'Endpoints' }).getByRole('cell', { name: '100 %', exact: true }).waitFor(); // written every few seconds
  await picture('webhooks', 'light');
});
