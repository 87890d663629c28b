// HMAC-SHA-256 (RFC 2104) from two one-shot hashes: Node's createHmac makes an object of the crypto library for every
// message, which took 5 % of the hot path and made the collector's work longer. In buffers that are there already it takes 1.0 µs,
// in new ones 1.7.
import { createHash, createHmac, hash } from 'node:crypto';
import type { Secret } from './secret.ts';

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** For a credential's text; what may be longer is laid out anew. */
const ROOM_BYTES = 512;
/** UTF-8, of a character of a string. */
const MOST_BYTES = 3;

/** What the two hashes begin with, each with room for what is hashed after it. */
function padded(key: Buffer, room: number): { inner: Buffer; outer: Buffer } {
  const bytes = key.length > BLOCK_BYTES ? createHash('sha256').update(key).digest() : key;
  const start = (value: number, room: number): Buffer =>
    Buffer.alloc(BLOCK_BYTES + room).map((_, at) => (at < BLOCK_BYTES ? value ^ (bytes[at] ?? 0) : 0)) as Buffer; // maps to its kind
  return { inner: start(0x36, room), outer: start(0x5c, HASH_BYTES) };
}

/** Prepares the key once; the function gives a message's 32 bytes. */
export function hmacSha256(key: Secret): (message: string) => Buffer {
  const { inner, outer } = padded(Buffer.from(key.reveal()), ROOM_BYTES);
  // Credentials of a kind are all as long.
  let ofThisLength = inner;

  function innerHash(message: string): string {
    if (message.length * MOST_BYTES > ROOM_BYTES) {
      return hash('sha256', Buffer.concat([inner.subarray(0, BLOCK_BYTES), Buffer.from(message)]), 'binary');
    }
    const end = BLOCK_BYTES + inner.write(message, BLOCK_BYTES);
    if (ofThisLength.length !== end) ofThisLength = inner.subarray(0, end);
    const hashed = hash('sha256', ofThisLength, 'binary');
    inner.fill(0, BLOCK_BYTES, end); // what is secret stays no longer than it must
    return hashed;
  }

  return (message) => {
    outer.write(innerHash(message), BLOCK_BYTES, 'binary');
    return Buffer.from(hash('sha256', outer, 'binary'), 'binary'); // as text: a Buffer of its own would be outside the heap
  };
}

/** For the bodies of events, one at a time; what is longer pays for an object of its own. */
const bodyRoom = Buffer.alloc(16_384);

/** The same of a message in two parts, in base64. */
export function hmacSha256Base64(key: Buffer): (start: string, rest: Buffer) => string {
  const { inner, outer } = padded(key, 0);
  return (start, rest) => {
    if (BLOCK_BYTES + start.length * MOST_BYTES + rest.length > bodyRoom.length) {
      return createHmac('sha256', key).update(start).update(rest).digest('base64');
    }
    inner.copy(bodyRoom);
    const end = BLOCK_BYTES + bodyRoom.write(start, BLOCK_BYTES);
    rest.copy(bodyRoom, end);
    outer.write(hash('sha256', bodyRoom.subarray(0, end + rest.length), 'binary'), BLOCK_BYTES, 'binary');
    return hash('sha256', outer, 'base64');
  };
}
