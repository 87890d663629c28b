import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowPerson } from './console-access.ts';
import { AuthenticatorCode } from './second-factor.ts';

export const verifySecondFactor = operation({
  id: 'verifySecondFactor',
  route: 'POST /api/second-factor/verify',
  tag: 'Sessions',
  summary: 'Verify the second factor again',
  description:
    'Verifies a code of the authenticator in this session, for operations that require it: within ten minutes a production key can be created. Signing in with a code counts too; a recovery code does not.',
  access: allowPerson(),
  body: AuthenticatorCode,
  examples: { aCode: { code: '492039' } },
  replies: {
    204: {
      description: 'The code is verified. The cookie of this response continues the session.',
      headers: ['Set-Cookie'],
    },
  },
  problems: ['conflict', 'second_factor_failed', 'rate_limited'],
  async run({ services, person, visitor }, { body }) {
    const { secondFactor } = services.identity;
    if (!(await secondFactor.isOn(person.id))) {
      throw problem('conflict', { detail: 'There is no second factor. Set one up in your account first.' });
    }
    const cookies = await secondFactor.verify(visitor, person.id, body.code);
    if (!cookies) throw problem('second_factor_failed');
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});
