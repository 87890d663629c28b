import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowVisitor } from './console-access.ts';
import { SecondFactorCode } from './second-factor.ts';

export const completeSignIn = operation({
  id: 'completeSignIn',
  route: 'POST /api/session/second-factor',
  tag: 'Sessions',
  summary: 'Complete a sign-in',
  description:
    'Completes a sign-in that requires a second factor, with a code of the authenticator or a recovery code. It must follow the first step within ten minutes.',
  access: allowVisitor(),
  body: SecondFactorCode,
  examples: { aCode: { code: '492039' }, aRecoveryCode: { code: 'a1B2c-D3e4F' } },
  replies: { 204: { description: 'Signed in.', headers: ['Set-Cookie'] } },
  problems: ['second_factor_failed', 'rate_limited'],
  async run({ services, visitor }, { body }) {
    const cookies = await services.identity.secondFactor.signIn(visitor, body.code);
    if (!cookies) throw problem('second_factor_failed');
    await services.onSignIn();
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});
