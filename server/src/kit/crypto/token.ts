// The text of a credential: `<prefix><kid>_<secret><crc>`. The kid is public and finds the row. The checksum lets
// scanners recognise a leaked credential, and lets the server refuse a typing error without a look-up.
import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const KID_CHARACTERS = 12;
const SECRET_CHARACTERS = 32; // 190 bits
const CRC_CHARACTERS = 6;

/** The part after the prefix, as a regular expression whose first group is the kid. */
export const TOKEN_BODY_PATTERN = `([0-9A-Za-z]{${KID_CHARACTERS}})_[0-9A-Za-z]{${SECRET_CHARACTERS + CRC_CHARACTERS}}`;

function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
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

/** Returns whether a credential's text ends with its checksum. */
export function hasChecksum(text: string): boolean {
  return text.slice(-CRC_CHARACTERS) === checksum(text.slice(0, -CRC_CHARACTERS));
}

/** Returns the text of a new credential, which must be shown exactly once. */
export function newToken(prefix: string): { kid: string; token: string } {
  const kid = randomBase62(KID_CHARACTERS);
  const body = `${prefix}${kid}_${randomBase62(SECRET_CHARACTERS)}`;
  return { kid, token: body + checksum(body) };
}
