// The preview of a filter without a database: the start that it returns, and how long it blocks the process.
import { afterEach, expect, test, vi } from 'vitest';
import type { Tenant } from '../../access/authority/index.ts';
import { firstUuidAt } from '../../kit/crypto/ids.ts';
import type { FilteredEventRow } from './filter-preview-store.ts';
import { countKept } from './preview-filter.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const CONDITIONS = [{ pointer: '/data/priority', equals: 'urgent' }];
const NEWEST_MS = Date.UTC(2026, 10, 2);
const BODY = JSON.stringify({ data: { priority: 'urgent' } });

/** Counts events, one per second, as the statement returns them: `limit` rows at a time, newest first. */
function count(conditions: typeof CONDITIONS, events: Partial<FilteredEventRow>[]) {
  const remainingRows = events.map((event, at) => ({
    event_id: firstUuidAt(NEWEST_MS - at * 1_000),
    server_id: null,
    is_granted: true,
    is_wanted: true,
    body: conditions.length > 0 ? BODY : null,
    ...event,
  }));
  const query = async ({ values }: { values: unknown[] }) =>
    remainingRows.splice(0, Number(values.findLast(Number.isInteger)));
  const tenant = { appId: 'app', query } as unknown as Tenant; // the count reads only these
  return countKept(tenant, { serverIds: null, conditions }, ['ticket.created'], {
    versions: {},
    startMs: 0,
    storedSinceMs: 0,
  });
}

/** Makes the clock advance by `stepMs` at each reading. */
function advanceClock(stepMs: number): void {
  let atMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (atMs += stepMs));
}

test('an incomplete preview starts at the last event that the app may read', async () => {
  advanceClock(900);
  const withheld = Array(999).fill({ is_granted: false });
  const since = new Date(NEWEST_MS - 1_000).toISOString();
  expect(await count([], [{}, {}, ...withheld])).toEqual({ kept: 2, total: 2, since, isComplete: false });
});

test('a preview with conditions serves other requests after every tenth body', async () => {
  let turns = 0;
  let isOver = false;
  const countTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const counted = await count(CONDITIONS, Array(120).fill({}));
  isOver = true;
  expect(counted).toMatchObject({ kept: 120, total: 120, isComplete: true });
  expect(turns).toBeGreaterThanOrEqual(12);
});

test('a preview with conditions stops within a page when its time is over', async () => {
  advanceClock(500);
  const counted = await count(CONDITIONS, Array(120).fill({}));
  const since = new Date(NEWEST_MS - 38_000).toISOString();
  expect(counted).toEqual({ kept: 39, total: 39, since, isComplete: false });
});
