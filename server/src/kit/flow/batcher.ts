// Callers join the open batch; while a fixed small number of batches is in flight the open one collects; when one
// returns, the next leaves. So the database sees at most that many queries from a node, whatever the load, and an
// idle system adds no wait. A batch that has left is closed: nobody ever shares a running look-up, because its
// snapshot may be older than the request that would share it.

import { createHistogram, type HistogramReading } from '../telemetry/histogram.ts';
import { monotonicMs } from './clock.ts';

export interface Batcher<Item, Result> {
  /** Resolves with this item's result; rejects when the batch fails or is not answered within the deadline. */
  join(item: Item): Promise<Result>;
  /** For monitoring: since its start. */
  measures(): BatchMeasures;
}

export interface BatchMeasures {
  inFlight: number;
  /** Items without an answer yet, in flight or not. */
  waiting: number;
  /** Of the batches that left, in items. */
  sizes: HistogramReading;
  /** How long those took that have returned. */
  durationsMs: HistogramReading;
}

const SIZE_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const DURATION_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export interface BatcherOptions<Item, Result> {
  /** Answers a whole batch, one result per item in the same order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  maxInFlight: number;
  maxSize: number;
  /**
   * Counted from the first item's joining, so that waiting behind a frozen batch is bounded too; and only while the event loop turns:
   * an answer that lay in the socket while a burst of requests was parsed is not late.
   */
  deadlineMs: number;
  /** The error of a batch that missed its deadline. */
  late(): Error;
}

interface Waiter<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** The deadline is looked at so often. A loop that stood still has looked once, for however long it did. */
const TICKS = 8;

interface Batch<Item, Result> {
  waiters: Waiter<Item, Result>[];
  ticksLeft: number;
  isSettled: boolean;
}

export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  type Open = Batch<Item, Result>;
  const waiting: Open[] = [];
  let inFlight = 0;
  const running = new Set<Open>();
  const tickMs = options.deadlineMs / TICKS;
  let timer: NodeJS.Timeout | undefined;
  const sizes = createHistogram(SIZE_BOUNDS);
  const durationsMs = createHistogram(DURATION_BOUNDS_MS);

  function open(): Open {
    const last = waiting.at(-1);
    if (last && last.waiters.length < options.maxSize) return last;
    const batch: Open = { waiters: [], ticksLeft: TICKS, isSettled: false };
    waiting.push(batch);
    return batch;
  }

  function settle(batch: Open, outcome: (waiter: Waiter<Item, Result>, index: number) => void): void {
    if (batch.isSettled) return;
    batch.isSettled = true;
    batch.waiters.forEach(outcome);
  }

  // One timer for all batches: a timer per request would cost more than the request's own bookkeeping.
  // What one look is late the next one comes sooner by, or eight looks of a busy process were a fifth later than the deadline.
  function watch(lateMs = 0): void {
    if (timer) return;
    const inMs = Math.max(tickMs - lateMs, tickMs / 2);
    const dueMs = monotonicMs() + inMs;
    timer = setTimeout(() => {
      timer = undefined;
      for (const batch of [...running, ...waiting]) {
        batch.ticksLeft -= 1;
        if (batch.ticksLeft === 0) settle(batch, (waiter) => waiter.reject(options.late()));
      }
      while (waiting[0]?.isSettled) waiting.shift();
      if (running.size + waiting.length > 0) watch(monotonicMs() - dueMs);
    }, inMs);
    timer.unref();
  }

  async function leave(batch: Open): Promise<void> {
    running.add(batch);
    sizes.note(batch.waiters.length);
    const leftAtMs = monotonicMs();
    try {
      const results = await options.run(batch.waiters.map((waiter) => waiter.item));
      settle(batch, (waiter, index) => waiter.resolve(results[index] as Result)); // run promises one per item
    } catch (error) {
      settle(batch, (waiter) => waiter.reject(error));
    } finally {
      running.delete(batch);
      durationsMs.note(monotonicMs() - leftAtMs);
      inFlight -= 1;
      schedule();
    }
  }

  function dispatch(): void {
    while (inFlight < options.maxInFlight) {
      const batch = waiting.shift();
      if (!batch) return;
      if (batch.isSettled) continue;
      inFlight += 1;
      void leave(batch);
    }
  }

  // Once per turn of the event loop, after everything that has arrived was read: requests that were parsed in one turn
  // leave together, also those that came in beside the answer to the batch before them.
  let isDispatchDue = false;
  function schedule(): void {
    if (isDispatchDue) return;
    isDispatchDue = true;
    setImmediate(() => {
      isDispatchDue = false;
      dispatch();
    });
  }

  return {
    join(item) {
      return new Promise<Result>((resolve, reject) => {
        open().waiters.push({ item, resolve, reject });
        watch();
        if (inFlight < options.maxInFlight) schedule();
      });
    },
    measures() {
      const unsettled = [...running, ...waiting].filter((batch) => !batch.isSettled);
      const items = unsettled.reduce((sum, batch) => sum + batch.waiters.length, 0);
      return { inFlight, waiting: items, sizes: sizes.read(), durationsMs: durationsMs.read() };
    },
  };
}
