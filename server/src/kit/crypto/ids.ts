// Ids. An id is `<prefix>_` and the 26 base32 characters of a UUIDv7 (the TypeID encoding: Crockford's alphabet in
// lower case, most significant bits first). In Postgres it is a plain uuid.
import { randomBytes } from 'node:crypto';
import { nowMs } from '../flow/clock.ts';
import { decodeBase32, encodeBase32 } from './base32.ts';

/** The body of an id as a regular expression: 26 characters, of which the first has only three bits. */
export const ID_BODY_PATTERN = '[0-7][0-9a-hjkmnp-tv-z]{25}';

const UUID_BYTES = 16;
const IDS_PER_READ = 256;
let randomness = randomBytes(0);
let usedBytes = 0;

// Read for many ids at once: a call to the system for each id took a tenth of a read's time (decision 0113).
function randomBytes16(): Buffer {
  if (usedBytes === randomness.length) {
    randomness = randomBytes(IDS_PER_READ * UUID_BYTES);
    usedBytes = 0;
  }
  const start = usedBytes;
  usedBytes += UUID_BYTES;
  return randomness.subarray(start, usedBytes);
}

/** Returns a uniformly distributed random number, at least 0 and less than 1. */
export function randomShare(): number {
  return randomBytes16().readUInt32BE() / 2 ** 32;
}

let lastMs = 0;
let counter = 0;

/**
 * Returns a new UUIDv7 (RFC 9562, method 1: a 12-bit counter keeps the ids of a process in order within a millisecond).
 */
export function newUuidBytes(): Buffer {
  const bytes = randomBytes16();
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

/** Returns the canonical text of a uuid (RFC 9562), as Postgres writes it. */
export function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns the 16 bytes of a uuid's text. */
export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

export function newUuid(): string {
  return uuidText(newUuidBytes());
}

/** Returns the next larger uuid. */
export function uuidAfter(uuid: string): string {
  const next = BigInt(`0x${uuid.replaceAll('-', '')}`) + 1n;
  return uuidText(Buffer.from(next.toString(16).padStart(32, '0'), 'hex'));
}

/** Returns when a UUIDv7 was created, in milliseconds since the Unix epoch. */
export function msOfUuid(uuid: string): number {
  return uuidBytes(uuid).readUIntBE(0, 6);
}

/** Returns the smallest UUIDv7 of a time, as the bound of a partition or of a search by time. */
export function firstUuidAt(atMs: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, Math.floor(atMs)), 0, 6);
  return uuidText(bytes);
}

/** Converts `('srv', uuid)` to `srv_...`. */
export function toId(prefix: string, uuid: string): string {
  return `${prefix}_${encodeBase32(uuidBytes(uuid))}`;
}

const ID = new RegExp(`^([a-z]{2,4})_(${ID_BODY_PATTERN})$`);

declare const KIND: unique symbol;
/** The uuid of an id with this prefix. The mark exists for the compiler only. */
export type Uuid<Prefix extends string> = string & { readonly [KIND]: Prefix };

/** Converts `srv_...` to its uuid. Returns undefined if the text is no id with that prefix. */
export function fromId<Prefix extends string>(prefix: Prefix, id: string): Uuid<Prefix> | undefined {
  const bytes = bytesOfId(prefix, id);
  return bytes && (uuidText(bytes) as Uuid<Prefix>); // the prefix was checked
}

/** Converts the id of an input whose schema has checked its form to the uuid. Throws on any other text. */
export function toUuid<Prefix extends string>(prefix: Prefix, id: string): Uuid<Prefix> {
  const uuid = fromId(prefix, id);
  if (uuid === undefined)
    throw new Error(`The id must have the prefix ${prefix}_, which the schema of its input checks.`);
  return uuid;
}

/** Returns the 16 bytes of the id's uuid; undefined if the text is no id with that prefix. */
export function bytesOfId(prefix: string, id: string): Buffer | undefined {
  const match = ID.exec(id);
  return match?.[1] === prefix && match[2] !== undefined ? decodeBase32(match[2]) : undefined;
}

/** Returns whether a text has the form of an id of any kind. */
export function isId(text: string): boolean {
  return ID.test(text);
}
