// The only way in which a worker sends to an endpoint. A request goes through the outbound HTTP client or a relay, with
// a pre-send check right before the first byte.
import type { OutboundClient, OutboundResult } from '../../../kit/outbound/outbound.ts';
import { isListener } from '../../webhooks/index.ts';
import { MAX_READ_BYTES } from './attempt-result.ts';
import type { InFlightAttempt } from './in-flight-attempts.ts';
import type { PreSendCheck } from '../workers/pre-send-check.ts';
import type { Relays } from '../relays/relays.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const TOTAL_TIMEOUT_MS = 15_000;
const OWN_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Slipway-Webhooks/1' };

export interface SendTools {
  outbound: OutboundClient;
  relays: Relays;
  preSendCheck: PreSendCheck;
}

export interface SignedRequest {
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
    headers: Object.assign(request.headers, OWN_HEADERS),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    maxResponseBytes: MAX_READ_BYTES,
    signal: attempt.stopper,
    keeper: attempt.endpointId,
    pace: attempt,
    permit() {
      if (preSendCheck.isDenied(attempt.claimToken)) attempt.stoppedBy ??= 'revoke';
      attempt.hasBegun = preSendCheck.mayBegin(attempt.claimToken);
      return attempt.hasBegun;
    },
  };
  if (!isRelayed) return outbound.post(message);
  attempt.onEnter();
  return relays.post(message, attempt);
}
