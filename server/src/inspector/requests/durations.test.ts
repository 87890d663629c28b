// Percentiles from counted steps against percentiles from sorted durations.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STEPS_PER_E, toDurations } from './durations.ts';

/** Counts durations per step, as the database does. */
function stepsOf(durationsUs: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const us of durationsUs) {
    const step = Math.floor(Math.log(Math.max(1, us)) * STEPS_PER_E);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
}

/**
 * Returns the percentile by its definition, from the sorted durations: the smallest that is not below this share of
 * all.
 */
function sortedMs(durationsUs: readonly number[], percent: number): number {
  const sorted = durationsUs.toSorted((a, b) => a - b);
  return (sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0) / 1000;
}

test('each percentile is within 2.2 % of the sorted one, from a tenth of a millisecond to days', () => {
  const durations = fc.array(fc.integer({ min: 100, max: 200_000_000_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(durations, (all) => {
      const percentiles = toDurations(stepsOf(all));
      for (const [ms, percent] of [
        [percentiles?.p50Ms, 50],
        [percentiles?.p95Ms, 95],
        [percentiles?.p99Ms, 99],
      ] as const) {
        const truth = sortedMs(all, percent);
        // Rounding adds up to half a microsecond.
        expect(Math.abs((ms ?? 0) - truth)).toBeLessThanOrEqual(truth * 0.022 + 0.0005);
      }
    }),
  );
});

test('toDurations returns undefined without durations', () => expect(toDurations({})).toBeUndefined());
