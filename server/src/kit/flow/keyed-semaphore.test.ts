import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeyedSemaphore, type Release } from './keyed-semaphore.ts';

const timeoutError = (): Error => new Error('late');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const semaphoreOf = (limit: number): KeyedSemaphore => new KeyedSemaphore({ limit, waitMs: 1_000, timeoutError });
const flush = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

test('admits callers of a key in their order up to the limit, and callers of another key without a wait', async () => {
  const semaphore = semaphoreOf(2);
  const begun: string[] = [];
  const ends: Release[] = [];
  const run = (key: string, name: string): Promise<void> =>
    semaphore.run(key, () => {
      begun.push(name);
      return new Promise((resolve) => ends.push(resolve));
    });
  const all = [...['a', 'b', 'c', 'd'].map((name) => run('one', name)), run('other', 'e')];
  await flush();
  expect(begun).toEqual(['a', 'b', 'e']);
  ends[1]?.();
  await flush();
  expect(begun).toEqual(['a', 'b', 'e', 'c']);
  for (let at = 0; at < all.length; at++) {
    ends[at]?.();
    await flush();
  }
  await Promise.all(all);
  expect(begun).toEqual(['a', 'b', 'e', 'c', 'd']);
});

test('rejects a caller whose wait takes too long, and passes its slot to the next caller', async () => {
  const semaphore = semaphoreOf(1);
  const first = await semaphore.acquire('one');
  const second = expect(semaphore.acquire('one')).rejects.toThrow('late');
  await vi.advanceTimersByTimeAsync(600);
  const third = semaphore.acquire('one');
  await vi.advanceTimersByTimeAsync(500);
  await second;
  first();
  (await third)();
  expect(semaphore.tryAcquire('one')).toBeDefined();
});

test('passes the slot on when the work fails', async () => {
  const semaphore = semaphoreOf(1);
  await expect(semaphore.run('one', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await semaphore.run('one', () => Promise.resolve('done'))).toBe('done');
});

test('releases one slot per holder, however often the holder calls it', async () => {
  const semaphore = semaphoreOf(1);
  const release = semaphore.tryAcquire('one');
  expect(semaphore.tryAcquire('one')).toBeUndefined();
  release?.();
  const next = semaphore.tryAcquire('one');
  release?.();
  expect([next === undefined, semaphore.tryAcquire('one')]).toEqual([false, undefined]);
});
