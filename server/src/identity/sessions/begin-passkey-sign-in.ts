import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowVisitor } from './console-access.ts';
import { exampleRequestOptions, PasskeyRequestOptions } from './passkey.ts';

export const beginPasskeySignIn = operation({
  id: 'beginPasskeySignIn',
  route: 'POST /api/session/passkey-challenge',
  tag: 'Sessions',
  summary: 'Begin a sign-in with a passkey',
  description:
    'Returns a challenge that a passkey of the person signs, for a sign-in that waits for the second factor. The challenge works once, in `completeSignIn` of the same sign-in, within five minutes. A new challenge voids the previous one.',
  access: allowVisitor(),
  replies: created(
    'The options for the browser.',
    PasskeyRequestOptions,
    { options: exampleRequestOptions },
    { headers: ['Cache-Control'] },
  ),
  problems: ['conflict', 'second_factor_failed'],
  async run({ services, visitor }) {
    const { passkeys, secondFactor } = services.identity;
    const person = await secondFactor.challengedPerson(visitor);
    const options = person && (await passkeys.beginVerification(visitor, person.id, 'sign_in'));
    if (!options) throw problem('second_factor_failed');
    return { status: 201, headers: { 'cache-control': 'no-store' }, body: options };
  },
});
