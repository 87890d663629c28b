// The histogram of an endpoint's attempts over time: successes and failures per bucket. Pure.
import { msOfUuid } from '../../kit/crypto/ids.ts';
import { closed, moment, named, nullable, type Static, Type } from '../../kit/http/schema.ts';
import { momentAt, partsOf, type TimeSpan } from '../../kit/text/time-span.ts';

/** Maximum number of deliveries that a histogram examines: the newest, so that its latest buckets are complete. */
export const MOST_LOOKED = 20_000;
export const MOST_BUCKETS = 200;
export const DEFAULT_BUCKETS = 48;

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description });

const AttemptBucket = named(
  'AttemptBucket',
  closed(
    {
      at: moment('When the interval begins.'),
      succeeded: count('How many attempts received a 2xx response.'),
      failed: count('How many attempts received another response, or none.'),
    },
    { description: 'The attempts that began in one interval.' },
  ),
);

export const AttemptHistogram = named(
  'AttemptHistogram',
  closed(
    {
      data: Type.Array(AttemptBucket, { maxItems: MOST_BUCKETS, description: 'The intervals, oldest first.' }),
      since: moment('Start of the period.'),
      until: moment('When the last interval ends.'),
      searchedUntil: nullable(
        moment(
          `Set if the period has more than ${MOST_LOOKED.toLocaleString('en')} deliveries. Attempts of deliveries that were created before this time are left out.`,
        ),
      ),
    },
    {
      description:
        'The successful and failed attempts of an endpoint over time. Attempts that Slipway stopped are not counted.',
    },
  ),
);

export interface CountedAttempts {
  looked: number;
  /** The oldest delivery that was examined; null if there was none. */
  reached: string | null;
  /** The buckets with an attempt, numbered from 1. */
  buckets: { bucket: number; succeeded: number; failed: number }[];
}

/** Returns all buckets, including those without an attempt. */
export function toAttemptHistogram(
  span: TimeSpan,
  buckets: number,
  counted: CountedAttempts,
): Static<typeof AttemptHistogram> {
  const found = new Map(counted.buckets.map((one) => [one.bucket, one]));
  const isCut = counted.looked >= MOST_LOOKED && counted.reached !== null;
  return {
    data: partsOf(span, buckets).map((atMs, at) => {
      const { succeeded = 0, failed = 0 } = found.get(at + 1) ?? {};
      return { at: momentAt(atMs), succeeded, failed };
    }),
    since: momentAt(span.sinceMs),
    until: momentAt(span.untilMs),
    searchedUntil: isCut ? momentAt(msOfUuid(counted.reached ?? '')) : null,
  };
}
