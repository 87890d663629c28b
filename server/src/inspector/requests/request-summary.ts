// Summaries of requests: groups of those that ended in a problem, and a histogram of all. Pure.
import { firstUuidAt, msOfUuid, toId } from '../../kit/crypto/ids.ts';
import { closed, moment, named, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { momentAt, partsOf, spanOf, type TimeSpan } from '../../kit/text/time-span.ts';
import { Durations, type StepCounts, toDurations } from './durations.ts';
import { type FilterWish, filterOf, type RequestFilter } from './filter.ts';
import { RequestId } from './request-record.ts';

/**
 * The number of records that a summary reads. It reads the newest, so that its figures for the last hours are complete.
 */
export const MOST_SUMMED = 200_000;
export const MOST_GROUPS = 200;

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description });

const span = {
  since: moment('Start of the period.'),
  until: moment('End of the period.'),
  searchedUntil: nullable(
    moment(
      `Set if more than ${MOST_SUMMED.toLocaleString('en')} records match: records before this time are not included.`,
    ),
  ),
};

const RequestGroup = named(
  'RequestGroup',
  closed(
    {
      code: text('The problem’s code.', { maxLength: 50 }),
      operationId: nullable(text('The operation; null for a path that does not exist.', { maxLength: 100 })),
      count: count('Number of requests.'),
      firstAt: moment('When the first of them was answered.'),
      lastAt: moment('When the last of them was answered.'),
      sampleId: RequestId,
    },
    { description: 'Requests of one operation that ended in the same problem.' },
  ),
);

export const RequestGroups = named(
  'RequestGroups',
  closed(
    { data: Type.Array(RequestGroup, { maxItems: MOST_GROUPS, description: 'The largest group first.' }), ...span },
    { description: 'The problems that requests ended in.' },
  ),
);

const RequestBucket = named(
  'RequestBucket',
  closed(
    {
      at: moment('Start of the interval.'),
      count: count('Number of requests that arrived.'),
      errors: count('Number of requests answered with 4xx or 5xx.'),
      serverErrors: count('Number of requests answered with 5xx.'),
      unanswered: count(
        'Number of requests without a response: a reset was simulated, or the caller disconnected before the request was complete.',
      ),
      durations: nullable(Durations),
    },
    { description: 'The requests of one interval.' },
  ),
);

export const MOST_BUCKETS = 200;
export const DEFAULT_BUCKETS = 48;

export const RequestHistogram = named(
  'RequestHistogram',
  closed(
    { data: Type.Array(RequestBucket, { maxItems: MOST_BUCKETS, description: 'Oldest first.' }), ...span },
    { description: 'Number of requests per interval.' },
  ),
);

export interface FilteredSpan extends TimeSpan {
  filter: RequestFilter;
}

/** Returns the filter with its time range, which is the last day by default. */
export function filteredSpanOf(wish: FilterWish, nowMs: number): FilteredSpan {
  const span = spanOf(wish, nowMs);
  const moments = { since: momentAt(span.sinceMs), until: momentAt(span.untilMs) };
  return { ...span, filter: filterOf({ ...wish, ...moments }) };
}

/** Returns the time range fields of every summary. */
export function toSpan(
  { sinceMs, untilMs }: TimeSpan,
  { looked, reached }: { looked: number; reached: string | null },
) {
  const isCut = looked >= MOST_SUMMED && reached !== null;
  return {
    since: momentAt(sinceMs),
    until: momentAt(untilMs),
    searchedUntil: isCut ? momentAt(msOfUuid(reached)) : null,
  };
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
export const bucketBounds = (span: TimeSpan, buckets: number): string[] => partsOf(span, buckets).map(firstUuidAt);

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
  return partsOf(span, buckets).map((atMs, at) => {
    const { count = 0, errors = 0, unanswered = 0, steps = {}, server_errors = 0 } = counted.get(at + 1) ?? {};
    const serverErrors = server_errors;
    return { at: momentAt(atMs), count, errors, serverErrors, unanswered, durations: toDurations(steps) ?? null };
  });
}
