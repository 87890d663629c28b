// A key's text: `slw_test_<kid>_<secret><crc>` (kit/token.ts). Of the secret only an HMAC under the plane's pepper is kept.
import { timingSafeEqual } from 'node:crypto';
import { hmacSha256 } from '../../kit/hmac.ts';
import { type Secret, secret } from '../../kit/secret.ts';
import { hasChecksum, newToken, TOKEN_BODY_PATTERN } from '../../kit/token.ts';

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

const hmacs = new WeakMap<Secret, (message: string) => Buffer>();

function hmacUnder(pepper: Secret): (message: string) => Buffer {
  let hmac = hmacs.get(pepper);
  if (!hmac) {
    hmac = hmacSha256(pepper);
    hmacs.set(pepper, hmac);
  }
  return hmac;
}

/** What is stored of a key: HMAC-SHA-256 of its whole text under a pepper. */
export function verifierOf(token: string, pepper: Secret): Buffer {
  return hmacUnder(pepper)(token);
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

const MAX_LAYERS = 5;
// Personal access tokens of the Console are of the same make.
const KEY_IN_TEXT = /((?:slw(?:_|%5f)(?:test|live)|slp)(?:_|%5f)[0-9a-z]{12})(?:_|%5f)[0-9a-z]+/gi;

/** The text without the secret half of any key or token in it, whoever's it is: what is kept or logged of a request. */
export function redactKeys(text: string): string {
  const redacted = text.replace(KEY_IN_TEXT, '$1_[secret]');
  // A key that is spelt in percent-encoding too, once or several times: nothing of such a text is worth the risk.
  let decoded = redacted;
  for (let layer = 0; layer < MAX_LAYERS && decoded.includes('%'); layer++) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (decoded.search(KEY_IN_TEXT) !== -1) return '[secret]';
  }
  return redacted;
}
