// The text of a credential: `<prefix><kid>_<secret><crc>`. The kid is public and finds the row; the checksum lets scanners
// recognise a leaked one, and refuses typing errors without a look-up.
import { crc32 } from 'node:zlib';
import { randomBytes } from './ids.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const KID_CHARACTERS = 12;
const SECRET_CHARACTERS = 32; // 190 bits
const CRC_CHARACTERS = 6;

/** What follows the prefix, as a regular expression whose first group is the kid. */
export const TOKEN_BODY_PATTERN = `([0-9A-Za-z]{${KID_CHARACTERS}})_[0-9A-Za-z]{${SECRET_CHARACTERS + CRC_CHARACTERS}}`;

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

/** The same comparison without building a text: every request of /v1 goes through it. */
export function hasChecksum(token: string): boolean {
  let value = 0;
  for (let at = token.length - CRC_CHARACTERS; at < token.length; at++) {
    value = value * 62 + (VALUE_OF.get(token[at] ?? '') ?? 0);
  }
  return value === crc32(token.slice(0, -CRC_CHARACTERS));
}

/** A new credential's text, to be shown exactly once. */
export function newToken(prefix: string): { kid: string; token: string } {
  const kid = randomBase62(KID_CHARACTERS);
  const body = `${prefix}${kid}_${randomBase62(SECRET_CHARACTERS)}`;
  return { kid, token: body + checksum(body) };
}
