// Reads long records in parts: each part reads for a bounded time, and the next part continues at the position.

import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import type { IdRange } from './request-filter.ts';

const RUN_FOR_MS = 1_500;

export interface RecordSource {
  /** The place among the sources. A position names it, so that a source which appears later changes no position. */
  order: string;
  /** Returns the parts of a range, newest first, each of which is read from its end. */
  ranges(range: IdRange): IdRange[];
  /** Reads the newest records of the range. Returns the uuid below which others are left; undefined if none is. */
  read(range: IdRange): Promise<string | undefined>;
}

export interface SourcePosition {
  sinceMs: number;
  untilMs: number;
  /** The source, by its place in the order; undefined before the first one. */
  source: string | undefined;
  /** The uuid below which the source continues. */
  before: string | undefined;
}

/** Returns the result of a statement that read at most `size` records: where to continue if it read that many. */
export const continueBelow = (
  { examined, reached }: { examined: number; reached: string | null },
  size: number,
): string | undefined => (examined < size ? undefined : (reached ?? undefined));

/**
 * Reads from the position on, and moves the position. The sources must be in order. Returns the share of the period that
 * was read, which is 1 only if nothing is left.
 */
export async function readSources(
  sources: readonly RecordSource[],
  position: SourcePosition,
  runForMs = RUN_FOR_MS,
): Promise<number> {
  const beganMs = monotonicMs();
  const from = firstUuidAt(position.sinceMs);
  for (const [at, source] of sources.entries()) {
    if (position.source !== undefined && source.order < position.source) continue;
    if (position.source !== source.order) position.before = undefined;
    position.source = source.order;
    const until = position.before ?? firstUuidAt(position.untilMs);
    for (const range of source.ranges({ from, before: until })) {
      position.before = range.before;
      for (let isRead = false; !isRead; ) {
        const left = await source.read({ from: range.from, before: position.before });
        isRead = left === undefined;
        position.before = left ?? range.from;
        if (monotonicMs() - beganMs > runForMs) return shareOf(position, at, sources.length);
      }
    }
  }
  return 1;
}

function shareOf({ before, sinceMs, untilMs }: SourcePosition, at: number, count: number): number {
  const reachedMs = before === undefined ? untilMs : Math.max(msOfUuid(before), sinceMs);
  return Math.min(0.999, (at + (untilMs - reachedMs) / (untilMs - sinceMs)) / count);
}
