import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery } from '../../kit/http/page.ts';
import { closed } from '../../kit/http/schema.ts';
import { filterQuery } from './filter.ts';
import { readPage, requestPage } from './read-page.ts';
import { KeptRequest, toKeptRequest } from './request-record.ts';

export const pullRequests = operation({
  id: 'pullRequests',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/kept-requests',
  tag: 'Requests',
  summary: 'Pull requests',
  description: 'Lists requests with all stored fields, for an export.',
  access: managesApp('requests.read'),
  params: appParams,
  query: closed({ ...listQuery, ...filterQuery }),
  replies: { 200: { description: 'A page of requests.', schema: requestPage(KeptRequest) } },
  run: (context, { query }) => readPage(context, query, toKeptRequest),
});
