// A cached page is never older than what its reader's authority saw, and a cursor is worth nothing outside its list.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secret } from '../crypto/secret.ts';
import { ProblemError } from '../openapi/problems.ts';
import type { Reply } from './operation.ts';
import { createPageCache, openCursor, type Page, sealCursor, toList } from './page.ts';

const never = (): Promise<Page> => Promise.reject(new Error('it was read again'));
const page =
  (revision: number, json = `{"revision":${revision}}`): (() => Promise<Page>) =>
  async () => ({ revision, json });

// A read that is under way until the test ends it.
function slowLoad(): { load: () => Promise<Page>; end(page: Page): void } {
  let end: (page: Page) => void = () => {};
  const reading = new Promise<Page>((resolve) => {
    end = resolve;
  });
  return { load: () => reading, end };
}

describe('the cache', () => {
  test('answers from itself for the revision of the page and for older ones', async () => {
    const cache = createPageCache(10_000);
    const first = await cache.reply('key', 5, page(5));
    expect(await cache.reply('key', 5, never)).toEqual(first);
    expect(await cache.reply('key', 4, never)).toEqual(first);
  });

  test('reads again for a newer revision, and the etag changes with it', async () => {
    const cache = createPageCache(10_000);
    const first = await cache.reply('key', 5, page(5, '[]'));
    const second = await cache.reply('key', 6, page(6, '[]'));
    expect(second.json).toEqual(first.json);
    expect(second.headers?.etag).not.toBe(first.headers?.etag);
  });

  test('stores a page under the revision that it was read at, not the one that was asked for', async () => {
    const cache = createPageCache(10_000);
    await cache.reply('key', 5, page(7));
    expect(String((await cache.reply('key', 7, never)).json)).toBe('{"revision":7}');
  });

  test('a page that turns out older than asked for is not taken for a newer one', async () => {
    const cache = createPageCache(10_000);
    await cache.reply('key', 5, page(3));
    expect(String((await cache.reply('key', 5, page(5))).json)).toBe('{"revision":5}');
  });

  test('an older read that ends later never replaces a newer page', async () => {
    const cache = createPageCache(10_000);
    const old = slowLoad();
    const slow = cache.reply('key', 1, old.load);
    await cache.reply('key', 2, page(2));
    old.end({ revision: 1, json: '{"revision":1}' });
    expect(String((await slow).json)).toBe('{"revision":1}');
    expect(String((await cache.reply('key', 2, never)).json)).toBe('{"revision":2}');
  });

  test('two readers at once each read for themselves: nobody shares a read that is under way', async () => {
    const cache = createPageCache(10_000);
    const old = slowLoad();
    const slow = cache.reply('key', 1, old.load);
    expect(String((await cache.reply('key', 1, page(1, '"own"'))).json)).toBe('"own"');
    old.end({ revision: 1, json: '"old"' });
    await slow;
  });

  test('a page without a revision is answered and not kept', async () => {
    const cache = createPageCache(10_000);
    const passing = () => Promise.resolve({ revision: undefined, json: '1' });
    const { json, headers } = await cache.reply('key', 1, passing);
    expect([String(json), headers?.etag]).toEqual(['1', undefined]);
    await expect(cache.reply('key', 1, never)).rejects.toThrow('it was read again');
  });

  test('a read that fails is not kept', async () => {
    const cache = createPageCache(10_000);
    await expect(cache.reply('key', 1, never)).rejects.toThrow('it was read again');
    expect((await cache.reply('key', 1, page(1))).status).toBe(200);
  });

  test('one key’s page is never another’s', async () => {
    const cache = createPageCache(10_000);
    const one = await cache.reply('app A', 1, page(1, '"A"'));
    const other = await cache.reply('app B', 1, page(1, '"B"'));
    expect([String(one.json), String(other.json)]).toEqual(['"A"', '"B"']);
    expect(one.headers?.etag).not.toBe(other.headers?.etag);
  });

  test('says that nobody may keep it but the reader, who must ask each time', async () => {
    const { headers } = await createPageCache(10_000).reply('key', 1, page(1));
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache' });
    expect(headers?.etag).toMatch(/^W\/"[\w-]{22}"$/);
  });

  test('holds no more than its bound: what was used longest ago goes first', async () => {
    const cache = createPageCache(3 * (2 * (1 + 400) + 200));
    const read = (key: string): Promise<Reply> => cache.reply(key, 1, page(1, 'x'.repeat(400)));
    for (const key of ['a', 'b', 'c']) await read(key);
    await cache.reply('a', 1, never);
    await read('d');
    for (const kept of ['a', 'c', 'd']) await cache.reply(kept, 1, never);
    await expect(cache.reply('b', 1, never)).rejects.toThrow('it was read again');
  });

  test('a new page is kept even when all others were wanted', async () => {
    const cache = createPageCache(3 * (2 * (1 + 400) + 200));
    const read = (key: string): Promise<Reply> => cache.reply(key, 1, page(1, 'x'.repeat(400)));
    for (const key of ['a', 'b', 'c', 'a', 'b', 'c', 'd']) await read(key);
    for (const kept of ['b', 'c', 'd']) await cache.reply(kept, 1, never);
    await expect(cache.reply('a', 1, never)).rejects.toThrow('it was read again');
  });

  test('a page beyond the whole bound is answered and not kept', async () => {
    const cache = createPageCache(1_000);
    expect((await cache.reply('big', 1, page(1, 'x'.repeat(1_000)))).status).toBe(200);
    await expect(cache.reply('big', 1, never)).rejects.toThrow('it was read again');
  });

  test('replacing a page frees the room of the one before', async () => {
    const cache = createPageCache(2 * (2 * (1 + 400) + 200));
    await cache.reply('b', 1, page(1, 'x'.repeat(400)));
    for (let revision = 1; revision <= 50; revision++) {
      await cache.reply('a', revision, page(revision, 'x'.repeat(400)));
    }
    await cache.reply('b', 1, never);
    await cache.reply('a', 50, never);
  });
});

describe('a cursor', () => {
  const key = secret('a key for cursors');
  const codeOf = (run: () => unknown): string | undefined => {
    try {
      run();
      return undefined;
    } catch (error) {
      return error instanceof ProblemError ? error.code : String(error);
    }
  };

  test('gives its position back to the list that handed it out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (position, list) => {
        const cursor = sealCursor(position.toWellFormed(), list, key);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(openCursor(cursor, list, key)).toBe(position.toWellFormed());
      }),
    );
  });

  test('is refused for another list, and under another key', () => {
    const cursor = sealCursor('srv_1', 'app A', key);
    expect(codeOf(() => openCursor(cursor, 'app B', key))).toBe('invalid_request');
    expect(codeOf(() => openCursor(cursor, 'app A', secret('another key')))).toBe('invalid_request');
    expect(openCursor(cursor, 'app A', key)).toBe('srv_1');
  });

  test('with any one character changed, added or taken away is refused', () => {
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
  ])('%j is none', (text) => {
    expect(codeOf(() => openCursor(text, 'app A', key))).toBe('invalid_request');
  });

  test('that was not sent is the beginning', () => {
    expect(openCursor(undefined, 'app A', key)).toBeUndefined();
  });
});

describe('a list', () => {
  const list = (rows: readonly number[], limit: number) =>
    toList(
      rows,
      limit,
      (row) => row * 10,
      (row) => `after ${row}`,
    );

  test('shows as many as were asked for, and goes on after the last one shown', () => {
    expect(list([3, 2, 1], 2)).toEqual({ data: [30, 20], nextCursor: 'after 2' });
  });

  test('says when it ends, even with a full page', () => {
    expect(list([3, 2], 2)).toEqual({ data: [30, 20], nextCursor: null });
    expect(list([], 2)).toEqual({ data: [], nextCursor: null });
  });
});
