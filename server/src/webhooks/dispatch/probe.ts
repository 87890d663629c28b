// One request to an endpoint that is no delivery of an event. It is judged, permitted and stopped as deliveries are; what
// comes of it is whoever's who asked for it, and changes nothing about the endpoint.
import { setTimeout as pause } from 'node:timers/promises';
import type { Tenant } from '../../access/authority/index.ts';
import { newUuid, randomShare } from '../../kit/crypto/ids.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { Database } from '../../kit/db/db.ts';
import { microsecondsSince, monotonicMs, nowMs } from '../../kit/flow/clock.ts';
import { judgeDelivery } from '../webhooks/index.ts';
import type { AttemptTools } from './attempt.ts';
import { type Answer, conclude, type Miss } from './conclude.ts';
import type { Flights } from './flights.ts';
import { hostOf } from './lanes.ts';
import { maskFor } from './mask-echo.ts';
import type { Membership } from './membership.ts';
import { reserveRoom } from './pace-store.ts';
import { CLAIM_LIFE_MS, type Incarnation } from './permits.ts';
import { postUnderPermit } from './post-under-permit.ts';
import { findProbeTarget } from './probe-store.ts';
import { countUnqueued } from './worker-store.ts';

export interface Probe {
  appId: string;
  endpointId: string;
  /** Its own headers and its body; the secrets are those that deliveries are signed with now. */
  make(secrets: readonly Secret[]): { headers: Record<string, string>; body: Buffer };
}

export type Probed =
  | { kind: 'sent'; startedAtMs: number; durationMs: number; record: Answer | Miss }
  /** The endpoint may not be sent to now, whoever asks. */
  | { kind: 'refused'; reason: string }
  /** This worker may not send now, or was stopped in the middle. Whoever asks again is judged again. */
  | { kind: 'unsent' };

type Judgement = ReturnType<typeof judgeDelivery>;

/** Whether an endpoint may be sent to now what tells of no resource; undefined when the app has no such endpoint. */
export async function judgeEndpoint(tenant: Tenant, endpointId: string): Promise<Judgement | undefined> {
  const target = await findProbeTarget(tenant, tenant.appId, endpointId);
  return target && judgeDelivery(target);
}

export interface ProbeParts {
  db: Database;
  flights: Flights;
  membership: Membership;
  tools: AttemptTools;
}

export async function probe(one: Probe, parts: ProbeParts): Promise<Probed> {
  const { db, membership } = parts;
  if (membership.current() === undefined) return { kind: 'unsent' };
  // From the bucket of deliveries, and before it is judged: it is off the wire while it waits.
  const waitMs = await reserveRoom(db, one.appId, one.endpointId);
  if (waitMs > 0) await pause(waitMs);
  const incarnation = membership.current();
  if (incarnation === undefined) return { kind: 'unsent' };
  const { workerId } = incarnation;
  // Before it is judged: a stop that does not see it counted is one that the judgement sees.
  if (!(await countUnqueued(db, workerId, 1))) return { kind: 'unsent' };
  try {
    return await judgeAndSend(one, incarnation, parts);
  } finally {
    // Nobody waits for it, and what stays counted costs no more than a word: this worker is asked at each stop.
    void countUnqueued(db, workerId, -1).catch(() => {});
  }
}

async function judgeAndSend(
  { appId, endpointId, make }: Probe,
  incarnation: Incarnation,
  { db, flights, tools }: ProbeParts,
): Promise<Probed> {
  const askedMs = monotonicMs();
  const target = await findProbeTarget(db, appId, endpointId);
  if (!target) return { kind: 'refused', reason: 'endpoint_deleted' };
  const judgement = judgeDelivery(target);
  if (judgement.verdict !== 'allow') return { kind: 'refused', reason: judgement.reason };
  const { key_id: keyId, epoch } = target;
  const beginByMs = askedMs + Math.min(CLAIM_LIFE_MS, target.key_life_ms);
  const ticket = { appId, keyId, serverId: null, endpointId, epoch, beginByMs, incarnation };
  const flight = flights.add({ deliveryId: newUuid(), endpointId, host: hostOf(target.url), ticket });
  const startedAtMs = nowMs();
  const startedMs = monotonicMs();
  try {
    const { custom, secrets, confidential } = tools.openEndpoint(target);
    const { headers, body } = make(secrets);
    const result = await postUnderPermit({ url: target.url, custom, headers, body }, flight, tools);
    flight.durationUs = result.durationUs;
    const { hasBegun, stoppedBy } = flight;
    const turn = { attemptNo: 1, random: randomShare(), speed: 1, nowMs: nowMs() };
    const mask = maskFor(confidential, headers['webhook-signature']);
    const concluded = conclude(result, { ...turn, hasBegun, stoppedBy, mask });
    if (concluded.next === 'unsent' || isStopped(concluded.record)) return { kind: 'unsent' };
    return { kind: 'sent', startedAtMs, durationMs: microsecondsSince(startedMs) / 1000, record: concluded.record };
  } finally {
    flight.markOffWire();
    flights.remove(flight);
  }
}

const isStopped = ({ outcome }: Answer | Miss): boolean => outcome === 'interrupted' || outcome === 'aborted_by_revoke';
