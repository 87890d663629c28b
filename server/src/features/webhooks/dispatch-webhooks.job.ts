// Sends what is due. Several of these may run, in one process or in many: a delivery is in flight with one of them at a
// time, what a dead one had in flight is sent by another, and what was revoked does not begin.
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../kit/clock.ts';
import type { Database } from '../../kit/db.ts';
import { toId } from '../../kit/ids.ts';
import { type Loop, startLoop } from '../../kit/loop.ts';
import type { Outbound } from '../../kit/outbound.ts';
import type { MasterKeys } from '../../kit/seal.ts';
import { type AttemptTools, attempt } from './attempt.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { judgeDelivery } from './delivery.ts';
import { listDueLanes, listHeldGroups, notifyQueue, releaseGroup } from './dispatch-store.ts';
import { createFlights, type Flights } from './flights.ts';
import { listenForHints } from './hints.ts';
import { planLanes } from './lanes.ts';
import { BEAT_EVERY_MS, createMembership, type Membership } from './membership.ts';
import { createPermits, isMatch, type Permits } from './permits.ts';
import { type Probe, type Probed, probe } from './probe.ts';
import { createSettler } from './settle-attempts.ts';
import { deleteStops, listStops, notifyStops, recoverAttempts } from './worker-store.ts';

export interface DispatcherOptions {
  /** Plays slipway_worker. */
  db: Database;
  outbound: Outbound;
  masterKeys: MasterKeys;
  log(line: object): void;
  pollMs?: number;
  maxInFlight?: number;
}

export interface Dispatcher {
  /** Something is due. A hint: it looks by itself too. */
  wake(): void;
  /** Sends what is no delivery, under the same authority and stopped by the same stops. */
  probe(probe: Probe): Promise<Probed>;
  /** Takes nothing more, lets attempts finish for a few seconds, and hands the rest back. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
const MAX_IN_FLIGHT = 128;
const STOPS_POLL_MS = 50;
const RECOVER_EVERY_MS = 500;
const RELEASE_EVERY_MS = 5_000;
const MAX_LANES = 1_000;
const FINISH_WITHIN_MS = 3_000;
const HAND_BACK_WITHIN_MS = 2_000;
const BEFORE_ALL_LANES = '00000000-0000-0000-0000-000000000000';

interface Parts {
  options: DispatcherOptions;
  flights: Flights;
  membership: Membership;
  permits: Permits;
  tools: AttemptTools;
}

function createParts(options: DispatcherOptions, onError: (error: unknown) => void): Parts {
  const flights = createFlights();
  const membership = createMembership(options.db, (old) => {
    options.log({ event: 'webhook.worker_struck_off', workerId: old.workerId });
    void flights.abort((flight) => flight.ticket.incarnation === old, 'leave');
  });
  const permits = createPermits(membership.current);
  const { outbound, masterKeys, log } = options;
  const settler = createSettler(options.db, onError);
  return { options, flights, membership, permits, tools: { outbound, masterKeys, permits, settler, log } };
}

/** One round of claims. `next` is where the next one begins to look, in the order of endpoints. */
function createClaimer(parts: Parts, wake: () => void): () => Promise<void> {
  const { options, flights, membership, tools } = parts;
  const maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
  let next = BEFORE_ALL_LANES;
  let isBehind = false;

  return async () => {
    const incarnation = membership.current();
    if (incarnation === undefined || monotonicMs() >= incarnation.leaseUntilMs) return;
    if (flights.total >= maxInFlight) return;
    const due = await listDueLanes(options.db, next, MAX_LANES);
    const isWrapped = due.length < MAX_LANES;
    const mustLookAgain = isWrapped && next !== BEFORE_ALL_LANES;
    next = (isWrapped ? undefined : due.at(-1)?.endpoint_id) ?? BEFORE_ALL_LANES;
    isBehind = due.length > 0;
    const lanes = planLanes(due, flights, maxInFlight);
    const { claims, refused } = await claimDeliveries(options.db, incarnation, lanes);
    for (const claim of claims) {
      const { delivery_id, endpoint_id } = claim.row;
      const flight = flights.add({ deliveryId: delivery_id, endpointId: endpoint_id, ticket: claim.ticket });
      void attempt(claim, flight, tools).finally(() => {
        flights.remove(flight);
        if (isBehind) wake();
      });
    }
    if (claims.length + refused > 0 || mustLookAgain) wake();
  };
}

/** Stops what a revoke names, and says so once it is off the wire. */
async function obeyStops({ options, flights, membership, permits }: Parts): Promise<void> {
  const workerId = membership.current()?.workerId;
  if (workerId === undefined) return;
  const stops = await listStops(options.db, workerId);
  if (stops.length === 0) return;
  const denials = stops.map((row) => {
    const endpoint = row.endpoint_id === null ? {} : { endpointId: row.endpoint_id };
    return { appId: row.app_id, keyId: row.key_id, serverId: row.server_id, ...endpoint, epoch: row.epoch };
  });
  // Remembered before anything is waited for: a claim that is on its way back from the database meets them.
  for (const denial of denials) permits.remember(denial);
  await flights.abort((flight) => denials.some((denial) => isMatch(denial, flight.ticket)), 'revoke');
  const stopIds = stops.map((row) => row.stop_id);
  await deleteStops(options.db, workerId, stopIds);
}

async function recover({ options, flights, membership }: Parts, wake: () => void): Promise<void> {
  const workerId = membership.current()?.workerId;
  if (workerId === undefined) return;
  const goneIds = await membership.findGone();
  const recovered = await recoverAttempts(options.db, goneIds, { workerId, deliveryIds: flights.deliveryIds() });
  for (const row of recovered) {
    const deliveryId = toId('dlv', row.delivery_id);
    options.log({
      event: 'webhook.attempt',
      deliveryId,
      attempt: row.attempt_no,
      outcome: 'interrupted',
      next: 'waiting',
    });
  }
  if (recovered.length > 0) wake();
}

/**
 * Releases what is held and no longer has to be. A change of an installation does that itself; but a delivery that is
 * being set aside in that moment escapes it, and a key's expiry is nobody's change.
 */
async function releaseForgotten(options: DispatcherOptions): Promise<void> {
  for (const group of await listHeldGroups(options.db)) {
    if (group.is_endpoint_deleted || judgeDelivery(group).verdict !== 'hold') await releaseGroup(options.db, group);
  }
}

export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { db, log } = options;
  const onError = (error: unknown): void =>
    log({ event: 'webhook.error', error: error instanceof Error ? error.message : String(error) });
  const parts = createParts(options, onError);
  const { flights, membership } = parts;
  // Without a database it starts all the same, and registers when there is one.
  await membership.beat().catch(onError);

  const wake = (): void => claiming.wake();
  const claiming: Loop = startLoop(
    createClaimer(parts, () => wake()),
    options.pollMs ?? POLL_MS,
    onError,
  );
  const recovering = startLoop(() => recover(parts, wake), RECOVER_EVERY_MS, onError);
  const releasing = startLoop(() => releaseForgotten(options), RELEASE_EVERY_MS, onError);
  const queueHints = listenForHints({
    db,
    channel: 'slipway_queue',
    onNotice: wake,
    ping: () => notifyQueue(db),
    onError,
  });
  const beating = startLoop(membership.beat, BEAT_EVERY_MS, onError);
  const obeying = startLoop(() => obeyStops(parts), STOPS_POLL_MS, onError);
  const onNotice = obeying.wake;
  const stopHints = listenForHints({ db, channel: 'slipway_stops', onNotice, ping: () => notifyStops(db), onError });

  async function stop(): Promise<void> {
    await Promise.all([claiming, recovering, releasing, queueHints].map((loop) => loop.stop()));
    // Beats go on meanwhile: without a lease, what was claimed last could not even begin.
    await Promise.race([flights.empty(), pause(FINISH_WITHIN_MS, undefined, { ref: false })]);
    void flights.abort(() => true, 'leave');
    await Promise.race([flights.empty(), pause(HAND_BACK_WITHIN_MS, undefined, { ref: false })]);
    parts.tools.settler.giveUp();
    await Promise.all([beating, obeying, stopHints].map((loop) => loop.stop()));
    await membership.leave().catch(onError);
  }

  let stopping: Promise<void> | undefined;
  return {
    wake,
    probe: (one) => probe(one, { db, flights, membership, tools: parts.tools }),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
