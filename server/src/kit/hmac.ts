// HMAC-SHA-256 (RFC 2104) from two one-shot hashes: Node's createHmac makes an object of the crypto library for every
// message, which took 5 % of the hot path and made the collector's work longer. In buffers that are there already it takes 1.0 µs,
// in new ones 1.7.
import { createHash, hash } from 'node:crypto';
import type { Secret } from './secret.ts';

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** For a credential's text; what may be longer is laid out anew. */
const ROOM_BYTES = 512;
/** UTF-8, of a character of a string. */
const MOST_BYTES = 3;

/** Prepares the key once; the function gives a message's 32 bytes. */
export function hmacSha256(key: Secret): (message: string) => Buffer {
  const given = Buffer.from(key.reveal());
  const bytes = given.length > BLOCK_BYTES ? createHash('sha256').update(given).digest() : given;
  const start = (value: number, room: number): Buffer =>
    Buffer.alloc(BLOCK_BYTES + room).map((_, at) => (at < BLOCK_BYTES ? value ^ (bytes[at] ?? 0) : 0)) as Buffer; // maps to its kind
  const inner = start(0x36, ROOM_BYTES);
  const outer = start(0x5c, HASH_BYTES);
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
