// Control of installations in production, in a real browser: the upstream API's report, the organisation's restriction,
// and the effective state.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { remoteLink } from '../../server/src/governance/environments/index.ts';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { startConsole, type TestConsole } from '../../server/test/console-app.ts';
import { foundOrganisation } from '../../server/test/organisation.fixture.ts';
import { type LiveApp, type Production, startProduction } from '../../server/test/production.fixture.ts';
import { type ReferenceUpstream, startReferenceUpstream } from '../../server/test/reference-upstream.ts';
import { grantOn, restrict, state } from '../../server/test/restrictions.fixture.ts';
import { inspect, launch, visit } from './browser.ts';

let upstream: ReferenceUpstream;
let production: Production;
let site: TestConsole;
let browser: Browser;
let page: Page;
let app: LiveApp;
let server: string;
let complaints: string[];

beforeAll(async () => {
  upstream = await startReferenceUpstream();
  production = await startProduction({}, { url: upstream.url });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const link = remoteLink('production', production.managementUrl);
  const { managementKey } = production.options;
  const connection = { environment: 'production', link, managementKey } as const;
  site = await startConsole('local', { consoleUrl: url, port, production: connection });
  const organisation = await foundOrganisation(site);
  app = await production.newApp(fromId('org', organisation.id));
  server = upstream.serverIds[0] ?? '';
  await state(production, app, server, 'authorised', { 'roadmap:read': 'paused' });
  browser = await launch();
  ({ page, complaints } = await visit(browser, 1440));
  const cookies = organisation.owner.visitor.cookie.split('; ').map((one) => one.split(/=(.*)/s));
  await page.context().addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url })));
  await page.goto(`${url}/production/${organisation.id}/apps/${app.id}/installations`);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await production?.close();
  await upstream?.close();
});

const button = (name: string) => page.getByRole('button', { name: `${name}`, exact: true });
const confirmPause = async (): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: /^Pause / });
  await dialog
    .getByRole('status', { name: 'Forecast' })
    .getByText(/^Since .+, this change would have refused/)
    .waitFor();
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
};
const choose = (name: RegExp) => page.getByRole('menuitem', { name }).click();

test('a member pauses a scope and the server: report and restriction are shown, and a grant that the upstream API withholds cannot be given', async () => {
  await button('tickets:create on Harbour Lights: authorised').click();
  await page.getByText('Upstream API: authorised · Your organisation: no restriction').waitFor();
  await choose(/^Pause/);
  await confirmPause();
  await button('tickets:create on Harbour Lights: paused, your organisation').waitFor();
  await button('roadmap:read on Harbour Lights: paused, upstream API').click();
  await page.getByText('only the upstream API can grant it', { exact: false }).waitFor();
  expect(await page.getByRole('menuitem', { name: /^Resume/ }).count()).toBe(0);
  await inspect(page, 'restrictions-limit');
  await choose(/^Pause/);
  await confirmPause();
  await button('roadmap:read on Harbour Lights: paused, both withhold').click();
  await choose(/^Resume/);
  await page.getByText('Your organisation’s restriction is lifted.', { exact: false }).waitFor();
  await button('roadmap:read on Harbour Lights: paused, upstream API').waitFor();
});

test('a revocation is confirmed, holds against a report of the upstream API, and resuming creates a new grant', async () => {
  await button('Whole installation on Harbour Lights: authorised').click();
  await choose(/^Revoke/);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('withholds the grant until a member resumes it', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  const revoked = button('Whole installation on Harbour Lights: revoked, your organisation');
  await revoked.waitFor();
  const before = await grantOn(production, app, server);
  await state(production, app, server, 'authorised');
  expect((await grantOn(production, app, server)).installation?.state).toBe('revoked');
  await inspect(page, 'restrictions');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('list', { name: 'Servers' }).waitFor();
  await inspect(page, 'phone-restrictions');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 800 });
  await revoked.click();
  await choose(/^Resume/);
  await button('Whole installation on Harbour Lights: authorised').waitFor();
  expect((await grantOn(production, app, server)).installation?.id).not.toBe(before.installation?.id);
});

test('one action restricts every server, after a preview of the changes', async () => {
  await page.getByRole('button', { name: 'Change every server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It immediately changes 1 server', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Change 1', exact: true }).click();
  await button('Whole installation on Harbour Lights: paused, your organisation').waitFor();
  expect(complaints).toEqual([]);
});

test('a revoked server stays revoked when every server is resumed, unless the member includes revoked servers', async () => {
  await restrict(production, app, server, 'revoked');
  await page.reload();
  await button('Whole installation on Harbour Lights: revoked, your organisation').waitFor();
  await page.getByRole('button', { name: 'Change every server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'becomes' }).click();
  await page.getByRole('option', { name: 'as the upstream API allows' }).click();
  await dialog.getByText('1 server is revoked and stays revoked.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Change 0', exact: true }).isDisabled()).toBe(true);
  await inspect(page, 'installations-every-excluded');
  await dialog.getByRole('checkbox', { name: 'Include revoked' }).check();
  await dialog.getByText('It immediately changes 1 server: 1 revoked.').waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await inspect(page, 'phone-installations-every');
  await dialog.getByRole('button', { name: 'Change 1', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await grantOn(production, app, server)).installation?.state).toBe('authorised');
  expect(complaints).toEqual([]);
});
