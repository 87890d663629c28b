// An authenticator of passkeys in software: ES256, without attestation. It is independent of the library that verifies.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { expect } from 'vitest';
import { attestationCertificate } from './certificate.ts';
import { CONSOLE_URL, type TestVisitor } from './console-app.ts';

interface Claims {
  challenge: string;
  origin: string;
  rpId: string;
  type: string;
  crossOrigin: boolean;
  isUserVerified: boolean;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Encodes a CBOR byte string of 24 to 65,535 bytes. */
const cborBytes = (bytes: Buffer): Buffer =>
  Buffer.concat([
    bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]),
    bytes,
  ]);
/** Encodes a CBOR text of fewer than 24 bytes. */
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** Returns the attestation for what an authenticator signs. */
type Attest = (signed: Buffer) => { format: string; statement: Uint8Array };

/** Attests with the certificate of a make of authenticators: a map of `alg` (ES256), `sig` and `x5c`. */
export const attestWithCertificate: Attest = (signed) => {
  const { certificate, privateKey } = attestationCertificate();
  const statement = Buffer.concat([
    Buffer.from([0xa3]),
    cborText('alg'),
    Buffer.from([0x26]),
    cborText('sig'),
    cborBytes(sign('sha256', signed, privateKey)),
    cborText('x5c'),
    Buffer.from([0x81]),
    cborBytes(certificate),
  ]);
  return { format: 'packed', statement };
};

export class SoftwareAuthenticator {
  readonly id = base64url(randomBytes(32));
  /** The counter of signatures. Each signature raises it by 1; 0 stays 0 if the authenticator does not count. */
  counter = 0;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #counts: boolean;

  constructor({ counts = true } = {}) {
    this.#counts = counts;
  }

  #claims(options: { challenge: string; rpId: string }, type: string, other: Partial<Claims>): Claims {
    const { challenge, rpId } = options;
    return { challenge, origin: CONSOLE_URL, rpId, type, crossOrigin: false, isUserVerified: true, ...other };
  }

  #clientData({ type, challenge, origin, crossOrigin }: Claims): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  }

  #authenticatorData({ rpId, isUserVerified }: Claims, flags: number): Buffer {
    if (this.#counts) this.counter += 1;
    const allFlags = flags | USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([allFlags]), uint32(this.counter)]);
  }

  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    // A COSE key: kty EC2, alg ES256, curve P-256, x and y.
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      cborBytes(Buffer.from(y, 'base64url')),
    ]);
  }

  /** Creates the credential, as `navigator.credentials.create` does. `other` replaces claims for an attack. */
  create(
    options: { challenge: string; rp: { id: string } },
    other: Partial<Claims> = {},
    attest: Attest = () => ({ format: 'none', statement: Buffer.from([0xa0]) }),
  ) {
    const claims = this.#claims({ ...options, rpId: options.rp.id }, 'webauthn.create', other);
    const id = Buffer.from(this.id, 'base64url');
    const authData = Buffer.concat([
      this.#authenticatorData(claims, HAS_CREDENTIAL),
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 255]),
      id,
      this.#publicKey(),
    ]);
    const clientData = this.#clientData(claims);
    const { format, statement } = attest(Buffer.concat([authData, sha256(clientData)]));
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText(format),
      cborText('attStmt'),
      statement,
      cborText('authData'),
      cborBytes(authData),
    ]);
    return {
      id: this.id,
      clientDataJSON: base64url(clientData),
      attestationObject: base64url(attestationObject),
      transports: ['usb'],
    };
  }

  /** Signs a challenge, as `navigator.credentials.get` does. `other` replaces claims for an attack. */
  get(options: { challenge: string; rpId: string }, other: Partial<Claims> = {}) {
    const claims = this.#claims(options, 'webauthn.get', other);
    const clientData = this.#clientData(claims);
    const authenticatorData = this.#authenticatorData(claims, 0);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.#keys.privateKey);
    return {
      id: this.id,
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
    };
  }
}

/** Registers the passkey of a person whose second factor was just verified, or who has just begun to set one up. */
export async function registerPasskey(
  visitor: TestVisitor,
  authenticator: SoftwareAuthenticator,
  name = 'Security key',
) {
  const options = await visitor.call<CreationOptions>('POST', '/api/passkeys/registration', {});
  expect([options.status, options.text]).toEqual([201, expect.any(String)]);
  const body = { name, credential: authenticator.create(options.body) };
  const registered = await visitor.call<{ id: string; name: string }>('POST', '/api/passkeys', body);
  expect([registered.status, registered.body]).toEqual([201, expect.objectContaining({ name })]);
  return registered.body;
}

export interface CreationOptions extends Record<string, unknown> {
  challenge: string;
  rp: { id: string };
}
export interface RequestOptions extends Record<string, unknown> {
  challenge: string;
  rpId: string;
}

/** Sets up a second factor of which a passkey is the only means. */
export async function enrolPasskey(visitor: TestVisitor, authenticator: SoftwareAuthenticator) {
  const { body } = await visitor.call<{ uri: string; recoveryCodes: string[] }>('POST', '/api/second-factor', {});
  return { ...body, passkey: await registerPasskey(visitor, authenticator) };
}

/** Returns the options of a challenge for the signed-in person. */
export async function challengeOf(visitor: TestVisitor): Promise<RequestOptions> {
  const { status, body } = await visitor.call<RequestOptions>('POST', '/api/passkeys/challenges');
  expect(status).toBe(201);
  return body;
}

/** Returns the options of a challenge for a sign-in that waits for the second factor. */
export async function signInChallengeOf(visitor: TestVisitor): Promise<RequestOptions> {
  const { status, body } = await visitor.call<RequestOptions>('POST', '/api/session/passkey-challenge');
  expect(status).toBe(201);
  return body;
}
