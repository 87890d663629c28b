import { fromId } from '../../kit/ids.ts';
import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { managesApp } from '../authority/index.ts';
import { exampleDetail, RequestDetail, requestParams, toRequestDetail } from './request-record.ts';
import { findRequestRow } from './store.ts';

export const getRequest = operation({
  id: 'getRequest',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/requests/{requestId}',
  tag: 'Requests',
  summary: 'Get a request',
  description: 'Everything that is kept of one request.',
  access: managesApp('requests.read'),
  params: requestParams,
  replies: {
    200: {
      description: 'The request.',
      schema: RequestDetail,
      examples: { aRequest: exampleDetail },
    },
  },
  async run({ tenant }, { params }) {
    const row = await findRequestRow(tenant, fromId('req', params.requestId) ?? '');
    if (!row) throw problem('not_found');
    return { status: 200, body: toRequestDetail(row) };
  },
});
