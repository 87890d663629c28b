// A leaked key: whoever holds it can end it and learns what became of it, and nobody learns anything of another; GitHub's
// reports are taken when GitHub has signed them.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newKeyToken } from '../src/features/authority/index.ts';
import { readSigningKeys } from '../src/features/keys/index.ts';
import { createAddressLimiter } from '../src/kit/address-limiter.ts';
import { networkOf } from '../src/kit/addresses.ts';
import { fromId } from '../src/kit/ids.ts';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from './app.ts';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = pair.publicKey.export({ type: 'spki', format: 'pem' });
const listOf = (key: unknown): string => JSON.stringify({ public_keys: [{ key_identifier: 'ours', key }] });

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
/** What was stopped, and whether the key was over for everybody by then. */
let stops: { denial: unknown; code: unknown }[] = [];
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'], githubKeys: readSigningKeys(listOf(pem)) });
  const { stop } = sandbox.plane;
  sandbox.plane.stop = async (denial) => {
    stops.push({ denial, code: await codeOf(key.token) });
    await stop(denial);
  };
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  sandbox.plane.strangers = createAddressLimiter({ perMinute: 600, burst: 600 });
  app = await sandbox.newApp();
  key = await app.key();
  stops = [];
});

const report = (text: string): Promise<Answer> => sandbox.call('/v1/leaked-keys', undefined, json({ key: text }));
const codeOf = async (token: string) => (await sandbox.call('/v1/me', token)).body.code ?? 'works';
const query = async (text: string, values: unknown[] = []) =>
  (await sandbox.database.superuser.query(text, values)).rows;
const auditRows = () =>
  query('select actor, action, detail from audit_entries where target = $1 order by audit_id', [key.id]);
const notices = async (unread = false) => {
  const path = `/notices?limit=100${unread ? '&unread=true' : ''}`;
  const { body } = await sandbox.manage<{ data: Record<string, unknown>[] }>('GET', path);
  return body.data.filter((notice) => notice.appId === app.id);
};
const kidOf = (token: string): string => token.slice(9, 21);
const anonymous = ({ status, text, body, headers }: Answer) => [
  status,
  text.replace(String(body.requestId), ''),
  headers.get('www-authenticate'),
];

describe('a report', () => {
  test('revokes the key at once, stops what is on its way, and tells the organisation', async () => {
    await sandbox.manage('POST', `/apps/${app.id}/endpoints`, {
      url: 'http://127.0.0.1:1/hooks',
      keyId: key.id,
      eventTypes: ['ticket.created'],
    });
    await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, json({ subject: 's', body: 'b' }));
    const { status, body, headers } = await report(key.token);
    expect([status, body, headers.get('cache-control')]).toEqual([
      200,
      { kid: kidOf(key.token), state: 'revoked' },
      'no-store',
    ]);
    expect(await codeOf(key.token)).toBe('revoked_key');
    const appId = fromId('app', app.id);
    const keyId = fromId('key', key.id);
    expect(stops).toEqual([{ denial: { appId, keyId, serverId: null }, code: 'revoked_key' }]);
    expect(await query('select status, reason from deliveries where app_id = $1', [appId])).toEqual([
      { status: 'cancelled', reason: 'key_revoked' },
    ]);
    const detail = { kid: kidOf(key.token), reason: 'leaked', reportedBy: 'holder', reportedFrom: '127.0.0.0/24' };
    expect((await auditRows()).at(-1)).toEqual({
      actor: 'leak report',
      action: 'key.revoke',
      detail: { ...detail, foundAt: null },
    });
    expect(await notices()).toMatchObject([{ kind: 'key_leaked', keyId: key.id, daysAhead: null, readAt: null }]);
  });

  test('again is answered alike and changes nothing', async () => {
    const first = await Promise.all([report(key.token), report(key.token)]);
    const again = await report(key.token);
    for (const { status, body } of [...first, again]) {
      expect([status, body]).toEqual([200, { kid: kidOf(key.token), state: 'revoked' }]);
    }
    expect((await auditRows()).filter(({ action }) => action === 'key.revoke')).toHaveLength(1);
    expect(await notices()).toHaveLength(1);
  });

  test('of a key in its overlap ends it now; the successor goes on', async () => {
    const rotation = { expiresInDays: 7, overlapHours: 24 };
    const rotated = await sandbox.manage<{ token: string }>('POST', `/apps/${app.id}/keys/${key.id}/rotate`, rotation);
    expect((await report(key.token)).body.state).toBe('revoked');
    expect([await codeOf(key.token), await codeOf(rotated.body.token)]).toEqual(['revoked_key', 'works']);
  });

  test('of a key that a member revoked, or that expired, says so to its holder and tells nobody', async () => {
    await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
    const expired = await app.key();
    await query('alter table keys disable trigger guard_key');
    await query(
      "update keys set created_at = created_at - interval '31 days', expires_at = expires_at - interval '31 days' where key_id = $1",
      [fromId('key', expired.id)],
    );
    await query('alter table keys enable trigger guard_key');
    expect((await report(key.token)).body.state).toBe('revoked');
    expect((await report(expired.token)).body.state).toBe('expired');
    expect(await codeOf(expired.token)).toBe('expired_key');
    expect((await auditRows()).filter(({ actor }) => actor === 'leak report')).toEqual([]);
    expect(await notices()).toEqual([]);
  });

  test('of whatever is no key is answered with one and the same refusal, and changes nothing', async () => {
    const stranger = newKeyToken('sandbox').token;
    // The right public half with another secret, the checksum right: only the verifier tells it apart.
    const guess = withChecksum(`${key.token.slice(0, 22)}${stranger.slice(22, 54)}`);
    const answers = [stranger, guess, `${key.token}0`, key.token.slice(0, -1), 'x', '\u0000'.slice(1) || ' '];
    const told = [];
    for (const text of answers) told.push(anonymous(await report(text)));
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(told[0]?.[0]).toBe(401);
    expect(await codeOf(key.token)).toBe('works');
    expect(stops).toEqual([]);
  });

  test('of a key of the other environment says where it belongs', async () => {
    expect((await report(newKeyToken('production').token)).body.code).toBe('wrong_environment');
  });

  test('is not taken often from one address, not even of a key', async () => {
    sandbox.plane.strangers = createAddressLimiter({ perMinute: 1, burst: 2 });
    const codes = [];
    for (let at = 0; at < 3; at++) codes.push((await report('slw_test_no')).body.code);
    expect(codes).toEqual(['invalid_key', 'invalid_key', 'rate_limited']);
    const last = await report(key.token);
    expect([last.status, Number(last.headers.get('retry-after')) > 30]).toEqual([429, true]);
    expect(await codeOf(key.token)).toBe('works');
  });

  test('leaves the key in no table', async () => {
    await report(key.token);
    const tables = await query(
      "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    for (const { name } of tables) {
      const found = await query(`select from ${name} t where strpos(t::text, $1) > 0`, [key.token.slice(22)]);
      expect([name, found.length]).toEqual([name, 0]);
    }
  });
});

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The six characters after it are found by their definition, not by our code. */
function withChecksum(body: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(body)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let value = (crc ^ 0xffffffff) >>> 0;
  let text = '';
  for (let at = 0; at < 6; at++) {
    text = BASE62[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return body + text;
}

describe('GitHub', () => {
  const signed = (body: string, headers: Record<string, string> = {}, what = body): RequestInit => ({
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'github-public-key-identifier': 'ours',
      'github-public-key-signature': sign('sha256', Buffer.from(what), pair.privateKey).toString('base64'),
      ...headers,
    },
    body,
  });
  const send = (init: RequestInit) => sandbox.call<Record<string, unknown>>('/v1/leaked-keys/github', undefined, init);
  const match = (token: string, rest: object = {}) => ({
    token,
    type: 'slipway_key',
    url: '',
    source: 'commit',
    ...rest,
  });
  const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
  const label = (token: string, is: string) => ({ token_hash: hashOf(token), token_type: 'slipway_key', label: is });

  test('ends each key of a message and says which were keys; the same message again changes nothing', async () => {
    const [other, stranger] = [await app.key(), newKeyToken('sandbox').token];
    const url = `https://github.com/a/b/blob/main/.env?was=${key.token}`;
    const matches = [
      match(key.token, { url, something_new: { of: 'GitHub' } }),
      match(stranger),
      match(newKeyToken('production').token),
      match(other.token, { url: 'javascript:alert(1)' }),
      match(key.token),
    ];
    const body = JSON.stringify(matches);
    const expected = [
      label(key.token, 'true_positive'),
      label(stranger, 'false_positive'),
      label(other.token, 'true_positive'),
    ];
    for (let time = 0; time < 2; time++) {
      const answer = await send(signed(body));
      expect([answer.status, answer.body]).toEqual([200, expected]);
      for (const secret of [key.token, other.token]) expect(answer.text).not.toContain(secret.slice(22));
      expect([await codeOf(key.token), await codeOf(other.token)]).toEqual(['revoked_key', 'revoked_key']);
      const told = (await notices()).map(({ keyId, foundAt }) => [keyId, foundAt]);
      expect(told.sort()).toEqual(
        [
          [key.id, null],
          [other.id, null],
        ].sort(),
      );
      expect((await auditRows()).filter(({ action }) => action === 'key.revoke')).toHaveLength(1);
    }
  });

  test('says where it found a key, and the address that is kept holds none', async () => {
    const url = `https://github.com/a/b/blob/main/${key.token}.txt`;
    await send(signed(JSON.stringify([match(key.token, { url })])));
    const found = `https://github.com/a/b/blob/main/slw_test_${kidOf(key.token)}_[secret].txt`;
    expect((await notices()).map(({ foundAt }) => foundAt)).toEqual([found]);
    expect((await auditRows()).at(-1)).toMatchObject({ detail: { reportedBy: 'github', foundAt: found } });
  });

  test('is believed by its signature of these bytes alone, and before they are parsed', async () => {
    const body = JSON.stringify([match(key.token)]);
    const tries: RequestInit[] = [
      signed(body, {}, `${body} `),
      signed(`${body} `, {}, body),
      signed(body, { 'github-public-key-identifier': 'unknown' }),
      signed(body, { 'github-public-key-identifier': '__proto__' }),
      signed(body, { 'github-public-key-signature': 'not base64' }),
      signed(body, { 'github-public-key-signature': 'AAAA' }),
      json([match(key.token)]),
      signed('{ not json', {}, body),
      { method: 'POST' },
      { method: 'POST', headers: { 'content-type': 'application/json' } },
    ];
    const pointer = '/header/Github-Public-Key-Signature';
    for (const init of tries) {
      const { status, body: told } = await send(init);
      expect([status, told.errors]).toEqual([400, [{ pointer, detail: expect.any(String) }]]);
    }
    expect(await codeOf(key.token)).toBe('works');
    expect((await send(signed('{ not json'))).body.detail).toBe('The body is not valid JSON.');
  });

  test('is nobody where no key of it is set', async () => {
    const { githubKeys } = sandbox.plane;
    sandbox.plane.githubKeys = new Map();
    expect((await send(signed(JSON.stringify([match(key.token)])))).status).toBe(400);
    sandbox.plane.githubKeys = githubKeys;
  });

  test('is not kept from us by strangers’ limit, who soon are', async () => {
    sandbox.plane.strangers = createAddressLimiter({ perMinute: 1, burst: 2 });
    const body = JSON.stringify([match('nothing')]);
    for (let at = 0; at < 4; at++) expect((await send(signed(body))).status).toBe(200);
    for (let at = 0; at < 2; at++) expect((await send(signed(body, {}, 'x'))).status).toBe(400);
    expect((await send(signed(body, {}, 'x'))).status).toBe(429);
  });

  test('sends at most a thousand matches at a time', async () => {
    const many = Array.from({ length: 1001 }, () => ({ token: 'x', type: 't' }));
    expect((await send(signed(JSON.stringify(many)))).status).toBe(400);
    expect((await send(signed(JSON.stringify(many.slice(1))))).status).toBe(200);
  });

  test.each([
    ['', 'JSON'],
    ['{}', 'it has no public_keys'],
    [listOf(7), 'each of public_keys needs'],
    [listOf('no key'), 'DECODER|PEM|unsupported'],
    [
      listOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ type: 'spki', format: 'pem' })),
      'P-256',
    ],
  ])('has no list of keys in %s', (text, why) => {
    expect(() => readSigningKeys(text)).toThrow(new RegExp(why));
  });
});

describe('an address', () => {
  test.each([
    ['203.0.113.77', 24, 48, '203.0.113.0/24'],
    ['::ffff:203.0.113.77', 24, 48, '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', 24, 48, '2001:db8:1::/48'],
    ['2001:db8:1:2:3:4:5:6', 32, 64, '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 32, 64, 'fe80::/64'],
    ['203.0.113.77', 20, 64, '203.0.112.0/20'],
    ['nonsense', 24, 48, 'unknown'],
  ])('%s is kept as its network', (ip, bits4, bits6, network) => {
    expect(networkOf(ip, bits4, bits6)).toBe(network);
  });

  test('of one network shares one limit, and another has its own', () => {
    const limiter = createAddressLimiter({ perMinute: 1, burst: 1 });
    limiter.count('2001:db8::1');
    expect(() => limiter.refuse('2001:db8::2')).toThrow('rate_limited');
    expect(() => limiter.refuse('2001:db8:0:1::1')).not.toThrow();
  });
});
