// Divides the places of one destination host among requests by the speed of their receivers. Slow receivers leave
// places to fast ones on the same host.

/**
 * The class of a receiver by the duration of its requests: `slow` above SLOW_AFTER_MS, `unknown` before the first one
 * has ended.
 */
export type ReceiverSpeed = 'fast' | 'unknown' | 'slow';

/** A request that takes longer than this, in milliseconds, is slow. */
export const SLOW_AFTER_MS = 250;

/** `hanging`: began as fast or unknown and has lasted for longer than SLOW_AFTER_MS; it has given up its place. */
export type SpeedCounts = Record<ReceiverSpeed | 'hanging', number>;

export const noCounts = (): SpeedCounts => ({ fast: 0, unknown: 0, slow: 0, hanging: 0 });

/**
 * Divides 32 places so that slow requests take at most 16 and unknown ones at most 4. At least 12 remain for fast ones.
 * A request that hangs has no place. At most 64 are in flight in all, which must be more than one sender may
 * have.
 */
export function createHostBudget(places: number) {
  const slow = Math.max(1, Math.floor(places / 2));
  const unknown = Math.max(1, Math.floor(places / 8));
  const fast = Math.max(1, places - slow - unknown);
  const hard = 2 * places;
  return {
    /** Returns whether another request of this speed may be in flight. */
    hasRoom(counts: SpeedCounts, speed: ReceiverSpeed): boolean {
      const placed = counts.fast + counts.unknown + counts.slow;
      const all = placed + counts.hanging;
      if (all >= hard || placed >= places) return false;
      if (speed === 'slow') return counts.slow < slow;
      return speed === 'fast' || (counts.unknown < unknown && counts.unknown + counts.hanging < hard - slow - fast);
    },
  };
}
