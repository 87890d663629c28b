import { operation } from '../../kit/http/operation.ts';
import { closed, named, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { signedIn } from './access.ts';
import { requireIdentityProof } from './fresh-factor.ts';
import { Enrolment } from './second-factor.ts';

const NewSecondFactor = named(
  'NewSecondFactor',
  closed(
    { currentPassword: Type.Optional(text('Your password, when you have one.', { minLength: 1, maxLength: 200 })) },
    { description: 'A second factor to set up.' },
  ),
);

export const enrolSecondFactor = operation({
  id: 'enrolSecondFactor',
  method: 'POST',
  path: '/api/second-factor',
  tag: 'Sessions',
  summary: 'Set up a second factor',
  description:
    'Makes a secret for an authenticator (TOTP) and recovery codes. Signing in asks for them once a code has confirmed that the authenticator works. Asked again before that, it makes new ones. It takes your password, or a sign-in of the last ten minutes where you have none: an open session alone is not enough. A mail tells the person when it is on.',
  access: signedIn(),
  body: NewSecondFactor,
  examples: { withPassword: { currentPassword: 'a long sentence is a good one' } },
  replies: {
    201: {
      description: 'To be confirmed. Neither the secret nor the codes are shown again.',
      schema: Enrolment,
      headers: ['Cache-Control'],
      examples: {
        anEnrolment: {
          uri: 'otpauth://totp/Slipway:imke%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Slipway',
          recoveryCodes: ['a1B2c-D3e4F', 'g5H6i-J7k8L'],
        },
      },
    },
  },
  problems: ['conflict', 'fresh_sign_in_required', 'rate_limited'],
  async run(context, { body }) {
    const { services, person, visitor } = context;
    const { secondFactor } = services.identity;
    if (await secondFactor.isOn(person.id)) {
      throw problem('conflict', { detail: 'There is a second factor already. Disable it first.' });
    }
    await requireIdentityProof(context, body.currentPassword);
    const enrolment = await secondFactor.enrol(visitor, body.currentPassword);
    if (enrolment) return { status: 201, headers: { 'cache-control': 'no-store' }, body: enrolment };
    throw problem('invalid_request', {
      errors: [{ pointer: '/currentPassword', detail: 'is not the present password' }],
    });
  },
});
