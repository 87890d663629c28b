// Types of the generated operations, and the options of a call.
import type { PageParameter } from './pages.ts';

/** An operation in the generated tables. */
export interface OperationEntry {
  method: string;
  path: string;
  query?: readonly string[];
  /** The names of query parameters whose arguments have other names, by argument. */
  names?: Readonly<Record<string, string>>;
  page?: PageParameter;
  takesIdempotencyKey?: boolean;
  /** The response is text, not JSON. */
  isText?: boolean;
  /** The response is returned as a `Blob`, with its bytes and its type. */
  isBinary?: boolean;
  /** The operation accepts no access token. */
  isSessionOnly?: boolean;
  /** The operation does not exist in production. */
  isSandboxOnly?: boolean;
}

/** An operation in the generated types. */
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
  /** Number of retries after a transient failure. Default: 2. */
  maxRetries?: number | undefined;
  /** Milliseconds that each attempt may take, including its response. Default: 30,000. */
  timeoutMs?: number | undefined;
  /**
   * Called before each wait, for example to log that the API is unavailable. An error that it throws ends the call, for
   * example because the wait is too long for a person.
   */
  onRetry?: ((retry: Retry) => void) | undefined;
}

export interface ClientOptions extends RetryOptions {
  /** Address of the API. Empty: the origin of the page. */
  baseUrl: string;
  /** Replacement of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface CallOptions extends RetryOptions {
  /** Aborts the call, its retries and its waits. */
  signal?: AbortSignal | undefined;
  /** Additional headers of this call. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface MutationOptions extends CallOptions {
  /**
   * With the same key the API returns the first response again for 24 hours. The client generates a key for each call.
   * Pass your own key if you repeat the call yourself, for example after a restart.
   */
  idempotencyKey?: string | undefined;
}
