// Unused scopes in a real browser: a key shows them, and one dialog creates a successor without them.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { type AppWithTraffic, startAppWithTraffic } from './app-with-traffic.ts';
import { inspect } from './browser.ts';

let stocked: AppWithTraffic;
let page: Page;
let base: string;
beforeAll(async () => {
  stocked = await startAppWithTraffic();
  ({ page, base } = stocked);
  const app = fromId('app', stocked.appId);
  // The demo's keys and grants are moved back in time: a key of 30 days has been counted for that long only on its last
  // day.
  await stocked.query(`
    set session_replication_role = replica;
    update plane_state set counts_scopes_since = current_date - 40;
    update keys set created_at = created_at - interval '30 days' + interval '5 minutes',
      expires_at = expires_at - interval '30 days' + interval '5 minutes' where app_id = '${app}';
    update installation_scopes set created_at = created_at - interval '40 days' where app_id = '${app}';
    insert into key_scope_uses select app_id, key_id, 'servers:read', current_date, 1204 from keys where app_id = '${app}'
      on conflict (app_id, key_id, scope, day) do update set uses = 1204;
    insert into grant_uses values ('${app}', '00000000-0000-0000-0000-000000000000', 'servers:read', current_date)
      on conflict do nothing;
    set session_replication_role = origin;`);
});
afterAll(() => stocked?.close());

const widths = [1440, 390];
const dialog = () => page.getByRole('dialog');

test('a key shows its unused scopes, and its successor keeps the others', async () => {
  await page.goto(`${base}/keys`);
  const remove = page.getByRole('button', { name: 'Remove 1 unused scope of Demo key' }).filter({ visible: true });
  await remove.waitFor();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page, `unused-scopes-${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await remove.innerText()).toBe('Remove 1 unused');
  await remove.click();
  await dialog().getByText('Removed: tickets:create. Kept: servers:read, events:read.').waitFor();
  const forecast = dialog().getByRole('status', { name: 'Forecast' });
  await forecast.getByText(/^Since .+, this change would have refused 0 requests\.$/).waitFor();
  await inspect(page, 'narrow-key');
  await dialog().getByRole('button', { name: 'Rotate the key' }).click();
  await dialog().getByLabel('I have stored it').check();
  await dialog().getByRole('button', { name: 'Close' }).click();
  const successor = page.getByRole('row', { name: /Demo key/ }).first();
  await successor.getByText('events:read').filter({ visible: true }).waitFor();
  expect(await successor.getByText('tickets:create').filter({ visible: true }).count()).toBe(0);
});

test('an installation marks the unused grants', async () => {
  await page.goto(`${base}/installations`);
  const unused = page.getByRole('button', { name: /^workflows:run on .*: authorised, not used in the last 30 days$/ });
  await unused.first().waitFor();
  expect(await page.getByRole('button', { name: /^servers:read on .*not used/ }).count()).toBe(0);
  await inspect(page, 'unused-grants');
});
