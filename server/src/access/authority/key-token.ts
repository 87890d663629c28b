// The text of a key: `slw_test_<kid>_<secret><crc>` (kit/crypto/token.ts). The database stores only an HMAC of the text
// under the plane's pepper.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Secret, secret } from '../../kit/crypto/secret.ts';
import { hasChecksum, KID_CHARACTERS, newToken, TOKEN_BODY_PATTERN } from '../../kit/crypto/token.ts';

export type Environment = 'sandbox' | 'production';

const PREFIX: Record<Environment, string> = { sandbox: 'slw_test_', production: 'slw_live_' };
const TOKEN = new RegExp(`^slw_(test|live)_${TOKEN_BODY_PATTERN}$`);

/** The peppers by version. A new key is bound to the current pepper; earlier peppers still verify. */
export interface Peppers {
  current: number;
  keys: Readonly<Record<number, Secret>>;
}

/** Returns a new key's text, to be shown exactly once. */
export function newKeyToken(environment: Environment): { kid: string; token: string } {
  return newToken(PREFIX[environment]);
}

/** Returns the environment and the kid in the text of a key, or undefined if the text is malformed. */
export function parseKeyToken(token: string): { environment: Environment; kid: string } | undefined {
  const match = TOKEN.exec(token);
  if (!match?.[2]) return undefined;
  if (!hasChecksum(token)) return undefined;
  return { environment: match[1] === 'test' ? 'sandbox' : 'production', kid: match[2] };
}

/**
 * Returns the characters at the position of the kid. This is sufficient for a known key, whose verifier covers the
 * whole text.
 */
export function kidAt(token: string, environment: Environment): string | undefined {
  const prefix = PREFIX[environment];
  return token.startsWith(prefix) ? token.slice(prefix.length, prefix.length + KID_CHARACTERS) : undefined;
}

/** Returns the stored form of a key: HMAC-SHA-256 of its whole text under a pepper. */
export function computeVerifier(token: string, pepper: Secret): Buffer {
  return createHmac('sha256', pepper.reveal()).update(token).digest();
}

/** Compared if the key or its pepper is unknown, so that the duration of a refusal reveals nothing about a key. */
const NO_PEPPER = secret('');
const NO_VERIFIER = Buffer.alloc(32);

/** Hashes and compares in constant time on every path, also for an unknown key or pepper. */
export function isVerified(
  token: string,
  known: { verifier: Buffer; pepperVersion: number } | undefined,
  peppers: Peppers,
): boolean {
  const pepper = known && peppers.keys[known.pepperVersion];
  const isEqual = timingSafeEqual(computeVerifier(token, pepper ?? NO_PEPPER), known?.verifier ?? NO_VERIFIER);
  return isEqual && pepper !== undefined;
}
