// Reports of GitHub's secret scanning: authenticated only by GitHub's signature, handled like every leaked key, and
// answered with hashes of the tokens.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { newKeyToken } from '../../access/authority/index.ts';
import { createAddressLimiter } from '../../kit/http/address-limiter.ts';
import { readSigningKeys } from './index.ts';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = pair.publicKey.export({ type: 'spki', format: 'pem' });

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  const list = JSON.stringify({ public_keys: [{ key_identifier: 'ours', key: pem }] });
  sandbox = await startSandbox({ githubKeys: readSigningKeys(list) });
  app = await sandbox.newApp();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  sandbox.plane.keys.reportLimiter = createAddressLimiter({ perMinute: 600, burst: 600 });
  key = await app.key();
});

const codeOf = async (token: string) => (await sandbox.call('/v1/me', token)).body.code ?? 'works';
const kidOf = (token: string): string => token.slice(9, 21);
const auditRows = async () => {
  const text = 'select actor, action, detail from audit_entries where target = $1 order by audit_id';
  return (await sandbox.database.superuser.query(text, [key.id])).rows;
};
/** Returns the notices of these keys. */
const notices = async (...ids: string[]) => {
  const { body } = await sandbox.manage<{ data: Record<string, unknown>[] }>('GET', '/notices?limit=100');
  return body.data.filter((notice) => ids.includes(String(notice.keyId)));
};

describe('a report from GitHub', () => {
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

  test('revokes each key of the message and labels each token, and a repeated message changes nothing', async () => {
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
      const leakNotices = (await notices(key.id, other.id)).map(({ keyId, leakUrl }) => [keyId, leakUrl]);
      expect(leakNotices.sort()).toEqual(
        [
          [key.id, `https://github.com/a/b/blob/main/.env?was=slw_test_${kidOf(key.token)}_[secret]`],
          [other.id, null],
        ].sort(),
      );
      expect((await auditRows()).filter(({ action }) => action === 'key.revoke')).toHaveLength(1);
    }
  });

  test('stores the address where the key was found without the key', async () => {
    const url = `https://github.com/a/b/blob/main/${key.token}.txt`;
    await send(signed(JSON.stringify([match(key.token, { url })])));
    const found = `https://github.com/a/b/blob/main/slw_test_${kidOf(key.token)}_[secret].txt`;
    expect((await notices(key.id)).map(({ leakUrl }) => leakUrl)).toEqual([found]);
    expect((await auditRows()).at(-1)).toMatchObject({ detail: { reportedBy: 'github', foundAt: found } });
  });

  test('is accepted only with a valid signature of its bytes, which is verified before the body is parsed', async () => {
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
      const { status, body: problem } = await send(init);
      expect([status, problem.errors]).toEqual([400, [{ pointer, detail: expect.any(String) }]]);
    }
    expect(await codeOf(key.token)).toBe('works');
    expect((await send(signed('{ not json'))).body.detail).toBe('The body is not valid JSON.');
  });

  test('is rejected if no public key of GitHub is configured', async () => {
    const { githubKeys } = sandbox.plane.keys;
    sandbox.plane.keys.githubKeys = new Map();
    expect((await send(signed(JSON.stringify([match(key.token)])))).status).toBe(400);
    sandbox.plane.keys.githubKeys = githubKeys;
  });

  test('is exempt from the rate limit of unauthenticated callers if its signature is valid', async () => {
    sandbox.plane.keys.reportLimiter = createAddressLimiter({ perMinute: 1, burst: 2 });
    const body = JSON.stringify([match('nothing')]);
    for (let at = 0; at < 4; at++) expect((await send(signed(body))).status).toBe(200);
    for (let at = 0; at < 2; at++) expect((await send(signed(body, {}, 'x'))).status).toBe(400);
    expect((await send(signed(body, {}, 'x'))).status).toBe(429);
  });

  test('contains at most 1,000 matches', async () => {
    const many = Array.from({ length: 1001 }, () => ({ token: 'x', type: 't' }));
    expect((await send(signed(JSON.stringify(many)))).status).toBe(400);
    expect((await send(signed(JSON.stringify(many.slice(1))))).status).toBe(200);
  });
});
