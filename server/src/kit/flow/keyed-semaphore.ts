/** Releases a slot; further calls do nothing. */
export type Release = () => void;

interface SemaphoreOptions {
  /** Maximum number of holders of each key. */
  limit: number;
  /** Milliseconds that a caller of `acquire` waits for a slot. 0 by default. */
  waitMs?: number;
  /** Returns the error of a wait that took too long. */
  timeoutError?(): Error;
}

interface Holders {
  taken: number;
  waiting: Set<() => void>;
}

/**
 * Limits the holders of each key. Callers beyond the limit wait in order of arrival; a key never waits for another key.
 *
 *     const reads = new KeyedSemaphore({ limit: 3, waitMs: 5_000, timeoutError: () => new Error('too many reads') });
 *     await reads.run(ownerId, () => readReport());
 */
export class KeyedSemaphore {
  readonly #options: Required<SemaphoreOptions>;
  readonly #keys = new Map<string, Holders>();

  constructor(options: SemaphoreOptions) {
    this.#options = { waitMs: 0, timeoutError: () => new Error('No slot is free.'), ...options };
  }

  /** Takes a slot if one is free; returns undefined otherwise. */
  tryAcquire(key: string): Release | undefined {
    const holders = this.#keys.get(key) ?? { taken: 0, waiting: new Set() };
    if (holders.taken >= this.#options.limit) return undefined;
    this.#keys.set(key, holders);
    holders.taken += 1;
    return this.#releaseOf(key, holders);
  }

  /** Takes a slot, after a wait if none is free. Rejects with `timeoutError()` if the wait takes too long. */
  async acquire(key: string): Promise<Release> {
    return this.tryAcquire(key) ?? this.#wait(key);
  }

  /** Runs `work` in a slot of the key. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(key);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #wait(key: string): Promise<Release> {
    const holders = this.#keys.get(key);
    if (!holders) throw new Error('No caller waits for a key without holders.');
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve(this.#releaseOf(key, holders));
      };
      const timer = setTimeout(() => {
        holders.waiting.delete(enter);
        reject(this.#options.timeoutError());
      }, this.#options.waitMs);
      holders.waiting.add(enter);
    });
  }

  #releaseOf(key: string, holders: Holders): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = holders.waiting;
      // The slot passes to the first caller in the queue, so no later caller overtakes it.
      if (next) {
        holders.waiting.delete(next);
        next();
        return;
      }
      holders.taken -= 1;
      if (holders.taken === 0) this.#keys.delete(key);
    };
  }
}
