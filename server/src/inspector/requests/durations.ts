// Percentiles of durations. Each duration is counted in a step of a sixteenth of a doubling, so the stored counts do
// not grow with the number of requests. A percentile is the middle of its step, at most 2.2 % from the actual duration.
// Pure.
import { describedObject, type Static, Type } from '../../kit/http/schema.ts';

const STEPS_PER_DOUBLING = 16;
/** The step of a duration in microseconds is its natural logarithm times this factor, rounded down. */
export const STEPS_PER_E = STEPS_PER_DOUBLING / Math.LN2;

const ms = (description: string) => Type.Number({ minimum: 0, description });

export const Durations = describedObject('Durations in milliseconds, each accurate to within 2.2 %.', {
  p50Ms: ms('50th percentile.'),
  p95Ms: ms('95th percentile.'),
  p99Ms: ms('99th percentile.'),
});

/** The number of durations in each step. */
export type StepCounts = Readonly<Record<string, number>>;

/** Returns the percentiles, or undefined if nothing was counted. */
export function toDurations(counts: StepCounts): Static<typeof Durations> | undefined {
  let total = 0;
  const steps = Object.entries(counts)
    .map(([step, count]) => ({ step: Number(step), count }))
    .sort((a, b) => a.step - b.step)
    .map(({ step, count }) => {
      total += count;
      return { step, upTo: total };
    });
  if (total === 0) return undefined;
  const msAt = (share: number): number => {
    const { step } = steps.find(({ upTo }) => upTo >= total * share) ?? { step: 0 };
    return Math.round(2 ** ((step + 0.5) / STEPS_PER_DOUBLING)) / 1000;
  };
  return { p50Ms: msAt(0.5), p95Ms: msAt(0.95), p99Ms: msAt(0.99) };
}
