// Aggregates data that is worth storing but not worth waiting for. The data is gathered in memory, one entry per key,
// and written every few seconds for all keys together. A process that dies loses at most the entries since the last
// write. A request never waits for it.

interface Aggregator<T> {
  add(key: string, entry: T): void;
  /** Writes the gathered entries. Never rejects: entries that cannot be written are kept for the next time. */
  flush(): Promise<void>;
}

const FLUSH_AFTER_MS = 5_000;

interface AggregatorOptions<T> {
  /** Merges two entries of one key, in any order. */
  merge(one: T, other: T): T;
  write(entries: readonly T[]): Promise<void>;
  onError(error: unknown): void;
  flushAfterMs?: number;
}

export function createAggregator<T>({
  merge,
  write,
  onError,
  flushAfterMs = FLUSH_AFTER_MS,
}: AggregatorOptions<T>): Aggregator<T> {
  let gathered = new Map<string, T>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function add(key: string, entry: T): void {
    const existing = gathered.get(key);
    gathered.set(key, existing === undefined ? entry : merge(existing, entry));
    timer ??= setTimeout(() => void flush(), flushAfterMs).unref();
  }

  // Writes run one after the other. So the last flush of a process waits for a write in progress, and repeats a failed
  // one.
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeGathered);
    return writing;
  }

  async function writeGathered(): Promise<void> {
    const due = gathered;
    gathered = new Map();
    if (due.size === 0) return;
    try {
      await write([...due.values()]);
    } catch (error) {
      onError(error);
      for (const [key, entry] of due) add(key, entry);
    }
  }

  return { add, flush };
}
