// What is answered piece by piece.

/**
 * Once there is a first piece: what fails before it is a problem, and not an answer that breaks off. Whoever asked may go at
 * any time, also before a piece is read: `onGone` is told at once, the pieces when they are asked for no more.
 */
export async function primed(
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
