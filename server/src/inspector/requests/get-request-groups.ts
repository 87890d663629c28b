import { appParams, managesApp } from '../../access/authority/index.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed } from '../../kit/http/schema.ts';
import { filterQuery } from './filter.ts';
import { exampleRequest } from './request-record.ts';
import { filteredSpanOf, MOST_GROUPS, MOST_SUMMED, RequestGroups, toGroup, toSpan } from './request-summary.ts';
import { planByValues } from './search-store.ts';
import { groupProblems } from './summary-store.ts';

export const getRequestGroups = operation({
  id: 'getRequestGroups',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/request-groups',
  tag: 'Requests',
  summary: 'Get requests in groups',
  description:
    'Groups the requests that ended in a problem by problem and operation. Each group has the number of requests, the times of the first and the last, and the newest request as a sample. Without `since` and `until`, covers the last 24 hours.',
  access: managesApp('requests.read'),
  params: appParams,
  query: closed(filterQuery),
  replies: {
    200: {
      description: 'The groups.',
      schema: RequestGroups,
      examples: {
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
      },
    },
  },
  async run({ tenant }, { query }) {
    const span = filteredSpanOf(query, nowMs());
    planByValues(tenant);
    const summed = await groupProblems(tenant, span.filter, { size: MOST_SUMMED, most: MOST_GROUPS });
    return { status: 200, body: { data: summed.groups.map(toGroup), ...toSpan(span, summed) } };
  },
});
