import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { requestFilterQuery } from './request-filter.ts';
import { exampleRequest } from './request-record.ts';
import { filteredSpanOf, MAX_GROUPS, MAX_SUMMED, RequestGroups, toGroup, toSpanFields } from './request-summary.ts';
import { planByValues } from './search-store.ts';
import { groupProblems } from './summary-store.ts';

export const getRequestGroups = operation({
  id: 'getRequestGroups',
  route: 'GET /organisations/{organisationId}/apps/{appId}/request-groups',
  tag: 'Requests',
  summary: 'Get requests in groups',
  description:
    'Groups the requests that ended in a problem by problem and operation. Each group has the number of requests, the times of the first and the last, and the newest request as a sample. Without `since` and `until`, covers the last 24 hours.',
  access: allowAppManagement('requests.read'),
  params: appParams,
  query: strictObject(requestFilterQuery),
  replies: ok('The groups.', RequestGroups, {
    aGroup: {
      data: [
        {
          code: 'missing_scope',
          operationId: 'createTicket',
          count: 12,
          firstAt: '2026-11-02T08:00:12.000Z',
          lastAt: exampleRequest.at,
          sampleId: exampleRequest.id,
        },
      ],
      since: '2026-11-01T10:16:00.000Z',
      until: '2026-11-02T10:16:00.000Z',
      searchedUntil: null,
    },
  }),
  async run({ tenant }, { query }) {
    const span = filteredSpanOf(query, nowMs());
    planByValues(tenant);
    const summed = await groupProblems(tenant, span.filter, { size: MAX_SUMMED, most: MAX_GROUPS });
    return { status: 200, body: { data: summed.groups.map(toGroup), ...toSpanFields(span, summed) } };
  },
});
