import { allowAppManagement, missingCapture } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleCaptureStatus } from './capture-status.ts';
import { exampleKept, MAX_REPLAYS, RequestDetail, requestParams, toRequestDetail } from './request-record.ts';
import { planByValues } from './search-store.ts';
import { findRequestRow, listReplays } from './store.ts';

export const getRequest = operation({
  id: 'getRequest',
  route: 'GET /organisations/{organisationId}/apps/{appId}/requests/{requestId}',
  tag: 'Requests',
  summary: 'Get a request',
  description:
    'Returns all stored fields of one request, the requests that replay it, and which values of its query and body are masked. `capture` says whether its headers and bodies are stored; `revealCapture` returns them.',
  access: allowAppManagement('requests.read'),
  params: requestParams,
  replies: ok('The request.', RequestDetail, {
    aRequest: {
      ...exampleKept,
      replayIds: [],
      maskedPointers: [],
      maskedParameters: [],
      isPathComplete: true,
      capture: exampleCaptureStatus,
    },
  }),
  async run({ plane, tenant }, { ids: { requestId } }) {
    planByValues(tenant);
    const [row, replays] = await Promise.all([
      findRequestRow(tenant, requestId),
      listReplays(tenant, requestId, MAX_REPLAYS),
    ]);
    if (!row) throw problem('not_found');
    const capture = (await plane.captures?.findStatus(tenant, { requestId, at: row.at })) ?? missingCapture('off');
    return { status: 200, body: toRequestDetail(row, replays, capture) };
  },
});
