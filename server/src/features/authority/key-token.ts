// A key's text: `slw_test_<kid>_<secret><crc>`. The kid is public and finds the row; of the secret only an HMAC under the
// plane's pepper is kept. The checksum lets scanners recognise a leaked key and refuses typing errors without a look-up.
import { timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hmacSha256 } from '../../kit/hmac.ts';
import { randomBytes } from '../../kit/ids.ts';
import { type Secret, secret } from '../../kit/secret.ts';

export type Environment = 'sandbox' | 'production';

const PREFIX: Record<Environment, string> = { sandbox: 'slw_test_', production: 'slw_live_' };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KID_CHARACTERS = 12;
const SECRET_CHARACTERS = 32; // 190 bits
const CRC_CHARACTERS = 6;
const TOKEN = /^slw_(test|live)_([0-9A-Za-z]{12})_[0-9A-Za-z]{38}$/;

export interface KeyToken {
  environment: Environment;
  kid: string;
}

/** The peppers by version. A new key is bound to the current one; older ones still verify. */
export interface Peppers {
  current: number;
  keys: Readonly<Record<number, Secret>>;
}

// Bytes from 248 on are thrown away: 256 is no multiple of 62, and a bias would cost entropy.
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

function checksum(text: string): string {
  let value = crc32(text);
  let encoded = '';
  for (let place = 0; place < CRC_CHARACTERS; place++) {
    encoded = BASE62[value % 62] + encoded;
    value = Math.floor(value / 62);
  }
  return encoded;
}

const VALUE_OF = new Map([...BASE62].map((character, value) => [character, value]));

/** The same comparison without building a text: every request goes through it. */
function hasChecksum(token: string): boolean {
  let value = 0;
  for (let at = token.length - CRC_CHARACTERS; at < token.length; at++) {
    value = value * 62 + (VALUE_OF.get(token[at] ?? '') ?? 0);
  }
  return value === crc32(token.slice(0, -CRC_CHARACTERS));
}

/** A new key's text, to be shown exactly once. */
export function newKeyToken(environment: Environment): { kid: string; token: string } {
  const kid = randomBase62(KID_CHARACTERS);
  const body = `${PREFIX[environment]}${kid}_${randomBase62(SECRET_CHARACTERS)}`;
  return { kid, token: body + checksum(body) };
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
