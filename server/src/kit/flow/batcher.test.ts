// The authority of every request relies on three properties. No caller joins a batch that was sent, few batches are in
// flight, and no caller waits longer than the deadline.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BatcherOptions, createBatcher } from './batcher.ts';

class Late extends Error {}

interface SentBatch {
  items: readonly string[];
  land(results?: readonly string[]): void;
  crash(error: Error): void;
}

// Holds each batch that was sent until the test returns its results.
function startBatcher(changes: Partial<BatcherOptions<string, string>> = {}) {
  const flights: SentBatch[] = [];
  const batcher = createBatcher<string, string>({
    maxInFlight: 2,
    maxSize: 3,
    deadlineMs: 800,
    timeoutError: () => new Late('late'),
    run: (items) =>
      new Promise((resolve, reject) => {
        flights.push({ items, land: (results = items.map((item) => `${item}!`)) => resolve(results), crash: reject });
      }),
    ...changes,
  });
  return { batcher, flights, items: () => flights.map((flight) => flight.items.join()) };
}

// Two turns of the event loop: a result in the first one lets the next batch leave at its end.
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const outcome = (promise: Promise<string>): Promise<string> =>
  promise.catch((error: Error) => (error instanceof Late ? 'late' : error.message));

describe('joining a batch', () => {
  test('callers of the same turn leave together, and each gets the result of its own item', async () => {
    const { batcher, flights, items } = startBatcher();
    const all = Promise.all(['a', 'b', 'c'].map((item) => batcher.join(item)));
    await turn();
    expect(items()).toEqual(['a,b,c']);
    flights[0]?.land(['1', '2', '3']);
    expect(await all).toEqual(['1', '2', '3']);
  });

  test('a caller never joins a batch that was sent, not even with the same item', async () => {
    const { batcher, flights, items } = startBatcher();
    const first = batcher.join('key');
    await turn();
    const second = batcher.join('key');
    await turn();
    expect(items()).toEqual(['key', 'key']);
    flights[0]?.land(['before the revoke']);
    flights[1]?.land(['after the revoke']);
    expect(await Promise.all([first, second])).toEqual(['before the revoke', 'after the revoke']);
  });

  test('items are collected while the permitted number of batches is in flight, and leave when one returns', async () => {
    const { batcher, flights, items } = startBatcher();
    const answers: Promise<string>[] = [];
    for (const item of ['a', 'b', 'c', 'd']) {
      answers.push(batcher.join(item));
      await turn();
    }
    expect(items()).toEqual(['a', 'b']);
    flights[1]?.land();
    await turn();
    expect(items()).toEqual(['a', 'b', 'c,d']);
    flights[0]?.land();
    flights[2]?.land();
    expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!']);
  });

  test('the number and size of batches never exceed their limits, and no item is lost, however many join', async () => {
    let inFlight = 0;
    let most = 0;
    const sizes: number[] = [];
    const batcher = createBatcher<number, number>({
      maxInFlight: 2,
      maxSize: 7,
      deadlineMs: 60_000,
      timeoutError: () => new Late(),
      async run(numbers) {
        inFlight += 1;
        most = Math.max(most, inFlight);
        sizes.push(numbers.length);
        await turn();
        inFlight -= 1;
        return numbers.map((number) => number * 2);
      },
    });
    const numbers = Array.from({ length: 500 }, (_, index) => index);
    expect(await Promise.all(numbers.map((number) => batcher.join(number)))).toEqual(
      numbers.map((number) => number * 2),
    );
    expect(most).toBe(2);
    expect(Math.max(...sizes)).toBe(7);
  });
});

describe('failure of a batch', () => {
  test('a failed batch fails its own callers only', async () => {
    const { batcher, flights } = startBatcher();
    const failed = [outcome(batcher.join('a')), outcome(batcher.join('b'))];
    await turn();
    const fine = outcome(batcher.join('c'));
    await turn();
    flights[0]?.crash(new Error('broken'));
    flights[1]?.land();
    expect(await Promise.all([...failed, fine])).toEqual(['broken', 'broken', 'c!']);
    const next = outcome(batcher.join('d'));
    await turn();
    flights[2]?.land();
    expect(await next).toBe('d!');
  });

  test('a failed batch frees its slot for the next', async () => {
    const { batcher, flights, items } = startBatcher({ maxInFlight: 1 });
    const failed = outcome(batcher.join('a'));
    await turn();
    const next = outcome(batcher.join('b'));
    flights[0]?.crash(new Error('broken'));
    expect(await failed).toBe('broken');
    await turn();
    flights[1]?.land();
    expect([await next, ...items()]).toEqual(['b!', 'a', 'b']);
  });
});

describe('deadline of a batch', () => {
  // The test controls the clock. setImmediate stays real, because batches leave by it.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the deadline ends the wait for a batch that does not return', async () => {
    const { batcher } = startBatcher();
    const answer = outcome(batcher.join('a'));
    await turn();
    await vi.advanceTimersByTimeAsync(900);
    expect(await answer).toBe('late');
  });

  test('the deadline counts from joining, so it also limits the wait behind stalled batches', async () => {
    const { batcher, items } = startBatcher();
    const frozen: Promise<string>[] = [];
    for (const item of ['a', 'b']) {
      frozen.push(outcome(batcher.join(item)));
      await turn();
    }
    await vi.advanceTimersByTimeAsync(700);
    const waiting = outcome(batcher.join('c'));
    await vi.advanceTimersByTimeAsync(200);
    expect(await Promise.all(frozen)).toEqual(['late', 'late']);
    let isOver = false;
    void waiting.then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(500); // 700 ms after it joined
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(await waiting).toBe('late');
    expect(items()).toEqual(['a', 'b']);
  });

  test('the deadline does not start again when a batch is sent: the wait and the flight have one limit', async () => {
    const { batcher, flights, items } = startBatcher({ maxInFlight: 1 });
    const first = outcome(batcher.join('a'));
    await turn();
    const waiting = outcome(batcher.join('b'));
    await vi.advanceTimersByTimeAsync(600);
    flights[0]?.land();
    expect(await first).toBe('a!');
    await turn();
    expect(items()).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(300); // 900 ms after it joined, 300 ms after it was sent
    expect(await Promise.race([waiting, turn().then(() => 'still waiting')])).toBe('late');
  });

  test('an item that was given up while it waited is never run, and items that join afterwards are', async () => {
    const { batcher, flights, items } = startBatcher({ maxInFlight: 1 });
    const frozen = outcome(batcher.join('a'));
    await turn();
    const waiting = outcome(batcher.join('b'));
    await vi.advanceTimersByTimeAsync(900);
    expect(await Promise.all([frozen, waiting])).toEqual(['late', 'late']);
    const next = outcome(batcher.join('c'));
    flights[0]?.land();
    await turn();
    expect(items()).toEqual(['a', 'c']);
    flights[1]?.land();
    expect(await next).toBe('c!');
  });

  test('a stalled batch still counts as in flight, so the database does not get more and more queries', async () => {
    const { batcher, items } = startBatcher();
    for (let round = 0; round < 5; round++) {
      void outcome(batcher.join(`${round}`));
      await turn();
      await vi.advanceTimersByTimeAsync(900);
    }
    expect(items()).toHaveLength(2);
  });

  test('the deadline does not come closer while the event loop stands still', async () => {
    vi.useRealTimers();
    const { batcher, flights } = startBatcher({ deadlineMs: 80, maxInFlight: 1 });
    const all = ['a', 'b', 'c', 'd'].map((item) => outcome(batcher.join(item)));
    await turn();
    // As during the parsing of one large segment of input.
    for (const untilMs = performance.now() + 400; performance.now() < untilMs; );
    await turn();
    flights[0]?.land();
    await turn();
    flights[1]?.land();
    expect((await Promise.all(all)).join()).toBe('a!,b!,c!,d!');
  });

  test('a response after the deadline has no effect', async () => {
    const { batcher, flights } = startBatcher();
    const answer = outcome(batcher.join('a'));
    await turn();
    await vi.advanceTimersByTimeAsync(900);
    flights[0]?.land();
    expect(await answer).toBe('late');
  });
});

test('measures the sizes of batches, and the items that wait or are in flight but not those that were given up', async () => {
  const { batcher, flights } = startBatcher({ maxInFlight: 1 });
  const all = ['a', 'b', 'c', 'd'].map((item) => batcher.join(item));
  await turn();
  expect(batcher.measures()).toMatchObject({ inFlight: 1, waiting: 4, sizes: { count: 1, sum: 3 } });
  flights[0]?.land();
  await Promise.all(all.slice(0, 3));
  await turn();
  expect(batcher.measures()).toMatchObject({
    inFlight: 1,
    waiting: 1,
    sizes: { count: 2, sum: 4 },
    durationsMs: { count: 1 },
  });
  flights[1]?.land();
  await all[3];
  await turn();
  expect(batcher.measures()).toMatchObject({ inFlight: 0, waiting: 0, durationsMs: { count: 2 } });
});
