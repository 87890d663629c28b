import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { listQuery } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { readRequestPage, requestPageSchema } from './read-request-page.ts';
import { requestFilterQuery } from './request-filter.ts';
import { KeptRequest, toKeptRequest } from './request-record.ts';

export const pullRequests = operation({
  id: 'pullRequests',
  route: 'GET /organisations/{organisationId}/apps/{appId}/kept-requests',
  tag: 'Requests',
  summary: 'Pull requests',
  description: 'Lists requests with all stored fields, for an export.',
  access: allowAppManagement('requests.read'),
  params: appParams,
  query: strictObject({ ...listQuery, ...requestFilterQuery }),
  replies: ok('A page of requests.', requestPageSchema(KeptRequest)),
  run: (context, { query }) => readRequestPage(context, query, toKeptRequest),
});
