// The rotation of the pepper: keys keep working, move to the new pepper when they are used, and the log states when the
// old pepper is no longer needed.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { startNode } from '../../../test/node.ts';
import { runAsTenant } from '../../access/authority/index.ts';
import type { PlaneOptions } from '../../boot/plane.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { logPepperUse } from './count-peppers.job.ts';
import { makeKey } from './index.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
const before = secret('the pepper until now, for tests alone');
const now = secret('the pepper from now on, for tests alone');
const rotated: Partial<PlaneOptions> = { peppers: { current: 2, keys: { 1: before, 2: now } } };
const alone: Partial<PlaneOptions> = { peppers: { current: 2, keys: { 2: now } } };

beforeAll(async () => {
  sandbox = await startSandbox({ peppers: { current: 1, keys: { 1: before } } });
  app = await sandbox.newApp();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  key = await app.key();
});

const query = async (text: string, values: unknown[] = []) =>
  (await sandbox.database.superuser.query(text, values)).rows;
const versionOf = async ({ id }: { id: string }): Promise<number> =>
  (await query('select pepper_version from keys where key_id = $1', [fromId('key', id)]))[0]?.pepper_version;

/**
 * Starts a node with these peppers, sends the call `times` times and returns each answer. Closes the node, so that it
 * writes its buffer.
 */
async function answersOf(peppers: Partial<PlaneOptions>, token: string, times = 1): Promise<unknown[]> {
  const node = startNode(sandbox, peppers);
  const answers = [];
  for (let at = 0; at < times; at++) answers.push((await node.call('GET', '/v1/me', token)).code ?? 'works');
  await node.close();
  return answers;
}

describe('pepper rotation', () => {
  test('accepts a key under the old pepper, and moves the key to the new pepper after its first use', async () => {
    expect(await answersOf(rotated, key.token, 3)).toEqual(['works', 'works', 'works']);
    expect(await versionOf(key)).toBe(2);
    expect(await answersOf(alone, key.token)).toEqual(['works']);
    expect(await answersOf(rotated, `${key.token.slice(0, -1)}${key.token.endsWith('0') ? '1' : '0'}`)).toEqual([
      'invalid_key',
    ]);
  });

  test('keeps an unused key under the old pepper, also after a forged call', async () => {
    const stranger = await app.key();
    const guess = key.token.slice(0, 22) + stranger.token.slice(22);
    expect(await answersOf(rotated, guess)).toEqual(['invalid_key']);
    expect(await versionOf(key)).toBe(1);
    expect(await answersOf(alone, key.token)).toEqual(['invalid_key']);
  });

  test('accepts a key on a node that has already moved it to the new pepper', async () => {
    const node = startNode(sandbox, rotated);
    expect((await node.call('GET', '/v1/me', key.token)).status).toBe(200);
    const other = startNode(sandbox, rotated);
    expect((await other.call('GET', '/v1/me', key.token)).status).toBe(200);
    await other.close();
    expect(await versionOf(key)).toBe(2);
    expect((await node.call('GET', '/v1/me', key.token)).status).toBe(200);
    await node.close(); // the node writes a verifier that another node has already written
    expect([await versionOf(key), await answersOf(alone, key.token)]).toEqual([2, ['works']]);
  });

  test('answers a call while the key’s row is locked, and does not wait for mutations that hold the key’s access', async () => {
    const { superuser } = sandbox.database;
    const ids = [fromId('app', app.id), fromId('key', key.id)];
    const node = startNode(sandbox, rotated);
    await superuser.query('begin');
    await superuser.query('select from keys where key_id = $1 for update', [ids[1]]);
    expect((await node.call('GET', '/v1/me', key.token)).status).toBe(200);
    expect(await versionOf(key)).toBe(1);
    await superuser.query('rollback');
    await superuser.query('begin');
    await superuser.query('select pg_advisory_xact_lock_shared(access_lock($1, $2))', ids);
    await node.close();
    expect(await versionOf(key)).toBe(2);
    await superuser.query('rollback');
  });

  test('moves a revoked key to the new pepper and keeps it revoked', async () => {
    await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
    expect(await answersOf(rotated, key.token)).toEqual(['revoked_key']);
    expect([await versionOf(key), await answersOf(alone, key.token)]).toEqual([2, ['revoked_key']]);
  });

  test('creates new keys under the current pepper', async () => {
    const plane = { ...sandbox.plane, secrets: { ...sandbox.plane.secrets, ...rotated } };
    const input = { name: 'Made now', scopes: ['servers:read'], expiresInDays: 1, createdBy: 'a test' } as const;
    const { row, token } = await runAsTenant(plane.db.manager, fromId('app', app.id) ?? '', (tenant) =>
      makeKey(tenant, plane, input),
    );
    const made = { id: toId('key', row.key_id), token };
    expect([await versionOf(made), await answersOf(alone, made.token)]).toEqual([2, ['works']]);
  });
});

test.each([
  "verifier = sha256('x')",
  'pepper_version = 2',
  "verifier = sha256('x'), pepper_version = 0",
])('rejects in the database a verifier without its pepper, a pepper without its verifier, and an earlier pepper: %s', async (change) => {
  const refused = query(`update keys set ${change} where key_id = $1`, [fromId('key', key.id)]);
  await expect(refused).rejects.toMatchObject({ code: '23514' });
});

test('logs how many keys need each pepper, and when a pepper is no longer needed', async () => {
  const logged: unknown[] = [];
  const log = {
    info: (message: string, fields?: object) => logged.push([message, fields]),
    error: (message: string, _error: unknown, fields?: object) => logged.push([message, fields]),
  };
  const logPeppersOf = async (peppers: Partial<PlaneOptions>) => {
    logged.length = 0;
    await logPepperUse(sandbox.worker, peppers.peppers ?? sandbox.options.peppers, log);
    return [...logged];
  };
  const keys = (await query('select count(*)::int as count from keys where pepper_version = 1'))[0]?.count;
  const [{ count: over }] = await query(
    "select count(*)::int as count from keys where pepper_version = 1 and state = 'revoked'",
  );
  expect(await logPeppersOf(rotated)).toEqual([
    ['pepper.in_use: Keys still require a pepper that is not the current one.', { pepper: 1, keys: keys - over }],
  ]);
  expect(await logPeppersOf(alone)).toEqual([
    ['pepper.missing: Keys require a pepper that no setting names.', { pepper: 1, keys: keys - over }],
  ]);
  await query("update keys set state = 'revoked', revoked_at = now() where pepper_version = 1 and state = 'active'");
  expect(await logPeppersOf(rotated)).toEqual([
    ['pepper.unused: No key requires this pepper.', { pepper: 1, keys: 0 }],
  ]);
  expect(await logPeppersOf(alone)).toEqual([]);
});
