// Long-running responses: limits the open ones per key and kind, and ends all of them at shutdown.
import { KeyedSemaphore } from '../flow/keyed-semaphore.ts';

export interface OpenStream {
  /** Returns true if the stream was closed, or if the server shuts down. */
  hasEnded(): boolean;
  /** Resolves early if the stream ends. */
  pause(ms: number): Promise<void>;
  close(): void;
}

export interface OpenStreams<Kind extends string> {
  /** Returns undefined if the key has as many open streams of this kind as the kind allows. */
  open(kind: Kind, key: string): OpenStream | undefined;
  endAll(): void;
}

/** Creates the limiter. `limits` is the maximum number of open streams of each kind per key. */
export function createOpenStreams<Kind extends string>(limits: Readonly<Record<Kind, number>>): OpenStreams<Kind> {
  const places = new Map(Object.entries<number>(limits).map(([kind, limit]) => [kind, new KeyedSemaphore({ limit })]));
  const pauses = new Set<() => void>();
  let isStopped = false;

  function openOne(release: () => void): OpenStream {
    let isClosed = false;
    let endPause = (): void => {};
    const hasEnded = (): boolean => isClosed || isStopped;
    return {
      hasEnded,
      pause: (ms) =>
        new Promise((resolve) => {
          if (hasEnded()) return resolve();
          const timer = setTimeout(() => endPause(), ms);
          endPause = () => {
            clearTimeout(timer);
            pauses.delete(endPause);
            resolve();
          };
          pauses.add(endPause);
        }),
      close() {
        release();
        isClosed = true;
        endPause();
      },
    };
  }

  return {
    open(kind, key) {
      const release = places.get(kind)?.tryAcquire(key);
      return release && openOne(release);
    },
    endAll() {
      isStopped = true;
      for (const end of pauses) end();
    },
  };
}
