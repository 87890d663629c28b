import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { requestFilterQuery } from './request-filter.ts';
import {
  bucketBounds,
  DEFAULT_BUCKETS,
  filteredSpanOf,
  MAX_BUCKETS,
  MAX_SUMMED,
  RequestHistogram,
  toBuckets,
  toSpanFields,
} from './request-summary.ts';
import { chooseIndex } from './search-plan.ts';
import { planByValues } from './search-store.ts';
import { countBuckets } from './summary-store.ts';

const buckets = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_BUCKETS,
    default: DEFAULT_BUCKETS,
    description: 'Number of intervals of equal length.',
  }),
);

export const getRequestHistogram = operation({
  id: 'getRequestHistogram',
  route: 'GET /organisations/{organisationId}/apps/{appId}/request-histogram',
  tag: 'Requests',
  summary: 'Get a histogram of requests',
  description:
    'Returns, per interval, the number of requests, the number that ended in an error or without a response, and the durations. Without `since` and `until`, covers the last 24 hours. If `until` is before `since`, there are no intervals.',
  access: allowAppManagement('requests.read'),
  params: appParams,
  query: strictObject({ ...requestFilterQuery, buckets }),
  replies: ok('The histogram.', RequestHistogram, {
    twoHours: {
      data: [
        {
          at: '2026-11-02T08:00:00.000Z',
          count: 1204,
          errors: 3,
          serverErrors: 1,
          unanswered: 2,
          durations: { p50Ms: 3.2, p95Ms: 11.4, p99Ms: 48.2 },
        },
        { at: '2026-11-02T09:00:00.000Z', count: 0, errors: 0, serverErrors: 0, unanswered: 0, durations: null },
      ],
      since: '2026-11-02T08:00:00.000Z',
      until: '2026-11-02T10:00:00.000Z',
      searchedUntil: null,
    },
  }),
  async run({ tenant }, { query: { buckets: parts = DEFAULT_BUCKETS, ...filterQuery } }) {
    const span = filteredSpanOf(filterQuery, nowMs());
    planByValues(tenant);
    const summed = await countBuckets(
      tenant,
      span.filter,
      chooseIndex(span.filter),
      bucketBounds(span, parts),
      MAX_SUMMED,
    );
    return { status: 200, body: { data: toBuckets(span, parts, summed.buckets), ...toSpanFields(span, summed) } };
  },
});
