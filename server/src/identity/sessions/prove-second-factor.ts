import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { signedIn } from './access.ts';
import { AuthenticatorCode } from './second-factor.ts';

export const proveSecondFactor = operation({
  id: 'proveSecondFactor',
  method: 'POST',
  path: '/api/second-factor/prove',
  tag: 'Sessions',
  summary: 'Prove the second factor again',
  description:
    'Proves with a code of the authenticator that it is still you, for what asks for that: within ten minutes a key of production can be made. Signing in with a code proves it too; a recovery code does not.',
  access: signedIn(),
  body: AuthenticatorCode,
  examples: { aCode: { code: '492039' } },
  replies: {
    204: { description: 'Proved. The session goes on under the cookie of this answer.', headers: ['Set-Cookie'] },
  },
  problems: ['conflict', 'second_factor_failed', 'rate_limited'],
  async run({ services, person, visitor }, { body }) {
    const { secondFactor } = services.identity;
    if (!(await secondFactor.isOn(person.id))) {
      throw problem('conflict', { detail: 'There is no second factor. Set one up in your account first.' });
    }
    const cookies = await secondFactor.prove(visitor, person.id, body.code);
    if (!cookies) throw problem('second_factor_failed');
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});
