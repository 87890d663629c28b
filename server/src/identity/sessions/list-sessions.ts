import { ok, operation } from '../../kit/http/operation.ts';
import { namedSchema, strictObject, Type } from '../../kit/http/schema.ts';
import { allowPerson } from './console-access.ts';
import { exampleListedSession, ListedSession, toListedSession } from './listed-session.ts';

export const listSessions = operation({
  id: 'listSessions',
  route: 'GET /api/sessions',
  tag: 'Sessions',
  summary: 'List your sessions',
  description: 'Lists the sessions of the signed-in person.',
  access: allowPerson(),
  replies: ok(
    'The sessions of the person.',
    namedSchema(
      'SessionList',
      strictObject({
        data: Type.Array(ListedSession, { maxItems: 1000, description: 'Each session that has not ended.' }),
      }),
    ),
    { one: { data: [exampleListedSession] } },
  ),
  async run({ services, person, visitor }) {
    const sessions = await services.identity.listSessions(person, visitor);
    return { status: 200, body: { data: sessions.slice(0, 1000).map(toListedSession) } };
  },
});
