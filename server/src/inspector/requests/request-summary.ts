// Summaries of requests: groups of those that ended in a problem, and a histogram of all. Pure.
import { firstUuidAt, msOfUuid, toId } from '../../kit/crypto/ids.ts';
import { dateTime, namedObject, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { formatTime, readTimeSpan, splitTimeSpan, type TimeSpan } from '../../kit/text/time-span.ts';
import { Durations, type StepCounts, toDurations } from './durations.ts';
import { type RequestFilter, type RequestFilterQuery, toRequestFilter } from './request-filter.ts';
import { RequestId } from './request-record.ts';

/**
 * The number of records that a summary reads. It reads the newest, so that its figures for the last hours are complete.
 */
export const MAX_SUMMED = 200_000;
export const MAX_GROUPS = 200;

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description });

const span = {
  since: dateTime('Start of the period.'),
  until: dateTime('End of the period.'),
  searchedUntil: nullable(
    dateTime(
      `Set if more than ${MAX_SUMMED.toLocaleString('en')} records match: records before this time are not included.`,
    ),
  ),
};

const RequestGroup = namedObject('RequestGroup', 'Requests of one operation that ended in the same problem.', {
  code: text('The problem’s code.', { maxLength: 50 }),
  operationId: nullable(text('The operation; null for a path that does not exist.', { maxLength: 100 })),
  count: count('Number of requests.'),
  firstAt: dateTime('When the first of them was answered.'),
  lastAt: dateTime('When the last of them was answered.'),
  sampleId: RequestId,
});

export const RequestGroups = namedObject('RequestGroups', 'The problems that requests ended in.', {
  data: Type.Array(RequestGroup, { maxItems: MAX_GROUPS, description: 'The largest group first.' }),
  ...span,
});

const RequestBucket = namedObject('RequestBucket', 'The requests of one interval.', {
  at: dateTime('Start of the interval.'),
  count: count('Number of requests that arrived.'),
  errors: count('Number of requests answered with 4xx or 5xx.'),
  serverErrors: count('Number of requests answered with 5xx.'),
  unanswered: count(
    'Number of requests without a response: a reset was simulated, or the caller disconnected before the request was complete.',
  ),
  durations: nullable(Durations),
});

export const MAX_BUCKETS = 200;
export const DEFAULT_BUCKETS = 48;

export const RequestHistogram = namedObject('RequestHistogram', 'Number of requests per interval.', {
  data: Type.Array(RequestBucket, { maxItems: MAX_BUCKETS, description: 'Oldest first.' }),
  ...span,
});

interface FilteredSpan extends TimeSpan {
  filter: RequestFilter;
}

/** Returns the filter with its time range, which is the last day by default. */
export function filteredSpanOf(input: RequestFilterQuery, nowMs: number): FilteredSpan {
  const span = readTimeSpan(input, nowMs);
  const times = { since: formatTime(span.sinceMs), until: formatTime(span.untilMs) };
  return { ...span, filter: toRequestFilter({ ...input, ...times }) };
}

/** Returns the time range fields of every summary. */
export function toSpanFields(
  { sinceMs, untilMs }: TimeSpan,
  { examined, reached }: { examined: number; reached: string | null },
) {
  return {
    since: formatTime(sinceMs),
    until: formatTime(untilMs),
    searchedUntil: toSearchedUntil({ examined, reached }, MAX_SUMMED),
  };
}

/** Returns the time of the oldest record that was read; null if all records were. */
export function toSearchedUntil(
  { examined, reached }: { examined: number; reached: string | null },
  most: number,
): string | null {
  return examined >= most && reached !== null ? formatTime(msOfUuid(reached)) : null;
}

export interface GroupRow {
  problem_code: string;
  operation_id: string | null;
  count: number;
  first_at: string;
  last_at: string;
  /** The newest of them. */
  sample_id: string;
}

export const toGroup = (row: GroupRow): Static<typeof RequestGroup> => ({
  code: row.problem_code,
  operationId: row.operation_id,
  count: row.count,
  firstAt: new Date(row.first_at).toISOString(),
  lastAt: new Date(row.last_at).toISOString(),
  sampleId: toId('req', row.sample_id),
});

/** Returns the first identifier of each bucket. */
export const bucketBounds = (span: TimeSpan, buckets: number): string[] =>
  splitTimeSpan(span, buckets).map(firstUuidAt);

export interface BucketRow {
  /** Counted from 1. */
  bucket: number;
  count: number;
  errors: number;
  server_errors: number;
  unanswered: number;
  steps: StepCounts;
}

/** Returns all buckets, including those without requests. */
export function toBuckets(span: TimeSpan, buckets: number, rows: readonly BucketRow[]): Static<typeof RequestBucket>[] {
  const counted = new Map(rows.map((row) => [row.bucket, row]));
  return splitTimeSpan(span, buckets).map((atMs, at) => {
    const { count = 0, errors = 0, unanswered = 0, steps = {}, server_errors = 0 } = counted.get(at + 1) ?? {};
    const serverErrors = server_errors;
    return { at: formatTime(atMs), count, errors, serverErrors, unanswered, durations: toDurations(steps) ?? null };
  });
}
