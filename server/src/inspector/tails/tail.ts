// A live tail: the requests that became visible after a position, each exactly once, and a count of those that were
// left out. Pure.
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { dateTime, describedObject, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { RequestRecord, requestFilterQuery } from '../requests/index.ts';

/**
 * The records that a reader has seen: up to `floor` those visible in the snapshot `below`, later ones those visible in
 * `above`. An identifier is made when the request arrives and its record when it is answered. So no identifier alone
 * marks a point before which everything is known.
 */
export interface TailCursor {
  floor: string;
  below: string;
  above: string;
}

/** Each read covers records since the floor. Slower requests are read less often. */
const FLOOR_BEHIND_MS = 3_000;
const LATE_EVERY_MS = 2_000;
/** The longest duration of a request with a simulated latency, plus clocks that differ by 5 s each way. */
const LONGEST_MS = 90_000;
/** Older records are not counted. The count would also be wrong after compaction has rewritten the rows of a day. */
const OLDEST_MS = 600_000;

/** The number of records that are shown at a time. */
export const MAX_SHOWN = 500;
/**
 * The maximum number of records that a read examines. A reader further behind is shown the newest of them and the count
 * of the others.
 */
export const MAX_EXAMINED_RECORDS = 5_000;

export const startAt = (snapshot: string, nowMs: number): TailCursor => ({
  floor: firstUuidAt(nowMs - FLOOR_BEHIND_MS),
  below: snapshot,
  above: snapshot,
});

const msOfFloor = ({ floor }: TailCursor): number => msOfUuid(floor);

export const isTooOld = (position: TailCursor, nowMs: number): boolean => msOfFloor(position) < nowMs - OLDEST_MS;
export const isLateReadDue = (position: TailCursor, nowMs: number): boolean =>
  msOfFloor(position) < nowMs - FLOOR_BEHIND_MS - LATE_EVERY_MS;
/** Returns the first identifier that may still appear below the floor. */
export const lateSince = (position: TailCursor): string => firstUuidAt(msOfFloor(position) - LONGEST_MS);

const xmaxOf = (snapshot: string): bigint => BigInt(snapshot.split(':')[1] ?? '');
/**
 * Returns true if the position was read in another database than the current one, or before the database lost its
 * newest hours.
 */
export const isFromOtherDatabase = (position: TailCursor, snapshot: string): boolean =>
  [position.below, position.above].some((known) => xmaxOf(known) > xmaxOf(snapshot));

/**
 * The result of one statement. It is complete up to `lastExamined`, or to the end if the statement examined fewer
 * records than allowed.
 */
export interface TailReading<Row> {
  snapshot: string;
  /** True if the statement also examined records below the floor. */
  withLate: boolean;
  late: readonly Row[];
  fresh: readonly Row[];
  examined: number;
  lastExamined: string | undefined;
}

export interface TailStep<Row> {
  shown: Row[];
  missed: Row[];
  position: TailCursor;
  /** True if more records are already available. */
  isMore: boolean;
}

/**
 * Returns the next step. Returns undefined if the floor would have to move and the same snapshot was not read below the
 * floor.
 */
export function advanceTail<Row extends { request_id: string }>(
  position: TailCursor,
  { snapshot, withLate, late, fresh, examined, lastExamined }: TailReading<Row>,
  nowMs: number,
): TailStep<Row> | undefined {
  const isBehind = examined >= MAX_EXAMINED_RECORDS;
  const isMore = isBehind || fresh.length > MAX_SHOWN;
  if (isMore && !withLate) return undefined;
  // All late records are taken: no later read looks there again under this position's snapshot.
  const [missedLate, shownLate] = [late.slice(0, -MAX_SHOWN), late.slice(-MAX_SHOWN)];
  const [missedFresh, shownFresh] = isBehind
    ? [fresh.slice(0, -MAX_SHOWN), fresh.slice(-MAX_SHOWN)]
    : [[], fresh.slice(0, MAX_SHOWN)];
  const step = { shown: [...shownLate, ...shownFresh], missed: [...missedLate, ...missedFresh], isMore };
  const reached = isBehind ? lastExamined : shownFresh.at(-1)?.request_id;
  if (isMore && reached !== undefined) {
    return { ...step, position: { floor: reached, below: snapshot, above: position.above } };
  }
  return { ...step, position: withLate ? startAt(snapshot, nowMs) : { ...position, above: snapshot } };
}

// Long, because a snapshot names each transaction in progress.
export const TailPosition = text('Resume position: the `id` of the last received event.', {
  maxLength: 12_000,
  pattern: '^[A-Za-z0-9_-]*$',
});

export const formatTailCursor = ({ floor, below, above }: TailCursor): string => [floor, below, above].join(' ');
/** Parses a text that this server sealed. */
export function parseTailCursor(sealed: string): TailCursor {
  const [floor = '', below = '', above = ''] = sealed.split(' ');
  return { floor, below, above };
}

const { since: _since, until: _until, requestId: _requestId, ...ofWhatComes } = requestFilterQuery;
/** The filter of the list without its time range and request id. */
export const tailQuery = { ...ofWhatComes, after: Type.Optional(TailPosition) };

const MissedRange = describedObject('Requests that were omitted because the reader fell too far behind.', {
  count: nullable(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of omitted requests that match the filter; null if they are too old to be counted.',
    }),
  ),
  since: dateTime('Start of the period in which the omitted requests arrived.'),
  until: dateTime('End of the period; the list returns the requests of the period.'),
});
export type MissedRange = Static<typeof MissedRange>;

export const TailPage = describedObject('The requests that became visible since a position.', {
  data: Type.Array(RequestRecord, { maxItems: 2 * MAX_SHOWN, description: 'Oldest first.' }),
  missed: nullable(MissedRange),
  position: TailPosition,
  isMore: Type.Boolean({ description: 'True if more requests are available now.' }),
});
export type TailPage = Static<typeof TailPage>;

const toIsoTime = (atMs: number): string => new Date(atMs).toISOString();

export function toMissedRange(rows: readonly { request_id: string }[]): MissedRange | null {
  const times = rows.map(({ request_id }) => msOfUuid(request_id));
  const [first] = times;
  if (first === undefined) return null;
  const [earliest, latest] = times.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [first, first]);
  return { count: rows.length, since: toIsoTime(earliest), until: toIsoTime(latest + 1) };
}

/** Returns a range of missed records without a count, if it is unknown which of them were shown. */
export const missedSince = (position: TailCursor, nowMs: number): MissedRange => ({
  count: null,
  since: toIsoTime(Math.min(msOfFloor(position) - LONGEST_MS, nowMs - 1)),
  until: toIsoTime(nowMs),
});
