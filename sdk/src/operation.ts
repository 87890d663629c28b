// An operation as the generated tables and types hold it, and what may be said of a call beside its input.
import type { PageParameter } from './pages.ts';

/** An operation as the generated tables hold it. */
export interface OperationEntry {
  method: string;
  path: string;
  query?: readonly string[];
  page?: PageParameter;
  takesIdempotencyKey?: boolean;
  isText?: boolean;
  /** It takes no access token. */
  isSessionOnly?: boolean;
  /** Production does not have it. */
  isSandboxOnly?: boolean;
}

/** An operation as the generated types hold it. */
export interface OperationTypes {
  input: object;
  output: unknown;
  item?: unknown;
  takesIdempotencyKey?: true;
}

/** A failed attempt that is repeated after a wait. */
export interface Retry {
  /** The failure: a `SlipwayProblem` or a `SlipwayConnectionError`. */
  error: unknown;
  /** The wait before the next attempt, in milliseconds. */
  waitMs: number;
  /** The number of the next attempt; the first attempt is 1. */
  attempt: number;
  /** The number of attempts that the call makes at most. */
  maxAttempts: number;
}

export interface RetryOptions {
  /** How often a call that failed in passing is tried again; 2 unless given. */
  maxRetries?: number | undefined;
  /** How long each attempt may take, its answer included; 30,000 unless given. */
  timeoutMs?: number | undefined;
  /** Called before each wait, for example to log that the API is unavailable. */
  onRetry?: ((retry: Retry) => void) | undefined;
}

export interface ClientOptions extends RetryOptions {
  /** The address of the API; empty for the page's own origin. */
  baseUrl: string;
  /** Instead of the platform's. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface CallOptions extends RetryOptions {
  /** Ends the call, its retries and its waiting. */
  signal?: AbortSignal | undefined;
  /** Headers of this call alone. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface MutationOptions extends CallOptions {
  /**
   * Under the same key the first answer is given again for 24 hours. The client makes one for each call; give your own
   * when you may repeat the call yourself, say after a restart.
   */
  idempotencyKey?: string | undefined;
}
