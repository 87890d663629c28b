// What is kept of a key never outlives the key: another row, another pepper or another database make it be read again.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createKeyFactsCache } from '../src/features/authority/key-facts.ts';
import { fromId, newUuid } from '../src/kit/ids.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key(['servers:read', 'tickets:create']);
  expect((await me()).status).toBe(200); // its facts are kept from now on
});

const me = () => sandbox.call<{ code?: string; scopes?: string[] }>('/v1/me', key.token);
const query = (text: string, values: unknown[] = []) => sandbox.database.superuser.query(text, values);
const keyUuid = (): string => fromId('key', key.id) ?? '';

test('another key under the same public half is another key', async () => {
  const other = await sandbox.newApp();
  const { rows } = await query('delete from keys where key_id = $1 returning kid', [keyUuid()]);
  await query(
    `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
     values ($1, gen_random_uuid(), $2, $3, 1, 'n', '{servers:read}', 'c', now(), now() + interval '1 day')`,
    [fromId('app', other.id), rows[0].kid, randomBytes(32)],
  );
  expect((await me()).body.code).toBe('invalid_key');
});

test('a key that is gone is gone', async () => {
  await query('delete from keys where key_id = $1', [keyUuid()]);
  expect((await me()).body.code).toBe('invalid_key');
});

test('a verifier under another pepper is read again, and under the same one the database refuses it', async () => {
  const change = 'update keys set verifier = $2, pepper_version = pepper_version + $3 where key_id = $1';
  await expect(query(change, [keyUuid(), randomBytes(32), 0])).rejects.toThrow(/only another pepper/);
  await query(change, [keyUuid(), randomBytes(32), 1]);
  expect((await me()).body.code).toBe('invalid_key');
});

test('a database that came from a backup is believed, not the memory of the one before', async () => {
  await query('alter table keys disable trigger guard_key');
  await query("update keys set scopes = '{tickets:create}' where key_id = $1", [keyUuid()]);
  await query('alter table keys enable trigger guard_key');
  await query('update plane_state set restore_epoch = gen_random_uuid()');
  expect((await me()).body.scopes).toEqual(['tickets:create']);
});

test('facts that are read a moment later than the standing count only for the same key', async () => {
  const { rows } = await query('select kid, key_id, pepper_version from keys where key_id = $1', [keyUuid()]);
  const { kid, key_id: keyId, pepper_version: pepperVersion } = rows[0];
  const revisions = { grants: 0, servers: 0, publications: 0, roadmap: 0, workflows: 0, activity: 0, faults: 0 };
  const standing = { kid, pepperVersion, revisions, state: 'active', isExpired: false, appStanding: 'active' } as const;
  const cache = createKeyFactsCache(sandbox.plane.db.authority, 10);
  const ask = async (id: string) => {
    const key = { ...standing, keyId: id };
    await cache.learn([key], 'epoch');
    return cache.find(key);
  };
  expect((await ask(keyId))?.identity.keyId).toBe(keyId);
  expect(await ask(newUuid())).toBeUndefined();
  expect((await ask(keyId))?.identity.keyId).toBe(keyId);
});
