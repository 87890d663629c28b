// Reads a number of bytes at a time from a source with pieces of any size.

export interface ByteReader {
  /** Returns undefined at the end. Throws if the source ends within the requested bytes. */
  read(bytes: number): Promise<Buffer | undefined>;
}

export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let heldBytes = 0;
  return {
    async read(bytes) {
      while (heldBytes < bytes) {
        const next = await pieces.next();
        if (next.done) break;
        held.push(next.value);
        heldBytes += next.value.length;
      }
      if (heldBytes === 0 && bytes > 0) return undefined;
      if (heldBytes < bytes) throw new Error('The data ends in the middle of a block.');
      const whole = held.length === 1 ? (held[0] ?? Buffer.alloc(0)) : Buffer.concat(held);
      held = whole.length > bytes ? [whole.subarray(bytes)] : [];
      heldBytes = whole.length - bytes;
      return whole.subarray(0, bytes);
    },
  };
}
