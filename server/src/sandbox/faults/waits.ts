// Simulated latencies under way. Each holds a request and its connection, so that they are bounded in number: one app's,
// and those of all apps together.
import type { EventEmitter } from 'node:events';

/** A response: it closes with whoever waits for it, and may have closed before. */
type Leaving = EventEmitter & { destroyed: boolean };

export interface Waits {
  /** False, at once, when there are as many as there may be. Whoever has gone is waited for no longer. */
  wait(appId: string, ms: number, caller: Leaving): Promise<boolean>;
  /** Ends all of them early, and those to come at once: a server that stops waits for nothing simulated. */
  endAll(): void;
}

export function createWaits(max: { perApp: number; total: number }): Waits {
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
      const left = (counts.get(appId) ?? 1) - 1;
      if (left === 0) counts.delete(appId);
      else counts.set(appId, left);
      return true;
    },
    endAll() {
      isEnded = true;
      for (const end of ends) end();
    },
  };
}
