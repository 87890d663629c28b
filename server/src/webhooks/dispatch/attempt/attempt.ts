// One attempt, from its claim to its row: sign, run the pre-send check, send once, record.

import type { Environment } from '../../../access/authority/index.ts';
import { randomShare, toId } from '../../../kit/crypto/ids.ts';
import { sign } from '../../../kit/crypto/standard-webhooks.ts';
import { microsecondsSince, monotonicMs, nowMs } from '../../../kit/flow/clock.ts';
import { memo } from '../../../kit/flow/memo.ts';
import type { OutboundClient, OutboundResult } from '../../../kit/outbound/outbound.ts';
import { type Span, type SpanEnd, tracer, traceWork } from '../../../kit/telemetry/trace.ts';
import { type ScopeUseCounter, scopesOfDelivery } from '../../../resources/scope-uses/index.ts';
import { type DeliveryHeaders, isListener } from '../../webhooks/index.ts';
import type { DeliveryClaim } from '../claim/claim-store.ts';
import { hostOf } from '../claim/queue-plan.ts';
import type { HealthRecorder } from '../health/health-recorder.ts';
import type { Relays } from '../relays/relays.ts';
import type { PreSendCheck } from '../workers/pre-send-check.ts';
import type { AttemptMeter } from './attempt-meter.ts';
import { type AttemptResult, evaluateResult, MAX_READ_BYTES } from './attempt-result.ts';
import type { AttemptRecorder, AttemptResultRow } from './attempt-store.ts';
import type { InFlightAttempt } from './in-flight-attempts.ts';
import { maskFor, type TextMasker } from './mask-echo.ts';
import type { UnsealEndpoint, UnsealedEndpoint } from './unsealed-endpoints.ts';

// A delivery that cannot be signed, for example without its master key, is an operator's problem and not the receiver's
// fault.
const UNSIGNABLE_DELAY_MS = 60_000;
// A fault of Slipway can repeat in every attempt. The delay keeps it from calling the receiver in a loop.
const FAULT_DELAY_MS = 60_000;

export interface AttemptTools extends SendTools {
  environment: Environment;
  openEndpoint: UnsealEndpoint;
  attemptRecorder: AttemptRecorder;
  health: HealthRecorder;
  scopeUses: ScopeUseCounter;
  meter: AttemptMeter;
  log(line: object): void;
}

const KNOWN_IDS = 1_000;
const endpointIdOf = memo((uuid) => toId('whe', uuid), KNOWN_IDS);
const appIdOf = memo((uuid) => toId('app', uuid), KNOWN_IDS);

interface Ids {
  eventId: string;
  deliveryId: string;
}

interface SignedMessage {
  custom: UnsealedEndpoint['custom'];
  headers: Record<string, string>;
  mask: TextMasker;
}

function signMessage(
  { row }: DeliveryClaim,
  { eventId, deliveryId }: Ids,
  body: Buffer,
  { openEndpoint, environment }: AttemptTools,
  span: Span | undefined,
): SignedMessage {
  const timestamp = Math.floor(nowMs() / 1000);
  const { custom, secrets, confidential } = openEndpoint(row);
  const signatures = sign(secrets, eventId, timestamp, body);
  const headers: Record<string, string> = {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures,
    'slipway-delivery-id': deliveryId,
    'slipway-attempt': String(row.attempt_no),
    'slipway-trigger': row.trigger,
    'slipway-schema-version': String(row.schema_version),
    'slipway-environment': environment,
  } satisfies DeliveryHeaders;
  if (span) headers.traceparent = span.traceparent;
  return { custom, headers, mask: maskFor(confidential, signatures) };
}

const FAULT_DETAIL = 'An internal error ended this attempt. The receiver may have received the request.';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function sendAttempt(
  claim: DeliveryClaim,
  ids: Ids,
  attempt: InFlightAttempt,
  tools: AttemptTools,
  span: Span | undefined,
): Promise<AttemptResult> {
  const body = Buffer.from(claim.row.body);
  let signed: SignedMessage;
  try {
    signed = signMessage(claim, ids, body, tools, span);
  } catch (error) {
    tools.log({ event: 'webhook.signing_failed', deliveryId: ids.deliveryId, error: messageOf(error) });
    attempt.markOffWire();
    return { next: 'unsent', inMs: UNSIGNABLE_DELAY_MS };
  }
  const { custom, headers, mask } = signed;
  try {
    const result = await sendSignedRequest({ url: claim.row.url, custom, headers, body }, attempt, tools);
    attempt.durationUs = result.durationUs;
    return evaluateResult(result, {
      attemptNo: claim.row.attempt_no,
      speed: tools.environment === 'sandbox' ? claim.row.schedule_speed : 1, // production has one schedule
      hasBegun: attempt.hasBegun,
      stoppedBy: attempt.stoppedBy,
      random: randomShare(),
      nowMs: nowMs(),
      mask,
    });
  } catch (error) {
    tools.log({ event: 'webhook.attempt_failed', deliveryId: ids.deliveryId, error: messageOf(error) });
    // The receiver may have received the request, as after a crash of the worker.
    if (!attempt.hasBegun) return { next: 'unsent', inMs: FAULT_DELAY_MS };
    return { next: 'waiting', record: { outcome: 'interrupted', detail: FAULT_DETAIL }, inMs: FAULT_DELAY_MS };
  } finally {
    attempt.markOffWire();
  }
}

function toRow(
  { row, token: claimToken }: DeliveryClaim,
  result: AttemptResult,
  startedAtMs: number,
  durationUs: number,
): AttemptResultRow {
  const record = result.next === 'unsent' ? undefined : result.record;
  const answer = record !== undefined && 'status' in record ? record : undefined;
  return {
    app_id: row.app_id,
    delivery_id: row.delivery_id,
    worker_id: claimToken.registration.workerId,
    attempt_no: row.attempt_no,
    next: result.next,
    delay_ms: 'inMs' in result ? result.inMs : 0,
    started_at_ms: startedAtMs,
    duration_us: durationUs,
    outcome: record?.outcome ?? null,
    status: answer?.status ?? null,
    detail: record?.detail ?? null,
    response_headers: answer?.headers ?? null,
    response_body: answer?.body ?? null,
    is_body_cut: answer?.isBodyTruncated ?? false,
    url: record ? row.url : null,
    key_id: row.key_id,
  };
}

/**
 * Returns the log line of an attempt. The line names only the host of the URL, because the rest may contain a secret of
 * the receiver.
 */
function toLogLine({ row }: DeliveryClaim, ids: Ids, result: AttemptResultRow, isRecorded: boolean): object {
  const host = hostOf(row.url);
  return {
    event: 'webhook.attempt_ended',
    deliveryId: ids.deliveryId,
    eventId: ids.eventId,
    endpointId: endpointIdOf(row.endpoint_id),
    appId: appIdOf(row.app_id),
    host: host === row.url ? null : host,
    trigger: row.trigger,
    attempt: row.attempt_no,
    outcome: result.outcome ?? 'unsent',
    status: result.status,
    detail: result.detail,
    durationMs: result.duration_us / 1000,
    next: result.next,
    nextInMs: result.next === 'waiting' || result.next === 'unsent' ? result.delay_ms : null,
    isRecorded,
  };
}

/**
 * Returns the end of the span, without data of the receiver. The record of the attempt has that data, under the same
 * id.
 */
function toSpanEnding({ row }: DeliveryClaim, ids: Ids, { outcome, status, next }: AttemptResultRow): SpanEnd {
  const attributes = {
    'slipway.delivery_id': ids.deliveryId,
    'slipway.event_id': ids.eventId,
    'slipway.attempt': row.attempt_no,
    'slipway.outcome': outcome ?? 'unsent',
    'slipway.next': next,
    ...(status !== null && { 'http.response.status_code': status }),
  };
  const isFailure = next === 'failed' || next === 'waiting';
  return { attributes, ...(isFailure && { failure: status === null ? (outcome ?? 'unsent') : String(status) }) };
}

function noteScopeUses({ row }: DeliveryClaim, uses: ScopeUseCounter, atMs: number): void {
  const use = { appId: row.app_id, keyId: row.key_id, serverId: row.server_id, atMs };
  for (const scope of scopesOfDelivery(row.body)) uses.note({ ...use, scope, isOfKey: true });
}

/** Sends and records the claimed delivery. Never rejects. */
export async function runAttempt(claim: DeliveryClaim, attempt: InFlightAttempt, tools: AttemptTools): Promise<void> {
  const startedAtMs = nowMs();
  const startedMs = monotonicMs();
  const span = tracer()?.begin('webhook attempt', 'client');
  const ids = { eventId: toId('evt', claim.row.event_id), deliveryId: toId('dlv', claim.row.delivery_id) };
  const result = await sendAttempt(claim, ids, attempt, tools, span);
  const durationUs = attempt.durationUs ?? microsecondsSince(startedMs);
  const row = toRow(claim, result, startedAtMs, durationUs);
  tools.meter.note(row);
  if (row.outcome !== null) noteScopeUses(claim, tools.scopeUses, startedAtMs);
  const isGone = result.next === 'failed' && result.isGone;
  await tools.health.note(row, claim.row);
  const recording = tools.attemptRecorder.record(row, isGone ? claim.row.endpoint_id : undefined);
  const isRecorded = await traceWork(span, 'record', recording);
  span?.end(toSpanEnding(claim, ids, row));
  tools.log(toLogLine(claim, ids, row, isRecorded));
}

/** The limits of one attempt. */
export const WEBHOOK_LIMITS = {
  connectTimeoutMs: 5_000,
  totalTimeoutMs: 15_000,
  maxResponseBytes: MAX_READ_BYTES,
} as const;
/** The headers of every request. */
export const WEBHOOK_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Slipway-Webhooks/1' } as const;

interface SendTools {
  outbound: OutboundClient;
  relays: Relays;
  preSendCheck: PreSendCheck;
}

interface SignedRequest {
  url: string;
  /** Headers that the endpoint's owner added. A custom header never replaces a header of `headers`. */
  custom: Readonly<Record<string, string>>;
  /** Ownership passes to the callee, which adds further headers. */
  headers: Record<string, string>;
  body: Buffer;
}

export function sendSignedRequest(
  request: SignedRequest,
  attempt: InFlightAttempt,
  { outbound, relays, preSendCheck }: SendTools,
): Promise<OutboundResult> {
  const isRelayed = isListener(request.url);
  // A relay gets no custom headers: a member with a terminal reads it, and no member may read the value of a header.
  // The headers are added to the request's own object, because copying them took as long as signing.
  if (!isRelayed) for (const [name, value] of Object.entries(request.custom)) request.headers[name] ??= value;
  const message = {
    url: request.url,
    body: request.body,
    headers: Object.assign(request.headers, WEBHOOK_HEADERS),
    ...WEBHOOK_LIMITS,
    signal: attempt.stopper,
    connectionOwner: attempt.endpointId,
    pace: attempt,
    preSendCheck() {
      if (preSendCheck.isDenied(attempt.claimToken)) attempt.stoppedBy ??= 'revoke';
      attempt.hasBegun = preSendCheck.mayBegin(attempt.claimToken);
      return attempt.hasBegun;
    },
  };
  if (!isRelayed) return outbound.post(message);
  attempt.onEnter();
  return relays.post(message, attempt);
}
