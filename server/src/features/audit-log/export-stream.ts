// What is answered piece by piece.

/** Once there is a first piece: what fails before it is a problem, and not an answer that breaks off. */
export async function primed(pieces: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await pieces.next();
  return (async function* () {
    try {
      if (!first.done) yield first.value;
      yield* pieces;
    } finally {
      await pieces.return(undefined); // whoever asked may have gone before the first piece
    }
  })();
}
