// When a delivery is attempted again, and what an answer means for it. Pure: chance and the present are handed in.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delay before each attempt, counted from the end of the one before it: 10 attempts over 75 hours. */
export const DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 10 * HOUR_MS;

/** Which attempt it was, and what the next delay depends on. */
export interface Turn {
  /** From 1. */
  attemptNo: number;
  /** In [0, 1). */
  random: number;
  /** How many times faster the endpoint's schedule runs. */
  speed: number;
}

/**
 * How long to wait after this attempt; undefined when it was the last. A receiver may ask for more patience than the
 * schedule has, never for less; what it asks for is in its own time, however fast the schedule runs.
 */
export function nextDelayMs({ attemptNo, random, speed }: Turn, retryAfterMs = 0): number | undefined {
  const delayMs = DELAYS_MS[attemptNo];
  if (delayMs === undefined) return undefined;
  const jitteredMs = Math.round((delayMs * (1 + JITTER * random)) / speed);
  return Math.max(jitteredMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** A Retry-After header (RFC 9110, 10.2.3: seconds or an HTTP-date) as milliseconds from now; undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND_MS;
  // Date.parse reads much more than an HTTP-date ("1", "Monday 2"), so only what looks like one gets there.
  if (!/^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

export type Next =
  | { kind: 'succeeded' }
  /** `isGone`: the receiver said 410, so its endpoint is disabled. */
  | { kind: 'failed'; isGone: boolean }
  | { kind: 'again'; inMs: number };

const HONOURS_RETRY_AFTER = new Set<number | null>([429, 503]);

export function afterResponse(
  response: { status: number; retryAfter: string | undefined },
  turn: Turn,
  nowMs: number,
): Next {
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: 'succeeded' };
  if (status === 410) return { kind: 'failed', isGone: true };
  return afterFailure(turn, askedFor(response, nowMs));
}

/** How long the receiver asked to be left alone, from now on. */
function askedFor(response: { status: number | null; retryAfter: string | undefined }, nowMs: number) {
  return HONOURS_RETRY_AFTER.has(response.status) ? parseRetryAfter(response.retryAfter, nowMs) : undefined;
}

/** A failed attempt that another one follows. */
export interface EndedAttempt extends Omit<Turn, 'random'> {
  endedMs: number;
  status: number | null;
  retryAfter: string | undefined;
}

/** When the next attempt is due, in milliseconds since the epoch; undefined after the last one. */
export function retryAt(ended: EndedAttempt, random: number): number | undefined {
  const { attemptNo, speed, endedMs } = ended;
  const inMs = nextDelayMs({ attemptNo, random, speed }, askedFor(ended, endedMs));
  return inMs === undefined ? undefined : endedMs + inMs;
}

/** The clocks of a worker and of the database differ, and an attempt is recorded a little after its end. */
const TOLERANCE_MS = 2 * SECOND_MS;

/** Returns true if a retry that is due at `dueMs` waits by this schedule. */
export function isOnSchedule(ended: EndedAttempt, dueMs: number): boolean {
  const [soonest, latest] = [retryAt(ended, 0), retryAt(ended, 1)];
  if (soonest === undefined || latest === undefined) return true;
  return dueMs >= soonest - TOLERANCE_MS && dueMs <= latest + TOLERANCE_MS;
}

export function afterFailure(turn: Turn, retryAfterMs?: number): Exclude<Next, { kind: 'succeeded' }> {
  const inMs = nextDelayMs(turn, retryAfterMs);
  return inMs === undefined ? { kind: 'failed', isGone: false } : { kind: 'again', inMs };
}
