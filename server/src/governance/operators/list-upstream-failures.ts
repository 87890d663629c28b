import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleFailures, UpstreamFailureList } from '../../platform/upstream-failures/index.ts';
import { operator } from './access.ts';

export const listUpstreamFailures = operation({
  id: 'listUpstreamFailures',
  method: 'GET',
  path: '/api/operator/upstream-failures',
  tag: 'Operators',
  summary: 'List failures of the platform behind production',
  description:
    'Answers of the platform that were none: which operation of /v1 it should have answered, how often in an hour, and in which way it failed. Apps were told so in a problem. Nothing of its words is kept. Without production there are none.',
  access: operator(),
  replies: { 200: { description: 'The failures.', schema: UpstreamFailureList, examples: { some: exampleFailures } } },
  problems: ['unavailable'],
  async run({ services }) {
    const asked = { method: 'GET', path: '/console/upstream-failures', body: undefined } as const;
    const [answer] = await services.askPlanes('console', { ...asked, environment: 'production' });
    if (!answer) return { status: 200, body: { data: [] } };
    if (answer.status !== 200) throw problem('unavailable');
    return { status: 200, json: answer.body };
  },
});
