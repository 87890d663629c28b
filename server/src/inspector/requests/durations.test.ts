// A percentile that is told is no further than it says from the request that it is of.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STEPS_PER_E, toDurations } from './durations.ts';

/** As the database counts them. */
function stepsOf(durationsUs: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const us of durationsUs) {
    const step = Math.floor(Math.log(Math.max(1, us)) * STEPS_PER_E);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
}

/** The smallest that is not shorter than this share of all: the definition, by sorting. */
function sortedMs(durationsUs: readonly number[], percent: number): number {
  const sorted = durationsUs.toSorted((a, b) => a - b);
  return (sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0) / 1000;
}

test('each percentile is within 2.2 % of the one that is found by sorting, from a tenth of a millisecond to days', () => {
  const durations = fc.array(fc.integer({ min: 100, max: 200_000_000_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(durations, (all) => {
      const told = toDurations(stepsOf(all));
      for (const [ms, percent] of [
        [told?.p50Ms, 50],
        [told?.p95Ms, 95],
        [told?.p99Ms, 99],
      ] as const) {
        const truth = sortedMs(all, percent);
        // Half a microsecond is rounded away besides.
        expect(Math.abs((ms ?? 0) - truth)).toBeLessThanOrEqual(truth * 0.022 + 0.0005);
      }
    }),
  );
});

test('of none there are none', () => expect(toDurations({})).toBeUndefined());
