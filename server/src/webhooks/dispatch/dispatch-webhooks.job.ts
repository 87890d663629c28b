// The dispatcher sends due deliveries. Several dispatchers may run, in one process or in many. A delivery is in flight
// with one worker at a time. If that worker dies, another worker sends the delivery. No delivery begins under revoked
// access.
//
// The path of a delivery, after its event committed with its row in the table `queue` (../webhooks/enqueue-store.ts):
//   1. wake-ups.ts                 names the endpoint to the dispatcher of this process, or notifies the others
//   2. this file                   runs the loops: claims, recovery, releases, heartbeats, cancellations
//   3. claim/claim-round.ts        runs a round: find queues, plan slots, judge and claim, start attempts
//   4. claim/claim-store.ts        the statements of a claim
//   5. attempt/attempt.ts          signs, runs the pre-send check, sends once
//   6. attempt/attempt-result.ts   decides the next step: succeeded, failed, or when to try again
//   7. attempt/attempt-store.ts    records the attempt and the end of the delivery, or its next attempt
// claim/hand-off.ts replaces steps 1 to 4 for a delivery that a mutation of this process writes as already in flight.
//
// The other files, each for one question: claim/find-queues.ts (which queues are due) and claim/queue-plan.ts (how
// many slots each gets), attempt/in-flight-attempts.ts (load, speed, aborts), workers/ (lease, pre-send check,
// cancellation of attempts, dead workers), queue/ (held deliveries and changed schedules), health/ (warnings,
// disabling), relays/ (terminals).
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../../access/authority/index.ts';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import type { OutboundClient } from '../../kit/outbound/outbound.ts';
import { createScopeUseCounter } from '../../resources/scope-uses/index.ts';
import { authoriseDelivery, type HandOff } from '../webhooks/index.ts';
import type { AttemptTools } from './attempt/attempt.ts';
import { type AttemptMeasure, createAttemptMeter } from './attempt/attempt-meter.ts';
import { createAttemptRecorder } from './attempt/attempt-store.ts';
import { createInFlightAttempts, type InFlightAttempts } from './attempt/in-flight-attempts.ts';
import { type Probe, type ProbeResult, sendProbe } from './attempt/probe.ts';
import { createUnsealer } from './attempt/unsealed-endpoints.ts';
import { type Claimer, createClaimer } from './claim/claim-round.ts';
import { notifyQueue, parseQueueNotification } from './claim/claim-store.ts';
import { createHealthRecorder, type HealthRecorder } from './health/health-recorder.ts';
import { listHeldGroups, releaseGroup, releaseSubjectHeads } from './queue/held-deliveries-store.ts';
import { moveWaitingRetries } from './queue/move-retries.ts';
import { createRelays } from './relays/relays.ts';
import { listenForWakeUps } from './wake-ups.ts';
import { createPreSendCheck, matchesDenial, type PreSendCheck } from './workers/pre-send-check.ts';
import {
  createWorkerMembership,
  recoverInterrupted,
  type WorkerMembership,
  type WorkerMembershipTiming,
} from './workers/worker-membership.ts';
import { confirmStops, listStops, notifyStops } from './workers/worker-store.ts';

export interface DispatcherOptions {
  /** Database pool of the role slipway_worker. */
  db: Database;
  outbound: OutboundClient;
  masterKeys: MasterKeys;
  environment: Environment;
  log(line: object): void;
  maxInFlight?: number;
  /** Overrides for tests, which need shorter times. */
  timing?: Partial<Timing>;
}

export interface Timing extends WorkerMembershipTiming {
  pollMs: number;
  recoverMs: number;
  releaseMs: number;
  /** Interval in milliseconds of the search for changed schedules. */
  moveMs: number;
  healthMs: number;
  /** Milliseconds that in-flight attempts may take to finish during a shutdown. */
  finishMs: number;
}

export interface Dispatcher {
  /**
   * Reports that deliveries of these endpoints are due or, without names, any deliveries. Returns whether this
   * dispatcher may claim now: false without a lease, without a free slot, and during a shutdown. The dispatcher also
   * polls.
   */
  wake(endpointIds?: Iterable<string>): boolean;
  /** Takes deliveries over from mutations of this process. */
  readonly handOff: HandOff;
  /** Sends a request that is no delivery, under the same authority and with the same stops as deliveries. */
  probe(probe: Probe): Promise<ProbeResult>;
  /** Returns measurements since the start, for monitoring. */
  measures(): { inFlight: number; attempts: AttemptMeasure[] };
  /** Stops claiming, lets attempts finish for a few seconds, and hands the rest back. */
  stop(): Promise<void>;
}

const TIMING: Timing = {
  pollMs: 500,
  // Other workers deregister a worker whose heartbeat is missing for twelve times this interval: longer than two
  // leases.
  heartbeatMs: 250,
  deadAfterMs: 3_000,
  recoverMs: 500,
  releaseMs: 5_000,
  moveMs: 1_000,
  healthMs: 5_000,
  finishMs: 3_000,
};
const MAX_IN_FLIGHT = 256;
/**
 * Seconds after which a claim of this worker without an attempt in memory counts as lost. Such a claim remains if its
 * commit or the end of its attempt could not be recorded.
 */
const LOST_CLAIM_AFTER_S = 60;
const CANCELLATION_POLL_MS = 50;
const HAND_BACK_WITHIN_MS = 2_000;

interface Parts {
  options: DispatcherOptions;
  timing: Timing;
  health: HealthRecorder;
  inFlight: InFlightAttempts;
  membership: WorkerMembership;
  preSendCheck: PreSendCheck;
  tools: AttemptTools;
}

function createParts(options: DispatcherOptions, onError: (error: unknown) => void): Parts {
  const { db, environment, outbound, masterKeys, log } = options;
  const timing = { ...TIMING, ...options.timing };
  const inFlight = createInFlightAttempts();
  const membership = createWorkerMembership(db, timing, (old) => {
    log({ event: 'webhook.worker_deregistered', workerId: old.workerId });
    void inFlight.abort((attempt) => attempt.claimToken.registration === old, 'leave');
  });
  const preSendCheck = createPreSendCheck(membership.current);
  const attemptRecorder = createAttemptRecorder(db, onError);
  const health = createHealthRecorder(db, timing.healthMs, onError);
  const scopeUses = createScopeUseCounter(db, onError);
  const relays = createRelays(db, masterKeys);
  const meter = createAttemptMeter();
  const openEndpoint = createUnsealer(masterKeys);
  const tools = {
    environment,
    outbound,
    relays,
    openEndpoint,
    preSendCheck,
    attemptRecorder,
    health,
    scopeUses,
    meter,
    log,
  };
  return { options, timing, health, inFlight, membership, preSendCheck, tools };
}

/** Stops the attempts that a revocation names, and confirms once they are off the wire. */
async function applyStops({ options, inFlight, membership, preSendCheck }: Parts): Promise<void> {
  const workerId = membership.current()?.workerId;
  if (workerId === undefined) return;
  const stops = await listStops(options.db, workerId);
  if (stops.length === 0) return;
  const denials = stops.map((row) => {
    const endpoint = row.endpoint_id === null ? {} : { endpointId: row.endpoint_id };
    return { appId: row.app_id, keyId: row.key_id, serverId: row.server_id, ...endpoint, epoch: row.epoch };
  });
  // Remember the denials before the first wait, so that a claim that is still running meets them too.
  for (const denial of denials) preSendCheck.remember(denial);
  await inFlight.abort((attempt) => denials.some((denial) => matchesDenial(denial, attempt.claimToken)), 'revoke');
  const stopIds = stops.map((row) => row.stop_id);
  await confirmStops(options.db, workerId, stopIds);
}

async function recoverLostClaims(
  { options, inFlight, membership }: Parts,
  claimer: Claimer,
  wake: () => void,
): Promise<void> {
  const workerId = membership.current()?.workerId;
  if (workerId === undefined) return;
  const goneIds = await membership.findDeregistered();
  // A clock jump can make a new claim look old. So while a claim is running, this worker recovers none of its own rows.
  const own = claimer.isClaiming()
    ? undefined
    : { workerId, deliveryIds: inFlight.deliveryIds(), forS: LOST_CLAIM_AFTER_S };
  if ((await recoverInterrupted(options, goneIds, own)) > 0) wake();
}

/**
 * Releases deliveries that no longer have to be held or to wait for an earlier event. A change of an installation
 * releases them too, but it misses a delivery that a claim sets aside at the same time. The expiry of a key triggers no
 * change at all.
 */
async function releaseMissedDeliveries(
  { db }: DispatcherOptions,
  wake: () => void,
  onError: (error: unknown) => void,
): Promise<void> {
  for (const group of await listHeldGroups(db)) {
    if (!group.is_endpoint_deleted && authoriseDelivery(group).verdict === 'hold') continue;
    // The failure of one group must not delay the others, which belong to other apps.
    await releaseGroup(db, group).catch(onError);
  }
  if ((await releaseSubjectHeads(db)) > 0) wake();
}

export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { db, log } = options;
  const onError = (error: unknown): void =>
    log({ event: 'webhook.dispatch_failed', error: error instanceof Error ? error.message : String(error) });
  const parts = createParts(options, onError);
  const { inFlight, membership, tools, timing } = parts;
  // Without a database the dispatcher starts nevertheless. The worker registers when the database is available.
  await membership.sendHeartbeat().catch(onError);

  let stopping: Promise<void> | undefined;
  const again = (): void => claiming.wake();
  const maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
  const isStopping = (): boolean => stopping !== undefined;
  const claimer = createClaimer({ ...options, inFlight, membership, tools, maxInFlight, isStopping, wake: again });
  function wake(endpointIds?: Iterable<string>): boolean {
    if (endpointIds) claimer.addQueues(endpointIds);
    else claimer.forgetQueues();
    again();
    return claimer.mayClaim();
  }
  const claiming: Loop = startLoop(claimer.claim, timing.pollMs, onError);
  const recovering = startLoop(() => recoverLostClaims(parts, claimer, wake), timing.recoverMs, onError);
  const releasing = startLoop(() => releaseMissedDeliveries(options, wake, onError), timing.releaseMs, onError);
  const move = async (): Promise<void> => {
    // Only the sandbox has faster schedules.
    if (options.environment === 'sandbox' && (await moveWaitingRetries(db, onError)) > 0) wake();
  };
  const moving = startLoop(move, timing.moveMs, onError);
  const queueWakeUps = listenForWakeUps({
    db,
    channel: 'slipway_queue',
    onNotification: (payload) => void wake(parseQueueNotification(payload)),
    ping: () => notifyQueue(db),
    onError,
  });
  const sendingHeartbeats = startLoop(membership.sendHeartbeat, timing.heartbeatMs, onError);
  const cancelling = startLoop(() => applyStops(parts), CANCELLATION_POLL_MS, onError);
  const cancellationWakeUps = listenForWakeUps({
    db,
    channel: 'slipway_stops',
    onNotification: () => cancelling.wake(),
    ping: () => notifyStops(db),
    onError,
  });

  async function stop(): Promise<void> {
    await Promise.all([claiming, recovering, releasing, moving, queueWakeUps].map((loop) => loop.stop()));
    // Heartbeats continue meanwhile: without a lease, the most recent claims could not begin.
    await Promise.race([inFlight.whenEmpty(), pause(timing.finishMs, undefined, { ref: false })]);
    void inFlight.abort(() => true, 'leave');
    await Promise.race([inFlight.whenEmpty(), pause(HAND_BACK_WITHIN_MS, undefined, { ref: false })]);
    tools.attemptRecorder.giveUp();
    await Promise.all([parts.health.flush(), tools.scopeUses.flush()]);
    await Promise.all([sendingHeartbeats, cancelling, cancellationWakeUps].map((loop) => loop.stop()));
    await membership.leave().catch(onError);
  }

  return {
    wake,
    handOff: claimer.handOff,
    probe: (one) => sendProbe(one, { db, inFlight, membership, tools: parts.tools }),
    measures: () => ({ inFlight: inFlight.total, attempts: tools.meter.read() }),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
