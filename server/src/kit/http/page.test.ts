// A cached page is never older than the revision that its reader's authority saw, and a cursor is valid in its own list
// only.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secret } from '../crypto/secret.ts';
import { ProblemError } from '../openapi/problems.ts';
import type { Reply } from './operation.ts';
import { type CacheablePage, createPageCache, cursorsOf, openCursor, sealCursor, toListBody } from './page.ts';

const never = (): Promise<CacheablePage> => Promise.reject(new Error('it was read again'));
const page =
  (revision: number, json = `{"revision":${revision}}`): (() => Promise<CacheablePage>) =>
  async () => ({ revision, json });

// Returns a read that is pending until the test ends it.
function slowLoad(): { load: () => Promise<CacheablePage>; end(page: CacheablePage): void } {
  let end: (page: CacheablePage) => void = () => {};
  const reading = new Promise<CacheablePage>((resolve) => {
    end = resolve;
  });
  return { load: () => reading, end };
}

describe('page cache', () => {
  test('returns a cached page for its revision and for older ones', async () => {
    const cache = createPageCache(10_000);
    const first = await cache.reply('key', 5, page(5));
    expect(await cache.reply('key', 5, never)).toEqual(first);
    expect(await cache.reply('key', 4, never)).toEqual(first);
  });

  test('reads again for a newer revision, and changes the etag with it', async () => {
    const cache = createPageCache(10_000);
    const first = await cache.reply('key', 5, page(5, '[]'));
    const second = await cache.reply('key', 6, page(6, '[]'));
    expect(second.json).toEqual(first.json);
    expect(second.headers?.etag).not.toBe(first.headers?.etag);
  });

  test('stores a page under the revision at which it was read, not under the requested one', async () => {
    const cache = createPageCache(10_000);
    await cache.reply('key', 5, page(7));
    expect(String((await cache.reply('key', 7, never)).json)).toBe('{"revision":7}');
  });

  test('does not treat a page that is older than requested as a newer one', async () => {
    const cache = createPageCache(10_000);
    await cache.reply('key', 5, page(3));
    expect(String((await cache.reply('key', 5, page(5))).json)).toBe('{"revision":5}');
  });

  test('never replaces a newer page by an older read that ends later', async () => {
    const cache = createPageCache(10_000);
    const old = slowLoad();
    const slow = cache.reply('key', 1, old.load);
    await cache.reply('key', 2, page(2));
    old.end({ revision: 1, json: '{"revision":1}' });
    expect(String((await slow).json)).toBe('{"revision":1}');
    expect(String((await cache.reply('key', 2, never)).json)).toBe('{"revision":2}');
  });

  test('two concurrent readers each read for themselves, and never share a pending read', async () => {
    const cache = createPageCache(10_000);
    const old = slowLoad();
    const slow = cache.reply('key', 1, old.load);
    expect(String((await cache.reply('key', 1, page(1, '"own"'))).json)).toBe('"own"');
    old.end({ revision: 1, json: '"old"' });
    await slow;
  });

  test('returns a page without a revision and does not cache it', async () => {
    const cache = createPageCache(10_000);
    const passing = () => Promise.resolve({ revision: undefined, json: '1' });
    const { json, headers } = await cache.reply('key', 1, passing);
    expect([String(json), headers?.etag]).toEqual(['1', undefined]);
    await expect(cache.reply('key', 1, never)).rejects.toThrow('it was read again');
  });

  test('does not cache a failed read', async () => {
    const cache = createPageCache(10_000);
    await expect(cache.reply('key', 1, never)).rejects.toThrow('it was read again');
    expect((await cache.reply('key', 1, page(1))).status).toBe(200);
  });

  test('never returns the page of another key', async () => {
    const cache = createPageCache(10_000);
    const one = await cache.reply('app A', 1, page(1, '"A"'));
    const other = await cache.reply('app B', 1, page(1, '"B"'));
    expect([String(one.json), String(other.json)]).toEqual(['"A"', '"B"']);
    expect(one.headers?.etag).not.toBe(other.headers?.etag);
  });

  test('allows only the reader to cache the page, with revalidation on each use', async () => {
    const { headers } = await createPageCache(10_000).reply('key', 1, page(1));
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache' });
    expect(headers?.etag).toMatch(/^W\/"[\w-]{22}"$/);
  });

  test('evicts the least recently used pages beyond its limit', async () => {
    const cache = createPageCache(3 * (2 * (1 + 400) + 200));
    const read = (key: string): Promise<Reply> => cache.reply(key, 1, page(1, 'x'.repeat(400)));
    for (const key of ['a', 'b', 'c']) await read(key);
    await cache.reply('a', 1, never);
    await read('d');
    for (const kept of ['a', 'c', 'd']) await cache.reply(kept, 1, never);
    await expect(cache.reply('b', 1, never)).rejects.toThrow('it was read again');
  });

  test('caches a new page even if all others were used', async () => {
    const cache = createPageCache(3 * (2 * (1 + 400) + 200));
    const read = (key: string): Promise<Reply> => cache.reply(key, 1, page(1, 'x'.repeat(400)));
    for (const key of ['a', 'b', 'c', 'a', 'b', 'c', 'd']) await read(key);
    for (const kept of ['b', 'c', 'd']) await cache.reply(kept, 1, never);
    await expect(cache.reply('a', 1, never)).rejects.toThrow('it was read again');
  });

  test('returns a page larger than the whole limit and does not cache it', async () => {
    const cache = createPageCache(1_000);
    expect((await cache.reply('big', 1, page(1, 'x'.repeat(1_000)))).status).toBe(200);
    await expect(cache.reply('big', 1, never)).rejects.toThrow('it was read again');
  });

  test('frees the space of a replaced page', async () => {
    const cache = createPageCache(2 * (2 * (1 + 400) + 200));
    await cache.reply('b', 1, page(1, 'x'.repeat(400)));
    for (let revision = 1; revision <= 50; revision++) {
      await cache.reply('a', revision, page(revision, 'x'.repeat(400)));
    }
    await cache.reply('b', 1, never);
    await cache.reply('a', 50, never);
  });
});

describe('cursor', () => {
  const key = secret('a key for cursors');
  const codeOf = (run: () => unknown): string | undefined => {
    try {
      run();
      return undefined;
    } catch (error) {
      return error instanceof ProblemError ? error.code : String(error);
    }
  };

  test('returns its position to the list that issued it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (position, list) => {
        const cursor = sealCursor(position.toWellFormed(), list, key);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(openCursor(cursor, list, key)).toBe(position.toWellFormed());
      }),
    );
  });

  test('refuses a cursor in another list and under another key', () => {
    const cursor = sealCursor('srv_1', 'app A', key);
    expect(codeOf(() => openCursor(cursor, 'app B', key))).toBe('invalid_request');
    expect(codeOf(() => openCursor(cursor, 'app A', secret('another key')))).toBe('invalid_request');
    expect(openCursor(cursor, 'app A', key)).toBe('srv_1');
  });

  test('refuses a cursor with any character changed, added or removed', () => {
    const cursor = sealCursor('srv_01h2xcejqtf2nbrexx3vqjhp41', 'app A', key);
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      const [before, after] = [cursor.slice(0, at), cursor.slice(at + 1)];
      for (const changed of [before + other + after, before + after, before + other + cursor.slice(at)]) {
        expect([changed, codeOf(() => openCursor(changed, 'app A', key))]).toEqual([changed, 'invalid_request']);
      }
    }
  });

  test.each([
    '',
    'A',
    'AAAA',
    '=',
    `${sealCursor('p', 'app A', key)}=`,
    `${sealCursor('p', 'app A', key)} `,
    '\u0000',
  ])('refuses %j as a cursor', (text) => {
    expect(codeOf(() => openCursor(text, 'app A', key))).toBe('invalid_request');
  });

  test('treats a missing cursor as the beginning', () => {
    expect(openCursor(undefined, 'app A', key)).toBeUndefined();
  });
});

describe('the cursors of a list', () => {
  const key = secret('a key');
  const cursors = cursorsOf('app A', 'listThings', { code: 'x', method: 'GET', limit: 5, cursor: 'c' }, key);
  const cursor = cursors.seal('thg_1');

  test.each([
    ['of another owner', cursorsOf('app B', 'listThings', { code: 'x', method: 'GET' }, key)],
    ['of another operation', cursorsOf('app A', 'listOthers', { code: 'x', method: 'GET' }, key)],
    ['with another filter', cursorsOf('app A', 'listThings', { code: 'y', method: 'GET' }, key)],
    ['with one filter fewer', cursorsOf('app A', 'listThings', { code: 'x' }, key)],
  ])('are refused in a list %s', (_, others) => {
    expect(() => others.open(cursor)).toThrow();
  });

  test('open with another page size, position and order of the query', () => {
    const same = cursorsOf('app A', 'listThings', { limit: 9, method: 'GET', cursor: 'd', code: 'x' }, key);
    expect(same.open(cursor)).toBe('thg_1');
  });

  // During an upgrade a reader goes on at a process of the other release.
  test('are the same as in the last release', () => {
    const binding = createHash('sha256')
      .update('["app A","listThings",[["code","x"],["method","GET"]]]')
      .digest('base64url');
    expect(cursor).toBe(sealCursor('thg_1', binding, key));
  });
});

describe('list', () => {
  const list = (rows: readonly number[], limit: number) =>
    toListBody(
      rows,
      limit,
      (row) => row * 10,
      (row) => `after ${row}`,
    );

  test('returns as many items as requested, and continues after the last one', () => {
    expect(list([3, 2, 1], 2)).toEqual({ data: [30, 20], nextCursor: 'after 2' });
  });

  test('ends without a cursor, even with a full page', () => {
    expect(list([3, 2], 2)).toEqual({ data: [30, 20], nextCursor: null });
    expect(list([], 2)).toEqual({ data: [], nextCursor: null });
  });
});
