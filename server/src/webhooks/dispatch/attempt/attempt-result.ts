// Turns the result of an attempt into its row and the next step of the delivery, by the retry schedule. Pure:
// randomness and time are arguments. Only a response can become a success.

import type { OutboundResult } from '../../../kit/outbound/outbound.ts';
import type { AttemptOutcome } from '../../webhooks/index.ts';
import type { CancelCause } from './in-flight-attempts.ts';
import type { TextMasker } from './mask-echo.ts';

export interface AttemptResponse {
  outcome: 'response' | 'redirect';
  status: number;
  detail: null;
  headers: Record<string, string>;
  body: string;
  isBodyTruncated: boolean;
}

export interface AttemptFailure {
  outcome: Exclude<AttemptOutcome, AttemptResponse['outcome']>;
  detail: string;
}

type Success = { next: 'succeeded' };
type NoSuccess =
  /** `isGone`: the receiver responded 410, so its endpoint is disabled. */
  { next: 'failed'; isGone: boolean } | { next: 'waiting'; inMs: number };

/** An attempt's row, and the next step of its delivery. */
export type AttemptResult =
  | (Success & { record: AttemptResponse })
  | (NoSuccess & { record: AttemptResponse | AttemptFailure })
  /** Nothing was sent, and the receiver is not the cause, so there was no attempt. */
  | { next: 'unsent'; inMs: number };

export interface AttemptContext extends RetryInput {
  hasBegun: boolean;
  stoppedBy: CancelCause | undefined;
  nowMs: number;
  /** Masks confidential values that the request contained. */
  mask: TextMasker;
}

const MAX_DETAIL_LENGTH = 500;
const MAX_KEPT_BYTES = 16_384;
/** Bytes that are read beyond MAX_KEPT_BYTES: more than a secret takes in any encoding. */
const MARGIN_BYTES = 8_192;
export const MAX_READ_BYTES = MAX_KEPT_BYTES + MARGIN_BYTES;
/** Prevents a busy loop of a worker that cannot send, because its lease is over or its outbound client is closed. */
const UNSENT_PAUSE_MS = 500;

/** Makes text storable in Postgres, which refuses NUL. Bytes that are no UTF-8 were replaced when they were decoded. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');

type Response = Extract<OutboundResult, { kind: 'response' }>;

/**
 * Masks the body before it is cut, and cuts it before the end of the bytes that were read. A secret that is cut in two
 * would not be recognised.
 */
function bodyOf(response: Response, mask: TextMasker): { body: string; isBodyTruncated: boolean } {
  const masked = mask(storable(response.body.toString('utf8')));
  const bytes = Buffer.from(response.isBodyTruncated ? masked.slice(0, -MARGIN_BYTES) : masked);
  const isBodyTruncated = response.isBodyTruncated || bytes.length > MAX_KEPT_BYTES;
  return { body: bytes.subarray(0, MAX_KEPT_BYTES).toString('utf8'), isBodyTruncated };
}

/** Returns the same object if masking changes no value, which is the usual case. */
function headersOf({ headers }: Response, mask: TextMasker): Record<string, string> {
  const keptOf = (value: string): string => mask(storable(value));
  const given = Object.entries(headers);
  if (given.every(([, value]) => keptOf(value) === value)) return headers;
  return Object.fromEntries(given.map(([name, value]) => [name, keptOf(value)]));
}

function toAttemptResponse(response: Response, mask: TextMasker): AttemptResponse {
  const { status } = response;
  return {
    outcome: status >= 300 && status < 400 ? 'redirect' : 'response',
    status,
    detail: null,
    headers: headersOf(response, mask),
    ...bodyOf(response, mask),
  };
}

function evaluateResponse(response: Response, context: AttemptContext): AttemptResult {
  // The parser accepts any three digits; RFC 9110, section 15 ends at 599.
  if (response.status > 599) {
    const detail = `The receiver responded with status ${response.status}; HTTP statuses end at 599.`;
    return evaluateFailure({ outcome: 'protocol', detail }, context);
  }
  const record = toAttemptResponse(response, context.mask);
  const given = { status: response.status, retryAfter: response.headers['retry-after'] };
  return { ...nextStepAfterResponse(given, context, context.nowMs), record };
}

function evaluateFailure(record: AttemptFailure, retry: RetryInput): AttemptResult {
  return { ...nextStepAfterFailure(retry), record };
}

export function evaluateResult(result: OutboundResult, context: AttemptContext): AttemptResult {
  // A response counts even if the attempt was being stopped: the receiver did answer.
  if (result.kind === 'response') return evaluateResponse(result, context);
  const { hasBegun, stoppedBy } = context;
  if (result.failure !== 'aborted') {
    return evaluateFailure({ outcome: result.failure, detail: detailOf(result.detail) }, context);
  }
  // The next claim judges the delivery again. Without access it cancels or holds the delivery. Otherwise it sends the
  // delivery with the current settings, for example after a change of the URL.
  if (stoppedBy === 'revoke') {
    const detail = 'The attempt was stopped because access was revoked or the endpoint was changed.';
    return { next: 'waiting', record: { outcome: 'aborted_by_revoke', detail }, inMs: 0 };
  }
  if (!hasBegun) return { next: 'unsent', inMs: stoppedBy === 'leave' ? 0 : UNSENT_PAUSE_MS };
  const detail = 'The worker stopped during this attempt. The receiver may have received the request.';
  return { next: 'waiting', record: { outcome: 'interrupted', detail }, inMs: 0 };
}

const detailOf = (detail: string): string => storable(detail.slice(0, MAX_DETAIL_LENGTH));

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
interface RetryInput {
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

const HONOURS_RETRY_AFTER = new Set<number | null>([429, 503]);

export function nextStepAfterResponse(
  response: { status: number; retryAfter: string | undefined },
  retry: RetryInput,
  nowMs: number,
): Success | NoSuccess {
  const { status } = response;
  if (status >= 200 && status < 300) return { next: 'succeeded' };
  if (status === 410) return { next: 'failed', isGone: true };
  return nextStepAfterFailure(retry, requestedDelayMs(response, nowMs));
}

/** Returns the milliseconds for which the receiver asked not to be called. */
function requestedDelayMs(response: { status: number | null; retryAfter: string | undefined }, nowMs: number) {
  return HONOURS_RETRY_AFTER.has(response.status) ? parseRetryAfter(response.retryAfter, nowMs) : undefined;
}

/** A failed attempt that is followed by another one. */
interface EndedAttempt extends Omit<RetryInput, 'random'> {
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

export function nextStepAfterFailure(retry: RetryInput, retryAfterMs?: number): NoSuccess {
  const inMs = nextDelayMs(retry, retryAfterMs);
  return inMs === undefined ? { next: 'failed', isGone: false } : { next: 'waiting', inMs };
}
