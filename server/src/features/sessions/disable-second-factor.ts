import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { closed, named, Type, text } from '../../kit/schema.ts';
import { queueMail } from '../mail/index.ts';
import { signedIn } from './access.ts';
import type { Proof } from './identity-second-factor.ts';
import { SecondFactorCode } from './second-factor.ts';

const SecondFactorProof = named(
  'SecondFactorProof',
  closed(
    {
      password: Type.Optional(text('Your password.', { minLength: 1, maxLength: 200 })),
      code: Type.Optional(SecondFactorCode.properties.code),
    },
    { description: 'What proves that it is you: the password or a code.' },
  ),
);

export const disableSecondFactor = operation({
  id: 'disableSecondFactor',
  method: 'POST',
  path: '/api/second-factor/disable',
  tag: 'Sessions',
  summary: 'Disable the second factor',
  description: 'Needs the password or a code: an open session alone is not enough. A mail tells the person.',
  access: signedIn(),
  body: SecondFactorProof,
  examples: { byPassword: { password: 'a long sentence is a good one' }, byCode: { code: '492039' } },
  replies: {
    204: { description: 'Off. The session goes on under the cookie of this answer.', headers: ['Set-Cookie'] },
  },
  problems: ['conflict', 'second_factor_failed', 'rate_limited'],
  async run({ services, person, visitor }, { body }) {
    const { secondFactor, hasPassword } = services.identity;
    const proof = proofOf(body);
    if (!(await secondFactor.isOn(person.id))) throw problem('conflict', { detail: 'There is no second factor.' });
    // The library takes no password for proof enough where there is none.
    const isProvable = proof && ('code' in proof || (await hasPassword(person)));
    const cookies = isProvable ? await secondFactor.disable(visitor, person.id, proof) : undefined;
    if (!cookies) throw problem('second_factor_failed');
    await queueMail(services.db, {
      to: person.email,
      subject: 'Your second factor was switched off',
      text: `Signing in to Slipway (${services.consoleUrl}) no longer asks for a code of your authenticator.\n\nIf that was not you, ask for a new password at once.\n`,
    });
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});

// Either is enough, so of both one is looked at.
function proofOf({ password, code }: { password?: string; code?: string }): Proof | undefined {
  if (code !== undefined) return { code };
  return password === undefined ? undefined : { password };
}
