import { exampleUnproved, RequestId, UnprovedRequestList } from '../../inspector/requests/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed, oneOf, Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from './access.ts';

export const listUnprovedRequests = operation({
  id: 'listUnprovedRequests',
  method: 'GET',
  path: '/api/operator/unproved-requests',
  tag: 'Operators',
  summary: 'List requests without a proved key',
  description:
    'Requests of an environment’s /v1 that came without a key, with a wrong one, or as something that is no HTTP: no organisation sees them. So many of an address are kept one by one, newest first; `before` goes on where a list ended. The others are counted, by network and problem. Neither their query nor their headers nor their body is kept.',
  access: operator(),
  query: closed({
    environment: Type.Optional(
      oneOf(['sandbox', 'production'], 'Which environment; the sandbox unless another is named.'),
    ),
    limit: Type.Optional(Type.Integer({ description: 'How many at most.', minimum: 1, maximum: 100, default: 25 })),
    before: Type.Optional(RequestId),
  }),
  replies: {
    200: { description: 'The requests.', schema: UnprovedRequestList, examples: { some: exampleUnproved } },
  },
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
