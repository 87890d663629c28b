// The parts of the activity of a key add up, and a table of them is safe in a spreadsheet.
import { expect, test } from 'vitest';
import { addKeyActivity, type KeyActivity, keyActivityTable } from '../src/management.ts';

type Entry = KeyActivity['entries'][number];
const entry = (more: Partial<Entry>): Entry => ({
  kind: 'operation',
  name: 'listServers',
  count: 1,
  succeeded: 1,
  firstAt: '2026-11-02T10:00:00.000Z',
  lastAt: '2026-11-02T10:00:00.000Z',
  ...more,
});
const part = (more: Partial<KeyActivity>): KeyActivity => ({
  keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7',
  since: '2026-11-01T00:00:00.000Z',
  until: '2026-11-03T00:00:00.000Z',
  oldestRecordAt: null,
  lostRecords: 3,
  progress: 0.5,
  requests: 2,
  writesWithoutEvent: 1,
  entries: [],
  nextCursor: 'next',
  ...more,
});

test('parts add up by kind and name, and the sum has the progress of the last part', () => {
  const first = part({
    entries: [
      entry({ kind: 'event', name: 'ticket.created', succeeded: null }),
      entry({ count: 3, succeeded: 2 }),
      entry({ name: null }),
    ],
  });
  const second = part({
    progress: 1,
    nextCursor: null,
    entries: [
      entry({ kind: 'event', name: 'ticket.created', succeeded: null, firstAt: '2026-11-01T10:00:00.000Z' }),
      entry({ count: 4, succeeded: 1, lastAt: '2026-11-02T11:00:00.000Z' }),
      entry({ kind: 'server', name: 'listServers' }),
    ],
  });
  const sum = addKeyActivity(addKeyActivity(undefined, first), second);
  expect(sum).toMatchObject({ requests: 4, writesWithoutEvent: 2, lostRecords: 3, progress: 1, nextCursor: null });
  expect(sum.entries).toEqual([
    entry({ count: 7, succeeded: 3, lastAt: '2026-11-02T11:00:00.000Z' }),
    entry({ name: null }),
    entry({ kind: 'server', name: 'listServers' }),
    entry({
      kind: 'event',
      name: 'ticket.created',
      count: 2,
      succeeded: null,
      firstAt: '2026-11-01T10:00:00.000Z',
    }),
  ]);
});

test('many parts add up to the sum of one part with all their entries, and every sum is sorted', () => {
  const kinds = ['operation', 'object', 'key_receiver'] as const;
  const parts = Array.from({ length: 60 }, (_, at) =>
    Array.from({ length: 20 }, (_, nth) =>
      entry({
        kind: kinds[(at + nth) % 3] ?? 'server',
        name: (at * nth) % 7 === 0 ? null : `${(at * at * nth) % 23}`,
        count: 1 + ((at * nth) % 5),
        lastAt: new Date(1_700_000_000_000 + ((at * 37 + nth) % 11) * 1_000).toISOString(),
      }),
    ),
  );
  const sums = [addKeyActivity(undefined, part({ entries: parts[0] ?? [] }))];
  for (const entries of parts.slice(1)) sums.push(addKeyActivity(sums.at(-1), part({ entries })));
  const whole = addKeyActivity(undefined, part({ entries: parts.flat() }));
  const orderOf = ({ entries }: KeyActivity) => entries.map(({ kind, count, lastAt }) => [kind, count, lastAt]);
  const ofNames = ({ entries }: KeyActivity) =>
    entries.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  expect(orderOf(sums.at(-1) ?? whole)).toEqual(orderOf(whole));
  expect(ofNames(sums.at(-1) ?? whole)).toEqual(ofNames(whole));
  expect(whole.entries.map(({ kind }) => kinds.indexOf(kind as (typeof kinds)[number]))).toEqual(
    whole.entries.map(({ kind }) => kinds.indexOf(kind as (typeof kinds)[number])).toSorted(),
  );
  // An earlier sum is unchanged, and can be continued again.
  const again = addKeyActivity(sums[57], part({ entries: parts[58] ?? [] }));
  expect(ofNames(again)).toEqual(ofNames(sums[58] ?? whole));
});

test('an entry without a name is not the one that is called null', () => {
  const { entries } = addKeyActivity(undefined, part({ entries: [entry({ name: null }), entry({ name: 'null' })] }));
  expect(entries.map(({ name }) => name)).toEqual([null, 'null']);
});

test('a table quotes each cell, and begins no formula', () => {
  const table = keyActivityTable({ entries: [entry({ kind: 'member', name: '=1+"1"', succeeded: null })] });
  expect(table).toBe(
    '"kind","name","count","succeeded","firstAt","lastAt"\r\n"member","\'=1+""1""","1","","2026-11-02T10:00:00.000Z","2026-11-02T10:00:00.000Z"\r\n',
  );
});
