// A span of time as a query asks for it, and its parts of the same length. Pure.
import { problem } from '../openapi/problems.ts';

const DAY_MS = 86_400_000;

export interface TimeSpan {
  sinceMs: number;
  untilMs: number;
}

/** The day until now, when nothing else is asked for. */
export function spanOf({ since, until }: { since?: string; until?: string }, nowMs: number): TimeSpan {
  const untilMs = until === undefined ? nowMs : momentOf('until', until);
  return { sinceMs: since === undefined ? untilMs - DAY_MS : momentOf('since', since), untilMs };
}

/** Of a query's parameter. A leap second fits the form, and is no time for a computer. */
export function momentOf(name: string, value: string): number {
  const atMs = Date.parse(value);
  if (!Number.isNaN(atMs)) return atMs;
  throw problem('invalid_request', { errors: [{ pointer: `/query/${name}`, detail: 'is not a moment' }] });
}

export const momentAt = (atMs: number): string => new Date(Math.max(0, atMs)).toISOString();

/** When each part begins. A span that ends before it begins has none. */
export function partsOf({ sinceMs, untilMs }: TimeSpan, count: number): number[] {
  const length = sinceMs < untilMs ? count : 0;
  return Array.from({ length }, (_, at) => Math.floor(sinceMs + (at * (untilMs - sinceMs)) / count));
}
