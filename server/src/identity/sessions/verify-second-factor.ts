import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowPerson } from './console-access.ts';
import { exampleAssertion } from './passkey.ts';
import { requireProof, SecondFactorProofInput } from './second-factor.ts';

export const verifySecondFactor = operation({
  id: 'verifySecondFactor',
  route: 'POST /api/second-factor/verify',
  tag: 'Sessions',
  summary: 'Verify the second factor again',
  description:
    'Verifies a code of the authenticator or a passkey in this session, for operations that require it: within ten minutes a production key can be created. Signing in with a code or a passkey counts too; a recovery code does not. A passkey signs a challenge of `createPasskeyChallenge`.',
  access: allowPerson(),
  body: SecondFactorProofInput,
  examples: { aCode: { code: '492039' }, aPasskey: { passkey: exampleAssertion } },
  replies: {
    204: {
      description: 'The second factor is verified. The cookie of this response continues the session.',
      headers: ['Set-Cookie'],
    },
  },
  problems: ['conflict', 'second_factor_failed', 'rate_limited'],
  async run({ services, person, visitor }, { body }) {
    const { secondFactor } = services.identity;
    if (!(await secondFactor.isOn(person.id))) {
      throw problem('conflict', { detail: 'There is no second factor. Set one up in your account first.' });
    }
    const proof = requireProof(body);
    // A recovery code works once, and would be spent for a verification that does not count.
    if ('code' in proof && !/^\d+$/.test(proof.code)) throw problem('second_factor_failed');
    const cookies = await secondFactor.verify(visitor, person.id, proof);
    if (!cookies) throw problem('second_factor_failed');
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});
