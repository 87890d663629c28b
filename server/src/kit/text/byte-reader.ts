// Reads a number of bytes at a time from a source with pieces of any size.

interface ByteReader {
  /** Returns undefined at the end. Throws if the source ends within the requested bytes. */
  read(bytes: number): Promise<Buffer | undefined>;
}

export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let buffered: Buffer[] = [];
  let bufferedBytes = 0;
  return {
    async read(bytes) {
      while (bufferedBytes < bytes) {
        const next = await pieces.next();
        if (next.done) break;
        buffered.push(next.value);
        bufferedBytes += next.value.length;
      }
      if (bufferedBytes === 0 && bytes > 0) return undefined;
      if (bufferedBytes < bytes) throw new Error('The data ends in the middle of a block.');
      const joined = buffered.length === 1 ? (buffered[0] ?? Buffer.alloc(0)) : Buffer.concat(buffered);
      buffered = joined.length > bytes ? [joined.subarray(bytes)] : [];
      bufferedBytes = joined.length - bytes;
      return joined.subarray(0, bytes);
    },
  };
}
