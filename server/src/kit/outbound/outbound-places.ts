// How many requests may be on their way to one host at a time.
import type { StopSignal } from './stop-signal.ts';

type Release = () => void;

/** At most `limit` holders per key, in order of arrival; a wait ends without a place when its signal fires. */
export const createPlaces = (limit: number) => {
  const hosts = new Map<string, { taken: number; waiting: Set<() => void> }>();
  const release = (key: string): void => {
    const host = hosts.get(key);
    if (host === undefined) return;
    const [next] = host.waiting;
    if (next !== undefined) {
      next(); // the place passes on, so the count stays
      return;
    }
    host.taken -= 1;
    if (host.taken === 0) hosts.delete(key);
  };
  const hostOf = (key: string) => {
    const host = hosts.get(key) ?? { taken: 0, waiting: new Set() };
    hosts.set(key, host);
    return host;
  };
  /** Undefined when none is free. */
  const take = (key: string): Release | undefined => {
    const host = hostOf(key);
    if (host.taken >= limit) return undefined;
    host.taken += 1;
    return () => release(key);
  };
  const wait = (key: string, signal: StopSignal): Promise<Release | undefined> => {
    const host = hostOf(key);
    return new Promise((resolve) => {
      const leave = () => {
        host.waiting.delete(enter);
        resolve(undefined);
      };
      const enter = () => {
        host.waiting.delete(enter);
        signal.removeEventListener('abort', leave);
        resolve(() => release(key));
      };
      host.waiting.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  };
  return { take, wait };
};
