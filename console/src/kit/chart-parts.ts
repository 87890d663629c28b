// What charts over time are drawn of: parts of it that follow each other, each with what was counted in it.

export interface TimePart {
  at: string;
  until: string;
}

/** In the order in which they are stacked, from the top. Each has a colour and a pattern of its own. */
export const KINDS = ['failed', 'refused', 'good'] as const;
export type Kind = (typeof KINDS)[number];

/** Each part with its end, which is where the next one begins. */
export function withEnds<T extends { at: string }>(parts: readonly T[], end: string): (T & TimePart)[] {
  return parts.map((one, index) => ({ ...one, until: parts[index + 1]?.at ?? end }));
}
