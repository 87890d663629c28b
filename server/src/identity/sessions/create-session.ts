import { operation } from '../../kit/http/operation.ts';
import { namedObject, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowVisitor } from './console-access.ts';
import { SIGN_IN_REPLIES, signInReply } from './session-body.ts';

const Credentials = namedObject('Credentials', 'The credentials of a sign-in.', {
  email: text('Your e-mail address.', { minLength: 3, maxLength: 320 }),
  password: text('Your password.', { minLength: 1, maxLength: 200 }),
});

export const createSession = operation({
  id: 'createSession',
  route: 'POST /api/session',
  tag: 'Sessions',
  summary: 'Sign in',
  description: 'Signs in with e-mail address and password. The session is a cookie.',
  access: allowVisitor(),
  body: Credentials,
  examples: { credentials: { email: 'imke@example.org', password: 'a long sentence is a good one' } },
  replies: SIGN_IN_REPLIES,
  problems: ['sign_in_failed', 'email_not_verified', 'rate_limited'],
  async run({ services, visitor }, { body }) {
    const signedIn = await services.identity.signIn(body.email, body.password, visitor);
    if (!signedIn) throw problem('sign_in_failed');
    return signInReply(services, signedIn);
  },
});
