import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { filterQuery } from './filter.ts';
import { readPage, requestPage } from './read-page.ts';
import { exampleRequest, RequestRecord, toRequestRecord } from './request-record.ts';

const RequestList = named('RequestList', requestPage(RequestRecord));

export const listRequests = operation({
  id: 'listRequests',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/requests',
  tag: 'Requests',
  summary: 'List requests',
  description:
    'Lists the calls that the app made with its keys, newest first, accepted and refused. A page scans a bounded number of records. With a selective filter a page can therefore be short or empty: `searchedUntil` is the time that the scan reached.',
  access: managesApp('requests.read'),
  params: appParams,
  query: closed({ ...listQuery, ...filterQuery }),
  replies: {
    200: {
      description: 'A page of requests.',
      schema: RequestList,
      examples: { aPage: { data: [exampleRequest], nextCursor: null, searchedUntil: null } },
    },
  },
  run: (context, { query }) => readPage(context, query, toRequestRecord),
});
