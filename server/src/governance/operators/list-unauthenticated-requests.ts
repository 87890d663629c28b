import { exampleUnauthenticated, RequestId, UnauthenticatedRequestList } from '../../inspector/requests/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { oneOf, strictObject, Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from './access.ts';
import { pageQuery } from './operator.ts';

export const listUnauthenticatedRequests = operation({
  id: 'listUnauthenticatedRequests',
  route: 'GET /api/operator/unauthenticated-requests',
  tag: 'Operators',
  summary: 'List requests without a valid key',
  description:
    'Lists requests to `/v1` of an environment that came without a key, with a wrong key, or as invalid HTTP. No organisation sees these requests. For each address a limited number is recorded individually; the list shows these, newest first. Further requests are only counted, by network and problem. Queries, headers and bodies are not recorded. To get the next page, send the last identifier as `before`.',
  access: operator(),
  query: strictObject({
    environment: Type.Optional(
      oneOf(['sandbox', 'production'], 'Environment of the requests. The default is the sandbox.'),
    ),
    ...pageQuery(RequestId),
  }),
  replies: ok('The requests.', UnauthenticatedRequestList, { some: exampleUnauthenticated }),
  problems: ['not_found', 'unavailable'],
  async run({ services }, { query: { environment = 'sandbox', limit = 25, before } }) {
    const query = new URLSearchParams({ limit: String(limit), ...(before !== undefined && { before }) });
    const path = `/console/unproved-requests?${query}`;
    const [answer] = await services.askPlanes('console', { method: 'GET', path, body: undefined, environment });
    if (!answer) throw problem('not_found');
    if (answer.status !== 200) throw problem('unavailable');
    return { status: 200, json: answer.body };
  },
});
