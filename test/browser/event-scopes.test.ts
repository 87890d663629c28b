// The announced rule about the scopes of events, in a real browser: the overview of an app on the earlier rule shows what the rule would
// withhold, and a confirmation enforces the rule early.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { idAt, msAgo } from '../day-of-traffic.ts';
import { type AppWithTraffic, startAppWithTraffic } from './app-with-traffic.ts';
import { inspect } from './browser.ts';
import { overflowOf } from './page-checks.ts';

let stocked: AppWithTraffic;
let page: Page;
let app: string;
beforeAll(async () => {
  stocked = await startAppWithTraffic();
  page = stocked.page;
  app = fromId('app', stocked.appId) ?? '';
  await stocked.query(`
    set session_replication_role = replica;
    update apps set enforces_event_scopes = false where app_id = '${app}';
    delete from events where app_id = '${app}';
    set session_replication_role = origin;`);
});
afterAll(() => stocked?.close());

const WIDTHS = [1440, 390];
const section = () => page.getByRole('region', { name: 'Scopes of events' });

async function inspectInBothWidths(name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page, `${name}-${width}`);
    expect(await overflowOf(page)).toBe(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Revokes publications:read on one server that grants events:read, and writes 7 publication events there; the newest has 1 delivery. */
const withhold = (): Promise<unknown> =>
  stocked.query(`
    set session_replication_role = replica;
    create temporary table place as select i.app_id, i.server_id, i.installation_id from installations i
      join installation_scopes s using (app_id, installation_id)
      where i.app_id = '${app}' and i.state = 'authorised' and s.scope = 'events:read' and s.state = 'authorised' limit 1;
    update installation_scopes s set state = 'revoked' from place p
      where s.app_id = p.app_id and s.installation_id = p.installation_id and s.scope = 'publications:read';
    insert into events (app_id, event_id, type, schema_version, server_id, subject_type, subject_id, sequence, body)
      select app_id, ${idAt('ms', 'i')}, 'publication.updated', 1, server_id, 'publication', gen_random_uuid(), 1, '{}'
      from place, generate_series(1, 7) i, lateral (select ${msAgo('i')} as ms) at;
    update deliveries set event_id = (select max(event_id::text)::uuid from events where app_id = '${app}' and type = 'publication.updated')
      where app_id = '${app}' and delivery_id = (select max(delivery_id::text)::uuid from deliveries where app_id = '${app}');
    set session_replication_role = origin;`);

test('the overview says that the rule would withhold no event, with the date, if no scope is missing', async () => {
  await page.goto(`${stocked.base}/overview`);
  await section().getByText('The rule would withhold no event').waitFor();
  await section().getByText('2027-06-01').waitFor();
  await inspectInBothWidths('event-scopes-none');
});

test('the overview counts and lists the events that the rule would withhold, and links each delivery', async () => {
  await withhold();
  await page.goto(`${stocked.base}/overview`);
  await section().getByText('The rule would withhold 7 events and 1 delivery.').waitFor();
  await section().getByText('All events and deliveries of the app are counted.').waitFor();
  const grants = page.getByRole('table', { name: 'Missing scopes' });
  await grants.getByRole('row', { name: /publications:read.*revoked.*7/ }).waitFor();
  const rows = page.getByRole('table', { name: 'Newest withheld events' }).getByRole('row');
  expect(await rows.count()).toBe(1 + 5);
  await inspectInBothWidths('event-scopes');
  await section().getByRole('button', { name: 'Show 7 events' }).click();
  expect(await rows.count()).toBe(1 + 7);
  await section().getByRole('link', { name: /^dlv_/ }).click();
  await page.waitForURL(/webhooks\?delivery=dlv_/);
});

test('a notice names the app, the environment, the day and the counts, and leads to the list', async () => {
  await stocked.query(`
    insert into notices (organisation_id, notice_id, app_id, key_id, kind, app_name, key_name, kid, key_created_by, expires_at,
        withheld_events, withheld_deliveries)
      select a.organisation_id, gen_random_uuid(), a.app_id, k.key_id, 'event_scopes', a.name, k.name, k.kid, k.created_by, k.expires_at, 7, 1
      from apps a join keys k using (app_id) where a.app_id = '${app}' limit 1`);
  await page.goto(`${stocked.base.replace(/\/apps\/.*/, '')}/notices`);
  await page.getByText('From 2027-06-01, Demo app loses events in the sandbox').waitFor();
  await page.getByText('7 of the newest events and 1 of the newest deliveries').waitFor();
  await inspectInBothWidths('event-scopes-notice');
  await page.getByRole('link', { name: 'Scopes of events of Demo app' }).click();
  await section().getByText('The rule would withhold 7 events and 1 delivery.').waitFor();
});

test('the confirmation says what happens to deliveries and that the switch is permanent, and the enforced rule removes the section', async () => {
  await page.goto(`${stocked.base}/overview`);
  await section().getByRole('button', { name: 'Enforce now…' }).click();
  await page.getByRole('dialog').getByText('You cannot undo this.').waitFor();
  await page.getByRole('dialog').getByText('cancelled, and new deliveries are skipped.').waitFor();
  await inspectInBothWidths('event-scopes-enforce');
  await page.getByRole('button', { name: 'Keep it' }).click();
  await section().waitFor();
  await section().getByRole('button', { name: 'Enforce now…' }).click();
  await page.getByRole('button', { name: 'Enforce the rule' }).click();
  await page.getByText('The rule is enforced').waitFor();
  await section().waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('The last 24 hours').waitFor();
  expect(await section().count()).toBe(0);
});
