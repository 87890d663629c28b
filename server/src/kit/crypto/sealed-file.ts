// Encrypts a stream of bytes under a passphrase: scrypt derives the key, AES-256-GCM seals each chunk. The nonce
// contains the chunk's number and whether it is the last. So changed, moved, missing or inserted chunks are detected,
// and so is a truncated end.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { createByteReader } from '../text/byte-reader.ts';
import type { Secret } from './secret.ts';

/** A kind of sealed file. */
export interface SealedFileKind {
  /** The first bytes of each file, with the version of its format. */
  magic: Buffer;
  /** The sentence for a file that begins with other bytes. */
  otherFile: string;
}

const SALT_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
/** log2 of the cost of scrypt: 128 MiB and some tenths of a second for each try of a passphrase. */
const COST = 17;

/** The file cannot be opened. The message is a sentence with the reason. */
export class SealedFileError extends Error {
  override name = 'SealedFileError';
}

function keyOf(passphrase: Secret, salt: Buffer, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      passphrase.reveal().normalize('NFC'),
      salt,
      32,
      { N: 2 ** cost, r: 8, p: 1, maxmem: 256 * 1024 * 1024 },
      (error, key) => (error ? reject(error) : resolve(key)),
    );
  });
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 3);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/**
 * Seals a stream. The head, with the salt, is authenticated with each chunk, so no chunk opens after another head. Tests
 * seal many streams and pass a lower cost.
 */
export async function* sealChunks(
  source: AsyncIterable<Buffer>,
  { magic }: SealedFileKind,
  passphrase: Secret,
  cost = COST,
): AsyncGenerator<Buffer> {
  const head = Buffer.concat([magic, randomBytes(SALT_BYTES)]);
  const key = await keyOf(passphrase, head.subarray(magic.length), cost);
  let number = 0;
  function seal(plain: Buffer, isLast: boolean): Buffer {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(head);
    number += 1;
    const length = Buffer.alloc(4);
    const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    length.writeUInt32BE(sealed.length);
    return Buffer.concat([length, sealed]);
  }

  yield head;
  let buffered: Buffer = Buffer.alloc(0);
  for await (const piece of source) {
    buffered = Buffer.concat([buffered, piece]);
    // One chunk is always held back, because only the end of the source shows that it is the last.
    while (buffered.length > CHUNK_BYTES) {
      yield seal(buffered.subarray(0, CHUNK_BYTES), false);
      buffered = buffered.subarray(CHUNK_BYTES);
    }
  }
  yield seal(buffered, true);
}

export async function* unsealChunks(
  source: AsyncIterable<Buffer>,
  { magic, otherFile }: SealedFileKind,
  passphrase: Secret,
  cost = COST,
): AsyncGenerator<Buffer> {
  const reader = createByteReader(source);
  const read = async (bytes: number): Promise<Buffer | undefined> => {
    try {
      return await reader.read(bytes);
    } catch {
      throw new SealedFileError('The file is cut off.');
    }
  };
  // The magic is read first, so that a short file of another kind is not reported as truncated.
  const beginning = await reader.read(magic.length).catch(() => undefined);
  if (!beginning?.equals(magic)) throw new SealedFileError(otherFile);
  const salt = await read(SALT_BYTES);
  if (!salt) throw new SealedFileError('The file is cut off.');
  const head = Buffer.concat([magic, salt]);
  const key = await keyOf(passphrase, salt, cost);
  let number = 0;
  async function next(): Promise<Buffer | undefined> {
    const length = (await read(4))?.readUInt32BE();
    if (length === undefined) return undefined;
    if (length < TAG_BYTES || length > CHUNK_BYTES + TAG_BYTES) throw new SealedFileError('The file was changed.');
    const sealed = await read(length);
    if (!sealed) throw new SealedFileError('The file is cut off.');
    return sealed;
  }
  let sealed = await next();
  while (sealed) {
    const after: Buffer | undefined = await next();
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, after === undefined)).setAAD(head);
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const plain = decipher.update(sealed.subarray(0, -TAG_BYTES));
    try {
      decipher.final();
    } catch {
      throw new SealedFileError(
        number === 0 ? 'The passphrase is wrong, or the file was changed.' : 'The file was changed or cut off.',
      );
    }
    yield plain;
    number += 1;
    sealed = after;
  }
  if (number === 0) throw new SealedFileError('The file is cut off.');
}
