// Turns the result of an attempt into its row and the next step of the delivery. Pure. Only a response can become a
// success.
import type { OutboundResult } from '../../../kit/outbound/outbound.ts';
import type { AttemptOutcome } from '../../webhooks/index.ts';
import type { CancelCause } from './in-flight-attempts.ts';
import type { TextMasker } from './mask-echo.ts';
import { nextStepAfterFailure, nextStepAfterResponse, type RetryInput } from './retry-schedule.ts';

export interface AttemptResponse {
  outcome: 'response' | 'redirect';
  status: number;
  detail: null;
  headers: Record<string, string>;
  body: string;
  isBodyCut: boolean;
}

export interface AttemptFailure {
  outcome: Exclude<AttemptOutcome, AttemptResponse['outcome']>;
  detail: string;
}

export type AttemptResult =
  | { next: 'succeeded'; record: AttemptResponse }
  | { next: 'failed'; record: AttemptResponse | AttemptFailure; isGone: boolean }
  | { next: 'waiting'; record: AttemptResponse | AttemptFailure; inMs: number }
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
function bodyOf(response: Response, mask: TextMasker): { body: string; isBodyCut: boolean } {
  const masked = mask(storable(response.body.toString('utf8')));
  const bytes = Buffer.from(response.isBodyCut ? masked.slice(0, -MARGIN_BYTES) : masked);
  const isBodyCut = response.isBodyCut || bytes.length > MAX_KEPT_BYTES;
  return { body: bytes.subarray(0, MAX_KEPT_BYTES).toString('utf8'), isBodyCut };
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

function evaluateResponse(response: Response, circumstances: AttemptContext): AttemptResult {
  // The parser accepts any three digits; RFC 9110, section 15 ends at 599.
  if (response.status > 599) {
    const detail = `The receiver responded with status ${response.status}; HTTP statuses end at 599.`;
    return evaluateFailure({ outcome: 'protocol', detail }, circumstances);
  }
  const record = toAttemptResponse(response, circumstances.mask);
  const given = { status: response.status, retryAfter: response.headers['retry-after'] };
  const after = nextStepAfterResponse(given, circumstances, circumstances.nowMs);
  if (after.kind === 'succeeded') return { next: 'succeeded', record };
  if (after.kind === 'failed') return { next: 'failed', record, isGone: after.isGone };
  return { next: 'waiting', record, inMs: after.inMs };
}

function evaluateFailure(record: AttemptFailure, turn: RetryInput): AttemptResult {
  const after = nextStepAfterFailure(turn);
  return after.kind === 'again'
    ? { next: 'waiting', record, inMs: after.inMs }
    : { next: 'failed', record, isGone: false };
}

export function evaluateResult(result: OutboundResult, circumstances: AttemptContext): AttemptResult {
  // A response counts even if the attempt was being stopped: the receiver did answer.
  if (result.kind === 'response') return evaluateResponse(result, circumstances);
  const { hasBegun, stoppedBy } = circumstances;
  if (result.failure !== 'aborted') {
    return evaluateFailure({ outcome: result.failure, detail: detailOf(result.detail) }, circumstances);
  }
  // The next claim judges the delivery again and cancels or holds it, and nothing is sent.
  if (stoppedBy === 'revoke') {
    const detail = 'The attempt was stopped because access was revoked.';
    return { next: 'waiting', record: { outcome: 'aborted_by_revoke', detail }, inMs: 0 };
  }
  if (!hasBegun) return { next: 'unsent', inMs: stoppedBy === 'leave' ? 0 : UNSENT_PAUSE_MS };
  const detail = 'The worker stopped during this attempt. The receiver may have received the request.';
  return { next: 'waiting', record: { outcome: 'interrupted', detail }, inMs: 0 };
}

const detailOf = (detail: string): string => storable(detail.slice(0, MAX_DETAIL_LENGTH));
