// A key's text: `slw_test_<kid>_<secret><crc>` (kit/crypto/token.ts). The database keeps only an HMAC of the secret under the plane's
// pepper.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Secret, secret } from '../../kit/crypto/secret.ts';
import { hasChecksum, KID_CHARACTERS, newToken, TOKEN_BODY_PATTERN } from '../../kit/crypto/token.ts';

export type Environment = 'sandbox' | 'production';

const PREFIX: Record<Environment, string> = { sandbox: 'slw_test_', production: 'slw_live_' };
const TOKEN = new RegExp(`^slw_(test|live)_${TOKEN_BODY_PATTERN}$`);

export interface KeyToken {
  environment: Environment;
  kid: string;
}

/** The peppers by version. A new key is bound to the current one; older ones still verify. */
export interface Peppers {
  current: number;
  keys: Readonly<Record<number, Secret>>;
}

/** A new key's text, to be shown exactly once. */
export function newKeyToken(environment: Environment): { kid: string; token: string } {
  return newToken(PREFIX[environment]);
}

/** What a key's text says of itself, or undefined when it cannot be one. */
export function parseKeyToken(token: string): KeyToken | undefined {
  const match = TOKEN.exec(token);
  if (!match?.[2]) return undefined;
  if (!hasChecksum(token)) return undefined;
  return { environment: match[1] === 'test' ? 'sandbox' : 'production', kid: match[2] };
}

/** Where a key of this environment has its kid: enough for one that is known, whose verifier says the rest. */
export function kidAt(token: string, environment: Environment): string | undefined {
  const prefix = PREFIX[environment];
  return token.startsWith(prefix) ? token.slice(prefix.length, prefix.length + KID_CHARACTERS) : undefined;
}

/** What is stored of a key: HMAC-SHA-256 of its whole text under a pepper. */
export function verifierOf(token: string, pepper: Secret): Buffer {
  return createHmac('sha256', pepper.reveal()).update(token).digest();
}

/** What is compared where there is nothing to compare with: no key is told apart by how long its refusal takes. */
const NO_PEPPER = secret('');
const NO_VERIFIER = Buffer.alloc(32);

/** Hashes and compares in constant time on every path, that of an unknown key or pepper included. */
export function isVerified(
  token: string,
  known: { verifier: Buffer; pepperVersion: number } | undefined,
  peppers: Peppers,
): boolean {
  const pepper = known && peppers.keys[known.pepperVersion];
  const isEqual = timingSafeEqual(verifierOf(token, pepper ?? NO_PEPPER), known?.verifier ?? NO_VERIFIER);
  return isEqual && pepper !== undefined;
}
