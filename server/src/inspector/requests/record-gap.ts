// A gap: a minute in which request records were lost because the database did not accept them in time.
import { dateTime, namedObject, type Static, Type } from '../../kit/http/schema.ts';

export interface StoredGapRow {
  minute: Date;
  lost: number;
  total: number;
}

const MAX_COUNT = 9_007_199_254_740_991;
export const MAX_GAPS = 100;

const RecordGap = namedObject('RecordGap', 'A minute in which requests were answered without a record.', {
  minute: dateTime('Start of the minute.'),
  lost: Type.Integer({ minimum: 1, maximum: MAX_COUNT, description: 'Number of requests without a record.' }),
});

export const RecordGapList = namedObject('RecordGapList', 'The gaps in the records of an app.', {
  data: Type.Array(RecordGap, { maxItems: MAX_GAPS, description: 'Newest first.' }),
  lost: Type.Integer({
    minimum: 0,
    maximum: MAX_COUNT,
    description: 'Number of missing records in the whole retention period.',
  }),
});

export function toGapList(rows: readonly StoredGapRow[]): Static<typeof RecordGapList> {
  return {
    data: rows.map(({ minute, lost }) => ({ minute: minute.toISOString(), lost })),
    lost: rows[0]?.total ?? 0,
  };
}
