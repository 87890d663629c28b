import { operation } from '../../kit/operation.ts';
import { signedIn } from './access.ts';

export const endSessions = operation({
  id: 'endSessions',
  method: 'DELETE',
  path: '/api/sessions',
  tag: 'Sessions',
  summary: 'Sign out everywhere',
  description: 'Ends all sessions of the person who is signed in, this one included.',
  access: signedIn(),
  replies: { 204: { description: 'Signed out everywhere.', headers: ['Set-Cookie'] } },
  async run({ services, person, visitor }) {
    await services.identity.endSessions(person);
    return { status: 204, headers: { 'set-cookie': await services.identity.signOut(visitor) } };
  },
});
