// Forwards a delivery to the receiver on this machine, at most once after a 2xx. If the report of a 2xx was lost, the
// forwarder repeats the report without a second request.
import type { Relay, RelayAnswer } from '@slipway/sdk/management';

/** The printed line of a forwarded delivery. */
export interface ForwardedDelivery {
  at: string;
  type: string | null;
  deliveryId: string | null;
  attempt: string | null;
  /** The status, or the reason for a missing response. */
  outcome: string;
  durationMs: number;
  response: string | undefined;
}

export type Forward = (relay: Relay) => Promise<RelayAnswer>;

// Slipway ends an attempt after 15 s.
const TIMEOUT_MS = 14_000;
const MAX_BODY_BYTES = 24_576;
const MAX_HEADER_LENGTH = 8_192;
const MAX_REMEMBERED_DELIVERIES = 10_000;

type Outcome =
  | Omit<Extract<RelayAnswer, { status: number }>, 'id'>
  | Omit<Extract<RelayAnswer, { failure: string }>, 'id'>;

export function createForwarder(to: string, onForwarded: (forwarded: ForwardedDelivery) => void): Forward {
  /** Outcomes by delivery, while the request is in flight and after a 2xx. */
  const outcomes = new Map<string, Promise<Outcome>>();
  return async (relay) => {
    const deliveryId = relay.headers['slipway-delivery-id'];
    const before = deliveryId === undefined ? undefined : outcomes.get(deliveryId);
    if (before) return { id: relay.id, ...(await before) };
    const outcome = send(to, relay, onForwarded);
    if (deliveryId !== undefined) {
      outcomes.set(deliveryId, outcome);
      const [oldest] = outcomes.keys();
      if (outcomes.size > MAX_REMEMBERED_DELIVERIES && oldest !== undefined) outcomes.delete(oldest);
    }
    const answer = await outcome;
    const isDone = 'status' in answer && answer.status >= 200 && answer.status < 300;
    if (deliveryId !== undefined && !isDone) outcomes.delete(deliveryId);
    return { id: relay.id, ...answer };
  };
}

async function send(
  to: string,
  { headers, body }: Relay,
  onForwarded: (one: ForwardedDelivery) => void,
): Promise<Outcome> {
  const at = new Date().toISOString();
  const beganMs = performance.now();
  const outcome = await post(to, headers, body);
  onForwarded({
    at,
    type: typeOf(body),
    deliveryId: headers['slipway-delivery-id'] ?? null,
    attempt: headers['slipway-attempt'] ?? null,
    outcome: 'status' in outcome ? String(outcome.status) : outcome.detail,
    durationMs: Math.round(performance.now() - beganMs),
    response: 'status' in outcome ? Buffer.from(outcome.bodyBase64, 'base64').toString('utf8') : undefined,
  });
  return outcome;
}

async function post(to: string, headers: Record<string, string>, body: string): Promise<Outcome> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal });
    const kept = [...response.headers].filter(
      ([name, value]) => /^[a-z0-9-]{1,100}$/.test(name) && value.length <= MAX_HEADER_LENGTH,
    );
    const { bytes, isBodyTruncated } = await readBeginning(response);
    return {
      status: response.status,
      headers: Object.fromEntries(kept.slice(0, 100)),
      bodyBase64: bytes.toString('base64'),
      isBodyTruncated,
    };
  } catch (error) {
    const { name, message, cause } = error as {
      name?: string;
      message?: string;
      cause?: { code?: string; message?: string };
    }; // the shape of errors of `fetch`
    if (name === 'TimeoutError') return { failure: 'timeout', detail: `No answer within ${TIMEOUT_MS} ms.` };
    const failure = /^HPE_|^UND_ERR_(SOCKET|RES)/.test(cause?.code ?? '') ? 'protocol' : 'connect';
    return {
      failure,
      detail: (cause?.code ?? cause?.message ?? message ?? 'The receiver could not be reached.').slice(0, 500),
    };
  }
}

async function readBeginning(response: Response): Promise<{ bytes: Buffer; isBodyTruncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > MAX_BODY_BYTES) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), isBodyTruncated: length > MAX_BODY_BYTES };
}

function typeOf(body: string): string | null {
  try {
    const { type } = JSON.parse(body) as { type?: unknown }; // checked below
    return typeof type === 'string' ? type : null;
  } catch {
    return null;
  }
}
