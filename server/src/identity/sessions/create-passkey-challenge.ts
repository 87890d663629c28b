import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowPerson } from './console-access.ts';
import { exampleRequestOptions, PasskeyRequestOptions } from './passkey.ts';

export const createPasskeyChallenge = operation({
  id: 'createPasskeyChallenge',
  route: 'POST /api/passkeys/challenges',
  tag: 'Sessions',
  summary: 'Create a challenge for a passkey',
  description:
    'Returns a challenge that a passkey of the signed-in person signs, for `verifySecondFactor`, `disableSecondFactor` or `removePasskey`. The challenge works once, in the same session, within five minutes. A new challenge voids the previous one.',
  access: allowPerson(),
  replies: created(
    'The options for the browser.',
    PasskeyRequestOptions,
    { options: exampleRequestOptions },
    { headers: ['Cache-Control'] },
  ),
  problems: ['conflict'],
  async run({ services, person, visitor }) {
    const options = await services.identity.passkeys.beginVerification(visitor, person.id, 'verify');
    if (!options) throw problem('conflict', { detail: 'You have no passkey. Register one in your account first.' });
    return { status: 201, headers: { 'cache-control': 'no-store' }, body: options };
  },
});
