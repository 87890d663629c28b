import { created, operation } from '../../kit/http/operation.ts';
import { namedObject, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowPerson } from './console-access.ts';
import { requireFactorIfOn, requireReauthentication, wrongPassword } from './fresh-factor.ts';
import { Enrolment } from './second-factor.ts';
import { readSecondFactor } from './second-factor-store.ts';

const NewSecondFactor = namedObject('NewSecondFactor', 'A second factor to set up.', {
  currentPassword: Type.Optional(text('Your password, if you have one.', { minLength: 1, maxLength: 200 })),
});

export const enrolSecondFactor = operation({
  id: 'enrolSecondFactor',
  route: 'POST /api/second-factor',
  tag: 'Sessions',
  summary: 'Set up a second factor',
  description:
    'Creates a secret for an authenticator (TOTP) and recovery codes. A sign-in requires them after `confirmSecondFactor` has confirmed the authenticator with a code, or after `createPasskey` has registered a passkey. A call before the confirmation of the authenticator replaces the secret and the codes. It requires your password, or a sign-in within the last ten minutes if you have none: an open session is not sufficient. A person who has a passkey confirms it first (`verifySecondFactor`). The person receives a mail when the factor is on.',
  access: allowPerson(),
  body: NewSecondFactor,
  examples: { withPassword: { currentPassword: 'a long sentence is a good one' } },
  replies: created(
    'The second factor must be confirmed. The secret and the codes are not shown again.',
    Enrolment,
    {
      anEnrolment: {
        uri: 'otpauth://totp/Slipway:imke%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Slipway',
        recoveryCodes: ['a1B2c-D3e4F', 'g5H6i-J7k8L'],
      },
    },
    { headers: ['Cache-Control'] },
  ),
  problems: ['conflict', 'fresh_sign_in_required', 'second_factor_required', 'rate_limited'],
  async run(context, { body }) {
    const { services, person, visitor } = context;
    const { secondFactor } = services.identity;
    const { methods } = await readSecondFactor(services.db, person.id);
    if (methods.includes('authenticator')) {
      throw problem('conflict', { detail: 'An authenticator is already set up. Disable the second factor first.' });
    }
    await requireFactorIfOn(context);
    await requireReauthentication(context, body.currentPassword);
    const enrolment = await secondFactor.enrol(visitor, body.currentPassword);
    if (enrolment) return { status: 201, headers: { 'cache-control': 'no-store' }, body: enrolment };
    throw wrongPassword();
  },
});
