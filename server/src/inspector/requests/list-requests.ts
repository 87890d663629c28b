import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { listQuery } from '../../kit/http/page.ts';
import { namedSchema, strictObject } from '../../kit/http/schema.ts';
import { readRequestPage, requestPageSchema } from './read-request-page.ts';
import { requestFilterQuery } from './request-filter.ts';
import { exampleRequest, RequestRecord, toRequestRecord } from './request-record.ts';

const RequestList = namedSchema('RequestList', requestPageSchema(RequestRecord));

export const listRequests = operation({
  id: 'listRequests',
  route: 'GET /organisations/{organisationId}/apps/{appId}/requests',
  tag: 'Requests',
  summary: 'List requests',
  description:
    'Lists the calls that the app made with its keys, newest first, accepted and refused. A page scans a bounded number of records. With a selective filter a page can therefore be short or empty: `searchedUntil` is the time that the scan reached.',
  access: allowAppManagement('requests.read'),
  params: appParams,
  query: strictObject({ ...listQuery, ...requestFilterQuery }),
  replies: ok('A page of requests.', RequestList, {
    aPage: { data: [exampleRequest], nextCursor: null, searchedUntil: null },
  }),
  run: (context, { query }) => readRequestPage(context, query, toRequestRecord),
});
