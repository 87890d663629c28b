import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findRequestRow, requestParams } from '../requests/index.ts';
import { exampleSnippets, toRequestSnippets } from './request-snippets.ts';
import { type KnownOperation, RequestSnippets } from './snippet.ts';

/** Creates the operation. `operations` are the operations of /v1. */
export const getRequestSnippets = (operations: readonly KnownOperation[]) =>
  operation({
    id: 'getRequestSnippets',
    route: 'GET /organisations/{organisationId}/apps/{appId}/requests/{requestId}/snippets',
    tag: 'Requests',
    summary: 'Get a request as code',
    description:
      'Returns the request as a curl command, as a call of fetch and as a call of the SDK. The code does not contain a key: it reads the key from the variable `SLIPWAY_KEY`. The header `Sandbox-Simulate` repeats a simulated fault.',
    access: allowAppManagement('requests.read'),
    params: requestParams,
    replies: ok('The request as code.', RequestSnippets, { aRead: exampleSnippets }),
    async run({ plane, tenant }, { ids }) {
      const record = await findRequestRow(tenant, ids.requestId);
      if (!record) throw problem('not_found');
      return { status: 200, body: toRequestSnippets(record, { operations, baseUrl: plane.urls.public }) };
    },
  });
