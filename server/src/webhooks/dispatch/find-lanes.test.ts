import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Queryable } from '../../kit/db/db.ts';
import { createLaneFinder } from './find-lanes.ts';
import type { DueLaneRow, LanePlan } from './lanes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lane = (endpoint_id: string, rest: Partial<DueLaneRow> = {}) => ({
  app_id: 'an app',
  endpoint_id,
  url: 'https://receiver.example.org/',
  rate_per_second: null,
  wait_ms: 0,
  ...rest,
});
const dealt = (endpointId: string, room: number, ratePerSecond: number | null = null): LanePlan => {
  return { appId: 'an app', endpointId, room, ratePerSecond };
};
const taken = (endpointId: string, count: number) => ({
  claims: Array.from({ length: count }, () => ({ row: lane(endpointId) })),
  refused: new Map<string, number>(),
  isRateNew: false,
});

/** A finder in a database that has these lanes, and how often it was asked. */
function opened(lanes: readonly DueLaneRow[], whileAsked: () => unknown = () => {}) {
  const wake = vi.fn();
  const query = vi.fn(async () => {
    await whileAsked();
    return lanes;
  });
  const finder = createLaneFinder({ query } as unknown as Queryable, wake); // nothing else of it is used
  return { finder, wake, looks: () => query.mock.calls.length };
}

test('what was found serves the next rounds for a tenth of a second, and no longer', async () => {
  const { finder, looks } = opened([lane('a'), lane('b')]);
  expect((await finder.find()).isOld).toBe(false);
  vi.advanceTimersByTime(99);
  expect(await finder.find()).toEqual({
    due: [lane('a'), lane('b')],
    isOld: true,
    isNamed: false,
    mustLookAgain: false,
  });
  vi.advanceTimersByTime(1);
  expect([(await finder.find()).isOld, looks()]).toEqual([false, 2]);
});

test.each([
  ['twenty times as long as the look took', 10, 200],
  ['half a second at most', 60, 500],
])('where to look takes long it serves %s', async (_, lookMs, servesMs) => {
  const { finder } = opened([lane('a')], () => vi.advanceTimersByTime(lookMs));
  await finder.find();
  vi.advanceTimersByTime(servesMs - lookMs - 1);
  expect((await finder.find()).isOld).toBe(true);
  vi.advanceTimersByTime(1);
  expect((await finder.find()).isOld).toBe(false);
});

test('a hint has the next round look, also one that comes while somebody looks', async () => {
  const { finder, looks } = opened([lane('a')]);
  await finder.find();
  finder.forget();
  expect([(await finder.find()).isOld, looks()]).toEqual([false, 2]);
  const hinted = opened([lane('a')], () => hinted.finder.forget());
  await hinted.finder.find();
  expect([(await hinted.finder.find()).isOld, hinted.looks()]).toEqual([false, 2]);
});

test('a lane that had less than it was dealt is out; when none is left, the next round looks', async () => {
  const { finder } = opened([lane('a'), lane('b')]);
  await finder.find();
  finder.note([dealt('a', 2), dealt('b', 2)], { ...taken('a', 2), refused: new Map([['b', 1]]) });
  expect([(await finder.find()).due, finder.isUsedUp()]).toEqual([[lane('a')], false]);
  finder.note([dealt('a', 2)], { ...taken('a', 0), refused: new Map([['a', 2]]) });
  expect(finder.isUsedUp()).toBe(false);
  finder.note([dealt('a', 2)], taken('a', 1));
  expect([finder.isUsedUp(), (await finder.find()).isOld]).toEqual([true, false]);
});

test('a rate that is used up is looked at anew, and when it has room again there is a round', async () => {
  const rated = lane('a', { rate_per_second: 10, wait_ms: 40 });
  const { finder, wake, looks } = opened([rated, lane('b')]);
  await finder.find();
  finder.note([dealt('a', 2, 10), dealt('b', 1)], taken('b', 1));
  expect([finder.isUsedUp(), (await finder.find()).isOld]).toEqual([true, false]);
  vi.advanceTimersByTime(39);
  expect([wake.mock.calls.length, (await finder.find()).isOld]).toEqual([0, true]);
  vi.advanceTimersByTime(1);
  expect([wake.mock.calls.length, (await finder.find()).isOld, looks()]).toEqual([1, false, 3]);
});

test('of more lanes than a page holds each round sees another, and none is seen twice', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => lane(String(index)));
  const { finder } = opened(many);
  expect(await finder.find()).toMatchObject({ isOld: false, mustLookAgain: false });
  expect(await finder.find()).toMatchObject({ isOld: false });
});

describe('a wake-up that names endpoints', () => {
  /** A finder that has searched, found nothing, and knows these lanes. */
  async function searched(...known: string[]) {
    const opening = opened([]);
    await opening.finder.find();
    for (const id of known) opening.finder.note([dealt(id, 1)], taken(id, 1));
    return opening;
  }

  test('has the next round claim from a known lane without a search, and a lane that is used up is over', async () => {
    const { finder, looks } = await searched('a', 'b');
    finder.add(['a']);
    expect(await finder.find()).toEqual({ due: [lane('a')], isOld: false, isNamed: true, mustLookAgain: false });
    finder.note([dealt('a', 2)], taken('a', 1));
    expect([finder.hasNamed(), looks()]).toEqual([false, 1]);
  });

  test('has the next round search when one of the endpoints is not known', async () => {
    const { finder, looks } = await searched('a');
    finder.add(['a', 'b']);
    expect([(await finder.find()).isNamed, looks()]).toEqual([false, 2]);
  });

  test('has the next round search when the endpoint got a rate', async () => {
    const { finder, looks } = await searched('a');
    finder.note([dealt('a', 1)], { ...taken('a', 0), claims: [{ row: { ...lane('a'), rate_per_second: 5 } }] });
    finder.add(['a']);
    expect([(await finder.find()).isNamed, looks()]).toEqual([false, 2]);
  });

  test('has the next round search after a claim that found a rate', async () => {
    const { finder, looks } = await searched('a');
    finder.add(['a']);
    await finder.find();
    finder.note([dealt('a', 1)], { ...taken('a', 0), isRateNew: true });
    expect([(await finder.find()).isNamed, looks()]).toEqual([false, 2]);
  });

  test('keeps a lane for the next round when the round took all that it had room for, or gave it none', async () => {
    const { finder } = await searched('a', 'b', 'c');
    finder.add(['a', 'b', 'c']);
    await finder.find();
    finder.note([dealt('a', 2), dealt('c', 2)], taken('a', 2));
    expect((await finder.find()).due.map(({ endpoint_id }) => endpoint_id)).toEqual(['a', 'b']);
  });

  test('keeps a lane that is named again while its round runs', async () => {
    const { finder } = await searched('a');
    finder.add(['a']);
    await finder.find();
    finder.add(['a']);
    finder.note([dealt('a', 2)], taken('a', 1));
    expect(await finder.find()).toMatchObject({ due: [lane('a')], isNamed: true });
  });

  test('adds the lane to a search that began before it', async () => {
    const { finder } = opened([lane('b')], () => finder.add(['a', 'b']));
    finder.note([], taken('a', 1));
    finder.note([], taken('b', 1));
    expect((await finder.find()).due).toEqual([lane('b'), lane('a')]);
  });

  test('joins the lanes of the last search while those serve', async () => {
    const { finder, looks } = opened([lane('b')]);
    finder.note([dealt('a', 1)], taken('a', 1));
    await finder.find();
    finder.add(['a', 'b']);
    expect([await finder.find(), looks()]).toMatchObject([{ due: [lane('b'), lane('a')], isNamed: false }, 1]);
  });

  test('goes before the search that a backlog needs, once, and the search follows', async () => {
    const { finder, looks } = opened([lane('b')]);
    finder.note([], taken('a', 1));
    await finder.find();
    vi.advanceTimersByTime(100);
    finder.add(['a']);
    expect(await finder.find()).toEqual({ due: [lane('a')], isOld: false, isNamed: true, mustLookAgain: true });
    finder.note([dealt('a', 2)], taken('a', 1));
    finder.add(['a']);
    expect([(await finder.find()).due, looks()]).toEqual([[lane('b'), lane('a')], 2]);
    vi.advanceTimersByTime(100);
    finder.add(['a']);
    expect([(await finder.find()).isNamed, looks()]).toEqual([true, 2]);
  });

  test('does not put off the search: it follows half a second after the last one, and a round is woken for it', async () => {
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
