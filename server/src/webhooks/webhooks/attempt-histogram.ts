// The histogram of an endpoint's attempts over time: successes and failures per bucket. Pure.
import { msOfUuid } from '../../kit/crypto/ids.ts';
import { count, dateTime, namedObject, nullable, type Static, Type } from '../../kit/http/schema.ts';
import { formatTime, splitTimeSpan, type TimeSpan } from '../../kit/text/time-span.ts';

/** Maximum number of deliveries that a histogram examines: the newest, so that its latest buckets are complete. */
export const MAX_HISTOGRAM_DELIVERIES = 20_000;
export const MAX_BUCKETS = 200;
export const DEFAULT_BUCKETS = 48;

const AttemptBucket = namedObject('AttemptBucket', 'The attempts that began in one interval.', {
  at: dateTime('When the interval begins.'),
  succeeded: count('How many attempts received a 2xx response.'),
  failed: count('How many attempts received another response, or none.'),
});

export const AttemptHistogram = namedObject(
  'AttemptHistogram',
  'The successful and failed attempts of an endpoint over time. Attempts that Slipway stopped are not counted.',
  {
    data: Type.Array(AttemptBucket, { maxItems: MAX_BUCKETS, description: 'The intervals, oldest first.' }),
    since: dateTime('Start of the period.'),
    until: dateTime('When the last interval ends.'),
    searchedUntil: nullable(
      dateTime(
        `Set if the period has more than ${MAX_HISTOGRAM_DELIVERIES.toLocaleString('en')} deliveries. Attempts of deliveries that were created before this time are left out.`,
      ),
    ),
  },
);

export interface AttemptCounts {
  examined: number;
  /** The oldest delivery that was examined; null if there was none. */
  reached: string | null;
  /** The buckets with an attempt, numbered from 1. */
  buckets: { bucket: number; succeeded: number; failed: number }[];
}

/** Returns all buckets, including those without an attempt. */
export function toAttemptHistogram(
  span: TimeSpan,
  buckets: number,
  counted: AttemptCounts,
): Static<typeof AttemptHistogram> {
  const found = new Map(counted.buckets.map((one) => [one.bucket, one]));
  const isTruncated = counted.examined >= MAX_HISTOGRAM_DELIVERIES && counted.reached !== null;
  return {
    data: splitTimeSpan(span, buckets).map((atMs, at) => {
      const { succeeded = 0, failed = 0 } = found.get(at + 1) ?? {};
      return { at: formatTime(atMs), succeeded, failed };
    }),
    since: formatTime(span.sinceMs),
    until: formatTime(span.untilMs),
    searchedUntil: isTruncated ? formatTime(msOfUuid(counted.reached ?? '')) : null,
  };
}
