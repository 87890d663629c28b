import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findOmittedParts, findRequestRow, requestParams } from '../requests/index.ts';
import { type KnownOperation, RequestSnippets, type SnippetRequest, snippetsOf } from './snippet.ts';

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
    replies: ok('The request as code.', RequestSnippets, { aRead: { ...snippetsOf(EXAMPLE), isComplete: true } }),
    async run({ plane, tenant }, { ids }) {
      const record = await findRequestRow(tenant, ids.requestId);
      if (!record) throw problem('not_found');
      const { method, path, query, simulated } = record;
      const known = operations.find(({ id }) => id === record.operation_id);
      const omittedParts = findOmittedParts(record);
      const hasBody = omittedParts.includes('body');
      const baseUrl = plane.urls.public;
      const snippets = snippetsOf({ baseUrl, method, path, query, operation: known, hasBody, simulated });
      return { status: 200, body: { ...snippets, isComplete: omittedParts.length === 0 } };
    },
  });

const EXAMPLE: SnippetRequest = {
  method: 'GET',
  baseUrl: 'https://sandbox.example.org',
  path: '/v1/servers',
  query: 'limit=2',
  operation: {
    id: 'listServers',
    method: 'GET',
    path: '/v1/servers',
    query: Type.Object({ limit: Type.Integer() }),
  },
  hasBody: false,
  simulated: null,
};
