import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowVisitor } from './console-access.ts';
import { exampleProofs, requireProof, SecondFactorProofInput } from './second-factor.ts';

export const completeSignIn = operation({
  id: 'completeSignIn',
  route: 'POST /api/session/second-factor',
  tag: 'Sessions',
  summary: 'Complete a sign-in',
  description:
    'Completes a sign-in that requires a second factor, with a code of the authenticator, a recovery code or a passkey. A passkey signs the challenge of `beginPasskeySignIn`. The step must follow the first step within ten minutes.',
  access: allowVisitor(),
  body: SecondFactorProofInput,
  examples: exampleProofs,
  replies: { 204: { description: 'Signed in.', headers: ['Set-Cookie'] } },
  problems: ['second_factor_failed', 'rate_limited'],
  async run({ services, visitor }, { body }) {
    const cookies = await services.identity.secondFactor.signIn(visitor, requireProof(body));
    if (!cookies) throw problem('second_factor_failed');
    await services.onSignIn();
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});
