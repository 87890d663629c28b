// A period of time as a query names it, and its division into equal parts. Pure.
import { problem } from '../openapi/problems.ts';

const DAY_MS = 86_400_000;

export interface TimeSpan {
  sinceMs: number;
  untilMs: number;
}

/** Returns the period. By default it ends now, and is one day long. */
export function readTimeSpan(
  { since, until }: { since?: string; until?: string },
  nowMs: number,
  defaultMs = DAY_MS,
): TimeSpan {
  const untilMs = until === undefined ? nowMs : parseTime('until', until);
  return { sinceMs: since === undefined ? untilMs - defaultMs : parseTime('since', since), untilMs };
}

/** Parses a time in a query parameter. A leap second matches the format, but JavaScript cannot represent it. */
export function parseTime(name: string, value: string): number {
  const atMs = Date.parse(value);
  if (!Number.isNaN(atMs)) return atMs;
  throw problem('invalid_request', { errors: [{ pointer: `/query/${name}`, detail: 'must be a valid time' }] });
}

export const formatTime = (atMs: number): string => new Date(Math.max(0, atMs)).toISOString();

/** Returns the beginning of each part. A period that ends before it begins has no parts. */
export function splitTimeSpan({ sinceMs, untilMs }: TimeSpan, count: number): number[] {
  const length = sinceMs < untilMs ? count : 0;
  return Array.from({ length }, (_, at) => Math.floor(sinceMs + (at * (untilMs - sinceMs)) / count));
}
