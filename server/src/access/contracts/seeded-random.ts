// Deterministic random values: equal origins return equal draws on any machine and in any version.
import { createHash } from 'node:crypto';

export interface SeededRandom {
  /** Draws an integer from 0 to `below` - 1. */
  number(below: number): number;
  pick<T>(list: readonly T[]): T;
}

const BYTES_OF_DRAW = 4;

/** Returns a source of draws. Each draw uses four bytes of a hash of the origin. */
export function createSeededRandom(origin: string): SeededRandom {
  let hash = hashOf(origin, 0);
  let drawn = 0;
  const number = (below: number): number => {
    const at = (BYTES_OF_DRAW * drawn) % hash.length;
    if (at === 0 && drawn > 0) hash = hashOf(origin, drawn);
    drawn += 1;
    return hash.readUInt32BE(at) % below;
  };
  return { number, pick: <T>(list: readonly T[]): T => list[number(list.length)] as T }; // the index is in range
}

const hashOf = (origin: string, drawn: number): Buffer =>
  createHash('sha256')
    .update(drawn === 0 ? `${origin}/fields` : `${origin}/fields/${drawn}`)
    .digest();
