// A tail shows or counts every record exactly once, in any order of commits.
import { describe, expect, test } from 'vitest';
import { firstUuidAt, msOfUuid, newUuid } from '../../kit/crypto/ids.ts';
import {
  advanceTail,
  formatTailCursor,
  isFromOtherDatabase,
  isLateReadDue,
  isTooOld,
  lateSince,
  MAX_EXAMINED_RECORDS,
  MAX_SHOWN,
  parseTailCursor,
  startAt,
  type TailCursor,
  type TailReading,
  toMissedRange,
} from './tail.ts';

interface Row {
  request_id: string;
  xid: number;
}

function seenIn(snapshot: string): (row: Row) => boolean {
  const [, xmax, underWay = ''] = snapshot.split(':');
  const unseen = new Set(underWay.split(',').map(Number));
  return ({ xid }) => xid < Number(xmax) && !unseen.has(xid);
}

/** Simulates the SQL statement over rows that are in order. */
function simulateReading(
  all: readonly Row[],
  snapshot: string,
  position: TailCursor,
  withLate: boolean,
): TailReading<Row> {
  const { floor, below, above } = position;
  const [isVisible, wasBelow, wasAbove] = [seenIn(snapshot), seenIn(below), seenIn(above)];
  const visible = all.filter(isVisible);
  const fresh = visible.filter((row) => row.request_id > floor && !wasAbove(row)).slice(0, MAX_EXAMINED_RECORDS);
  const since = lateSince(position);
  const late = visible.filter((row) => row.request_id <= floor && row.request_id > since && !wasBelow(row));
  const lastExamined = fresh.at(-1)?.request_id;
  return { snapshot, withLate, late: withLate ? late : [], fresh, examined: fresh.length, lastExamined };
}

/** Returns a deterministic random generator for a seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/**
 * Simulates batches that begin and commit in any order, with reads between them. Some batches hold requests that began
 * long before.
 */
function play(seed: number, turns: number, rowsAtOnce: number) {
  const random = createRandom(seed);
  const all: Row[] = [];
  const got: string[] = [];
  const underWay = new Set<number>();
  let missed = 0;
  let xmax = 100;
  let nowMs = 1_800_000_000_000;
  const snapshot = (): string => `${Math.min(xmax, ...underWay)}:${xmax}:${[...underWay].join(',')}`;
  let position = startAt(snapshot(), nowMs);

  function commitOne(): void {
    const [xid] = [...underWay].sort(() => random() - 0.5);
    if (xid !== undefined) underWay.delete(xid);
  }
  function readOne(): boolean {
    const seen = snapshot();
    const read = (withLate: boolean) => advanceTail(position, simulateReading(all, seen, position, withLate), nowMs);
    const step = read(isLateReadDue(position, nowMs)) ?? read(true);
    if (!step) throw new Error('a page with late records must contain records');
    got.push(...step.shown.map((row) => row.request_id));
    missed += step.missed.length;
    position = parseTailCursor(formatTailCursor(step.position));
    return step.isMore;
  }

  for (let turn = 0; turn < turns; turn++) {
    nowMs += Math.floor(random() * 900);
    const xid = xmax++;
    underWay.add(xid);
    const count = Math.floor(random() * rowsAtOnce);
    for (let row = 0; row < count; row++) {
      const took = random() < 0.1 ? random() * 40_000 : random() * 200;
      const atMs = Math.floor(nowMs - took);
      all.push({ request_id: firstUuidAt(atMs).slice(0, 14) + newUuid().slice(14), xid });
    }
    all.sort((one, other) => (one.request_id < other.request_id ? -1 : 1));
    if (random() < 0.6) commitOne();
    if (random() < 0.5) readOne();
  }
  while (underWay.size > 0) commitOne();
  nowMs += 10_000;
  while (readOne());
  readOne();
  return { all, got, missed };
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('a tail with few records at a time shows each exactly once (%i)', (seed) => {
  const { all, got, missed } = play(seed, 60, 20);
  expect(missed).toBe(0);
  expect(got.sort()).toEqual(all.map((row) => row.request_id).sort());
});

test.each([1, 2])('a tail with more records than it can show shows or counts each exactly once (%i)', (seed) => {
  const { all, got, missed } = play(seed, 10, 9_000);
  expect(missed).toBeGreaterThan(0);
  expect(new Set(got).size).toBe(got.length);
  expect(got.length + missed).toBe(all.length);
});

describe('a position of a tail', () => {
  const position = startAt('10:20:12,15', 1_800_000_000_000);

  test('a position can be serialised and parsed', () => {
    expect(parseTailCursor(formatTailCursor(position))).toEqual(position);
  });
  test('a position of a database that is ahead is foreign, and one of this database is not', () => {
    expect(isFromOtherDatabase(position, '5:19:')).toBe(true);
    expect(isFromOtherDatabase(position, '20:20:')).toBe(false);
  });
  test('a position is too old after ten minutes', () => {
    expect(isTooOld(position, 1_800_000_000_000 + 590_000)).toBe(false);
    expect(isTooOld(position, 1_800_000_000_000 + 610_000)).toBe(true);
  });
});

test('the missed records lie between the times that are reported', () => {
  const times = [1_800_000_000_500, 1_800_000_000_100, 1_800_000_000_900];
  const missed = toMissedRange(times.map((at) => ({ request_id: firstUuidAt(at) })));
  expect(missed).toEqual({
    count: 3,
    since: new Date(1_800_000_000_100).toISOString(),
    until: new Date(1_800_000_000_901).toISOString(),
  });
  expect(msOfUuid(firstUuidAt(1_800_000_000_100))).toBe(1_800_000_000_100);
});

test('a read shows the maximum number of records, and the next read shows the rest', () => {
  const rows = Array.from({ length: MAX_SHOWN + 3 }, (_, at) => ({
    request_id: firstUuidAt(1_800_000_000_000 + at),
    xid: 30,
  }));
  const position = startAt('20:20:', 1_800_000_000_000 - 10_000);
  const first = advanceTail(position, simulateReading(rows, '31:31:', position, true), 1_800_000_001_000);
  expect([first?.shown.length, first?.missed.length, first?.isMore]).toEqual([MAX_SHOWN, 0, true]);
  if (!first) return;
  const second = advanceTail(first.position, simulateReading(rows, '31:31:', first.position, true), 1_800_000_001_000);
  expect([second?.shown.length, second?.isMore]).toEqual([3, false]);
});
