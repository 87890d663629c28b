import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleFailures, UpstreamFailureList } from '../../platform/upstream-failures/index.ts';
import { operator } from './access.ts';

export const listUpstreamFailures = operation({
  id: 'listUpstreamFailures',
  route: 'GET /api/operator/upstream-failures',
  tag: 'Operators',
  summary: 'List failures of the upstream API',
  description:
    'Lists invalid or missing responses of the upstream API behind production: the operation of `/v1`, the kind of failure and the number per hour. Apps received a problem response in each case. The content of the responses is not stored. Without production the list is empty.',
  access: operator(),
  replies: ok('The failures.', UpstreamFailureList, { some: exampleFailures }),
  problems: ['unavailable'],
  async run({ services }) {
    const call = { method: 'GET', path: '/console/upstream-failures', body: undefined } as const;
    const [answer] = await services.askPlanes('console', { ...call, environment: 'production' });
    if (!answer) return { status: 200, body: { data: [] } };
    if (answer.status !== 200) throw problem('unavailable');
    return { status: 200, json: answer.body };
  },
});
