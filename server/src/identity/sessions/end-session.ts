import { operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowPerson } from './console-access.ts';
import { SessionId } from './listed-session.ts';

export const endSession = operation({
  id: 'endSession',
  route: 'DELETE /api/sessions/{sessionId}',
  tag: 'Sessions',
  summary: 'End one of your sessions',
  description: 'Ends a session of the signed-in person. Its browser is signed out immediately.',
  access: allowPerson(),
  params: strictObject({ sessionId: SessionId }),
  replies: { 204: { description: 'The session has ended.' } },
  problems: ['not_found'],
  async run({ services, person }, { params }) {
    if (!(await services.identity.endSession(person, params.sessionId))) throw problem('not_found');
    return { status: 204 };
  },
});
