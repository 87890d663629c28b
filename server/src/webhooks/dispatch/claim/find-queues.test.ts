import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Queryable } from '../../../kit/db/db.ts';
import { createQueueFinder } from './find-queues.ts';
import type { DueQueueRow, QueuePlan } from './queue-plan.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const queue = (endpoint_id: string, rest: Partial<DueQueueRow> = {}) => ({
  app_id: 'an app',
  endpoint_id,
  url: 'https://receiver.example.org/',
  rate_per_second: null,
  wait_ms: 0,
  ...rest,
});
const dealt = (endpointId: string, slots: number, ratePerSecond: number | null = null): QueuePlan => {
  return { appId: 'an app', endpointId, slots, ratePerSecond };
};
const taken = (endpointId: string, count: number) => ({
  claims: Array.from({ length: count }, () => ({ row: queue(endpointId) })),
  refused: new Map<string, number>(),
  isRateNew: false,
});

/** Returns a finder over a database with these queues, and the number of its searches. */
function opened(queues: readonly DueQueueRow[], whileAsked: () => unknown = () => {}) {
  const wake = vi.fn();
  const query = vi.fn(async () => {
    await whileAsked();
    return queues;
  });
  const finder = createQueueFinder({ query } as unknown as Queryable, wake); // it uses nothing else of the database
  return { finder, wake, looks: () => query.mock.calls.length };
}

test('the result of a search serves rounds for a tenth of a second', async () => {
  const { finder, looks } = opened([queue('a'), queue('b')]);
  expect((await finder.find()).isOld).toBe(false);
  vi.advanceTimersByTime(99);
  expect(await finder.find()).toEqual({
    due: [queue('a'), queue('b')],
    isOld: true,
    isNamed: false,
    mustSearchAgain: false,
  });
  vi.advanceTimersByTime(1);
  expect([(await finder.find()).isOld, looks()]).toEqual([false, 2]);
});

test.each([
  ['twenty times as long as the look took', 10, 200],
  ['half a second at most', 60, 500],
])('a slow search serves rounds for %s', async (_, lookMs, servesMs) => {
  const { finder } = opened([queue('a')], () => vi.advanceTimersByTime(lookMs));
  await finder.find();
  vi.advanceTimersByTime(servesMs - lookMs - 1);
  expect((await finder.find()).isOld).toBe(true);
  vi.advanceTimersByTime(1);
  expect((await finder.find()).isOld).toBe(false);
});

test('a wake-up makes the next round search, also a wake-up during a search', async () => {
  const { finder, looks } = opened([queue('a')]);
  await finder.find();
  finder.forget();
  expect([(await finder.find()).isOld, looks()]).toEqual([false, 2]);
  const hinted = opened([queue('a')], () => hinted.finder.forget());
  await hinted.finder.find();
  expect([(await hinted.finder.find()).isOld, hinted.looks()]).toEqual([false, 2]);
});

test('a queue with fewer deliveries than it had slots for is dropped, and the next round searches when no queue is left', async () => {
  const { finder } = opened([queue('a'), queue('b')]);
  await finder.find();
  finder.note([dealt('a', 2), dealt('b', 2)], { ...taken('a', 2), refused: new Map([['b', 1]]) });
  expect([(await finder.find()).due, finder.isExhausted()]).toEqual([[queue('a')], false]);
  finder.note([dealt('a', 2)], { ...taken('a', 0), refused: new Map([['a', 2]]) });
  expect(finder.isExhausted()).toBe(false);
  finder.note([dealt('a', 2)], taken('a', 1));
  expect([finder.isExhausted(), (await finder.find()).isOld]).toEqual([true, false]);
});

test('a queue whose rate is used up is searched again, and a round follows when the rate allows an attempt', async () => {
  const rated = queue('a', { rate_per_second: 10, wait_ms: 40 });
  const { finder, wake, looks } = opened([rated, queue('b')]);
  await finder.find();
  finder.note([dealt('a', 2, 10), dealt('b', 1)], taken('b', 1));
  expect([finder.isExhausted(), (await finder.find()).isOld]).toEqual([true, false]);
  vi.advanceTimersByTime(39);
  expect([wake.mock.calls.length, (await finder.find()).isOld]).toEqual([0, true]);
  vi.advanceTimersByTime(1);
  expect([wake.mock.calls.length, (await finder.find()).isOld, looks()]).toEqual([1, false, 3]);
});

test('each round gets another page of queues if there is more than one page, and no queue twice', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => queue(String(index)));
  const { finder } = opened(many);
  expect(await finder.find()).toMatchObject({ isOld: false, mustSearchAgain: false });
  expect(await finder.find()).toMatchObject({ isOld: false });
});

describe('wake-up that names endpoints', () => {
  /** Returns a finder that has searched, found nothing, and knows these queues. */
  async function searched(...known: string[]) {
    const opening = opened([]);
    await opening.finder.find();
    for (const id of known) opening.finder.note([dealt(id, 1)], taken(id, 1));
    return opening;
  }

  test('a named known queue is claimed without a search, and is dropped when it is used up', async () => {
    const { finder, looks } = await searched('a', 'b');
    finder.add(['a']);
    expect(await finder.find()).toEqual({ due: [queue('a')], isOld: false, isNamed: true, mustSearchAgain: false });
    finder.note([dealt('a', 2)], taken('a', 1));
    expect([finder.hasNamed(), looks()]).toEqual([false, 1]);
  });

  test('a named unknown endpoint makes the next round search', async () => {
    const { finder, looks } = await searched('a');
    finder.add(['a', 'b']);
    expect([(await finder.find()).isNamed, looks()]).toEqual([false, 2]);
  });

  test('a named endpoint with a new rate makes the next round search', async () => {
    const { finder, looks } = await searched('a');
    finder.note([dealt('a', 1)], { ...taken('a', 0), claims: [{ row: { ...queue('a'), rate_per_second: 5 } }] });
    finder.add(['a']);
    expect([(await finder.find()).isNamed, looks()]).toEqual([false, 2]);
  });

  test('a claim that finds a rate makes the next round search', async () => {
    const { finder, looks } = await searched('a');
    finder.add(['a']);
    await finder.find();
    finder.note([dealt('a', 1)], { ...taken('a', 0), isRateNew: true });
    expect([(await finder.find()).isNamed, looks()]).toEqual([false, 2]);
  });

  test('a named queue stays for the next round if the round took all that it had slots for, or gave it no slot', async () => {
    const { finder } = await searched('a', 'b', 'c');
    finder.add(['a', 'b', 'c']);
    await finder.find();
    finder.note([dealt('a', 2), dealt('c', 2)], taken('a', 2));
    expect((await finder.find()).due.map(({ endpoint_id }) => endpoint_id)).toEqual(['a', 'b']);
  });

  test('a queue that is named again during its round stays for the next round', async () => {
    const { finder } = await searched('a');
    finder.add(['a']);
    await finder.find();
    finder.add(['a']);
    finder.note([dealt('a', 2)], taken('a', 1));
    expect(await finder.find()).toMatchObject({ due: [queue('a')], isNamed: true });
  });

  test('a queue that is named before a search is added to its result', async () => {
    const { finder } = opened([queue('b')], () => finder.add(['a', 'b']));
    finder.note([], taken('a', 1));
    finder.note([], taken('b', 1));
    expect((await finder.find()).due).toEqual([queue('b'), queue('a')]);
  });

  test('a named queue joins the queues of the last search while those are served', async () => {
    const { finder, looks } = opened([queue('b')]);
    finder.note([dealt('a', 1)], taken('a', 1));
    await finder.find();
    finder.add(['a', 'b']);
    expect([await finder.find(), looks()]).toMatchObject([{ due: [queue('b'), queue('a')], isNamed: false }, 1]);
  });

  test('named queues are served once before the search that a backlog needs', async () => {
    const { finder, looks } = opened([queue('b')]);
    finder.note([], taken('a', 1));
    await finder.find();
    vi.advanceTimersByTime(100);
    finder.add(['a']);
    expect(await finder.find()).toEqual({ due: [queue('a')], isOld: false, isNamed: true, mustSearchAgain: true });
    finder.note([dealt('a', 2)], taken('a', 1));
    finder.add(['a']);
    expect([(await finder.find()).due, looks()]).toEqual([[queue('b'), queue('a')], 2]);
    vi.advanceTimersByTime(100);
    finder.add(['a']);
    expect([(await finder.find()).isNamed, looks()]).toEqual([true, 2]);
  });

  test('named queues do not delay the next search by more than half a second, and a round is woken for it', async () => {
    const { finder, looks, wake } = await searched('a');
    finder.add(['a']);
    await finder.find();
    vi.advanceTimersByTime(499);
    finder.add(['a']);
    expect([(await finder.find()).isNamed, wake.mock.calls.length]).toEqual([true, 0]);
    vi.advanceTimersByTime(1);
    expect([wake.mock.calls.length, (await finder.find()).isNamed, looks()]).toEqual([1, false, 2]);
  });
});
