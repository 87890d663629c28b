// A file under a passphrase is restored exactly, and any change of it is detected.
import { expect, test } from 'vitest';
import { sealChunks, unsealChunks } from './sealed-file.ts';
import { secret } from './secret.ts';

const KIND = { magic: Buffer.from('a sealed file  1'), otherFile: 'The file is of another kind.' };
const passphrase = secret('correct horse battery staple');

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function whole(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of source) all.push(piece);
  return Buffer.concat(all);
}
const sealed = (bytes: Buffer): Promise<Buffer> => whole(sealChunks(pieces(bytes, 10_007), KIND, passphrase, COST));
const opened = (bytes: Buffer, size = 999, by = passphrase): Promise<Buffer> =>
  whole(unsealChunks(pieces(bytes, size), KIND, by, COST));

/** With the real cost each file of the test would take half a second. */
const COST = 4;
const CHUNK = 64 * 1024;
const HEAD = 32;
const FRAME = 4 + CHUNK + 16;

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])('%i bytes are restored exactly', async (length) => {
  const plain = Buffer.alloc(length, 'plain text');
  const file = await sealed(plain);
  expect((await opened(file)).equals(plain)).toBe(true);
  if (length > 100) expect(file.includes('plain textplain text')).toBe(false);
});

test('two files of the same content differ, and another passphrase opens neither', async () => {
  const [one, other] = [await sealed(Buffer.from('the same')), await sealed(Buffer.from('the same'))];
  expect(one.equals(other)).toBe(false);
  await expect(opened(one, 999, secret('correct horse battery stapler'))).rejects.toThrow('The passphrase is wrong');
});

test('a changed, moved, missing, repeated or truncated chunk is detected, and so is the head of another file', async () => {
  const file = await sealed(Buffer.alloc(3 * CHUNK + 5, 'x'));
  const frame = (at: number): Buffer => file.subarray(HEAD + at * FRAME, HEAD + (at + 1) * FRAME);
  const [head, a, b, c, last] = [file.subarray(0, HEAD), frame(0), frame(1), frame(2), file.subarray(HEAD + 3 * FRAME)];
  expect((await opened(Buffer.concat([head, a, b, c, last]))).length).toBe(3 * CHUNK + 5);
  const changed = Buffer.from(file);
  changed.writeUInt8(changed.readUInt8(HEAD + FRAME + 100) ^ 1, HEAD + FRAME + 100);
  const another = (await sealed(Buffer.from('another'))).subarray(0, HEAD);
  const wrong = {
    changed,
    moved: Buffer.concat([head, b, a, c, last]),
    omitted: Buffer.concat([head, a, c, last]),
    doubled: Buffer.concat([head, a, a, b, c, last]),
    endedEarly: Buffer.concat([head, a, b, c]),
    cutOff: file.subarray(0, -1),
    withMore: Buffer.concat([file, last]),
    ofAnother: Buffer.concat([another, a, b, c, last]),
    nothing: Buffer.alloc(0),
    head,
    ofAnotherKind: Buffer.alloc(1_000, 'x'),
  };
  for (const [name, bytes] of Object.entries(wrong)) {
    await expect(opened(bytes), name).rejects.toThrow(/changed|cut off|another kind/);
  }
});

test('a short file of another kind is reported as such, and not as a truncated one', async () => {
  await expect(opened(Buffer.from('a passphrase'))).rejects.toThrow('The file is of another kind.');
  await expect(opened((await sealed(Buffer.from('one'))).subarray(0, 20))).rejects.toThrow(/cut off/);
});
