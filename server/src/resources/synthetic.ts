// Chance that is no chance: everything synthetic follows from a name of its origin, so that equal inputs give equal bytes
// on any machine and in any version.
import { createHash } from 'node:crypto';
import { uuidText } from '../kit/crypto/ids.ts';

/** Which characters the texts of a world are made of. */
export type Script = 'plain' | 'unicode';

/** What a world begins with is older than this, so that what happens in it from then on is newer. */
export const HISTORY_ENDS_MS = Date.UTC(2026, 0, 1);

/** An identifier in UUIDv7 layout that follows from its origin: it carries the moment, the rest is a hash. */
export function derivedUuid(origin: string, atMs: number): string {
  const bytes = createHash('sha256').update(origin).digest().subarray(0, 16);
  bytes.writeUIntBE(atMs, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidText(bytes);
}

/**
 * A span of time of its own for each of any number of things that happen one after another, however many there are: half
 * of them would fill half of the time if there were `half` of them, and later ones are ever closer together. So more of
 * them begin with the same ones, and none is in the future.
 */
export function turnOf(fromMs: number, untilMs: number, index: number, half: number): { atMs: number; spanMs: number } {
  const at = (which: number): number => fromMs + Math.floor(((untilMs - fromMs) * which) / (which + half));
  return { atMs: at(index), spanMs: Math.max(1, at(index + 1) - at(index)) };
}

export interface Draw {
  /** A whole number from 0 to `below` - 1. */
  number(below: number): number;
  pick<T>(list: readonly T[]): T;
}

const DRAWS = 8;

/** A sequence of at most eight draws, each from four bytes of the origin's hash. */
export function drawFrom(origin: string): Draw {
  const hash = createHash('sha256').update(`${origin}/fields`).digest();
  let drawn = 0;
  const number = (below: number): number => {
    if (drawn === DRAWS) throw new Error('An origin is good for eight draws.');
    return hash.readUInt32BE(4 * drawn++) % below;
  };
  return { number, pick: <T>(list: readonly T[]): T => list[number(list.length)] as T }; // in range
}
