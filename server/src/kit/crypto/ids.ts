// Randomness and identifiers. An identifier is `<prefix>_` and the 26 base32 characters of a UUIDv7 (the TypeID
// encoding: Crockford's alphabet in lower case, most significant bits first); in Postgres it is a plain uuid.
import { randomFillSync } from 'node:crypto';
import { nowMs } from '../flow/clock.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** By the character's code. */
const VALUES = new Uint8Array(128);
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value;

/** The body of an identifier as a regular expression: 26 characters, of which the first holds only three bits. */
export const ID_BODY_PATTERN = '[0-7][0-9a-hjkmnp-tv-z]{25}';

const POOL_BYTES = 16_384;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let poolOffset = POOL_BYTES;

/** Cryptographically strong random bytes, drawn from the system in blocks: one system call per request is too many. */
export function randomBytes(size: number): Buffer {
  if (size > POOL_BYTES) return randomFillSync(Buffer.allocUnsafe(size));
  if (poolOffset + size > POOL_BYTES) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const bytes = Buffer.allocUnsafe(size);
  // One by one: for the 16 of an identifier Node's own copying and filling took twice as long.
  for (let at = 0; at < size; at++) {
    bytes[at] = pool[poolOffset + at] ?? 0;
    pool[poolOffset + at] = 0;
  }
  poolOffset += size;
  return bytes;
}

/** A number from 0 to 1, 1 excluded, each as likely as any other. */
export function randomShare(): number {
  return randomBytes(4).readUInt32BE() / 2 ** 32;
}

let lastMs = 0;
let counter = 0;

/** A UUIDv7 (RFC 9562, method 1: a 12-bit counter keeps one process's ids in order within a millisecond). */
export function newUuidBytes(): Buffer {
  const bytes = randomBytes(16);
  const now = nowMs();
  if (now > lastMs) {
    lastMs = now;
    counter = bytes.readUInt16BE(6) & 0x7ff;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes;
}

/** The canonical text of a uuid (RFC 9562), as Postgres writes it. */
export function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** By the character's code, in either case. */
const HEX_VALUES = new Uint8Array(128);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  for (const spelled of [digit, digit.toUpperCase()]) HEX_VALUES[spelled.charCodeAt(0)] = value;
}
/** Where each byte's two digits begin. */
const BYTES_AT = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

/** The 16 bytes of a uuid's text: each identifier of an answer comes through here. */
export function uuidBytes(uuid: string): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  for (let index = 0; index < 16; index++) {
    const at = BYTES_AT[index] ?? 0;
    const high = HEX_VALUES[uuid.charCodeAt(at)] ?? 0;
    bytes[index] = (high << 4) | (HEX_VALUES[uuid.charCodeAt(at + 1)] ?? 0);
  }
  return bytes;
}

export function newUuid(): string {
  return uuidText(newUuidBytes());
}

/** The smallest uuid that is larger. */
export function uuidAfter(uuid: string): string {
  const next = BigInt(`0x${uuid.replaceAll('-', '')}`) + 1n;
  return uuidText(Buffer.from(next.toString(16).padStart(32, '0'), 'hex'));
}

/** When a UUIDv7 was made, in milliseconds since the Unix epoch. */
export function msOfUuid(uuid: string): number {
  return uuidBytes(uuid).readUIntBE(0, 6);
}

/** The smallest UUIDv7 of a moment: the bound of a partition or of a search by time. */
export function firstUuidAt(atMs: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, Math.floor(atMs)), 0, 6);
  return uuidText(bytes);
}

// Two characters at a time: an identifier is made for every request.
const PAIRS = Array.from({ length: 1024 }, (_, value) => `${ALPHABET[value >> 5]}${ALPHABET[value & 31]}`);

/** The 26 base32 characters of 16 bytes: two zero bits, then the 128, in groups of ten bits. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 2;
  let value = 0;
  for (let at = 0; at < 16; at++) {
    value = (value << 8) | (bytes[at] ?? 0);
    bits += 8;
    if (bits >= 10) {
      bits -= 10;
      text += PAIRS[value >>> bits];
      value &= (1 << bits) - 1;
    }
  }
  return text;
}

function decodeBase32(text: string): Buffer {
  const bytes = Buffer.alloc(16);
  let bits = -2;
  let value = 0;
  let offset = 0;
  for (let at = 0; at < text.length; at++) {
    value = (value << 5) | (VALUES[text.charCodeAt(at)] ?? 0);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[offset++] = (value >>> bits) & 255;
    }
    value &= (1 << bits) - 1;
  }
  return bytes;
}

/** `('srv', uuid)` to `srv_...`. */
export function toId(prefix: string, uuid: string): string {
  return `${prefix}_${encodeBase32(uuidBytes(uuid))}`;
}

const ID = new RegExp(`^([a-z]{2,4})_(${ID_BODY_PATTERN})$`);

/** `srv_...` to its uuid, or undefined when it is not an identifier with that prefix. */
export function fromId(prefix: string, id: string): string | undefined {
  const bytes = bytesOfId(prefix, id);
  return bytes && uuidText(bytes);
}

/** The same as the 16 bytes of the uuid. */
export function bytesOfId(prefix: string, id: string): Buffer | undefined {
  const match = ID.exec(id);
  return match?.[1] === prefix && match[2] !== undefined ? decodeBase32(match[2]) : undefined;
}

/** Whether a text has the form of an identifier, of whatever kind. */
export function isId(text: string): boolean {
  return ID.test(text);
}
