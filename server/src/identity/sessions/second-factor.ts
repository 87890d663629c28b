// The schemas of the second factor for operations.
import { closed, named, Type, text } from '../../kit/http/schema.ts';

const CODE = text('The six digits that the authenticator shows now.', {
  minLength: 6,
  maxLength: 6,
  pattern: '^[0-9]{6}$',
  examples: ['123456'],
});

export const AuthenticatorCode = named(
  'AuthenticatorCode',
  closed({ code: CODE }, { description: 'A code of an authenticator.' }),
);

export const SecondFactorCode = named(
  'SecondFactorCode',
  closed(
    {
      code: text('The six digits of the authenticator, or a recovery code.', {
        minLength: 6,
        maxLength: 11,
        pattern: '^([0-9]{6}|[A-Za-z0-9]{5}-[A-Za-z0-9]{5})$',
        examples: ['123456'],
      }),
    },
    { description: 'What answers the question for a second factor.' },
  ),
);

export const Enrolment = named(
  'SecondFactorEnrolment',
  closed(
    {
      uri: text('For an authenticator, as a picture or a link: `otpauth://...` with the secret in it.', {
        maxLength: 1000,
      }),
      recoveryCodes: Type.Array(text('A recovery code.', { maxLength: 20 }), {
        maxItems: 20,
        description: 'Each signs in once in place of a code. Shown this once; only hashes are kept.',
      }),
    },
    { description: 'A second factor that waits to be confirmed.' },
  ),
);
