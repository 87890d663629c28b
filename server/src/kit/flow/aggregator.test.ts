import { expect, test } from 'vitest';
import { createAggregator } from './aggregator.ts';

test('a flush waits for a write in progress, and writes its entries again if it fails', async () => {
  const written: string[][] = [];
  const errors: unknown[] = [];
  let fail = (_error: Error): void => {};
  const underWay = new Promise<void>((_, reject) => {
    fail = reject;
  });
  const gathering = createAggregator<string>({
    merge: (one) => one,
    async write(entries) {
      written.push([...entries]);
      if (written.length === 1) await underWay;
    },
    onError: (error) => errors.push(error),
  });
  gathering.add('a', 'one');
  const first = gathering.flush();
  await Promise.resolve();
  gathering.add('b', 'two');
  const last = gathering.flush();
  await Promise.resolve();
  expect(written).toEqual([['one']]);
  fail(new Error('away'));
  await Promise.all([first, last]);
  expect([errors.length, written]).toEqual([1, [['one'], ['two', 'one']]]);
});
