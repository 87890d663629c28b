// Batches requests. Callers join the open batch while a fixed number of batches is in flight. When one returns, the
// open one is sent. So the database gets at most that many concurrent queries from a node, whatever the load, and an
// idle system adds no wait. A batch that was sent is closed: callers never share a running query, because its snapshot
// may be older than their request.

import { createHistogram, type HistogramReading } from '../telemetry/histogram.ts';
import { monotonicMs } from './clock.ts';

export interface Batcher<Item, Result> {
  /** Resolves with this item's result. Rejects if the batch fails or gets no response within the deadline. */
  join(item: Item): Promise<Result>;
  /** Returns measurements since the start, for monitoring. */
  measures(): BatchMeasures;
}

export interface BatchMeasures {
  inFlight: number;
  /** Items without a result, in flight or not. */
  waiting: number;
  /** Sizes of the sent batches, in items. */
  sizes: HistogramReading;
  /** Durations of the batches that returned. */
  durationsMs: HistogramReading;
}

const SIZE_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const DURATION_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export interface BatcherOptions<Item, Result> {
  /** Runs a whole batch. Returns one result per item in the same order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  maxInFlight: number;
  maxSize: number;
  /**
   * Counts from the time at which the first item joined, so it also limits the wait behind a stalled batch. Counts only
   * while the event loop turns: a response that lay in the socket while a burst of requests was parsed is not late.
   */
  deadlineMs: number;
  /** Returns the error of a batch that missed its deadline. */
  timeoutError(): Error;
}

interface Waiter<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Checks per deadline. An event loop that stood still counts as one check, however long it stood still. */
const TICKS = 8;

interface Batch<Item, Result> {
  waiters: Waiter<Item, Result>[];
  ticksLeft: number;
  isSettled: boolean;
}

export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  type OpenBatch = Batch<Item, Result>;
  const waiting: OpenBatch[] = [];
  let inFlight = 0;
  const running = new Set<OpenBatch>();
  const tickMs = options.deadlineMs / TICKS;
  let timer: NodeJS.Timeout | undefined;
  const sizes = createHistogram(SIZE_BOUNDS);
  const durationsMs = createHistogram(DURATION_BOUNDS_MS);

  function open(): OpenBatch {
    const last = waiting.at(-1);
    if (last && last.waiters.length < options.maxSize) return last;
    const batch: OpenBatch = { waiters: [], ticksLeft: TICKS, isSettled: false };
    waiting.push(batch);
    return batch;
  }

  function settle(batch: OpenBatch, outcome: (waiter: Waiter<Item, Result>, index: number) => void): void {
    if (batch.isSettled) return;
    batch.isSettled = true;
    batch.waiters.forEach(outcome);
  }

  // One timer for all batches, because a timer per request would cost more than the request's own bookkeeping. A late
  // check makes the next one earlier. Otherwise, the eighth check of a busy process came a fifth after the deadline.
  function watch(lateMs = 0): void {
    if (timer) return;
    const inMs = Math.max(tickMs - lateMs, tickMs / 2);
    const dueMs = monotonicMs() + inMs;
    timer = setTimeout(() => {
      timer = undefined;
      for (const batch of [...running, ...waiting]) {
        batch.ticksLeft -= 1;
        if (batch.ticksLeft === 0) settle(batch, (waiter) => waiter.reject(options.timeoutError()));
      }
      while (waiting[0]?.isSettled) waiting.shift();
      if (running.size + waiting.length > 0) watch(monotonicMs() - dueMs);
    }, inMs);
    timer.unref();
  }

  async function send(batch: OpenBatch): Promise<void> {
    running.add(batch);
    sizes.record(batch.waiters.length);
    const sentAtMs = monotonicMs();
    try {
      const results = await options.run(batch.waiters.map((waiter) => waiter.item));
      settle(batch, (waiter, index) => waiter.resolve(results[index] as Result)); // run returns one per item
    } catch (error) {
      settle(batch, (waiter) => waiter.reject(error));
    } finally {
      running.delete(batch);
      durationsMs.record(monotonicMs() - sentAtMs);
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
      void send(batch);
    }
  }

  // Once per turn of the event loop, after all input was read. Requests that were parsed in one turn are sent together,
  // even those that arrived with the response to the previous batch.
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
