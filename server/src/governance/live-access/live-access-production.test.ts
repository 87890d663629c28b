// Effects of decisions in production. The app is created once with exactly the approved access, and is suspended and
// resumed immediately. A member needs a recent second factor to create its keys.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import {
  createApplicant,
  type Detail,
  type LiveAccessApplicant,
  makeReviewer,
  type Reviewer,
} from '../../../test/live-access.fixture.ts';
import { type Production, startProduction } from '../../../test/production.fixture.ts';
import { codeOf, enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { DatabaseUnavailable, openDatabase } from '../../kit/db/db.ts';
import { askPlanes, type PlaneConnection, remoteLink } from '../environments/index.ts';
import { reportUnconfirmedAccess } from './index.ts';

let production: Production;
let connection: PlaneConnection;
let site: TestConsole;
let reviewer: Reviewer;
/** True while production cannot be reached; `requested` lists the requests to it. */
let isAway = false;
let requests: string[] = [];
beforeAll(async () => {
  production = await startProduction({ maxKeyDays: 14 });
  const link = remoteLink('production', production.managementUrl);
  connection = {
    environment: 'production',
    managementKey: production.options.managementKey,
    async link(call) {
      requests.push(`${call.method} ${call.path}`);
      if (isAway) throw new DatabaseUnavailable('away');
      return link(call);
    },
  };
  site = await startConsole('local', { production: connection });
  reviewer = await makeReviewer(site);
});
afterAll(async () => {
  await site.close();
  await production.close();
});

let asking: LiveAccessApplicant;
let owner: TestVisitor;
let base: string;
let uri: string;
beforeEach(async () => {
  isAway = false;
  asking = await createApplicant(site);
  owner = asking.owner;
  base = `/api/production/organisations/${asking.organisation.id}/apps`;
});

const codeOfAnswer = ({ status, body }: Answer) => [status, body?.code];
const appsOf = async () => (await owner.call<{ data: { id: string; state: string }[] }>('GET', base)).body.data;
const approved = async (scopes: readonly string[], maxServers: number | null = null): Promise<Detail> => {
  const submitted = await asking.submitted(scopes);
  expect((await reviewer.approve(submitted, scopes, maxServers)).status).toBe(200);
  return asking.read(submitted);
};
async function push(): Promise<void> {
  const db = openDatabase({ url: site.database.url, max: 1, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
  const errors: unknown[] = [];
  await reportUnconfirmedAccess({ db, askPlanes: askPlanes([connection]) }, (error) => errors.push(error));
  await db.close();
  expect(errors).toEqual([]);
}
/** Enrols a second factor and verifies it now. */
const enrolAndVerify = async () => {
  uri = (await enrolSecondFactor(owner)).uri;
};
const newKey = (appId: string, body: object = {}, as = owner) =>
  as.call<{ key: { id: string }; token: string; code?: string; detail?: string }>('POST', `${base}/${appId}/keys`, {
    name: 'Live',
    scopes: ['servers:read'],
    expiresInDays: 14,
    ...body,
  });
async function call(path: string, token: string): Promise<[number, string | undefined]> {
  const response = await fetch(production.apiUrl + path, { headers: { authorization: `Bearer ${token}` } });
  return [response.status, response.ok ? undefined : (JSON.parse(await response.text()) as { code: string }).code];
}
const scopesOf = async (token: string) => {
  const response = await fetch(`${production.apiUrl}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { scopes?: string[] }).scopes;
};

describe('an approved app in production', () => {
  test('an app in production is created only by an approval, with the approved access', async () => {
    expect(await appsOf()).toEqual([]);
    const { liveAccess } = await approved(['servers:read'], 5);
    expect(liveAccess?.isConfirmed).toBe(true);
    expect(await appsOf()).toMatchObject([{ id: liveAccess?.productionAppId, state: 'active' }]);
    const { rows } = await production.database.superuser.query(
      'select approved_scopes, max_servers from apps where app_id = $1',
      [uuidOf(liveAccess?.productionAppId ?? '')],
    );
    expect(rows).toEqual([{ approved_scopes: ['servers:read'], max_servers: 5 }]);
    expect((await owner.call('POST', base, { name: 'By hand' })).status).toBe(405);
    const order = { version: 9, name: 'By hand', scopes: [], maxServers: null, standing: 'active' };
    expect((await owner.call('PUT', `${base}/${toId('app', newUuid())}/live-access`, order)).status).toBe(404);
  });

  test('an app is created once, and an approval is reported as soon as production can be reached', async () => {
    isAway = true;
    const { liveAccess } = await approved(['servers:read']);
    expect(liveAccess?.isConfirmed).toBe(false);
    isAway = false;
    requests = [];
    await Promise.all([push(), push()]);
    await push();
    expect(requests.filter((one) => one.startsWith('PUT')).length).toBeLessThanOrEqual(2); // a confirmed version is not reported again
    expect(await appsOf()).toMatchObject([{ id: liveAccess?.productionAppId }]);
    // As if a response had been lost: production receives the same report again.
    await site.database.superuser.query('update live_access set confirmed_version = 0');
    await push();
    expect((await appsOf()).length).toBe(1);
    const log = await production.database.superuser.query(
      "select action from audit_entries where organisation_id = $1 and action like 'app.%'",
      [uuidOf(asking.organisation.id)],
    );
    expect(log.rows).toEqual([{ action: 'app.create' }]);
  });

  test('production ignores a late report with an older version, and a restored Console continues above production’s version', async () => {
    const { liveAccess } = await approved(['servers:read']);
    const appId = liveAccess?.productionAppId ?? '';
    await production.database.superuser.query('update apps set live_version = 40 where app_id = $1', [uuidOf(appId)]);
    await site.database.superuser.query('update live_access set confirmed_version = 0');
    await push();
    await push();
    const { rows } = await production.database.superuser.query('select live_version from apps where app_id = $1', [
      uuidOf(appId),
    ]);
    expect(rows).toEqual([{ live_version: '41' }]);
  });

  test('an app keeps its access while another scope is requested, and is suspended and resumed with its live access', async () => {
    await enrolAndVerify();
    const first = await approved(['servers:read']);
    const appId = first.liveAccess?.productionAppId ?? '';
    const { body } = await newKey(appId);
    expect(await scopesOf(body.token)).toEqual(['servers:read']);
    const more = await asking.submitted(['tickets:create']);
    expect(await scopesOf(body.token)).toEqual(['servers:read']);
    await reviewer.approve(more, ['tickets:create']);
    const both = await newKey(appId, { scopes: ['servers:read', 'tickets:create'] });
    expect(await scopesOf(both.body.token)).toEqual(['servers:read', 'tickets:create']);

    await reviewer.decide(first, 'suspend', { reason: 'Many addresses.' });
    expect(await call('/v1/me', body.token)).toEqual([403, 'app_suspended']);
    expect((await owner.call('POST', `${base}/${appId}/resume`)).status).toBe(409);
    expect(await appsOf()).toMatchObject([{ state: 'suspended', suspendedBy: 'operator' }]);
    await reviewer.decide(first, 'resume');
    expect(await call('/v1/me', body.token)).toEqual([200, undefined]);

    await reviewer.decide(first, 'revoke', { reason: 'Not used.', scopes: ['servers:read'] });
    expect(await call('/v1/servers', body.token)).toEqual([403, 'missing_scope']);
    expect(await scopesOf(both.body.token)).toEqual(['tickets:create']);
    await reviewer.decide(first, 'revoke', { reason: 'All.' });
    expect(await call('/v1/me', both.body.token)).toEqual([401, 'revoked_key']);
    // Approved again: the app is the same, and its keys stay revoked.
    const again = await approved(['servers:read']);
    expect(again.liveAccess).toMatchObject({ productionAppId: appId, status: 'active', scopes: ['servers:read'] });
    expect(await call('/v1/me', both.body.token)).toEqual([401, 'revoked_key']);
    expect(await scopesOf((await newKey(appId)).body.token)).toEqual(['servers:read']);
  });
});

describe('a key of production', () => {
  let appId: string;
  beforeEach(async () => {
    appId = (await approved(['servers:read'])).liveAccess?.productionAppId ?? '';
  });

  test('creating a production key requires a second factor verified in this session within the last ten minutes', async () => {
    const none = await newKey(appId);
    expect([none.status, none.body.code]).toEqual([403, 'second_factor_required']);
    expect(none.body.detail).toContain('Set one up');
    await enrolAndVerify();
    expect((await newKey(appId)).status).toBe(201);
    await site.database.superuser.query("update second_factor_proofs set proved_at = now() - interval '10 minutes'");
    const stale = await newKey(appId);
    expect([stale.status, stale.body.detail]).toEqual([403, 'Confirm your second factor, then try again.']);
    const before = owner.cookie;
    expect(codeOfAnswer(await owner.call('POST', '/api/second-factor/verify', { code: '000000' }))).toEqual([
      401,
      'second_factor_failed',
    ]);
    expect((await newKey(appId)).status).toBe(403);
    const code = codeOf(uri, 1);
    expect((await owner.call('POST', '/api/second-factor/verify', { code })).status).toBe(204);
    expect((await newKey(appId)).status).toBe(201);
    // The earlier session has ended, and the code is accepted only once.
    const thief = site.newVisitor();
    thief.cookie = before;
    expect((await newKey(appId, {}, thief)).status).toBe(401);
    expect((await owner.call('POST', '/api/second-factor/verify', { code })).status).toBe(401);
    const other = site.newVisitor();
    expect(await other.signInByLink(asking.organisation.owner.person)).toBe(200); // a code is required
    expect((await newKey(appId, {}, other)).status).toBe(401);
  });

  test('a developer, an access token and a recovery code cannot create a production key, and sandbox keys need no second factor', async () => {
    await enrolAndVerify();
    const developer = await asking.organisation.join('developer');
    await enrolSecondFactor(developer.visitor);
    expect(codeOfAnswer(await newKey(appId, {}, developer.visitor))).toEqual([403, 'role_not_allowed']);
    const made = await owner.call<{ token: string }>('POST', `${asking.organisation.base}/access-tokens`, {
      name: 'A script',
      scope: 'write',
      expiresInDays: 1,
    });
    const body = { name: 'Live', scopes: ['servers:read'], expiresInDays: 1 };
    const headers = { authorization: `Bearer ${made.body.token}` };
    const script = await site.newVisitor().call('POST', `${base}/${appId}/keys`, body, headers);
    expect(codeOfAnswer(script)).toEqual([403, 'access_token_not_allowed']);
    const sandboxKeys = `/api/sandbox/organisations/${asking.organisation.id}/apps/${asking.appId}/keys`;
    expect((await developer.visitor.call('POST', sandboxKeys, body)).status).toBe(201);
    const recovered = await asking.organisation.join('admin');
    const { recoveryCodes } = await enrolSecondFactor(recovered.visitor);
    const again = site.newVisitor();
    await again.signInByLink(recovered.person);
    expect((await again.call('POST', '/api/session/second-factor', { code: recoveryCodes[0] })).status).toBe(204);
    expect(codeOfAnswer(await newKey(appId, {}, again))).toEqual([403, 'second_factor_required']);
  });

  test('a production key has only approved scopes and a limited lifetime, and its rotation follows the same rules', async () => {
    await enrolAndVerify();
    expect((await newKey(appId, { scopes: ['servers:read', 'tickets:create'] })).status).toBe(400);
    expect((await newKey(appId, { expiresInDays: 15 })).status).toBe(400);
    const { body } = await newKey(appId, { allowedCidrs: ['198.51.100.0/24'] });
    expect(body.token).toMatch(/^slw_live_/);
    expect(await call('/v1/me', body.token)).toEqual([403, 'address_not_allowed']);
    const rotate = () =>
      owner.call('POST', `${base}/${appId}/keys/${body.key.id}/rotate`, { expiresInDays: 14, overlapHours: 0 });
    await site.database.superuser.query("update second_factor_proofs set proved_at = now() - interval '11 minutes'");
    expect(codeOfAnswer(await rotate())).toEqual([403, 'second_factor_required']);
    await owner.call('POST', '/api/second-factor/verify', { code: codeOf(uri, 1) });
    expect((await rotate()).status).toBe(201);
    // Revoking a key requires no code.
    const other = await newKey(appId);
    await site.database.superuser.query('delete from second_factor_proofs');
    expect((await owner.call('POST', `${base}/${appId}/keys/${other.body.key.id}/revoke`)).status).toBe(200);
  });
});
