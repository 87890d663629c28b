// Time intervals of a chart, each with its counts.

export interface TimePart {
  at: string;
  until: string;
}

/** Kinds in stacking order from the top. Each has its own colour and pattern. */
export const KINDS = ['failed', 'refused', 'unanswered', 'good'] as const;
export type Kind = (typeof KINDS)[number];

/** Adds the end of each interval, which is the start of the next one. */
export function withEnds<T extends { at: string }>(parts: readonly T[], end: string): (T & TimePart)[] {
  return parts.map((one, index) => ({ ...one, until: parts[index + 1]?.at ?? end }));
}

/**
 * Returns the end of the last interval. Intervals have round times; if the last one contains the current time, it ends
 * there.
 */
export function endOf(parts: readonly { at: string }[], until: string, nowMs: number): string {
  const last = parts.at(-1);
  const isNowIn = last !== undefined && Date.parse(last.at) <= nowMs && nowMs < Date.parse(until);
  return isNowIn ? new Date(nowMs).toISOString() : until;
}
