// The last use of a key, with its time and address: buffered outside the request, written in batches, and without the
// address of a person.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { type ApiNode, startNode } from '../../../test/node.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { createApiCallHandler } from '../../listeners/api-call-handler.ts';
import { runHousekeeping } from '../../platform/housekeeping/index.ts';
import { createLastUseRecorder, laterUse } from './last-use-recorder.ts';

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
});
afterAll(() => sandbox.close());

interface KeyBody {
  id: string;
  kid: string;
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
}

async function keyOf(id: string): Promise<KeyBody | undefined> {
  const { body } = await sandbox.manage<{ data: KeyBody[] }>('GET', `/apps/${app.id}/keys`);
  return body.data.find((key) => key.id === id);
}

/** Runs `run` with a node and closes the node, so that it writes its buffer. */
async function onNode(run: (node: ApiNode) => Promise<unknown>): Promise<void> {
  const node = startNode(sandbox);
  await run(node);
  await node.close();
}

describe('the last use of a key', () => {
  test('is null for a key that was never used', async () => {
    const key = await app.key();
    expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: null, lastUsedFrom: null });
  });

  test('has the time and the address of the call after the node has written its buffer', async () => {
    const key = await app.key(['servers:read']);
    const before = Date.now();
    await onNode(async (node) => {
      expect((await node.call('GET', '/v1/servers', key.token)).status).toBe(200);
      expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: null }); // the request does not write it
    });
    const used = await keyOf(key.id);
    expect(used?.lastUsedFrom).toBe('127.0.0.1');
    expect(Date.parse(used?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(before);
    expect(Date.parse(used?.lastUsedAt ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test('is unchanged by a call with a forged key of the same kid', async () => {
    const key = await app.key();
    const guess = `${key.token.slice(0, -1)}${key.token.endsWith('0') ? '1' : '0'}`;
    await onNode((node) => node.call('GET', '/v1/me', guess));
    expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: null, lastUsedFrom: null });
  });

  test('is unchanged by a call that is rejected for a missing scope or a revoked key', async () => {
    const key = await app.key(['servers:read']);
    const unused = { lastUsedAt: null, lastUsedFrom: null };
    await onNode(async (node) => expect((await node.call('GET', '/v1/events', key.token)).code).toBe('missing_scope'));
    expect(await keyOf(key.id)).toMatchObject(unused);
    await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
    await onNode(async (node) => expect((await node.call('GET', '/v1/me', key.token)).code).toBe('revoked_key'));
    expect(await keyOf(key.id)).toMatchObject(unused);
  });
});

describe('the stored last use', () => {
  const use = (atMs: number, clientAddress: string | null, key: { id: string }) => ({
    appId: fromId('app', app.id) ?? '',
    keyId: fromId('key', key.id) ?? '',
    atMs,
    clientAddress,
  });
  const write = async (...uses: ReturnType<typeof use>[]): Promise<void> => {
    const errors: unknown[] = [];
    const lastUses = createLastUseRecorder(recorder(), (error) => errors.push(error));
    for (const one of uses) lastUses.record(one);
    await lastUses.flush();
    expect(errors).toEqual([]);
  };
  // Tests the role and not the connection pool, because the plane does not expose the recorder's pool.
  const recorder = (): Database => {
    const db = openDatabase({
      url: sandbox.options.databaseUrl,
      role: 'slipway_recorder',
      max: 1,
      queryTimeoutMs: 5_000,
      connectTimeoutMs: 5_000,
      onError: () => {},
    });
    opened.push(db);
    return db;
  };
  const opened: Database[] = [];
  afterAll(async () => {
    for (const db of opened) await db.close();
  });
  const T = Date.parse('2026-11-21T12:00:00.123Z');

  test('is the latest use, regardless of the order in which nodes write', async () => {
    const key = await app.key();
    await write(use(T, '192.0.2.1', key));
    await write(use(T - 60_000, '192.0.2.2', key));
    expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: '2026-11-21T12:00:00.123Z', lastUsedFrom: '192.0.2.1' });
    await write(use(T + 1_000, '192.0.2.3', key));
    expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: '2026-11-21T12:00:01.123Z', lastUsedFrom: '192.0.2.3' });
  });

  test('gets a new time and keeps its address after a person’s call, within a node and between nodes', async () => {
    const [one, other] = [await app.key(), await app.key()];
    await write(use(T, '192.0.2.1', one), use(T + 1, null, one), use(T, null, other));
    expect(await keyOf(one.id)).toMatchObject({ lastUsedAt: '2026-11-21T12:00:00.124Z', lastUsedFrom: '192.0.2.1' });
    expect(await keyOf(other.id)).toMatchObject({ lastUsedAt: '2026-11-21T12:00:00.123Z', lastUsedFrom: null });
    await write(use(T + 2, null, one), use(T + 2, '192.0.2.9', other));
    expect(await keyOf(one.id)).toMatchObject({ lastUsedAt: '2026-11-21T12:00:00.125Z', lastUsedFrom: '192.0.2.1' });
    expect(await keyOf(other.id)).toMatchObject({ lastUsedFrom: '192.0.2.9' });
  });

  test('loses its address when request records expire, and keeps its time', async () => {
    const key = await app.key();
    await write(use(T - 40 * 86_400_000, '192.0.2.1', key));
    await runHousekeeping(sandbox.worker);
    expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: '2026-10-12T12:00:00.123Z', lastUsedFrom: null });
  });

  test('stays in the buffer while the database is unavailable, and is written later', async () => {
    const key = await app.key();
    const db = recorder();
    let isAway = true;
    const query: Database['query'] = (statement) => (isAway ? Promise.reject(new Error('away')) : db.query(statement));
    const errors: unknown[] = [];
    const lastUses = createLastUseRecorder({ ...db, query }, (error) => errors.push(error));
    lastUses.record(use(T, '192.0.2.1', key));
    await lastUses.flush();
    expect([errors.length, (await keyOf(key.id))?.lastUsedAt]).toEqual([1, null]);
    isAway = false;
    await lastUses.flush();
    expect((await keyOf(key.id))?.lastUsedFrom).toBe('192.0.2.1');
  });
});

test('records a person’s try-it call as a use without an address', async () => {
  const key = await app.key();
  const { kid } = (await keyOf(key.id)) ?? { kid: '' };
  await onNode(async (node) => {
    const call = createApiCallHandler(node.open, () => {});
    const ids = { kid, keyId: fromId('key', key.id) ?? '', appId: fromId('app', app.id) ?? '' };
    const answer = await call({
      key: { ...ids, person: 'imke@example.org', tokenId: undefined },
      method: 'GET',
      path: '/v1/me',
      headers: {},
      body: undefined,
    });
    expect(answer.status).toBe(200);
  });
  expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: expect.any(String), lastUsedFrom: null });
});

test('keeps the later of two uses, in either order', () => {
  const ids = { appId: newUuid(), keyId: newUuid() };
  const early = { ...ids, atMs: 1, clientAddress: 'a' };
  const late = { ...ids, atMs: 2, clientAddress: 'b' };
  const person = { ...ids, atMs: 3, clientAddress: null };
  expect([laterUse(early, late), laterUse(late, early)]).toEqual([late, late]);
  expect([laterUse(late, person), laterUse(person, late)]).toEqual([
    { ...person, clientAddress: 'b' },
    { ...person, clientAddress: 'b' },
  ]);
});
