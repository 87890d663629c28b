// The schemas of the second factor for operations.
import { namedSchema, strictObject, Type, text } from '../../kit/http/schema.ts';

const CODE = text('The six digits that the authenticator shows now.', {
  minLength: 6,
  maxLength: 6,
  pattern: '^[0-9]{6}$',
  examples: ['123456'],
});

export const AuthenticatorCode = namedSchema(
  'AuthenticatorCode',
  strictObject({ code: CODE }, { description: 'A code of an authenticator.' }),
);

export const SecondFactorCode = namedSchema(
  'SecondFactorCode',
  strictObject(
    {
      code: text('The six digits of the authenticator, or a recovery code.', {
        minLength: 6,
        maxLength: 11,
        pattern: '^([0-9]{6}|[A-Za-z0-9]{5}-[A-Za-z0-9]{5})$',
        examples: ['123456'],
      }),
    },
    { description: 'A code for the second step of a sign-in.' },
  ),
);

export const Enrolment = namedSchema(
  'SecondFactorEnrolment',
  strictObject(
    {
      uri: text('The address `otpauth://...` with the secret, for an authenticator. Show it as a QR code or a link.', {
        maxLength: 1000,
      }),
      recoveryCodes: Type.Array(text('A recovery code.', { maxLength: 20 }), {
        maxItems: 20,
        description:
          'Each code signs in once in place of an authenticator code. They are shown only in this response; only hashes are stored.',
      }),
    },
    { description: 'A second factor that must be confirmed.' },
  ),
);
