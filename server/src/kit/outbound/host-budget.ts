// Divides the places of one destination host among requests by how fast their receivers answer, so that slow receivers
// leave places to fast ones on the same host.

/** By how long a receiver's requests take: `slow` above SLOW_AFTER_MS, `unknown` before the first one has ended. */
export type Speed = 'fast' | 'unknown' | 'slow';

/** A request that takes longer than this, in milliseconds, is slow. */
export const SLOW_AFTER_MS = 250;

export type SpeedCounts = Record<Speed, number>;

export const noCounts = (): SpeedCounts => ({ fast: 0, unknown: 0, slow: 0 });

/**
 * Of 32 places slow requests take at most 16 and unknown ones at most 4, so that at least 12 remain for fast ones. A request
 * that turns slow gives up its place and counts as slow from then on, also beyond the 16: at most 48 are in flight in all.
 */
export function createHostBudget(places: number) {
  const slow = Math.max(1, Math.floor(places / 2));
  const unknown = Math.max(1, Math.floor(places / 8));
  const fast = Math.max(1, places - slow - unknown);
  const hard = Math.ceil(places * 1.5);
  return {
    /** Whether one more request of this speed may be in flight. */
    hasRoom(counts: SpeedCounts, speed: Speed): boolean {
      const others = counts.unknown + counts.slow;
      if (counts.fast + others >= hard) return false;
      if (counts.fast + counts.unknown + Math.min(counts.slow, slow) >= places) return false;
      if (speed === 'slow') return counts.slow < slow;
      return speed === 'fast' || (counts.unknown < unknown && others < hard - fast);
    },
  };
}
