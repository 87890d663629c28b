// When an attempt is worth another, and how long to wait before it.
import { SlipwayConnectionError, SlipwayProblem } from './errors.ts';

const RETRIED_STATUSES = [408, 429, 502, 503, 504];

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** Who is asked to wait longer than this is told so at once, with the problem's `retryAfter`. */
export const LONGEST_RETRY_AFTER_SECONDS = 60;

/**
 * How long to wait before retry number `retry` (from 0); undefined when there is to be none. The backoff is drawn anew
 * between nothing and twice the one before (full jitter), and comes on top of what the API asks for: those who are told
 * the same moment do not all come back in it.
 */
export function waitBefore(error: unknown, retry: number, random: () => number = Math.random): number | undefined {
  if (!isPassing(error, retry)) return undefined;
  const askedSeconds = (error instanceof SlipwayProblem ? error.retryAfter : undefined) ?? 0;
  if (askedSeconds > LONGEST_RETRY_AFTER_SECONDS) return undefined;
  return askedSeconds * 1000 + random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retry);
}

function isPassing(error: unknown, retry: number): boolean {
  if (error instanceof SlipwayConnectionError) return true;
  if (!(error instanceof SlipwayProblem)) return false;
  // What is still at work under our key after a lost answer is our own earlier attempt.
  if (error.code === 'idempotency_in_progress') return retry > 0;
  return RETRIED_STATUSES.includes(error.status);
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
