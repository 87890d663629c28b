// Nothing of one environment works in the other, for an organisation with an app in both. Both environments have the
// same pepper, master key and management key, so the separation does not depend on different secrets.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, signAssertion, signConsoleAssertion } from '../src/access/authority/index.ts';
import { cursorKeysOf } from '../src/config/master-keys.ts';
import { newUuid, toId } from '../src/kit/crypto/ids.ts';
import { secret } from '../src/kit/crypto/secret.ts';
import { sign } from '../src/kit/crypto/standard-webhooks.ts';
import { ISSUER } from '../src/production/gateway/index.ts';
import { type Answer, ask, json, type Sandbox, startSandbox } from './app.ts';
import { MASTER_KEYS } from './harness.ts';
import { INGEST_KEY, type Production, startProduction } from './production.fixture.ts';
import { type ReferenceUpstream, startReferenceUpstream } from './reference-upstream.ts';
import { uuidOf } from './sweep/copied-rows.ts';

type Name = 'sandbox' | 'production';
interface Side {
  plane: Sandbox | Production;
  appId: string;
  keyId: string;
  token: string;
  serverId: string;
  endpointId: string;
  signingSecret: string;
}

const hooks = '127.0.0.1:1';
let upstream: ReferenceUpstream;
let sandbox: Sandbox;
let production: Production;
let sides: Record<Name, Side>;
const BOTH = [
  ['sandbox', 'production'],
  ['production', 'sandbox'],
] as const satisfies [Name, Name][];

const actor = (): Actor => ({
  ...{ kind: 'person', personId: 'p', name: 'imke@example.org', role: 'owner', address: null, hasFreshFactor: true },
  organisationId: sandbox.organisationId,
});

/** Calls a plane as the Console does. The assertion may be from the other environment. */
async function manage<Body = Record<string, unknown>>(
  at: Name,
  method: string,
  path: string,
  { body, assertion }: { body?: object; assertion?: string } = {},
): Promise<Answer<Body>> {
  const { plane } = sides[at];
  const proof = assertion ?? (await signAssertion(actor(), at, plane.options.managementKey));
  const init = body === undefined ? {} : json(body);
  const url = `${plane.managementUrl}/organisations/${toId('org', sandbox.organisationId)}${path}`;
  return ask<Body>(url, { ...init, method, headers: { ...init.headers, authorization: `Bearer ${proof}` } });
}

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code];

beforeAll(async () => {
  upstream = await startReferenceUpstream();
  const webhookAllowHosts = [hooks];
  sandbox = await startSandbox({ webhookAllowHosts, cursorKey: cursorKeysOf(MASTER_KEYS, 'sandbox') });
  const { managementKey } = sandbox.options;
  const keys = { managementKey, cursorKey: cursorKeysOf(MASTER_KEYS, 'production') };
  production = await startProduction({ webhookAllowHosts, ...keys }, { url: upstream.url });
  const [test, live] = [await sandbox.newApp(), await production.newApp(sandbox.organisationId)];
  await Promise.all([sandbox.newApp(), production.newApp(sandbox.organisationId)]);
  for (const serverId of upstream.serverIds) await live.install(serverId);
  const [testKey, liveKey] = [await test.key(), await live.key()];
  const none = { endpointId: '', signingSecret: '' };
  const ofTest = { plane: sandbox, appId: test.id, keyId: testKey.id, token: testKey.token, ...none };
  const ofLive = { plane: production, appId: live.id, keyId: liveKey.id, token: liveKey.token, ...none };
  sides = {
    sandbox: { ...ofTest, serverId: test.serverIds[0] ?? '' },
    production: { ...ofLive, serverId: upstream.serverIds[0] ?? '' },
  };
  for (const [at] of BOTH) {
    const { appId, keyId } = sides[at];
    const made = await manage<{ endpoint: { id: string }; signingSecret: string }>(
      at,
      'POST',
      `/apps/${appId}/endpoints`,
      {
        body: { url: `http://${hooks}/hooks`, keyId, eventTypes: ['ticket.created'] },
      },
    );
    Object.assign(sides[at], { endpointId: made.body.endpoint.id, signingSecret: made.body.signingSecret });
  }
});
afterAll(async () => {
  await sandbox.close();
  await production.close();
  await upstream.close();
});

describe.each(BOTH)('parts of the %s in the %s', (of, at) => {
  const ask = (path: string, token = sides[at].token) => sides[at].plane.call(path, token);

  test('a key is refused, even if a copy of its row exists under the same pepper', async () => {
    expect((await sides[of].plane.call('/v1/me', sides[of].token)).status).toBe(200);
    expect(refusal(await ask('/v1/me', sides[of].token))).toEqual([401, 'wrong_environment']);
    const { rows } = await sides[of].plane.database.superuser.query(
      'select kid, verifier, pepper_version, scopes, expires_at, created_at from keys where key_id = $1',
      [uuidOf(sides[of].keyId)],
    );
    const { kid, verifier, pepper_version: pepper, scopes, expires_at: expires, created_at: created } = rows[0];
    const copy = [uuidOf(sides[at].appId), newUuid(), kid, verifier, pepper, scopes, expires, created];
    await sides[at].plane.database.superuser.query(
      `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
       values ($1, $2, $3, $4, $5, 'A copy', $6, 'c', $8, $7)`,
      copy,
    );
    expect(refusal(await ask('/v1/me', sides[of].token))).toEqual([401, 'wrong_environment']);
  });

  test('an assertion of the Console is refused: of a member, of their second factor, and of the Console itself', async () => {
    const { managementKey } = sides[at].plane.options;
    const assertion = await signAssertion(actor(), of, managementKey);
    expect(refusal(await manage(at, 'GET', '/apps', { assertion }))).toEqual([401, 'sign_in_required']);
    const input = { name: 'A key', scopes: ['servers:read'], expiresInDays: 1 };
    const keys = `/apps/${sides[at].appId}/keys`;
    expect((await manage(at, 'POST', keys, { body: input, assertion })).status).toBe(401);
    expect((await manage(at, 'POST', keys, { body: input })).status).toBe(201);
    const itself = await signConsoleAssertion(of, managementKey);
    const pull = {
      ...json({ taken: [] }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${itself}` },
    };
    const { status } = await fetch(`${sides[at].plane.managementUrl}/console/notices/pull`, pull);
    expect(status).toBe(401);
  });

  test('an identifier is not found', async () => {
    const { appId, serverId, keyId, endpointId, token } = sides[of];
    const own = async (path: string): Promise<string> => {
      const { body } = await sides[of].plane.call<{ data: { id: string }[] }>(path, token);
      return body.data[0]?.id ?? '';
    };
    const ids = {
      publications: await own(`/v1/servers/${serverId}/publications`),
      roadmap: await own(`/v1/servers/${serverId}/roadmap`),
    };
    const open = await sides[of].plane.call(
      `/v1/servers/${serverId}/tickets`,
      token,
      json({ subject: 's', body: 'b' }),
    );
    expect(open.status).toBe(201);
    const paths = [
      `/v1/servers/${serverId}`,
      ...['publications', 'roadmap', 'workflows'].map((list) => `/v1/servers/${serverId}/${list}`),
      ...Object.entries(ids).map(([list, id]) => `/v1/${list}/${id}`),
      `/v1/tickets/${open.body.id}`,
    ];
    for (const path of paths) {
      expect([path, (await sides[of].plane.call(path, token)).status]).toEqual([path, 200]);
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    }
    const writes = await sides[at].plane.call(
      `/v1/servers/${serverId}/tickets`,
      sides[at].token,
      json({ subject: 's', body: 'b' }),
    );
    expect(writes.status).toBe(404);
    const requestId = open.headers.get('request-id');
    const appPath = `/apps/${sides[at].appId}`;
    const managed = [
      `/apps/${appId}`,
      `${appPath}/endpoints/${endpointId}`,
      `${appPath}/requests/${requestId}`,
      `${appPath}/requests/${requestId}/trace`,
    ];
    for (const path of managed) expect([path, (await manage(at, 'GET', path)).status]).toEqual([path, 404]);
    const reveal = `${appPath}/endpoints/${endpointId}/secret/reveal`;
    expect((await manage(at, 'POST', reveal)).status).toBe(404);
    expect((await manage(at, 'POST', `${appPath}/keys/${keyId}/revoke`)).status).toBe(404);
    expect((await sides[of].plane.call('/v1/me', token)).status).toBe(200);
  });

  test('a cursor is refused, even of a list of the organisation in both environments', async () => {
    const next = async (side: Name, path: string): Promise<string> => {
      const answer = path.startsWith('/v1')
        ? await sides[side].plane.call(path, sides[side].token)
        : await manage(side, 'GET', path);
      return String(answer.body.nextCursor);
    };
    const lists = ['/v1/servers?limit=1', '/apps?limit=1'];
    for (const list of lists) {
      const [theirs, ours] = [await next(of, list), await next(at, list)];
      const go = (cursor: string) =>
        list.startsWith('/v1') ? ask(`${list}&cursor=${cursor}`) : manage(at, 'GET', `${list}&cursor=${cursor}`);
      expect([list, (await go(ours)).status]).toEqual([list, 200]);
      expect([list, refusal(await go(theirs))]).toEqual([list, [400, 'invalid_request']]);
    }
  });

  test('an idempotency key is independent: neither its response nor its claim is known', async () => {
    const create = (side: Name, subject: string, key: string) =>
      sides[side].plane.call<{ id: string }>(`/v1/servers/${sides[side].serverId}/tickets`, sides[side].token, {
        ...json({ subject, body: 'b' }),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      });
    const key = `of ${of}`;
    const first = await create(of, 'First', key);
    // The same request, and another request under the same key: neither is a repeat here.
    for (const subject of ['First', 'Second']) {
      const response = await create(at, subject, subject === 'First' ? key : `${key}, once more`);
      expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([201, null]);
      expect(response.body.id).not.toBe(first.body.id);
    }
    const again = await create(of, 'First', key);
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([first.body.id, 'true']);
    const other = await create(at, 'Another', key);
    expect(refusal(other)).toEqual([422, 'idempotency_key_reused']); // refused by its own claim
  });

  test('a message that is signed with an endpoint’s secret does not verify, and the two secrets differ', async () => {
    expect(sides[of].signingSecret).not.toBe(sides[at].signingSecret);
    const [id, timestamp, text] = [toId('evt', newUuid()), Math.floor(Date.now() / 1000), '{"a":1}'] as const;
    const signature = sign([secret(sides[of].signingSecret)], id, timestamp, text);
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
    const diagnose = async (side: Name) => {
      const { appId, endpointId } = sides[side];
      const body = { bodyBase64: Buffer.from(text).toString('base64'), headers };
      const path = `/apps/${appId}/endpoints/${endpointId}/diagnose-signature`;
      return (await manage<{ verifies: boolean }>(side, 'POST', path, { body })).body;
    };
    expect([(await diagnose(of)).verifies, (await diagnose(at)).verifies]).toEqual([true, false]);
  });
});

test('the upstream API’s ingest key and the identity tokens of production are refused in the sandbox', async () => {
  const ingest = {
    ...json({}),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${INGEST_KEY}` },
  };
  expect((await fetch(`${sandbox.managementUrl}/ingest/events`, ingest)).status).toBe(404);
  expect((await sandbox.manage('GET', '/apps')).status).toBe(200);
  const { managementUrl } = production;
  const headers = { authorization: `Bearer ${sandbox.options.managementKey.reveal()}` };
  expect((await fetch(`${managementUrl}/ingest/events`, { ...json({}), headers })).status).toBe(401);
  // The identity token of a forwarded request.
  await production.call('/v1/servers', sides.production.token);
  const { headers: forwarded, claims } = upstream.requests.at(-1) ?? { headers: {}, claims: {} };
  expect(claims).toMatchObject({ iss: ISSUER, environment: 'production' });
  const token = String(forwarded.authorization).replace('Bearer ', '');
  for (const plane of [sandbox, production]) expect((await plane.call('/v1/me', token)).status).toBe(401);
});
