// Passkeys (WebAuthn, level 3): the options for browsers, challenges, and the verification of signatures. Only this file
// imports the WebAuthn library, at its first use.
import { createHash, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import type { IdentityLibrary, Visitor } from './identity-library.ts';
import {
  MAX_PASSKEYS,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  toCredentials,
} from './passkey.ts';
import {
  CHALLENGE_MINUTES,
  findPublicKey,
  insertChallenge,
  listCredentials,
  markPasskeyUsed,
  type NewPasskeyRow,
  type PasskeyPurpose,
  takeChallenge,
} from './passkey-store.ts';

/** EdDSA, ES256 and RS256 (COSE algorithms). Each authenticator supports at least one of them. */
const ALGORITHMS = [-8, -7, -257];
const TIMEOUT_MS = CHALLENGE_MINUTES * 60_000;

/** A credential that was verified and is not stored yet. */
type VerifiedCredential = Pick<NewPasskeyRow, 'credentialId' | 'publicKey' | 'signatures' | 'transports'>;

interface PasskeyOwner {
  id: string;
  email: string;
  name: string;
}

export interface Passkeys {
  /**
   * Returns the options for a new passkey, with a challenge for the session of the visitor. Throws `conflict` if the
   * Console's address is an IP address, and `quota_exceeded` at the limit.
   */
  beginRegistration(visitor: Visitor, person: PasskeyOwner): Promise<PasskeyCreationOptions>;
  /** Verifies a new passkey. Returns undefined if it is refused. */
  verifyRegistration(
    visitor: Visitor,
    personId: string,
    attestation: PasskeyAttestation,
  ): Promise<VerifiedCredential | undefined>;
  /**
   * Returns the options for a signature, with a challenge for the session or the sign-in of the visitor. Returns
   * undefined if the person has no passkey.
   */
  beginVerification(
    visitor: Visitor,
    personId: string,
    purpose: 'sign_in' | 'verify',
  ): Promise<PasskeyRequestOptions | undefined>;
  /**
   * Verifies the signature of a registered passkey and records its use. Returns false for a passkey of another person, a
   * signature for another challenge, origin or RP ID, and a counter that has not risen. The caller counts the attempt.
   */
  verify(
    visitor: Visitor,
    personId: string,
    purpose: 'sign_in' | 'verify',
    assertion: PasskeyAssertion,
  ): Promise<boolean>;
}

export const tooManyPasskeys = (): ProblemError =>
  problem('quota_exceeded', { detail: `A person has at most ${MAX_PASSKEYS} passkeys. Remove a passkey first.` });

const hashOf = (value: string): Buffer => createHash('sha256').update(value).digest();

/** The library throws for each refusal. None of these calls reaches the database. */
async function refusedAsUndefined<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

export function createPasskeys(library: IdentityLibrary): Passkeys {
  const { db, consoleUrl } = library.options;
  // The configured address and no header of a request decides to which site passkeys belong.
  const { hostname: rpId, origin } = new URL(consoleUrl);

  function requireHostName(): void {
    if (isIP(rpId.replace(/^\[|\]$/g, '')) === 0) return;
    throw problem('conflict', {
      detail: `Passkeys require a host name. The address of this Console is ${consoleUrl}. Ask its operator to set SLIPWAY_CONSOLE_URL to an address with a host name.`,
    });
  }

  // Only the session or sign-in that requested a challenge can answer it.
  function holderOf(visitor: Visitor, purpose: PasskeyPurpose): Buffer {
    const token = purpose === 'sign_in' ? library.signInToken(visitor) : library.sessionToken(visitor);
    if (token === undefined) throw new Error('The visitor has neither a session nor a sign-in.');
    return hashOf(token);
  }

  async function issueChallenge(visitor: Visitor, personId: string, purpose: PasskeyPurpose): Promise<string> {
    const challenge = randomBytes(32).toString('base64url');
    await insertChallenge(db, { holder: holderOf(visitor, purpose), personId, purpose }, hashOf(challenge));
    return challenge;
  }

  /** Uses up the challenge. Returns the values to compare, or undefined without a valid challenge. */
  async function takeExpectation(visitor: Visitor, personId: string, purpose: PasskeyPurpose) {
    const hash = await takeChallenge(db, { holder: holderOf(visitor, purpose), personId, purpose });
    return (
      hash && {
        expectedChallenge: (challenge: string): boolean => hashOf(challenge).equals(hash),
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
      }
    );
  }

  return {
    async beginRegistration(visitor, person) {
      requireHostName();
      const credentials = await listCredentials(db, person.id);
      if (credentials.length >= MAX_PASSKEYS) throw tooManyPasskeys();
      return {
        challenge: await issueChallenge(visitor, person.id, 'register'),
        rp: { id: rpId, name: 'Slipway' },
        user: {
          id: Buffer.from(person.id).toString('base64url'),
          name: person.email,
          displayName: person.name,
        },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        timeout: TIMEOUT_MS,
        attestation: 'none',
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
        excludeCredentials: toCredentials(credentials),
      };
    },
    async verifyRegistration(visitor, personId, { id, clientDataJSON, attestationObject, transports }) {
      const expectation = await takeExpectation(visitor, personId, 'register');
      if (!expectation) return undefined;
      const [{ verifyRegistrationResponse }, { decodeAttestationObject, decodeClientDataJSON }] = await Promise.all([
        import('@simplewebauthn/server'),
        import('@simplewebauthn/server/helpers'),
      ]);
      const result = await refusedAsUndefined(async () => {
        if (decodeClientDataJSON(clientDataJSON).crossOrigin) return undefined;
        const object = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
        // A certificate can name an address, from which the library would fetch a list of revoked certificates. Browsers
        // send none, because the options request no attestation.
        if (object.get('attStmt').get('x5c') !== undefined) return undefined;
        return verifyRegistrationResponse({
          ...expectation,
          response: {
            id,
            rawId: id,
            type: 'public-key',
            response: { clientDataJSON, attestationObject },
            clientExtensionResults: {},
          },
          supportedAlgorithmIDs: ALGORITHMS,
        });
      });
      if (!result?.verified) return undefined;
      const { credential } = result.registrationInfo;
      if (credential.id !== id) return undefined;
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        signatures: credential.counter,
        transports,
      };
    },
    async beginVerification(visitor, personId, purpose) {
      const credentials = await listCredentials(db, personId);
      if (credentials.length === 0) return undefined;
      requireHostName();
      return {
        challenge: await issueChallenge(visitor, personId, purpose),
        rpId,
        timeout: TIMEOUT_MS,
        userVerification: 'required',
        allowCredentials: toCredentials(credentials),
      };
    },
    async verify(visitor, personId, purpose, { id, clientDataJSON, authenticatorData, signature }) {
      const expectation = await takeExpectation(visitor, personId, purpose);
      const key = await findPublicKey(db, personId, id);
      if (!expectation || !key) return false;
      const [{ verifyAuthenticationResponse }, { decodeClientDataJSON }] = await Promise.all([
        import('@simplewebauthn/server'),
        import('@simplewebauthn/server/helpers'),
      ]);
      const result = await refusedAsUndefined(async () => {
        // The library accepts a frame on another site if the browser does not name that site.
        if (decodeClientDataJSON(clientDataJSON).crossOrigin) return undefined;
        return verifyAuthenticationResponse({
          ...expectation,
          response: {
            id,
            rawId: id,
            type: 'public-key',
            response: { clientDataJSON, authenticatorData, signature },
            clientExtensionResults: {},
          },
          credential: { id, publicKey: new Uint8Array(key.public_key), counter: key.signatures },
        });
      });
      if (!result?.verified) return false;
      return markPasskeyUsed(db, personId, id, result.authenticationInfo.newCounter);
    },
  };
}
