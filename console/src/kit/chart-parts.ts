// Time intervals of a chart, each with its counts.
import { timeWithin } from './time.ts';

export interface TimePart {
  at: string;
  until: string;
}

/** Kinds in stacking order from the top. Each has its own colour and pattern. */
export const KINDS = ['failed', 'refused', 'unanswered', 'good'] as const;
export type ChartKind = (typeof KINDS)[number];

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

export interface ChartSpan {
  since: string;
  until: string;
}

export interface ChartTable {
  /** Titles of a row's cells, without the time. */
  columns: readonly string[];
  rows: readonly (TimePart & { cells: readonly string[] })[];
}

export const spanMs = ({ since, until }: ChartSpan): number => Date.parse(until) - Date.parse(since);

/** Returns "14:30 to 15:00": the part of the time that distinguishes an interval. "14:30 to now" if it just began. */
export function formatInterval({ at, until }: TimePart, span: ChartSpan): string {
  // Only the two ends of a whole day have the same hour.
  const within = (time: string): string => timeWithin(time, spanMs(span) - 1);
  const [from, to] = [within(at), within(until)];
  return `${from} to ${from === to ? 'now' : to}`;
}
