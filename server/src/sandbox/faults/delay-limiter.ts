// Simulated latencies in progress. Each holds a request and its connection, so their number is limited per app and in
// total.
import type { EventEmitter } from 'node:events';

/** A response. It closes when its client disconnects, and may be closed already. */
type ClosableResponse = EventEmitter & { destroyed: boolean };

interface DelayLimiter {
  /**
   * Waits for the given time. Returns false immediately if the limit is reached. Ends early if the client disconnects.
   */
  wait(appId: string, ms: number, caller: ClosableResponse): Promise<boolean>;
  /** Ends all waits early, and later ones immediately, so that a shutdown does not wait for simulated latencies. */
  endAll(): void;
}

export function createDelayLimiter(max: { perApp: number; total: number }): DelayLimiter {
  const counts = new Map<string, number>();
  const ends = new Set<() => void>();
  let isEnded = false;

  return {
    async wait(appId, ms, caller) {
      if (isEnded || caller.destroyed) return true;
      const ofApp = counts.get(appId) ?? 0;
      if (ofApp >= max.perApp || ends.size >= max.total) return false;
      counts.set(appId, ofApp + 1);
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          caller.off('close', end);
          ends.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        ends.add(end);
        caller.once('close', end);
      });
      const remaining = (counts.get(appId) ?? 1) - 1;
      if (remaining === 0) counts.delete(appId);
      else counts.set(appId, remaining);
      return true;
    },
    endAll() {
      isEnded = true;
      for (const end of ends) end();
    },
  };
}
