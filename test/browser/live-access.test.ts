// Live access in a real browser: a request is submitted, returned, submitted again and partly approved. The first
// production key requires a verified second factor. An upstream API that violates the contract is reported. Each page
// is inspected on a desktop and on a phone, in both themes.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { remoteLink } from '../../server/src/governance/environments/index.ts';
import { fromId, newUuid, toId } from '../../server/src/kit/crypto/ids.ts';
import { startConsole, type TestConsole, type TestVisitor } from '../../server/test/console-app.ts';
import { makeReviewer, type Reviewer } from '../../server/test/live-access.fixture.ts';
import { foundOrganisation, type TestOrganisation } from '../../server/test/organisation.fixture.ts';
import { type Production, startProduction } from '../../server/test/production.fixture.ts';
import { type ReferenceUpstream, startReferenceUpstream } from '../../server/test/reference-upstream.ts';
import { codeOf, enrolSecondFactor } from '../../server/test/second-factor.fixture.ts';
import { until } from '../slipway.ts';
import { inspect, launch, visit } from './browser.ts';
import { refuseReads } from './refused-reads.ts';

let upstream: ReferenceUpstream;
let production: Production;
let site: TestConsole;
let url: string;
let browser: Browser;
let organisation: TestOrganisation;
let reviewer: Reviewer;
let appId: string;
let page: Page;
let review: Page;
const complaints: string[][] = [];

beforeAll(async () => {
  upstream = await startReferenceUpstream();
  production = await startProduction({}, { url: upstream.url });
  const port = await freePort();
  url = `http://localhost:${port}`;
  const link = remoteLink('production', production.managementUrl);
  const { managementKey } = production.options;
  site = await startConsole('local', {
    consoleUrl: url,
    port,
    production: { environment: 'production', link, managementKey },
  });
  organisation = await foundOrganisation(site);
  reviewer = await makeReviewer(site);
  const apps = `/api/sandbox/organisations/${organisation.id}/apps`;
  appId = (await organisation.owner.visitor.call<{ id: string }>('POST', apps, { name: 'Ticket bridge' })).body.id;
  browser = await launch();
  page = await openAs(organisation.owner.visitor);
  review = await openAs(reviewer.visitor);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await production?.close();
  await upstream?.close();
});

async function openAs(visitor: TestVisitor): Promise<Page> {
  const result = await visit(browser);
  complaints.push(result.complaints);
  await comeAs(result.page, visitor);
  return result.page;
}

async function comeAs(who: Page, visitor: TestVisitor): Promise<void> {
  const cookies = visitor.cookie.split('; ').map((one) => one.split(/=(.*)/s));
  await who.context().clearCookies();
  await who.context().addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url })));
}

async function inspectInBothWidths(who: Page, name: string): Promise<void> {
  await inspect(who, `live-${name}`);
  await who.setViewportSize({ width: 390, height: 800 });
  await inspect(who, `phone-live-${name}`);
  expect([name, await who.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)]).toEqual([name, 0]);
  await who.setViewportSize({ width: 1280, height: 800 });
}

const button = (who: Page, name: string | RegExp) => who.getByRole('button', { name });
const atApp = (path: string) => `${url}/sandbox/${organisation.id}/apps/${appId}/${path}`;
let productionApp: string;

test('an app without live access shows how to get it, also from the environment switch, and a failed read is reported', async () => {
  await page.goto(atApp('keys'));
  await button(page, 'Environment: Sandbox').click();
  await page.getByRole('menuitem', { name: /^Production.*request live access/s }).click();
  await page.waitForURL(atApp('live-access'));
  await page.getByText('This app exists in the sandbox only').waitFor();
  await inspectInBothWidths(page, 'none');
  const refused = await refuseReads(page, /\/live-access\?/);
  await page.reload();
  await page.getByRole('alert').getByText('No answer').waitFor();
  await inspect(page, 'live-error');
  await refused.retry();
  await page.getByText('This app exists in the sandbox only').waitFor();
});

test('a request is drafted and submitted, with evidence that no member can enter', async () => {
  await button(page, 'Request live access').click();
  const form = page.getByRole('form', { name: 'Request for live access' });
  for (const scope of ['servers:read', 'tickets:create']) {
    await form.getByRole('checkbox', { name: scope }).check();
    await form.getByLabel(`Purpose of ${scope}`).fill('Our customers open tickets from their own desk.');
    await form.getByLabel(`Data use of ${scope}`).fill('Names of servers, in Frankfurt.');
  }
  await form.getByLabel('Security contact').fill('Imke');
  await form.getByLabel('Contact’s e-mail address').fill('imke@example.org');
  const evidence = page.getByRole('table', { name: 'Evidence' });
  await evidence.getByText('Recovers from errors').waitFor();
  const count = (state: string) => evidence.getByText(state, { exact: true }).filter({ visible: true }).count();
  const [shown, missing] = [await count('shown'), await count('missing')];
  expect(shown + missing).toBeGreaterThan(2);
  await page.getByText(`${shown} of ${shown + missing} shown`, { exact: true }).waitFor();
  await inspectInBothWidths(page, 'draft');
  await button(page, 'Submit for review').click();
  await page.getByText('waits for review').first().waitFor();
  await page.getByText('SHA-256 of the submission').waitFor();
  await inspectInBothWidths(page, 'submitted');
});

test('a reviewer finds the request in the queue and returns it, and the organisation corrects it', async () => {
  await review.goto(`${url}/operator/live-access`);
  await review.getByRole('link', { name: 'Ticket bridge' }).waitFor();
  await inspectInBothWidths(review, 'queue');
  await review.getByRole('link', { name: 'Ticket bridge' }).click();
  await review.getByRole('heading', { name: 'Your decision' }).waitFor();
  await review.getByText('SHA-256 of the submission').waitFor();
  await inspectInBothWidths(review, 'review');
  await review.getByLabel('Message to the organisation').fill('For how long are names kept?');
  await button(review, 'Request changes').click();
  await review.getByText('changes requested').first().waitFor();

  await page.reload();
  await page.getByText('Changes requested by the reviewer').waitFor();
  await page.getByText('For how long are names kept?').first().waitFor();
  await inspectInBothWidths(page, 'sent-back');
  await page.getByLabel('Data use of servers:read').fill('Names of servers, in Frankfurt, for a day.');
  await button(page, 'Submit for review').click();
  await page.getByText('waits for review').first().waitFor();
});

test('a partly approved app is in production, with only the approved access and without sandbox features', async () => {
  await review.reload();
  await review.getByRole('checkbox', { name: 'tickets:create' }).uncheck();
  await review.getByLabel('Server limit').fill('25');
  await button(review, 'Approve 1 of 2').click();
  await review.getByText('On 25 servers at most.').waitFor();
  await inspectInBothWidths(review, 'approved');

  await page.reload();
  await page.getByRole('link', { name: 'Notices: 1 unread' }).click();
  const approval = 'Live access of Ticket bridge was approved';
  await page.getByRole('table', { name: 'Decisions about live access' }).getByText(approval).waitFor();
  await page.mouse.move(0, 0); // the tooltip of the bell closes
  await inspectInBothWidths(page, 'decision-notice');
  expect(await page.getByText('No notices').count()).toBe(0);
  await button(page, `Mark as read: ${approval}`).click();
  // The reader is stored for the organisation.
  await page.getByRole('row', { name: approval }).getByText(organisation.owner.person.email).waitFor();
  await page.getByRole('link', { name: 'Notices', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Live access of Ticket bridge' }).click();
  await page.getByRole('link', { name: 'Open in production' }).click();
  await page.waitForURL(/\/production\/org_\w+\/apps\/app_\w+\/overview$/);
  productionApp = /app_\w+/.exec(page.url())?.[0] ?? '';
  await page.locator('header [data-environment="production"]').getByText('real data, real effects').waitFor();
  const sections = page.getByRole('navigation', { name: 'Sections of the app' });
  const labels = await sections.getByRole('link').allTextContents();
  expect(labels.filter((label) => ['Data', 'Simulation'].includes(label))).toEqual([]);
  await inspectInBothWidths(page, 'production-overview');
  await page.goto(`${url}/production/${organisation.id}/apps`);
  await page.getByRole('link', { name: 'Ticket bridge' }).waitFor();
  expect(await button(page, 'Register an app').count()).toBe(0);
  await inspectInBothWidths(page, 'production-apps');
  await button(page, 'Environment: Production').click();
  await page.getByRole('menuitem', { name: /^Sandbox/ }).click();
  await page.waitForURL(`${url}/sandbox/${organisation.id}/apps`);
});

test('a production key requires a code of the authenticator, and has only approved scopes', async () => {
  const { visitor } = organisation.owner;
  const keys = `${url}/production/${organisation.id}/apps/${productionApp}/keys`;
  await page.goto(keys);
  const generate = async () => {
    await button(page, 'Generate a key').first().click();
    const dialog = page.getByRole('dialog', { name: 'Generate a key for production' });
    await dialog.getByLabel('Name').fill('Live bridge');
    await dialog.getByRole('checkbox', { name: 'servers:read' }).check();
    expect(await dialog.getByRole('checkbox', { name: 'tickets:create' }).count()).toBe(0);
    await dialog.getByLabel('Address ranges').fill('192.0.2.0/24');
    await dialog.getByLabel('Address ranges').press('Enter');
    return dialog;
  };
  await generate();
  await inspectInBothWidths(page, 'key');
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  await page.getByText('You have none').waitFor();
  await inspect(page, 'live-key-without-second-factor');

  const { uri } = await enrolSecondFactor(visitor);
  await site.database.superuser.query('delete from second_factor_proofs');
  await comeAs(page, visitor);
  await page.goto(keys);
  await generate();
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm your second factor' });
  await proof.getByLabel('Code').fill('000000');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await proof.getByText('Second factor failed').waitFor();
  await inspectInBothWidths(page, 'key-code');
  await proof.getByLabel('Code').fill(codeOf(uri, 1));
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await page
    .getByRole('dialog', { name: 'Your key “Live bridge” for production' })
    .getByText(/slw_live_/)
    .first()
    .waitFor();
  await inspectInBothWidths(page, 'key-made');
});

test('a new key after a refused request keeps the address ranges, and names the scope that is not approved', async () => {
  const requestId = newUuid();
  const made = await production.database.superuser.query(
    `insert into request_records (app_id, request_id, at, duration_us, authority_us, status, problem_code, operation_id, method, path, key_id, server_id, response_bytes)
      select app_id, $2, now(), 900, 100, 403, 'missing_scope', 'createTicket', 'POST', '/v1/servers/{serverId}/tickets', key_id, $3, 0
      from keys where app_id = $1`,
    [fromId('app', productionApp), requestId, newUuid()],
  );
  expect(made.rowCount).toBe(1);
  const request = toId('req', requestId);
  await page.goto(`${url}/production/${organisation.id}/apps/${productionApp}/requests?request=${request}`);
  await button(page, 'Generate a key with tickets:create').click();
  const dialog = page.getByRole('dialog', { name: 'Generate a key for production' });
  await dialog.getByText('Left out, because the app is not approved for it in production: tickets:create.').waitFor();
  await dialog.getByText('192.0.2.0/24', { exact: true }).waitFor();
  await inspect(page, 'live-key-for-refusal');
  const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/keys'));
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  expect((await sent).postDataJSON()).toMatchObject({ scopes: ['servers:read'], allowedCidrs: ['192.0.2.0/24'] });
});

test('the page Team requires a code before it assigns a role that can create production keys', async () => {
  const own = await foundOrganisation(site);
  const next = await own.join('developer');
  const { visitor } = own.owner;
  const { uri } = await enrolSecondFactor(visitor);
  const endProofs = () => site.database.superuser.query('delete from second_factor_proofs');
  await endProofs();
  const team = await openAs(visitor);
  await team.goto(`${url}/organisations/${own.id}/team`);
  const proof = team.getByRole('dialog', { name: 'Confirm your second factor' });
  const row = team.getByRole('row').filter({ hasText: next.person.email });
  await row.getByRole('combobox').filter({ visible: true }).selectOption('admin');
  await proof.getByLabel('Code').fill(codeOf(uri, 1));
  await inspectInBothWidths(team, 'role-code');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await proof.waitFor({ state: 'detached' });
  await until(async () => (await own.roleOf(next)) === 'admin');
  await endProofs();
  await button(team, 'Invite a person').click();
  const dialog = team.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('E-mail address').fill('new.admin@example.org');
  await dialog.getByLabel('Role').selectOption('admin');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await proof.getByLabel('Code').waitFor();
  await inspectInBothWidths(team, 'invite-code');
});

test('a read with the cookie of the session before a confirmation is repeated, and an ended session leads to the sign-in', async () => {
  const own = await foundOrganisation(site);
  const team = await openAs(own.owner.visitor);
  let reads = 0;
  await team.route(/\/access-tokens\?/, async (route) => {
    reads += 1;
    if (reads > 1) return route.continue();
    // As the server refuses the previous cookie.
    const refusal = await fetch(route.request().url());
    return route.fulfill({
      status: refusal.status,
      contentType: refusal.headers.get('content-type') ?? '',
      body: await refusal.text(),
    });
  });
  const refused = team.waitForResponse((one) => one.url().includes('/access-tokens?') && one.status() === 401);
  await team.goto(`${url}/organisations/${own.id}/team`);
  await refused;
  await team.getByText('No access tokens yet').waitFor();
  await team.context().clearCookies();
  await team.waitForURL(/\/sign-in\?return=/);
});

test('the app shows its suspension, and the reviewer lifts it where it was imposed', async () => {
  await button(review, 'Suspend').click();
  const dialog = review.getByRole('dialog', { name: 'Suspend the live access of “Ticket bridge”?' });
  await dialog.getByLabel('Reason').fill('Its key is used from many addresses.');
  await inspectInBothWidths(review, 'suspend');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await button(review, 'Resume').waitFor();
  await page.goto(`${url}/production/${organisation.id}/apps/${productionApp}/keys`);
  await page.getByText('suspended').first().waitFor();
  await page.goto(atApp('live-access'));
  await page.getByText('Its key is used from many addresses.').first().waitFor();
  await inspectInBothWidths(page, 'suspended');
  await button(review, 'Resume').click();
  await button(review, 'Suspend').waitFor();
});

test('an upstream API that violates the contract is an alert for operators and a notice for members, and a server beyond the cap is marked', async () => {
  await review.goto(`${url}/operator/platform`);
  await review.getByText('No failures').waitFor();
  await inspect(review, 'live-platform-empty');
  const app = await production.newApp(fromId('org', organisation.id));
  upstream.respond = (_request, response) => void response.writeHead(200).end('{}');
  expect((await production.call('/v1/servers', (await app.key()).token)).status).toBe(502);
  await production.flushFailures();

  const refused = await refuseReads(review, /\/upstream-failures$/);
  await review.reload();
  await review.getByRole('status', { name: 'Loading' }).waitFor();
  await review.getByRole('alert').getByText('No answer').waitFor();
  await inspect(review, 'live-platform-error');
  await refused.retry();
  const row = review
    .getByRole('table', { name: 'Failures of the upstream API' })
    .getByRole('row', { name: /listServers/ });
  await row.getByText('contract violation').filter({ visible: true }).waitFor();
  await row.getByText('HTTP 200').filter({ visible: true }).waitFor();
  await inspectInBothWidths(review, 'platform');
  await review.goto(`${url}/operator/live-access`);
  await review.getByRole('alert').getByRole('link', { name: 'Show failures' }).click();
  await review.waitForURL(`${url}/operator/platform`);

  await page.goto(`${url}/production/${organisation.id}/notices`);
  await page.getByText('The upstream API gave no valid response to Live').waitFor();
  await inspectInBothWidths(page, 'platform-notice');
  await page.getByRole('link', { name: 'Open request' }).click();
  await page.getByRole('dialog').getByText('upstream_invalid').first().waitFor();
  await production.database.superuser.query('update apps set max_servers = 1 where app_id = $1', [app.uuid]);
  for (const serverId of upstream.serverIds.slice(0, 2)) await app.install(serverId);
  await page.goto(`${url}/production/${organisation.id}/apps/${app.id}/installations`);
  await button(page, 'Whole installation on Harbour: paused, over the limit').waitFor();
  await inspectInBothWidths(page, 'over-cap');
  expect(complaints.flat()).toEqual([]);
});
