// Deterministic identifiers and times: all synthetic data is derived from the name of its origin, so equal inputs return
// equal bytes on any machine and in any version.
import { createHash } from 'node:crypto';
import { uuidText } from '../kit/crypto/ids.ts';

export { type CharacterSet, createSeededRandom, type SeededRandom } from '../access/contracts/index.ts';

/** The initial data of a world is older than this time, so that all later events of the world are newer. */
export const HISTORY_ENDS_MS = Date.UTC(2026, 0, 1);

/** Derives an identifier in UUIDv7 layout from its origin: it contains the time, and the rest is a hash. */
export function derivedUuid(origin: string, atMs: number): string {
  const bytes = createHash('sha256').update(origin).digest().subarray(0, 16);
  bytes.writeUIntBE(atMs, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidText(bytes);
}

/**
 * Returns a separate time span for each of any number of consecutive occurrences. The first `half` occurrences take
 * half of the time, and later spans become shorter. A larger number therefore starts with the same occurrences, and
 * none is in the future.
 */
export function timeSlotOf(
  fromMs: number,
  untilMs: number,
  index: number,
  half: number,
): { atMs: number; spanMs: number } {
  const at = (which: number): number => fromMs + Math.floor(((untilMs - fromMs) * which) / (which + half));
  return { atMs: at(index), spanMs: Math.max(1, at(index + 1) - at(index)) };
}
