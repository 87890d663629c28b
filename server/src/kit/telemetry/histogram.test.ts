// Durations in the form that monitoring reads.
import { expect, test } from 'vitest';
import { createHistogram } from './histogram.ts';

test('each bucket counts the values up to its bound, and larger values are in the total only', () => {
  const histogram = createHistogram([1, 10]);
  for (const value of [0.5, 1, 3, 10, 11]) histogram.record(value);
  expect(histogram.read()).toEqual({
    buckets: [
      { atMost: 1, count: 2 },
      { atMost: 10, count: 4 },
    ],
    count: 5,
    sum: 25.5,
  });
});
