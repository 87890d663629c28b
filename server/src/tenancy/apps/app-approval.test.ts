// Approved scopes restrict every key of an app from the next request on: reads, mutations, lists, explanations and
// deliveries. The cap on servers holds under concurrent installations.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { runAsTenant, SCOPES } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { sql } from '../../kit/db/sql.ts';
import { authoriseDelivery } from '../../webhooks/webhooks/delivery.ts';
import { listTargets } from '../../webhooks/webhooks/enqueue-store.ts';

let sandbox: Sandbox;
let app: TestApp;
let keyId: string;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'], maxKeyDays: 7 });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  ({ id: keyId, token } = await app.key(SCOPES, 7));
});

const query = (text: string, values: unknown[] = []) => sandbox.database.superuser.query(text, values);
const approve = (scopes: readonly string[]) =>
  query('update apps set approved_scopes = $2 where app_id = $1', [uuidOf(app.id), scopes]);
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body?.code];
const openTicket = () =>
  sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, token, json({ subject: 's', body: 'b' }));

test('withdraws a scope from each key of the app immediately, and returns the scope when the app is approved for it again', async () => {
  expect((await sandbox.call('/v1/servers', token)).status).toBe(200);
  expect((await openTicket()).status).toBe(201);
  await approve(['servers:read']);
  const refused = await openTicket();
  expect(codeOf(refused)).toEqual([403, 'missing_scope']);
  expect(Object.keys(refused.body).sort()).toEqual(['code', 'requestId', 'status', 'title', 'type']);
  expect(refused.headers.get('www-authenticate')).toContain('scope="tickets:create"');
  expect((await sandbox.call('/v1/servers', token)).status).toBe(200);
  expect((await sandbox.call('/v1/me', token)).body).toMatchObject({ scopes: ['servers:read'] });
  const path = `/apps/${app.id}/access/createTicket?keyId=${keyId}&serverId=${app.serverIds[0]}`;
  const explained = await sandbox.manage('GET', path);
  expect(explained.body).toMatchObject({ code: 'missing_scope' });
  await approve(SCOPES);
  expect((await openTicket()).status).toBe(201);
});

test('checks the approval of a mutation again in its transaction, after the concurrent change it waited for', async () => {
  const { superuser } = sandbox.database;
  await superuser.query('begin');
  await approve(['servers:read']);
  let isOver = false;
  const answer = openTicket().finally(() => {
    isOver = true;
  });
  for (;;) {
    await superuser.query('select pg_stat_clear_snapshot()');
    const { rows } = await superuser.query(
      "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
    );
    if (rows.length > 0) break;
    expect(isOver).toBe(false);
  }
  await superuser.query('commit');
  expect(codeOf(await answer)).toEqual([403, 'missing_scope']);
  const { rows } = await query('select from tickets where app_id = $1 and subject = $2', [uuidOf(app.id), 's']);
  expect(rows.length).toBe(0);
});

test('delivers no events to an endpoint of an app that is not approved to read events', async () => {
  await sandbox.manage('POST', `/apps/${app.id}/endpoints`, {
    url: 'http://127.0.0.1:1/hooks',
    keyId,
    eventTypes: ['ticket.created'],
  });
  const verdictOfDelivery = () =>
    runAsTenant(sandbox.plane.db.api, uuidOf(app.id), async (tenant) => {
      const [target] = await listTargets(tenant, 'ticket.created', uuidOf(app.serverIds[0] ?? ''));
      return target && authoriseDelivery(target);
    });
  expect(await verdictOfDelivery()).toEqual({ verdict: 'allow' });
  await approve(['tickets:create']);
  expect(await verdictOfDelivery()).toEqual({ verdict: 'refuse', reason: 'key_missing_scope' });
});

test('rejects a new key or a rotation beyond the app’s approved scopes or the maximum expiry', async () => {
  await approve(['servers:read']);
  const make = (body: object) =>
    sandbox.manage('POST', `/apps/${app.id}/keys`, { name: 'A key', expiresInDays: 7, ...body });
  expect((await make({ scopes: ['servers:read'] })).status).toBe(201);
  const beyond = await make({ scopes: ['servers:read', 'tickets:create'] });
  expect(beyond.body).toMatchObject({
    errors: [
      { pointer: '/scopes', detail: 'must not contain scopes for which the app is not approved: tickets:create' },
    ],
  });
  expect((await make({ preset: 'read-only' })).body).toMatchObject({ errors: [{ pointer: '/preset' }] });
  const long = await make({ scopes: ['servers:read'], expiresInDays: 8 });
  expect(long.body).toMatchObject({ errors: [{ pointer: '/expiresInDays' }] });
  const rotate = (expiresInDays: number) =>
    sandbox.manage('POST', `/apps/${app.id}/keys/${keyId}/rotate`, { expiresInDays, overlapHours: 1 });
  expect((await rotate(8)).status).toBe(400);
  expect(codeOf(await rotate(7))).toEqual([409, 'conflict']);
  await approve(SCOPES);
  expect((await rotate(7)).status).toBe(201);
});

describe('a key with allowed address ranges', () => {
  const make = (allowedCidrs: readonly string[]) =>
    sandbox.manage<{ key: { id: string; allowedCidrs: string[] }; token: string }>('POST', `/apps/${app.id}/keys`, {
      name: 'A key',
      scopes: ['servers:read'],
      expiresInDays: 7,
      allowedCidrs,
    });

  test('rejects a request from another address, also with the successor key', async () => {
    const elsewhere = await make(['192.0.2.0/24', '2001:db8::/32']);
    expect(elsewhere.body.key.allowedCidrs).toEqual(['192.0.2.0/24', '2001:db8::/32']);
    const refused = await sandbox.call('/v1/servers', elsewhere.body.token);
    expect(codeOf(refused)).toEqual([403, 'address_not_allowed']);
    const here = await make(['127.0.0.0/8']);
    expect((await sandbox.call('/v1/servers', here.body.token)).status).toBe(200);
    const rotated = await sandbox.manage<{ token: string }>(
      'POST',
      `/apps/${app.id}/keys/${elsewhere.body.key.id}/rotate`,
      { expiresInDays: 7, overlapHours: 0 },
    );
    expect(codeOf(await sandbox.call('/v1/servers', rotated.body.token))).toEqual([403, 'address_not_allowed']);
    await expect(
      query("update keys set allowed_cidrs = '{0.0.0.0/0}' where kid = $1", [elsewhere.body.token.split('_')[2]]),
    ).rejects.toThrow('fixed');
  });

  test.each([
    '192.0.2.7/24',
    '192.0.2.7',
    'example.org/8',
    '2001:db8::1/32',
  ])('rejects %s as an address range', async (range) => {
    expect((await make(['192.0.2.0/24', range])).body).toMatchObject({ errors: [{ pointer: '/allowedCidrs/1' }] });
  });
});

describe('the cap on servers', () => {
  const MOST = 3;
  const states = async () => {
    const { rows } = await query(
      'select state, is_over_cap from installations where app_id = $1 order by installation_id',
      [uuidOf(app.id)],
    );
    return rows as { state: string; is_over_cap: boolean }[];
  };
  const count = async (state: string) => (await states()).filter((one) => one.state === state).length;
  const empty = async () => {
    await query('delete from installation_scopes where app_id = $1', [uuidOf(app.id)]);
    await query('delete from installations where app_id = $1', [uuidOf(app.id)]);
    await query('update apps set max_servers = $2 where app_id = $1', [uuidOf(app.id), MOST]);
  };
  const install = (serverId: string) =>
    runAsTenant(sandbox.plane.db.manager, uuidOf(app.id), (tenant) =>
      tenant.query(sql`insert into installations (app_id, installation_id, server_id)
        values (${tenant.appId}, ${newUuid()}, ${serverId})`),
    );

  test('pauses the installations beyond the cap when many servers authorise the app at the same time', async () => {
    await empty();
    const servers = app.serverIds.slice(0, 8).map(uuidOf);
    expect(servers.length).toBeGreaterThan(MOST);
    await Promise.all(servers.map(install));
    expect([await count('authorised'), await count('paused')]).toEqual([MOST, servers.length - MOST]);
    expect((await states()).every(({ state, is_over_cap }) => is_over_cap === (state === 'paused'))).toBe(true);
    // The management API lists the same states.
    interface ListedApp {
      data: { installation: { state: string } | null; isOverCap: boolean }[];
    }
    const { body } = await sandbox.manage<ListedApp>('GET', `/apps/${app.id}/installations?limit=100`);
    const listed = body.data.map(({ installation, isOverCap }) => `${installation?.state ?? 'none'} ${isOverCap}`);
    expect(new Set(listed)).toEqual(new Set(['authorised false', 'paused true']));
    expect(listed.filter((one) => one === 'paused true').length).toBe(servers.length - MOST);
  });

  test('names the cap in a rejected request and in its explanation', async () => {
    await empty();
    for (const one of app.serverIds.slice(0, MOST + 1)) await install(uuidOf(one));
    const serverId = app.serverIds[MOST];
    const detail = 'The server has authorised the app, but the app has reached its approved number of servers.';
    const real = await sandbox.call<{ code: string; detail: string }>(`/v1/servers/${serverId}`, token);
    expect(real).toMatchObject({ status: 403, body: { code: 'installation_paused' } });
    expect(real.body.detail).toContain(detail);
    const { body } = await sandbox.manage<{ rules: { rule: string; outcome: string; code: string; fix: string }[] }>(
      'GET',
      `/apps/${app.id}/access/getServer?serverId=${serverId}`,
    );
    const paused = body.rules.filter(({ outcome, code }) => outcome === 'broken' && code === real.body.code);
    expect(paused).toMatchObject([{ rule: 'installation_within_cap', fix: real.body.detail }]);
  });

  test('applies in one statement and when an installation resumes, and a revoked installation frees its place', async () => {
    await empty();
    await query(
      `insert into installations (app_id, installation_id, server_id)
       select app_id, gen_random_uuid(), server_id from servers where app_id = $1`,
      [uuidOf(app.id)],
    );
    expect(await count('authorised')).toBe(MOST);
    await query("update installations set state = 'authorised' where app_id = $1 and state = 'paused'", [
      uuidOf(app.id),
    ]);
    expect(await count('authorised')).toBe(MOST);
    const one = (state: string) =>
      `installation_id = (select installation_id from installations where app_id = $1 and state = '${state}' limit 1)`;
    await query(`update installations set state = 'revoked' where app_id = $1 and ${one('authorised')}`, [
      uuidOf(app.id),
    ]);
    await query(`update installations set state = 'authorised' where app_id = $1 and ${one('paused')}`, [
      uuidOf(app.id),
    ]);
    expect([await count('authorised'), await count('revoked')]).toEqual([MOST, 1]);
  });
});
