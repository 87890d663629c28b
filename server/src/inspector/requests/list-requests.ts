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
    'The calls that the app made with its keys, newest first, accepted and refused. A page looks at a bounded number of records: what is rare may take several, each of which says in `searchedUntil` how far it came.',
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
