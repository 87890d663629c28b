// The schemas of passkeys for operations, in the terms of WebAuthn (level 3).
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  displayName,
  idSchema,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import type { CredentialRow, PasskeyRow } from './passkey-store.ts';

export const MAX_PASSKEYS = 10;

const base64url = (description: string, maxLength: number) =>
  text(description, { minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', examples: ['dGhlIGV4YW1wbGU'] });

const CREDENTIAL_ID = base64url("The authenticator's identifier of the passkey, in base64url.", 1400);
const CLIENT_DATA = base64url('The `clientDataJSON` that the browser signed, in base64url.', 4096);
const TRANSPORTS = Type.Array(
  text('A way to reach the authenticator, as the browser names it.', {
    minLength: 1,
    maxLength: 30,
    pattern: '^[a-z-]+$',
    examples: ['internal'],
  }),
  { maxItems: 10, description: 'The ways to reach the authenticator.' },
);

const PasskeyId = idSchema('pky', "The passkey's identifier.");
export const passkeyParams = strictObject({ passkeyId: PasskeyId });

export const PasskeyAssertion = namedObject('PasskeyAssertion', 'The signature of a passkey over a challenge.', {
  id: CREDENTIAL_ID,
  clientDataJSON: CLIENT_DATA,
  authenticatorData: base64url('The `authenticatorData` of the response, in base64url.', 4096),
  signature: base64url('The signature, in base64url.', 4096),
});
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

export const PasskeyAttestation = namedObject('PasskeyAttestation', 'A new passkey, as its authenticator states it.', {
  id: CREDENTIAL_ID,
  clientDataJSON: CLIENT_DATA,
  attestationObject: base64url('The `attestationObject` of the response, in base64url.', 16_384),
  transports: TRANSPORTS,
});
export type PasskeyAttestation = Static<typeof PasskeyAttestation>;

const Credential = namedObject('PasskeyCredential', 'A registered passkey, for the browser.', {
  id: CREDENTIAL_ID,
  type: oneOf(['public-key'], 'The type of the credential.'),
  transports: TRANSPORTS,
});

const CHALLENGE = base64url('The challenge to sign, in base64url. It is valid once, for five minutes.', 100);
const TIMEOUT = Type.Integer({ minimum: 0, maximum: 600_000, description: 'The time to answer, in milliseconds.' });
const USER_VERIFICATION = oneOf(['required'], 'The authenticator verifies the person by PIN or biometrics.');

export const PasskeyRequestOptions = namedObject(
  'PasskeyRequestOptions',
  'The options of `navigator.credentials.get`, in the JSON form of WebAuthn.',
  {
    challenge: CHALLENGE,
    rpId: text('The host name of the Console.', { maxLength: 255 }),
    timeout: TIMEOUT,
    userVerification: USER_VERIFICATION,
    allowCredentials: Type.Array(Credential, { maxItems: MAX_PASSKEYS, description: "The person's passkeys." }),
  },
);
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>;

export const PasskeyCreationOptions = namedObject(
  'PasskeyCreationOptions',
  'The options of `navigator.credentials.create`, in the JSON form of WebAuthn.',
  {
    challenge: CHALLENGE,
    rp: strictObject({
      id: text('The host name of the Console.', { maxLength: 255 }),
      name: text('The name of the product.', { maxLength: 100 }),
    }),
    user: strictObject({
      id: base64url('An opaque identifier of the person, in base64url.', 100),
      name: text('The e-mail address of the person.', { maxLength: 320 }),
      displayName: text('The name of the person.', { maxLength: 100 }),
    }),
    pubKeyCredParams: Type.Array(
      strictObject({
        type: oneOf(['public-key'], 'The type of the credential.'),
        alg: Type.Integer({ minimum: -65_535, maximum: -1, description: 'A COSE algorithm.' }),
      }),
      { maxItems: 10, description: 'The accepted algorithms, the preferred one first.' },
    ),
    timeout: TIMEOUT,
    attestation: oneOf(['none'], 'No proof of the make of the authenticator is requested.'),
    authenticatorSelection: strictObject({
      residentKey: oneOf(['discouraged'], 'The passkey need not be found without its identifier.'),
      userVerification: USER_VERIFICATION,
    }),
    excludeCredentials: Type.Array(Credential, {
      maxItems: MAX_PASSKEYS,
      description: "The person's passkeys, whose authenticators are refused.",
    }),
  },
);
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>;

export const Passkey = namedObject('Passkey', 'A passkey of the signed-in person.', {
  id: PasskeyId,
  name: displayName('The name that the person gave to the passkey.'),
  createdAt: dateTime('When the passkey was registered.'),
  lastUsedAt: nullable(dateTime('When the passkey was last used. Null if it was never used.')),
});
export type Passkey = Static<typeof Passkey>;

export const examplePasskey: Passkey = {
  id: 'pky_01j9z3v8k6e5t8m2n4p6q8r0s4',
  name: 'Security key',
  createdAt: '2026-03-02T09:30:00.000Z',
  lastUsedAt: '2026-03-03T08:00:00.000Z',
};

export const exampleAssertion: PasskeyAssertion = {
  id: 'dGhlIGV4YW1wbGU',
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  authenticatorData: 'dGhlIGF1dGhlbnRpY2F0b3I',
  signature: 'dGhlIHNpZ25hdHVyZQ',
};

export const exampleRequestOptions: PasskeyRequestOptions = {
  challenge: 'a2V5IHdvcmRzIG9mIGEgY2hhbGxlbmdl',
  rpId: 'slipway.example.org',
  timeout: 300_000,
  userVerification: 'required',
  allowCredentials: [{ id: 'dGhlIGV4YW1wbGU', type: 'public-key', transports: ['internal'] }],
};

export const toPasskey = ({ passkey_id, name, created_at, last_used_at }: PasskeyRow): Passkey => ({
  id: toId('pky', passkey_id),
  name,
  createdAt: created_at.toISOString(),
  lastUsedAt: last_used_at?.toISOString() ?? null,
});

/** Returns the credentials as `allowCredentials` and `excludeCredentials` list them. */
export const toCredentials = (rows: readonly CredentialRow[]): Static<typeof Credential>[] =>
  rows.map(({ credential_id, transports }) => ({ id: credential_id, type: 'public-key', transports }));
