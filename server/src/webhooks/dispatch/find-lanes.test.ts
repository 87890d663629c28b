import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Queryable } from '../../kit/db/db.ts';
import { createLaneFinder } from './find-lanes.ts';
import type { DueLaneRow, LanePlan } from './lanes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lane = (endpoint_id: string, rest: Partial<DueLaneRow> = {}): DueLaneRow => ({
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
  claims: Array.from({ length: count }, () => ({ row: { endpoint_id: endpointId } })),
  refused: new Map<string, number>(),
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
  expect(await finder.find()).toEqual({ due: [lane('a'), lane('b')], isOld: true, mustLookAgain: false });
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
  finder.note([dealt('a', 2)], { claims: [], refused: new Map([['a', 2]]) });
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
