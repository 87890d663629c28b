import { operation } from '../../kit/http/operation.ts';
import { allowPerson } from './console-access.ts';

export const deleteSession = operation({
  id: 'deleteSession',
  route: 'DELETE /api/session',
  tag: 'Sessions',
  summary: 'Sign out',
  description: 'Ends the session.',
  access: allowPerson(),
  replies: { 204: { description: 'Signed out.', headers: ['Set-Cookie'] } },
  async run({ services, visitor }) {
    return { status: 204, headers: { 'set-cookie': await services.identity.signOut(visitor) } };
  },
});
