// When a key was last used, and from where: noted beside the request, written for many at once, and never a person's
// address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { type ApiNode, startNode } from '../../../test/node.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { createCalls } from '../../listeners/calls.ts';
import { keepHouse } from '../../platform/housekeeping/index.ts';
import { createLastUses, laterUse } from './last-uses.ts';

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

/** What a node does, and that it has stopped: it has written what it held. */
async function onNode(run: (node: ApiNode) => Promise<unknown>): Promise<void> {
  const node = startNode(sandbox);
  await run(node);
  await node.close();
}

describe('a key', () => {
  test('that was never used says so', async () => {
    const key = await app.key();
    expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: null, lastUsedFrom: null });
  });

  test('says when and from where it was used, once the node has written it', async () => {
    const key = await app.key(['servers:read']);
    const before = Date.now();
    await onNode(async (node) => {
      expect((await node.call('GET', '/v1/servers', key.token)).status).toBe(200);
      expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: null }); // not on the request's way
    });
    const used = await keyOf(key.id);
    expect(used?.lastUsedFrom).toBe('127.0.0.1');
    expect(Date.parse(used?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(before);
    expect(Date.parse(used?.lastUsedAt ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test('whose text somebody guessed at is not used', async () => {
    const key = await app.key();
    const guess = `${key.token.slice(0, -1)}${key.token.endsWith('0') ? '1' : '0'}`;
    await onNode((node) => node.call('GET', '/v1/me', guess));
    expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: null, lastUsedFrom: null });
  });

  test('is not used by a call that is refused for a missing scope or because the key is revoked', async () => {
    const key = await app.key(['servers:read']);
    const unused = { lastUsedAt: null, lastUsedFrom: null };
    await onNode(async (node) => expect((await node.call('GET', '/v1/events', key.token)).code).toBe('missing_scope'));
    expect(await keyOf(key.id)).toMatchObject(unused);
    await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
    await onNode(async (node) => expect((await node.call('GET', '/v1/me', key.token)).code).toBe('revoked_key'));
    expect(await keyOf(key.id)).toMatchObject(unused);
  });
});

describe('what is written', () => {
  const use = (atMs: number, clientAddress: string | null, key: { id: string }) => ({
    appId: fromId('app', app.id) ?? '',
    keyId: fromId('key', key.id) ?? '',
    atMs,
    clientAddress,
  });
  const write = async (...uses: ReturnType<typeof use>[]): Promise<void> => {
    const errors: unknown[] = [];
    const lastUses = createLastUses(recorder(), (error) => errors.push(error));
    for (const one of uses) lastUses.note(one);
    await lastUses.flush();
    expect(errors).toEqual([]);
  };
  // The role is what is tested, not the pool: the plane hands the recorder's to nobody.
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

  test('is the latest use, in whichever order nodes write', async () => {
    const key = await app.key();
    await write(use(T, '192.0.2.1', key));
    await write(use(T - 60_000, '192.0.2.2', key));
    expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: '2026-11-21T12:00:00.123Z', lastUsedFrom: '192.0.2.1' });
    await write(use(T + 1_000, '192.0.2.3', key));
    expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: '2026-11-21T12:00:01.123Z', lastUsedFrom: '192.0.2.3' });
  });

  test('a person’s call moves the time and leaves the address, within a node and between nodes', async () => {
    const [one, other] = [await app.key(), await app.key()];
    await write(use(T, '192.0.2.1', one), use(T + 1, null, one), use(T, null, other));
    expect(await keyOf(one.id)).toMatchObject({ lastUsedAt: '2026-11-21T12:00:00.124Z', lastUsedFrom: '192.0.2.1' });
    expect(await keyOf(other.id)).toMatchObject({ lastUsedAt: '2026-11-21T12:00:00.123Z', lastUsedFrom: null });
    await write(use(T + 2, null, one), use(T + 2, '192.0.2.9', other));
    expect(await keyOf(one.id)).toMatchObject({ lastUsedAt: '2026-11-21T12:00:00.125Z', lastUsedFrom: '192.0.2.1' });
    expect(await keyOf(other.id)).toMatchObject({ lastUsedFrom: '192.0.2.9' });
  });

  test('loses its address with the records of requests, and keeps its time', async () => {
    const key = await app.key();
    await write(use(T - 40 * 86_400_000, '192.0.2.1', key));
    await keepHouse(sandbox.worker);
    expect(await keyOf(key.id)).toMatchObject({ lastUsedAt: '2026-10-12T12:00:00.123Z', lastUsedFrom: null });
  });

  test('is kept for the next time when the database is away', async () => {
    const key = await app.key();
    const db = recorder();
    let isAway = true;
    const query: Database['query'] = (statement) => (isAway ? Promise.reject(new Error('away')) : db.query(statement));
    const errors: unknown[] = [];
    const lastUses = createLastUses({ ...db, query }, (error) => errors.push(error));
    lastUses.note(use(T, '192.0.2.1', key));
    await lastUses.flush();
    expect([errors.length, (await keyOf(key.id))?.lastUsedAt]).toEqual([1, null]);
    isAway = false;
    await lastUses.flush();
    expect((await keyOf(key.id))?.lastUsedFrom).toBe('192.0.2.1');
  });
});

test('a person’s try-it call is a use without an address', async () => {
  const key = await app.key();
  const { kid } = (await keyOf(key.id)) ?? { kid: '' };
  await onNode(async (node) => {
    const call = createCalls(node.open, () => {});
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

test('of two uses the later counts, whichever came first', () => {
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
