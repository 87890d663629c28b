// The plan of a search covers all of time once, and begins with the index that leads to the fewest records.
import { describe, expect, test } from 'vitest';
import { firstUuidAt } from '../../kit/crypto/ids.ts';
import { FIRST_UUID, LAST_UUID, toRequestFilter } from './request-filter.ts';
import {
  chooseIndex,
  chooseUncompactedIndex,
  clipStretches,
  costOf,
  doFacetsCoverFilter,
  facetsOf,
  hasOneIndex,
  isCoveredBy,
  type RecordPartition,
  toStretches,
} from './search-plan.ts';

const at = (hour: number): string => firstUuidAt(hour * 3_600_000);
const partition = (from: number, before: number, isCompacted = false): RecordPartition => ({
  from: at(from),
  before: at(before),
  isCompacted,
});

describe('stretches of partitions', () => {
  test('stretches join neighbours of one kind, and keep time without a partition apart', () => {
    const partitions = [partition(52, 53), partition(51, 52), partition(24, 48, true), partition(1, 24, true)];
    expect(toStretches(partitions)).toEqual([
      { from: at(53), before: LAST_UUID, isCompacted: false },
      partition(51, 53),
      partition(48, 51),
      partition(1, 48, true),
      { from: FIRST_UUID, before: at(1), isCompacted: false },
    ]);
    expect(toStretches([partition(48, 72), partition(24, 48, true)]).slice(1, 3)).toEqual([
      partition(48, 72),
      partition(24, 48, true),
    ]);
  });

  test('stretches cover all of time without a gap, with a bounded number of partitions each, even for a month of hours', () => {
    const hours = Array.from({ length: 720 }, (_, hour) => partition(1719 - hour, 1720 - hour));
    for (const partitions of [[], hours]) {
      const stretches = toStretches(partitions);
      expect([stretches[0]?.before, stretches.at(-1)?.from]).toEqual([LAST_UUID, FIRST_UUID]);
      for (const [index, { from }] of stretches.slice(0, -1).entries()) expect(stretches[index + 1]?.before).toBe(from);
      for (const stretch of stretches) {
        expect(partitions.filter(({ from }) => from >= stretch.from && from < stretch.before).length).toBeLessThan(33);
        if (partitions === hours) expect(stretches.length).toBeLessThan(26);
      }
    }
  });

  test('stretches are cut to the requested range', () => {
    const parts = clipStretches(toStretches([partition(24, 48, true)]), { from: at(30), before: at(50) });
    expect(parts).toEqual([partition(48, 50), partition(30, 48, true)]);
  });
});

describe('the choice of an index', () => {
  test.each([
    [{}, 'app'],
    [{ statusClass: 2 }, 'app'],
    [{ method: 'GET', path: 'x' }, 'app'],
    [{ keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7', statusClass: 4 }, 'key'],
    [{ keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7', status: 403 }, 'statuses'],
    [{ serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2', keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7' }, 'server'],
    [{ code: 'not_found', traceId: '0'.repeat(32) }, 'trace'],
    [{ operationId: 'getMe' }, 'app'],
    [{ operationId: 'none' }, 'statuses'],
  ] as const)('the filter %j uses the index by %s', (input, by) => {
    expect(chooseIndex(toRequestFilter(input)).by).toBe(by);
  });

  test('a search by errors knows the status of a problem, and two different statuses match nothing', () => {
    expect(chooseIndex(toRequestFilter({ code: 'not_found' }))).toEqual({ by: 'statuses', statuses: [404] });
    expect(chooseIndex(toRequestFilter({ code: 'not_found', statusClass: 5 }))).toEqual({
      by: 'statuses',
      statuses: [],
    });
    const way = chooseIndex(toRequestFilter({ statusClass: 4 }));
    expect(way).toEqual({ by: 'statuses', statuses: expect.arrayContaining([400, 401, 403, 404, 429, 499]) });
    expect(costOf(way)).toBeGreaterThan(10);
  });

  test('isCoveredBy returns true only if the index covers the whole filter', () => {
    const alone = (input: Parameters<typeof toRequestFilter>[0]): boolean =>
      isCoveredBy(chooseIndex(toRequestFilter(input)), toRequestFilter(input));
    expect([{}, { status: 404 }, { traceId: '0'.repeat(32) }, { since: '2026-11-02T10:00:00Z' }].map(alone)).toEqual(
      Array(4).fill(true),
    );
    expect([{ code: 'not_found' as const }, { method: 'GET' as const }, { simulated: false }].map(alone)).toEqual(
      Array(3).fill(false),
    );
  });

  test('facetsOf uses the longest duration that does not exceed the requested one', () => {
    const facets = (minDurationMs: number): string[] => facetsOf(toRequestFilter({ minDurationMs, simulated: false }));
    expect([999, 1_000, 2_999, 3_000, 60_000].map(facets)).toEqual([
      [],
      ['duration 1'],
      ['duration 1'],
      ['duration 3'],
      ['duration 10'],
    ]);
    expect(facetsOf(toRequestFilter({ operationId: 'getMe', simulated: true }))).toEqual([
      'operation getMe',
      'simulated',
    ]);
  });

  test.each([
    [{ operationId: 'getMe' }, true],
    [{ operationId: 'getMe', simulated: true, since: '2026-11-02T10:00:00Z' }, true],
    [{ minDurationMs: 3_000 }, true],
    [{ minDurationMs: 3_001 }, false],
    [{ operationId: 'getMe', simulated: false }, false],
    [{ operationId: 'getMe', path: 'x' }, false],
    [{ operationId: 'none' }, false],
  ])('facets for %j cover the whole filter: %s', (input, isAlone) => {
    const filter = toRequestFilter(input);
    expect(doFacetsCoverFilter(facetsOf(filter), filter)).toBe(isAlone);
  });

  test.each([
    [{ simulated: true }, 'slowOrSimulated'],
    [{ minDurationMs: 1_000, operationId: 'getMe' }, 'slowOrSimulated'],
    [{ minDurationMs: 999 }, 'app'],
    [{ simulated: false }, 'app'],
    [{ simulated: true, status: 503 }, 'statuses'],
  ] as const)('the filter %j uses the index by %s without facets', (input, by) => {
    expect(chooseUncompactedIndex(toRequestFilter(input)).by).toBe(by);
  });

  test('hasOneIndex is true only if one index is right for all values', () => {
    const isOnce = (input: Parameters<typeof toRequestFilter>[0]): boolean =>
      hasOneIndex(chooseUncompactedIndex(toRequestFilter(input)));
    const one = [{}, { operationId: 'getMe' }, { statusClass: 4 }, { status: 404 }, { simulated: true }];
    expect(one.map(isOnce)).toEqual(Array(5).fill(true));
    const keyId = 'key_01j9z3v8k6e5t8m2n4p6q8r0s7';
    expect([{ keyId, statusClass: 4 }, { traceId: '0'.repeat(32) }].map(isOnce)).toEqual([false, false]);
  });
});
