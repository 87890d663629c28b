import { allowAppManagement } from '../../access/authority/index.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { dateTime, integer, strictObject, Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { readTimeSpan } from '../../kit/text/time-span.ts';
import {
  AttemptHistogram,
  DEFAULT_BUCKETS,
  MAX_BUCKETS,
  MAX_HISTOGRAM_DELIVERIES,
  toAttemptHistogram,
} from './attempt-histogram.ts';
import { countAttempts } from './attempt-histogram-store.ts';
import { endpointParams } from './endpoint.ts';
import { findEndpointRow } from './store.ts';

const buckets = integer('The number of equal intervals into which the period is divided.', 1, MAX_BUCKETS, {
  default: DEFAULT_BUCKETS,
});

export const getAttemptHistogram = operation({
  id: 'getAttemptHistogram',
  route: 'GET /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/attempt-histogram',
  tag: 'Webhooks',
  summary: 'Get a histogram of attempts',
  description:
    'Returns how many delivery attempts to the endpoint succeeded and failed over time. The default period is the last 24 hours; set `since` and `until` to change it.',
  access: allowAppManagement('endpoints.read'),
  params: endpointParams,
  query: strictObject({
    since: Type.Optional(dateTime('Only attempts that began at this time or later.')),
    until: Type.Optional(dateTime('Only attempts that began before this time.')),
    buckets: Type.Optional(buckets),
  }),
  replies: ok('The histogram.', AttemptHistogram, {
    twoHours: {
      data: [
        { at: '2026-11-02T08:00:00.000Z', succeeded: 118, failed: 2 },
        { at: '2026-11-02T09:00:00.000Z', succeeded: 0, failed: 41 },
      ],
      since: '2026-11-02T08:00:00.000Z',
      until: '2026-11-02T10:00:00.000Z',
      searchedUntil: null,
    },
  }),
  async run({ tenant }, { ids: { endpointId }, query: { buckets: parts = DEFAULT_BUCKETS, ...spanQuery } }) {
    const span = readTimeSpan(spanQuery, nowMs());
    const [endpoint, counted] = await Promise.all([
      findEndpointRow(tenant, endpointId),
      countAttempts(tenant, endpointId, span, { buckets: parts, size: MAX_HISTOGRAM_DELIVERIES }),
    ]);
    if (!endpoint) throw problem('not_found');
    return { status: 200, body: toAttemptHistogram(span, parts, counted) };
  },
});
