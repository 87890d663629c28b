// A live tail: the requests that became visible since a position, each exactly once, and what of them was left out. Pure.
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { closed, moment, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { filterQuery, RequestRecord } from '../requests/index.ts';

/**
 * Of the requests up to `floor` those are known that `below` shows, of the later ones those that `above` shows: snapshots, as
 * Postgres writes them. A request's identifier is made when it arrives and its record when it is answered, so that no
 * identifier says up to where everything is known.
 */
export interface Position {
  floor: string;
  below: string;
  above: string;
}

/** What is read often is what arrived since the floor; what has taken longer is looked for less often. */
const FLOOR_BEHIND_MS = 3_000;
const LATE_EVERY_MS = 2_000;
/** As long as the longest request takes, with a simulated latency, beside clocks that differ by 5 s each way. */
const LONGEST_MS = 90_000;
/** What lies further back is not counted any more; nor would it be right, once a day's rows have been written anew (sealed). */
const OLDEST_MS = 600_000;

/** How many are shown at once. */
export const SHOWN = 500;
/** How many are looked at. Whoever is further behind is shown the newest of them, and told of the others. */
export const LOOKED_AT = 5_000;

export const startAt = (snapshot: string, nowMs: number): Position => ({
  floor: firstUuidAt(nowMs - FLOOR_BEHIND_MS),
  below: snapshot,
  above: snapshot,
});

const msOfFloor = ({ floor }: Position): number => msOfUuid(floor);

export const isTooOld = (position: Position, nowMs: number): boolean => msOfFloor(position) < nowMs - OLDEST_MS;
export const areLateDue = (position: Position, nowMs: number): boolean =>
  msOfFloor(position) < nowMs - FLOOR_BEHIND_MS - LATE_EVERY_MS;
/** From where on a request up to the floor may still appear. */
export const lateSince = (position: Position): string => firstUuidAt(msOfFloor(position) - LONGEST_MS);

const xmaxOf = (snapshot: string): bigint => BigInt(snapshot.split(':')[1] ?? '');
/** That it was read in another database than this one was restored from, or in one that has lost its newest hours since. */
export const isFromElsewhere = (position: Position, snapshot: string): boolean =>
  [position.below, position.above].some((known) => xmaxOf(known) > xmaxOf(snapshot));

/** What one statement shows: what it looked at is complete up to `lastLookedAt`, or, where that was less than it may be, to the end. */
export interface Reading<Row> {
  snapshot: string;
  /** Whether it also looked below the floor. */
  withLate: boolean;
  late: readonly Row[];
  fresh: readonly Row[];
  lookedAt: number;
  lastLookedAt: string | undefined;
}

export interface Step<Row> {
  shown: Row[];
  missed: Row[];
  position: Position;
  /** Whether more is there already. */
  isMore: boolean;
}

/** Undefined where the floor would have to move and what lies below it was not read in the same snapshot. */
export function advance<Row extends { request_id: string }>(
  position: Position,
  { snapshot, withLate, late, fresh, lookedAt, lastLookedAt }: Reading<Row>,
  nowMs: number,
): Step<Row> | undefined {
  const isBehind = lookedAt >= LOOKED_AT;
  const isMore = isBehind || fresh.length > SHOWN;
  if (isMore && !withLate) return undefined;
  // Of what is late all is taken: no later reading looks there again under this position's snapshot.
  const [missedLate, shownLate] = [late.slice(0, -SHOWN), late.slice(-SHOWN)];
  const [missedFresh, shownFresh] = isBehind
    ? [fresh.slice(0, -SHOWN), fresh.slice(-SHOWN)]
    : [[], fresh.slice(0, SHOWN)];
  const step = { shown: [...shownLate, ...shownFresh], missed: [...missedLate, ...missedFresh], isMore };
  const reached = isBehind ? lastLookedAt : shownFresh.at(-1)?.request_id;
  if (isMore && reached !== undefined) {
    return { ...step, position: { floor: reached, below: snapshot, above: position.above } };
  }
  return { ...step, position: withLate ? startAt(snapshot, nowMs) : { ...position, above: snapshot } };
}

// A snapshot names each transaction that is under way.
export const TailPosition = text('Where to go on: the `id` of the last event that came.', {
  maxLength: 12_000,
  pattern: '^[A-Za-z0-9_-]*$',
  examples: ['c2VhbGVkLXBvc2l0aW9u'],
});

export const positionText = ({ floor, below, above }: Position): string => [floor, below, above].join(' ');
/** Of a text that we sealed. */
export function toPosition(sealed: string): Position {
  const [floor = '', below = '', above = ''] = sealed.split(' ');
  return { floor, below, above };
}

const { since: _since, until: _until, requestId: _requestId, ...ofWhatComes } = filterQuery;
/** The list's filter, but for what is over. */
export const tailQuery = { ...ofWhatComes, after: Type.Optional(TailPosition) };

const Missed = closed(
  {
    count: nullable(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'How many of them fit the filter; null when that is too long ago to be counted.',
      }),
    ),
    since: moment('They arrived at this moment or later,'),
    until: moment('and before this one: the list shows them.'),
  },
  { description: 'Requests that were left out, because whoever reads was too far behind.' },
);
export type Missed = Static<typeof Missed>;

export const TailPage = closed(
  {
    data: Type.Array(RequestRecord, { maxItems: 2 * SHOWN, description: 'Oldest first.' }),
    missed: nullable(Missed),
    position: TailPosition,
    isMore: Type.Boolean({ description: 'Whether more is there already.' }),
  },
  { description: 'What became visible since a position.' },
);
export type TailPage = Static<typeof TailPage>;

const momentOf = (atMs: number): string => new Date(atMs).toISOString();

export function missedOf(rows: readonly { request_id: string }[]): Missed | null {
  const times = rows.map(({ request_id }) => msOfUuid(request_id));
  const [first] = times;
  if (first === undefined) return null;
  const [earliest, latest] = times.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [first, first]);
  return { count: rows.length, since: momentOf(earliest), until: momentOf(latest + 1) };
}

/** Where nobody can say any more which of them were shown. */
export const missedSince = (position: Position, nowMs: number): Missed => ({
  count: null,
  since: momentOf(Math.min(msOfFloor(position) - LONGEST_MS, nowMs - 1)),
  until: momentOf(nowMs),
});
