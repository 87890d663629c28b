// JSON Web Signatures in compact form with Ed25519 (RFC 7515, RFC 8037). A key is identified by its thumbprint
// (RFC 7638), so its id can be computed from the public key alone.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** A public key as a JSON Web Key (RFC 7517). */
export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  /** The 32 bytes of the key in base64url. */
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

export interface SigningKey {
  privateKey: KeyObject;
  /** The 32 bytes of the public key. */
  publicKey: Buffer;
  keyId: string;
}

/** The bytes before the 32 bytes of a private key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The bytes before the 32 bytes of a public key in SPKI. */
const SPKI_PREFIX_BYTES = 12;

/** Returns the key pair of a seed of 32 bytes. */
export function createSigningKey(seed: Buffer): SigningKey {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = spki.subarray(SPKI_PREFIX_BYTES);
  return { privateKey, publicKey, keyId: thumbprint(publicKey) };
}

function thumbprint(publicKey: Buffer): string {
  // The members and their order are those that RFC 8037 requires.
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: publicKey.toString('base64url') });
  return createHash('sha256').update(members).digest('base64url');
}

export function toPublicJwk(publicKey: Buffer): PublicJwk {
  const x = publicKey.toString('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(publicKey), alg: 'EdDSA', use: 'sig' };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a payload. `typ` names the kind of the payload, so that no other kind is accepted in its place (RFC 8725). */
export function signJws(payload: object, typ: string, { privateKey, keyId }: SigningKey): string {
  const input = `${encode({ alg: 'EdDSA', typ, kid: keyId })}.${encode(payload)}`;
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
}
