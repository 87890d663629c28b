import { expect, test, vi } from 'vitest';
import { createTurns } from './turns.ts';

const late = (): Error => new Error('late');

test('of one no more run at once than may, the others in their order, and nobody else waits for them', async () => {
  const turns = createTurns({ most: 2, waitMs: 1_000, late });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const take = (of: string, name: string): Promise<void> =>
    turns.take(of, () => {
      begun.push(name);
      return new Promise((resolve) => ends.push(resolve));
    });
  const all = ['a', 'b', 'c', 'd'].map((name) => take('one', name));
  const other = take('other', 'e');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'e']));
  ends[1]?.();
  await all[1];
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'e', 'c']));
  for (const at of [0, 2, 3]) ends[at]?.();
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'e', 'c', 'd']));
  ends[4]?.();
  await Promise.all([...all, other]);
});

test('one whose turn does not come in time is told so, and takes none; what fails hands its own on', async () => {
  vi.useFakeTimers();
  try {
    const turns = createTurns({ most: 1, waitMs: 1_000, late });
    let fail = (_: Error): void => undefined;
    const first = turns.take('one', () => new Promise((_, reject) => (fail = reject)));
    const never = vi.fn(() => Promise.resolve());
    const second = expect(turns.take('one', never)).rejects.toThrow('late');
    await vi.advanceTimersByTimeAsync(600);
    const third = turns.take('one', () => Promise.resolve('done'));
    await vi.advanceTimersByTimeAsync(500);
    await second;
    fail(new Error('failed'));
    await expect(first).rejects.toThrow('failed');
    expect([await third, never.mock.calls]).toEqual(['done', []]);
  } finally {
    vi.useRealTimers();
  }
});
