// The duration of a refusal does not reveal if a key's public half exists, is revoked or has expired. On every path of
// every listener the whole key is hashed and compared in constant time, exactly once.
import { timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newKeyToken } from '../src/access/authority/index.ts';
import { fromId } from '../src/kit/crypto/ids.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { type ApiNode, startNode } from './node.ts';

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  return { ...real, timingSafeEqual: vi.fn(real.timingSafeEqual) };
});
const compare = vi.mocked(timingSafeEqual);

let sandbox: Sandbox;
let node: ApiNode;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox();
  node = startNode(sandbox, { peppers: { ...sandbox.options.peppers, current: 2 } });
  app = await sandbox.newApp();
});
afterAll(async () => {
  await node.close();
  await sandbox.close();
});
beforeEach(async () => {
  key = await app.key();
});

const superuser = (text: string) => sandbox.database.superuser.query(text, [fromId('key', key.id)]);

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns a key with the same public half, another secret and a valid checksum. */
function guessOf(token: string): string {
  const body = token.slice(0, 22) + newKeyToken('sandbox').token.slice(22, 54);
  const places = [5, 4, 3, 2, 1, 0].map((place) => BASE62[Math.floor(crc32(body) / 62 ** place) % 62]);
  return body + places.join('');
}

const PATHS: [string, string, () => Promise<string>][] = [
  ['the right key', 'ok', async () => key.token],
  ['the right public half with a wrong secret', 'invalid_key', async () => guessOf(key.token)],
  ['an unknown public half', 'invalid_key', async () => newKeyToken('sandbox').token],
  [
    'a revoked key',
    'revoked_key',
    async () => {
      await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
      return key.token;
    },
  ],
  [
    'a revoked key with a wrong secret',
    'invalid_key',
    async () => {
      await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
      return guessOf(key.token);
    },
  ],
  [
    'a key under a removed pepper',
    'invalid_key',
    async () => {
      await superuser("update keys set verifier = sha256('x'), pepper_version = 9 where key_id = $1");
      return key.token;
    },
  ],
  [
    'a key whose row was deleted',
    'invalid_key',
    async () => {
      await superuser('delete from keys where key_id = $1');
      return key.token;
    },
  ],
];

test.each(PATHS)('%s is compared once, in constant time', async (_, code, prepare) => {
  const token = await prepare();
  // The second request may use cached facts about the key.
  for (const path of ['/v1/me', '/v1/servers', '/v1/nothing-here']) {
    compare.mockClear();
    const answer = await node.call('GET', path, token);
    expect([path, compare.mock.calls.length]).toEqual([path, 1]);
    expect(compare.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])).toEqual([[32, 32]]);
    if (path !== '/v1/nothing-here') expect(answer.code ?? 'ok').toBe(code);
  }
  // An operation that requires no key and receives one in its body.
  compare.mockClear();
  const report = await node.call('POST', '/v1/leaked-keys', '', { key: token });
  expect(report.code ?? 'ok').toBe(code === 'invalid_key' ? code : 'ok');
  expect(compare.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])).toEqual([[32, 32]]);
});
