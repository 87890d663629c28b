// Responses that are sent in pieces.

/**
 * Resolves when the first piece exists, so that an earlier error becomes a problem and not a truncated response. A
 * client may disconnect at any time, also before it reads a piece. `onGone` is then called immediately, whereas the
 * generator ends only after its current step.
 */
export async function awaitFirstPiece(
  pieces: AsyncGenerator<string>,
  onGone: () => void = () => {},
): Promise<AsyncIterable<string>> {
  let first: IteratorResult<string> | undefined = await pieces.next();
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const given = first;
        first = undefined;
        return given ? Promise.resolve(given) : pieces.next();
      },
      return() {
        onGone();
        return pieces.return(undefined);
      },
    }),
  };
}
