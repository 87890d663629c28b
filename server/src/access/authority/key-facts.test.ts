// Cached facts of a key never outlive the row that was read. Each change of the key or of its app's status is counted,
// and another count or another database makes the node read the key again.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { createKeyReader } from './key-facts.ts';

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
  expect((await me()).status).toBe(200); // from here on the facts are cached
});

const me = () => sandbox.call<{ code?: string; scopes?: string[] }>('/v1/me', key.token);
const query = (text: string, values: unknown[] = []) => sandbox.database.superuser.query(text, values);
const keyUuid = (): string => fromId('key', key.id) ?? '';

test('a new key with the public part of a deleted key is a different key', async () => {
  const other = await sandbox.newApp();
  const { rows } = await query('delete from keys where key_id = $1 returning kid', [keyUuid()]);
  await query(
    `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
     values ($1, gen_random_uuid(), $2, $3, 1, 'n', '{servers:read}', 'c', now(), now() + interval '1 day')`,
    [fromId('app', other.id), rows[0].kid, randomBytes(32)],
  );
  expect((await me()).body.code).toBe('invalid_key');
});

test('a deleted key is invalid', async () => {
  await query('delete from keys where key_id = $1', [keyUuid()]);
  expect((await me()).body.code).toBe('invalid_key');
});

test('a verifier under another pepper is read again, and the database rejects another verifier under the same pepper', async () => {
  const change = 'update keys set verifier = $2, pepper_version = pepper_version + $3 where key_id = $1';
  await expect(query(change, [keyUuid(), randomBytes(32), 0])).rejects.toThrow(/only another pepper/);
  await query(change, [keyUuid(), randomBytes(32), 1]);
  expect((await me()).body.code).toBe('invalid_key');
});

test('a node reads its keys again from a restored database', async () => {
  await query('alter table keys disable trigger guard_key');
  await query("update keys set scopes = '{tickets:create}' where key_id = $1", [keyUuid()]);
  await query('alter table keys enable trigger guard_key');
  await query('update plane_state set restore_epoch = gen_random_uuid()');
  expect((await me()).body.scopes).toEqual(['tickets:create']);
});

const accessCount = async (): Promise<string> =>
  (await query('select sum(access)::text as count from revisions where app_id = $1', [fromId('app', app.id)])).rows[0]
    .count;

test('each change of a key or of its app’s status is counted, and other changes of an app are not', async () => {
  const { rows } = await query(
    `select table_name as of, column_name as name from information_schema.columns where table_schema = 'public'
       and (table_name = 'keys' or table_name = 'apps' and column_name in ('state', 'organisation_standing', 'erase_at'))
       and is_generated = 'NEVER'`,
  );
  expect(rows.length).toBeGreaterThan(15);
  for (const { of, name } of rows) {
    const before = await accessCount();
    await query(`update ${of} set ${name} = ${name} where app_id = $1`, [fromId('app', app.id)]);
    expect(await accessCount(), `${of}.${name}`).not.toBe(before);
  }
  const before = await accessCount();
  await query("update apps set name = 'Another' where app_id = $1", [fromId('app', app.id)]);
  expect(await accessCount()).toBe(before);
});

test('a key whose app has no count is read for every request', async () => {
  await query('delete from revisions where app_id = $1', [fromId('app', app.id)]);
  expect((await me()).status).toBe(200);
  await query('alter table keys disable trigger revise_access');
  await query("update keys set state = 'revoked', revoked_at = now(), revoked_by = 'a test' where key_id = $1", [
    keyUuid(),
  ]);
  await query('alter table keys enable trigger revise_access');
  expect((await me()).body.code).toBe('revoked_key');
});

test('a count that starts again after its deletion is higher than the deleted count', async () => {
  const before = await accessCount();
  await query('delete from revisions where app_id = $1', [fromId('app', app.id)]);
  await query('update keys set name = name where key_id = $1', [keyUuid()]);
  expect(Number(await accessCount())).toBeGreaterThan(Number(before));
});

test('a change of another key of the app does not refill the rate of a key', async () => {
  const { rows } = await query('select kid from keys where key_id = $1', [keyUuid()]);
  const reader = createKeyReader(sandbox.plane.db.authority, 10);
  const readFacts = async () => (await reader.read([rows[0].kid])).facts.get(rows[0].kid);
  const facts = await readFacts();
  await app.key(['servers:read']);
  const factsAfter = await readFacts();
  expect(factsAfter).not.toBe(facts); // read again
  expect(factsAfter?.allowance).toBe(facts?.allowance);
});

test('a batch has the facts of each of its keys when the reader is full', async () => {
  await app.key(['servers:read']);
  await app.key(['servers:read']);
  const { rows } = await query('select kid from keys where app_id = $1', [fromId('app', app.id)]);
  const [first, second, third] = rows.map(({ kid }): string => kid);
  const reader = createKeyReader(sandbox.plane.db.authority, 1);
  await reader.read([first ?? '']);
  const { facts } = await reader.read([first ?? '', second ?? '', third ?? '', 'unknown']);
  expect([...facts.values()].map(({ identity }) => identity.kid).sort()).toEqual([first, second, third].sort());
});

test('a key with an end time ends by the database’s clock without a counted change', async () => {
  await query("update keys set ends_at = clock_timestamp() + interval '300 milliseconds' where key_id = $1", [
    keyUuid(),
  ]);
  const before = await accessCount();
  await expect.poll(async () => (await me()).body.code, { timeout: 5_000 }).toBe('revoked_key');
  expect(await accessCount()).toBe(before);
});
