// What charts over time are drawn of: parts of it that follow each other, each with what was counted in it.

export interface TimePart {
  at: string;
  until: string;
}

/** In the order in which they are stacked, from the top. Each has a colour and a pattern of its own. */
export const KINDS = ['failed', 'refused', 'unanswered', 'good'] as const;
export type Kind = (typeof KINDS)[number];

/** Each part with its end, which is where the next one begins. */
export function withEnds<T extends { at: string }>(parts: readonly T[], end: string): (T & TimePart)[] {
  return parts.map((one, index) => ({ ...one, until: parts[index + 1]?.at ?? end }));
}

/** Parts have round times; the last one ends now, where now is in it: of what comes nothing is known. */
export function endOf(parts: readonly { at: string }[], until: string, nowMs: number): string {
  const last = parts.at(-1);
  const isNowIn = last !== undefined && Date.parse(last.at) <= nowMs && nowMs < Date.parse(until);
  return isNowIn ? new Date(nowMs).toISOString() : until;
}
