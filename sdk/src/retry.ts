// Decides whether to retry an attempt, and how long to wait before it.
import { SlipwayConnectionError, SlipwayProblem } from './errors.ts';

const RETRIED_STATUSES = [408, 429, 502, 503, 504];

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** If the API asks for a longer wait, the call fails immediately with the problem's `retryAfter`. */
export const LONGEST_RETRY_AFTER_SECONDS = 60;

/**
 * Returns the milliseconds to wait before retry number `retry` (from 0), or undefined for no retry. The backoff is
 * random between zero and a limit that doubles with each retry (full jitter). It is added to `Retry-After`, so that
 * clients with the same `Retry-After` do not return at the same time.
 */
export function retryDelayMs(error: unknown, retry: number, random: () => number = Math.random): number | undefined {
  if (!isRetryable(error, retry)) return undefined;
  const askedSeconds = (error instanceof SlipwayProblem ? error.retryAfter : undefined) ?? 0;
  if (askedSeconds > LONGEST_RETRY_AFTER_SECONDS) return undefined;
  return askedSeconds * 1000 + random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retry);
}

function isRetryable(error: unknown, retry: number): boolean {
  if (error instanceof SlipwayConnectionError) return true;
  if (!(error instanceof SlipwayProblem)) return false;
  // After a lost response, the request in progress under this key is the call's own earlier attempt.
  if (error.code === 'idempotency_in_progress') return retry > 0;
  return RETRIED_STATUSES.includes(error.status);
}

/** Waits. Rejects with the signal's reason as soon as it is aborted. */
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
