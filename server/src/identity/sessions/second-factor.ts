// The schemas of the second factor for operations.
import { namedObject, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleAssertion, PasskeyAssertion } from './passkey.ts';

const CODE = text('The six digits that the authenticator shows now.', {
  minLength: 6,
  maxLength: 6,
  pattern: '^[0-9]{6}$',
  examples: ['123456'],
});

export const AuthenticatorCode = namedObject('AuthenticatorCode', 'A code of an authenticator.', { code: CODE });

export const SecondFactorProofInput = namedObject(
  'SecondFactorProofInput',
  'A proof of the second factor: exactly one of `code` and `passkey`.',
  {
    code: Type.Optional(
      text('The six digits of the authenticator, or a recovery code.', {
        minLength: 6,
        maxLength: 11,
        pattern: '^([0-9]{6}|[A-Za-z0-9]{5}-[A-Za-z0-9]{5})$',
        examples: ['123456'],
      }),
    ),
    passkey: Type.Optional(PasskeyAssertion),
  },
);

export const exampleProofs = {
  aCode: { code: '492039' },
  aRecoveryCode: { code: 'a1B2c-D3e4F' },
  aPasskey: { passkey: exampleAssertion },
};

export type SecondFactorProof = { code: string } | { passkey: PasskeyAssertion };

/** Returns the proof in the body. Throws `invalid_request` unless the body has exactly one. */
export function requireProof({ code, passkey }: Static<typeof SecondFactorProofInput>): SecondFactorProof {
  if (code !== undefined && passkey === undefined) return { code };
  if (passkey !== undefined && code === undefined) return { passkey };
  const detail = 'must be present, or `passkey` in its place: the request requires exactly one of both';
  throw problem('invalid_request', { errors: [{ pointer: '/code', detail }] });
}

export const SecondFactorMethods = Type.Array(
  oneOf(['authenticator', 'passkey'], 'A means that proves the second factor, next to recovery codes.'),
  { maxItems: 2, description: 'The means that prove the second factor. Empty if none is required.' },
);

export const Enrolment = namedObject(
  'SecondFactorEnrolment',
  'A second factor that must be confirmed by a code of the authenticator, or by a passkey.',
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
);
