import { operation } from '../../kit/http/operation.ts';
import { namedObject, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowVisitor } from './console-access.ts';
import { SIGN_IN_REPLIES, signInReply } from './session-body.ts';

const SignInLink = namedObject('SignInLink', 'A one-time sign-in link.', {
  token: text('The token of the link.', { minLength: 16, maxLength: 200 }),
});

export const redeemSignInLink = operation({
  id: 'redeemSignInLink',
  route: 'POST /api/sign-in-link',
  tag: 'Sessions',
  summary: 'Sign in with a link',
  description: 'Signs in with a one-time link. The link works once; opening its page does not consume it.',
  access: allowVisitor(),
  body: SignInLink,
  examples: { link: { token: 'an-example-of-a-one-time-token-abc' } },
  replies: SIGN_IN_REPLIES,
  problems: ['sign_in_failed', 'rate_limited'],
  async run({ services, visitor }, { body }) {
    const signedIn = await services.identity.redeemLink(body.token, visitor);
    if (!signedIn) throw problem('sign_in_failed');
    return signInReply(services, signedIn);
  },
});
