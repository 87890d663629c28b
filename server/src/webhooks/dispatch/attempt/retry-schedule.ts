// Decides when a delivery is attempted again, and how a response affects it. Pure: randomness and time are arguments.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delay before each attempt, counted from the end of the previous attempt: 10 attempts over 75 hours. */
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

/** The number of an attempt, and the inputs of the next delay. */
export interface RetryInput {
  /** Starts at 1. */
  attemptNo: number;
  /** At least 0 and less than 1. */
  random: number;
  /** Factor by which the endpoint's schedule is faster. */
  speed: number;
}

/**
 * Returns the milliseconds to wait after this attempt; undefined after the last one. A receiver can lengthen the delay
 * of the schedule, but not shorten it. `retryAfterMs` is not divided by the schedule's speed.
 */
export function nextDelayMs({ attemptNo, random, speed }: RetryInput, retryAfterMs = 0): number | undefined {
  const delayMs = DELAYS_MS[attemptNo];
  if (delayMs === undefined) return undefined;
  const jitteredMs = Math.round((delayMs * (1 + JITTER * random)) / speed);
  return Math.max(jitteredMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/**
 * Parses a Retry-After header (RFC 9110, section 10.2.3: seconds or an HTTP-date). Returns milliseconds from now;
 * undefined if it is neither.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND_MS;
  // Date.parse accepts much more than an HTTP-date ("1", "Monday 2"), so only text in that form is passed to it.
  if (!/^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

export type NextStep =
  | { kind: 'succeeded' }
  /** `isGone`: the receiver responded 410, so its endpoint is disabled. */
  | { kind: 'failed'; isGone: boolean }
  | { kind: 'again'; inMs: number };

const HONOURS_RETRY_AFTER = new Set<number | null>([429, 503]);

export function nextStepAfterResponse(
  response: { status: number; retryAfter: string | undefined },
  turn: RetryInput,
  nowMs: number,
): NextStep {
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: 'succeeded' };
  if (status === 410) return { kind: 'failed', isGone: true };
  return nextStepAfterFailure(turn, requestedDelayMs(response, nowMs));
}

/** Returns the milliseconds for which the receiver asked not to be called. */
function requestedDelayMs(response: { status: number | null; retryAfter: string | undefined }, nowMs: number) {
  return HONOURS_RETRY_AFTER.has(response.status) ? parseRetryAfter(response.retryAfter, nowMs) : undefined;
}

/** A failed attempt that is followed by another one. */
export interface EndedAttempt extends Omit<RetryInput, 'random'> {
  endedMs: number;
  status: number | null;
  retryAfter: string | undefined;
}

/** Returns when the next attempt is due, in milliseconds since the epoch; undefined after the last attempt. */
export function retryAt(ended: EndedAttempt, random: number): number | undefined {
  const { attemptNo, speed, endedMs } = ended;
  const inMs = nextDelayMs({ attemptNo, random, speed }, requestedDelayMs(ended, endedMs));
  return inMs === undefined ? undefined : endedMs + inMs;
}

/**
 * Tolerance in milliseconds: the clocks of worker and database differ, and an attempt is recorded shortly after its
 * end.
 */
const TOLERANCE_MS = 2 * SECOND_MS;

/** Returns true if a retry that is due at `dueMs` follows this schedule. */
export function isOnSchedule(ended: EndedAttempt, dueMs: number): boolean {
  const [soonest, latest] = [retryAt(ended, 0), retryAt(ended, 1)];
  if (soonest === undefined || latest === undefined) return true;
  return dueMs >= soonest - TOLERANCE_MS && dueMs <= latest + TOLERANCE_MS;
}

export function nextStepAfterFailure(
  turn: RetryInput,
  retryAfterMs?: number,
): Exclude<NextStep, { kind: 'succeeded' }> {
  const inMs = nextDelayMs(turn, retryAfterMs);
  return inMs === undefined ? { kind: 'failed', isGone: false } : { kind: 'again', inMs };
}
