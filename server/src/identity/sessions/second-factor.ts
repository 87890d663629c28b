// The schemas of the second factor for operations.
import { namedObject, Type, text } from '../../kit/http/schema.ts';

const CODE = text('The six digits that the authenticator shows now.', {
  minLength: 6,
  maxLength: 6,
  pattern: '^[0-9]{6}$',
  examples: ['123456'],
});

export const AuthenticatorCode = namedObject('AuthenticatorCode', 'A code of an authenticator.', { code: CODE });

export const SecondFactorCode = namedObject('SecondFactorCode', 'A code for the second step of a sign-in.', {
  code: text('The six digits of the authenticator, or a recovery code.', {
    minLength: 6,
    maxLength: 11,
    pattern: '^([0-9]{6}|[A-Za-z0-9]{5}-[A-Za-z0-9]{5})$',
    examples: ['123456'],
  }),
});

export const Enrolment = namedObject('SecondFactorEnrolment', 'A second factor that must be confirmed.', {
  uri: text('The address `otpauth://...` with the secret, for an authenticator. Show it as a QR code or a link.', {
    maxLength: 1000,
  }),
  recoveryCodes: Type.Array(text('A recovery code.', { maxLength: 20 }), {
    maxItems: 20,
    description:
      'Each code signs in once in place of an authenticator code. They are shown only in this response; only hashes are stored.',
  }),
});
