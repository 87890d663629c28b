// Divides the slots of one destination host among requests by the speed of their receivers. Slow receivers leave
// slots to fast ones on the same host.

/**
 * The class of a receiver by the duration of its requests: `slow` above SLOW_AFTER_MS, `unknown` before the first one
 * has ended.
 */
export type ReceiverSpeed = 'fast' | 'unknown' | 'slow';

/** A request that takes longer than this, in milliseconds, is slow. */
export const SLOW_AFTER_MS = 250;

/** `hanging`: began as fast or unknown and has lasted for longer than SLOW_AFTER_MS; it has given up its slot. */
export type SpeedCounts = Record<ReceiverSpeed | 'hanging', number>;

export const noCounts = (): SpeedCounts => ({ fast: 0, unknown: 0, slow: 0, hanging: 0 });

/**
 * Divides 32 slots so that slow requests take at most 16 and unknown ones at most 4. At least 12 remain for fast ones.
 * A request that hangs has no slot. At most 64 are in flight in all, which must be more than one sender may have.
 */
export function createHostBudget(slots: number) {
  const slow = Math.max(1, Math.floor(slots / 2));
  const unknown = Math.max(1, Math.floor(slots / 8));
  const fast = Math.max(1, slots - slow - unknown);
  const hard = 2 * slots;
  return {
    /** Returns whether another request of this speed may be in flight. */
    hasSlot(counts: SpeedCounts, speed: ReceiverSpeed): boolean {
      const held = counts.fast + counts.unknown + counts.slow;
      const all = held + counts.hanging;
      if (all >= hard || held >= slots) return false;
      if (speed === 'slow') return counts.slow < slow;
      return speed === 'fast' || (counts.unknown < unknown && counts.unknown + counts.hanging < hard - slow - fast);
    },
  };
}
