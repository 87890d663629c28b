// A client for one configured origin. The client keeps connections and sends each request at most once.
// The time of a request and the bytes of its response are limited. The client follows no redirects and decompresses
// nothing. Each request ends with a response or a failure, and neither throws.
//
// The client has a circuit breaker: after consecutive failures it sends nothing for a pause, then one trial request. A
// 502, 503 or 504 is a failure. A 500 is not, because it concerns one request, and a caller that can provoke it could
// otherwise open the circuit for all.
import { type Dispatcher, Pool } from 'undici';
import { monotonicMs } from '../flow/clock.ts';
import { createHistogram, type Histogram, type HistogramReading } from '../telemetry/histogram.ts';

export interface OriginOptions {
  /** Base URL. Its path precedes the path of each request. */
  readonly url: string;
  /** Milliseconds from the wait for a connection to the last byte of the response. */
  readonly deadlineMs?: number;
  readonly maxResponseBytes?: number;
  readonly connections?: number;
  /** Circuit breaker: nothing is sent for `pauseMs` after this number of consecutive failures. */
  readonly breaker?: { readonly failures: number; readonly pauseMs: number };
}

export interface OriginRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Called synchronously right before the header is written. If it returns false, nothing is written. */
  readonly preSendCheck?: () => boolean;
}

/**
 * `closed`: the circuit breaker refused the request. `unreachable`: there was no connection. `withdrawn`: the pre-send check
 * was not given. With `timeout`, `broken` and `too_large` the upstream may have processed the request.
 */
type OriginFailure = 'closed' | 'unreachable' | 'withdrawn' | 'timeout' | 'broken' | 'too_large';

export type OriginResult =
  | { readonly kind: 'response'; readonly status: number; readonly headers: Headers; readonly body: Buffer }
  | {
      readonly kind: 'failure';
      readonly failure: OriginFailure;
      readonly hasBegun: boolean;
      /** The status of the incomplete response; undefined if no response began. */
      readonly status: number | undefined;
    };

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface OriginAttempt {
  /** Resolves to true when the header is being written, to false if it never will be. */
  readonly begun: Promise<boolean>;
  readonly result: Promise<OriginResult>;
}

export interface OriginMeasures {
  /** Durations by outcome. Requests that the circuit breaker refused have no duration. */
  requests: { outcome: 'response' | OriginFailure; durationMs: HistogramReading }[];
  /** True while the circuit breaker is open. */
  isBreakerOpen: boolean;
}

export interface Origin {
  send(request: OriginRequest): OriginAttempt;
  measures(): OriginMeasures;
  close(): Promise<void>;
}

export const DEADLINE_MS = 10_000;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const CONNECTIONS = 64;
const BREAKER = { failures: 10, pauseMs: 2_000 };
const CONNECT_TIMEOUT_MS = 3_000;
const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** Counts consecutive failures, and decides whether a request may be sent. */
function createBreaker({ failures, pauseMs }: NonNullable<OriginOptions['breaker']>) {
  let inRow = 0;
  let triedAtMs = 0;
  return {
    isOpen: () => inRow >= failures,
    mayTry(): boolean {
      if (inRow < failures) return true;
      const now = monotonicMs();
      if (now - triedAtMs < pauseMs) return false;
      triedAtMs = now; // admits this request only, until its outcome is known
      return true;
    },
    note(isFailure: boolean): void {
      inRow = isFailure ? inRow + 1 : 0;
      if (isFailure) triedAtMs = monotonicMs();
    },
  };
}

const isUnavailableStatus = (status: number): boolean => status >= 502 && status <= 504;
const isNeutralFailure = (failure: OriginFailure): boolean => failure === 'withdrawn' || failure === 'closed';

export function createOrigin(options: OriginOptions): Origin {
  const { origin, pathname } = new URL(options.url);
  const prefix = pathname.replace(/\/$/, '');
  const { deadlineMs = DEADLINE_MS, maxResponseBytes = MAX_RESPONSE_BYTES } = options;
  const pool = new Pool(origin, {
    connections: options.connections ?? CONNECTIONS,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: 0, // this client has an overall deadline
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  });
  const breaker = createBreaker(options.breaker ?? BREAKER);
  const durations = new Map<'response' | OriginFailure, Histogram>();
  function measure(outcome: 'response' | OriginFailure, sinceMs: number): void {
    const histogram = durations.get(outcome) ?? createHistogram(BOUNDS_MS);
    durations.set(outcome, histogram);
    histogram.record(monotonicMs() - sinceMs);
  }

  function send(request: OriginRequest): OriginAttempt {
    if (!breaker.mayTry()) {
      return { begun: Promise.resolve(false), result: Promise.resolve(failed('closed', false, undefined)) };
    }
    const startedAtMs = monotonicMs();
    let reportBegun: (hasBegun: boolean) => void = () => {};
    const begun = new Promise<boolean>((resolve) => {
      reportBegun = resolve;
    });
    const result = new Promise<OriginResult>((resolve) => {
      const settle = (outcome: OriginResult): void => {
        reportBegun(false); // no effect if it resolved to true before
        measure(outcome.kind === 'response' ? 'response' : outcome.failure, startedAtMs);
        if (outcome.kind === 'response') breaker.note(isUnavailableStatus(outcome.status));
        else if (!isNeutralFailure(outcome.failure)) breaker.note(true);
        resolve(outcome);
      };
      const handler = handlerOf(request, { deadlineMs, maxResponseBytes }, () => reportBegun(true), settle);
      const { method, path, headers, body } = request;
      pool.dispatch({ method, path: prefix + path, headers, body: body ?? null }, handler);
    });
    return { begun, result };
  }

  return {
    send,
    measures: () => ({
      requests: [...durations].map(([outcome, histogram]) => ({ outcome, durationMs: histogram.read() })),
      isBreakerOpen: breaker.isOpen(),
    }),
    close: () => pool.destroy(),
  };
}

const failed = (failure: OriginFailure, hasBegun: boolean, status: number | undefined): OriginResult => ({
  kind: 'failure',
  failure,
  hasBegun,
  status,
});

function handlerOf(
  { preSendCheck }: OriginRequest,
  bounds: { deadlineMs: number; maxResponseBytes: number },
  begin: () => void,
  settle: (outcome: OriginResult) => void,
): Dispatcher.DispatchHandler {
  let hasBegun = false;
  let status = 0;
  let headers: Headers = {};
  let bytes = 0;
  let isOver = false;
  let controller: Dispatcher.DispatchController | undefined;
  const chunks: Buffer[] = [];
  const end = (outcome: OriginResult): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    settle(outcome);
  };
  const giveUp = (failure: OriginFailure): void => {
    end(failed(failure, hasBegun, status > 0 ? status : undefined));
    controller?.abort(new Error(failure));
  };
  const timer = setTimeout(() => giveUp(hasBegun ? 'timeout' : 'unreachable'), bounds.deadlineMs);
  return {
    // undici writes the header in the same synchronous turn in which this returns.
    onRequestStart(given) {
      controller = given;
      if (isOver || preSendCheck?.() === false) {
        giveUp('withdrawn');
        given.abort(new Error('withdrawn'));
        return;
      }
      hasBegun = true;
      begin();
    },
    onResponseStart(_controller, statusCode, responseHeaders) {
      if (statusCode < 200) return; // 1xx: the final response follows
      status = statusCode;
      headers = responseHeaders;
    },
    onResponseData(_controller, chunk) {
      bytes += chunk.length;
      if (bytes > bounds.maxResponseBytes) return giveUp('too_large');
      // A copy, because the chunk is a view of a parser buffer.
      chunks.push(Buffer.from(chunk));
    },
    onResponseEnd() {
      end({ kind: 'response', status, headers, body: Buffer.concat(chunks) });
    },
    onResponseError() {
      giveUp(hasBegun ? 'broken' : 'unreachable');
    },
  };
}
