// Simulated latencies under way. Each holds a request and its connection, so that they are bounded in number: one app's,
// and those of all apps together.
import type { EventEmitter } from 'node:events';

export interface Waits {
  /** False, at once, when there are as many as there may be. Whoever has gone is waited for no longer. */
  wait(appId: string, ms: number, gone: EventEmitter): Promise<boolean>;
  /** Ends all of them early, and those to come at once: a server that stops waits for nothing simulated. */
  endAll(): void;
}

export function createWaits(max: { perApp: number; total: number }): Waits {
  const counts = new Map<string, number>();
  const ends = new Set<() => void>();
  let isEnded = false;

  return {
    async wait(appId, ms, gone) {
      if (isEnded) return true;
      const ofApp = counts.get(appId) ?? 0;
      if (ofApp >= max.perApp || ends.size >= max.total) return false;
      counts.set(appId, ofApp + 1);
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          gone.off('close', end);
          ends.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        ends.add(end);
        gone.once('close', end);
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
