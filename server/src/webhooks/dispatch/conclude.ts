// What an attempt came to: its one row, and what follows for the delivery. Pure. A success is built from a response and
// from nothing else.
import type { OutboundResult } from '../../kit/outbound/outbound.ts';
import type { AttemptOutcome } from '../webhooks/index.ts';
import type { StopCause } from './flights.ts';
import type { Mask } from './mask-echo.ts';
import { afterFailure, afterResponse, type Turn } from './schedule.ts';

export interface Answer {
  outcome: 'response' | 'redirect';
  status: number;
  detail: null;
  headers: Record<string, string>;
  body: string;
  isBodyCut: boolean;
}

export interface Miss {
  outcome: Exclude<AttemptOutcome, Answer['outcome']>;
  detail: string;
}

export type Conclusion =
  | { next: 'succeeded'; record: Answer }
  | { next: 'failed'; record: Answer | Miss; isGone: boolean }
  | { next: 'waiting'; record: Answer | Miss; inMs: number }
  /** Nothing was sent, and not for a reason of the receiver's: no attempt was made. */
  | { next: 'unsent'; inMs: number };

export interface Circumstances extends Turn {
  hasBegun: boolean;
  stoppedBy: StopCause | undefined;
  nowMs: number;
  /** Of what was sent in confidence. */
  mask: Mask;
}

const MAX_DETAIL_LENGTH = 500;
const MAX_KEPT_BYTES = 16_384;
/** What is read beyond that: more than a secret takes in any spelling. */
const MARGIN_BYTES = 8_192;
export const MAX_READ_BYTES = MAX_KEPT_BYTES + MARGIN_BYTES;
/** So that a worker that cannot send (its lease is over, its door is closed) does not claim the same again and again. */
const UNSENT_PAUSE_MS = 500;

/** Text that Postgres takes: it has no NUL, and what is no UTF-8 was replaced when the bytes were decoded. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');

type Response = Extract<OutboundResult, { kind: 'response' }>;

/** Cut after it was masked, and before the end of what was read: a secret that is cut in two is not known for one. */
function bodyOf(response: Response, mask: Mask): { body: string; isBodyCut: boolean } {
  const masked = mask(storable(response.body.toString('utf8')));
  const bytes = Buffer.from(response.isBodyCut ? masked.slice(0, -MARGIN_BYTES) : masked);
  const isBodyCut = response.isBodyCut || bytes.length > MAX_KEPT_BYTES;
  return { body: bytes.subarray(0, MAX_KEPT_BYTES).toString('utf8'), isBodyCut };
}

/** As they came, which is what most are, or anew. */
function headersOf({ headers }: Response, mask: Mask): Record<string, string> {
  const keptOf = (value: string): string => mask(storable(value));
  const given = Object.entries(headers);
  if (given.every(([, value]) => keptOf(value) === value)) return headers;
  return Object.fromEntries(given.map(([name, value]) => [name, keptOf(value)]));
}

function answerOf(response: Response, mask: Mask): Answer {
  const { status } = response;
  return {
    outcome: status >= 300 && status < 400 ? 'redirect' : 'response',
    status,
    detail: null,
    headers: headersOf(response, mask),
    ...bodyOf(response, mask),
  };
}

function concludeResponse(response: Response, circumstances: Circumstances): Conclusion {
  // The parser lets three digits of any kind through; RFC 9110, 15 ends at 599.
  if (response.status > 599) {
    const detail = `The response's status, ${response.status}, is none that HTTP has.`;
    return concludeMiss({ outcome: 'protocol', detail }, circumstances);
  }
  const record = answerOf(response, circumstances.mask);
  const given = { status: response.status, retryAfter: response.headers['retry-after'] };
  const after = afterResponse(given, circumstances, circumstances.nowMs);
  if (after.kind === 'succeeded') return { next: 'succeeded', record };
  if (after.kind === 'failed') return { next: 'failed', record, isGone: after.isGone };
  return { next: 'waiting', record, inMs: after.inMs };
}

function concludeMiss(record: Miss, turn: Turn): Conclusion {
  const after = afterFailure(turn);
  return after.kind === 'again'
    ? { next: 'waiting', record, inMs: after.inMs }
    : { next: 'failed', record, isGone: false };
}

export function conclude(result: OutboundResult, circumstances: Circumstances): Conclusion {
  // Even when it was being stopped: what the receiver answered is what happened.
  if (result.kind === 'response') return concludeResponse(result, circumstances);
  const { hasBegun, stoppedBy } = circumstances;
  if (result.failure !== 'aborted') {
    return concludeMiss({ outcome: result.failure, detail: detailOf(result.detail) }, circumstances);
  }
  // The next claim judges what the delivery may still do: it is cancelled or held there, and nothing is sent.
  if (stoppedBy === 'revoke') {
    const detail = 'Stopped because access was taken away.';
    return { next: 'waiting', record: { outcome: 'aborted_by_revoke', detail }, inMs: 0 };
  }
  if (!hasBegun) return { next: 'unsent', inMs: stoppedBy === 'leave' ? 0 : UNSENT_PAUSE_MS };
  const detail = 'The sender stopped during this attempt; whether the receiver got it is not known.';
  return { next: 'waiting', record: { outcome: 'interrupted', detail }, inMs: 0 };
}

const detailOf = (detail: string): string => storable(detail.slice(0, MAX_DETAIL_LENGTH));
