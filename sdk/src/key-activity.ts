// Adds up the parts of the activity of a key, and writes the sum as a table.
import type { KeyActivity } from './generated/console.ts';

type ActivityEntry = KeyActivity['entries'][number];

/** The order of the kinds. A record, because the compiler then refuses a missing kind. */
const ORDER: Record<ActivityEntry['kind'], number> = {
  operation: 0,
  server: 1,
  address: 2,
  member: 3,
  event: 4,
  object: 5,
  receiver: 6,
  key_receiver: 7,
};

function addEntry(one: ActivityEntry, other: ActivityEntry): ActivityEntry {
  return {
    ...one,
    count: one.count + other.count,
    succeeded: one.succeeded === null ? null : one.succeeded + (other.succeeded ?? 0),
    firstAt: one.firstAt < other.firstAt ? one.firstAt : other.firstAt,
    lastAt: one.lastAt > other.lastAt ? one.lastAt : other.lastAt,
  };
}

/** Compares times by `<`, because `localeCompare` takes much longer. */
const inOrder = (one: ActivityEntry, other: ActivityEntry): number =>
  ORDER[one.kind] - ORDER[other.kind] ||
  other.count - one.count ||
  (other.lastAt === one.lastAt ? 0 : other.lastAt < one.lastAt ? -1 : 1);

/**
 * Returns the sum of a part and the parts before it. The entries are sorted by kind, and then by count. Example:
 *
 *   let sum: KeyActivity | undefined;
 *   do {
 *     const cursor = sum?.nextCursor ?? undefined;
 *     sum = addKeyActivity(sum, await management.getKeyActivity({ ...key, ...(cursor && { cursor }) }));
 *   } while (sum.nextCursor !== null);
 */
export function addKeyActivity(sum: KeyActivity | undefined, part: KeyActivity): KeyActivity {
  const known = sum && indexes.get(sum);
  const index = known ?? new Map<string, ActivityEntry>();
  const replaced = new Set<ActivityEntry>();
  const changed = new Map<string, ActivityEntry>();
  for (const entry of known ? part.entries : [...(sum?.entries ?? []), ...part.entries]) {
    const id = entry.name === null ? entry.kind : `${entry.kind} ${entry.name}`;
    const before = index.get(id);
    const after = before ? addEntry(before, entry) : entry;
    if (before) replaced.add(before);
    index.set(id, after);
    changed.set(id, after);
  }
  const unchanged = known ? sum.entries.filter((entry) => !replaced.has(entry)) : [];
  const result = {
    ...part,
    requests: (sum?.requests ?? 0) + part.requests,
    writesWithoutEvent: (sum?.writesWithoutEvent ?? 0) + part.writesWithoutEvent,
    entries: merge(unchanged, [...changed.values()].sort(inOrder)),
  };
  if (known) indexes.delete(sum);
  indexes.set(result, index);
  return result;
}

/**
 * The entries of each newest sum by kind and name. With them, a part is added without a search and a sort of all entries,
 * of which an activity can have millions.
 */
const indexes = new WeakMap<KeyActivity, Map<string, ActivityEntry>>();

/** Merges two sorted lists. */
function merge(entries: readonly ActivityEntry[], others: readonly ActivityEntry[]): ActivityEntry[] {
  const merged: ActivityEntry[] = [];
  let at = 0;
  for (const other of others) {
    for (let entry = entries[at]; entry !== undefined && inOrder(entry, other) <= 0; entry = entries[++at])
      merged.push(entry);
    merged.push(other);
  }
  return merged.concat(entries.slice(at));
}

const COLUMNS = ['kind', 'name', 'count', 'succeeded', 'firstAt', 'lastAt'] as const;
// Characters that begin a formula in a spreadsheet (OWASP, "CSV Injection"). An apostrophe turns the cell into text.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

const toCell = (value: string | number | null): string => {
  const text = String(value ?? '');
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

/** Returns the entries as CSV (RFC 4180). The first row has the names of the columns. */
export function keyActivityTable({ entries }: Pick<KeyActivity, 'entries'>): string {
  const rows = [COLUMNS, ...entries.map((entry) => COLUMNS.map((name) => entry[name]))];
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}
