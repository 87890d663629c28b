// A probe: a request to an endpoint that is not the delivery of an event. A probe is judged, checked and stopped like a
// delivery. The result of a probe goes to the caller and does not change the endpoint.
import { setTimeout as pause } from 'node:timers/promises';
import type { Tenant } from '../../../access/authority/index.ts';
import { newUuid, randomShare } from '../../../kit/crypto/ids.ts';
import type { Secret } from '../../../kit/crypto/secret.ts';
import type { Database } from '../../../kit/db/db.ts';
import { microsecondsSince, monotonicMs, nowMs } from '../../../kit/flow/clock.ts';
import { authoriseDelivery } from '../../webhooks/index.ts';
import { reserveToken } from '../claim/claim-store.ts';
import { hostOf } from '../claim/queue-plan.ts';
import { CLAIM_LIFETIME_MS, type WorkerRegistration } from '../workers/pre-send-check.ts';
import type { WorkerMembership } from '../workers/worker-membership.ts';
import { changeUnqueuedCount } from '../workers/worker-store.ts';
import { type AttemptTools, sendSignedRequest } from './attempt.ts';
import { type AttemptFailure, type AttemptResponse, evaluateResult } from './attempt-result.ts';
import type { InFlightAttempts } from './in-flight-attempts.ts';
import { maskFor } from './mask-echo.ts';
import { findProbeTarget } from './probe-store.ts';

export interface Probe {
  appId: string;
  endpointId: string;
  /** Returns the headers and body of the request. `secrets` are the current signing secrets of deliveries. */
  buildRequest(secrets: readonly Secret[]): { headers: Record<string, string>; body: Buffer };
}

export type ProbeResult =
  | { kind: 'sent'; startedAtMs: number; durationMs: number; record: AttemptResponse | AttemptFailure }
  /** No request may be sent to the endpoint now. */
  | { kind: 'refused'; reason: string }
  /** This worker may not send now, or was stopped during the request. A repeated call is judged again. */
  | { kind: 'unsent' };

type DeliveryDecision = ReturnType<typeof authoriseDelivery>;

/**
 * Judges whether the endpoint may receive a request without a resource now. Returns undefined if the app has no such
 * endpoint.
 */
export async function authoriseEndpoint(tenant: Tenant, endpointId: string): Promise<DeliveryDecision | undefined> {
  const target = await findProbeTarget(tenant, tenant.appId, endpointId);
  return target && authoriseDelivery(target);
}

interface ProbeParts {
  db: Database;
  inFlight: InFlightAttempts;
  membership: WorkerMembership;
  tools: AttemptTools;
}

export async function sendProbe(probe: Probe, parts: ProbeParts): Promise<ProbeResult> {
  const { db, membership } = parts;
  if (membership.current() === undefined) return { kind: 'unsent' };
  // A probe takes a token of the deliveries' bucket. The probe waits before it is judged, because a waiting probe must
  // not count as on the wire.
  const waitMs = await reserveToken(db, probe.appId, probe.endpointId);
  if (waitMs > 0) await pause(waitMs);
  const registration = membership.current();
  if (registration === undefined) return { kind: 'unsent' };
  const { workerId } = registration;
  // Count the request before it is judged: if a stop does not see the count, the judgement sees the stop.
  if (!(await changeUnqueuedCount(db, workerId, 1))) return { kind: 'unsent' };
  try {
    return await authoriseAndSend(probe, registration, parts);
  } finally {
    // Not awaited. A count that stays too high costs little: each stop then waits for this worker's confirmation.
    void changeUnqueuedCount(db, workerId, -1).catch(() => {});
  }
}

async function authoriseAndSend(
  { appId, endpointId, buildRequest }: Probe,
  registration: WorkerRegistration,
  { db, inFlight, tools }: ProbeParts,
): Promise<ProbeResult> {
  const askedMs = monotonicMs();
  const target = await findProbeTarget(db, appId, endpointId);
  if (!target) return { kind: 'refused', reason: 'endpoint_deleted' };
  const decision = authoriseDelivery(target);
  if (decision.verdict !== 'allow') return { kind: 'refused', reason: decision.reason };
  const { key_id: keyId, epoch } = target;
  const beginByMs = askedMs + Math.min(CLAIM_LIFETIME_MS, target.key_life_ms);
  const claimToken = { appId, keyId, serverId: null, endpointId, epoch, beginByMs, registration };
  const attempt = inFlight.add({ deliveryId: newUuid(), endpointId, host: hostOf(target.url), claimToken });
  const startedAtMs = nowMs();
  const startedMs = monotonicMs();
  try {
    const { custom, secrets, confidential } = tools.openEndpoint(target);
    const { headers, body } = buildRequest(secrets);
    const result = await sendSignedRequest({ url: target.url, custom, headers, body }, attempt, tools);
    attempt.durationUs = result.durationUs;
    const { hasBegun, stoppedBy } = attempt;
    const retry = { attemptNo: 1, random: randomShare(), speed: 1, nowMs: nowMs() };
    const mask = maskFor(confidential, headers['webhook-signature']);
    const concluded = evaluateResult(result, { ...retry, hasBegun, stoppedBy, mask });
    if (concluded.next === 'unsent' || wasCancelled(concluded.record)) return { kind: 'unsent' };
    return { kind: 'sent', startedAtMs, durationMs: microsecondsSince(startedMs) / 1000, record: concluded.record };
  } finally {
    attempt.markOffWire();
    inFlight.remove(attempt);
  }
}

const wasCancelled = ({ outcome }: AttemptResponse | AttemptFailure): boolean =>
  outcome === 'interrupted' || outcome === 'aborted_by_revoke';
