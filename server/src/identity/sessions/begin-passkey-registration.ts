import { created, operation } from '../../kit/http/operation.ts';
import { namedObject, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowPerson } from './console-access.ts';
import { requireFactorIfOn, requireReauthentication } from './fresh-factor.ts';
import { PasskeyCreationOptions } from './passkey.ts';
import { readSecondFactor } from './second-factor-store.ts';

const PasskeyRegistrationInput = namedObject('PasskeyRegistrationInput', 'A passkey to register.', {
  currentPassword: Type.Optional(text('Your password, if you have one.', { minLength: 1, maxLength: 200 })),
});

const exampleOptions: PasskeyCreationOptions = {
  challenge: 'a2V5IHdvcmRzIG9mIGEgY2hhbGxlbmdl',
  rp: { id: 'slipway.example.org', name: 'Slipway' },
  user: { id: 'azNROXZYZTFtWnQ3UmJONWNZMndI', name: 'imke@example.org', displayName: 'Imke' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
  excludeCredentials: [],
};

export const beginPasskeyRegistration = operation({
  id: 'beginPasskeyRegistration',
  route: 'POST /api/passkeys/registration',
  tag: 'Sessions',
  summary: 'Begin the registration of a passkey',
  description:
    'Returns a challenge that a new passkey signs. The challenge works once, in `createPasskey`, within five minutes. It requires recovery codes, which `enrolSecondFactor` issues. It requires your password, or a sign-in within the last ten minutes if you have none, and your second factor if it is on (`verifySecondFactor`).',
  access: allowPerson(),
  body: PasskeyRegistrationInput,
  examples: { withPassword: { currentPassword: 'a long sentence is a good one' } },
  replies: created(
    'The options for the browser.',
    PasskeyCreationOptions,
    { options: exampleOptions },
    { headers: ['Cache-Control'] },
  ),
  problems: ['conflict', 'fresh_sign_in_required', 'quota_exceeded', 'second_factor_required', 'rate_limited'],
  async run(context, { body }) {
    const { services, person, visitor } = context;
    const { isBegun } = await readSecondFactor(services.db, person.id);
    if (!isBegun) throw problem('conflict', { detail: 'You have no recovery codes. Set up a second factor first.' });
    await requireFactorIfOn(context);
    await requireReauthentication(context, body.currentPassword);
    const options = await services.identity.passkeys.beginRegistration(visitor, person);
    return { status: 201, headers: { 'cache-control': 'no-store' }, body: options };
  },
});
