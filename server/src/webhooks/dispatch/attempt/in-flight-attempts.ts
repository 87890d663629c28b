// Holds the attempts that this process has claimed and not yet recorded, and is the only way to abort them. Measures
// how fast endpoints respond to this worker: the speed of an endpoint limits its slots on a host.

import { LRUCache } from 'lru-cache';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import { noCounts, type ReceiverSpeed, SLOW_AFTER_MS, type SpeedCounts } from '../../../kit/outbound/host-budget.ts';
import { LightAbortController } from '../../../kit/outbound/light-abort.ts';
import type { SlotRequest } from '../../../kit/outbound/outbound.ts';
import type { DispatchLoad, SpeedLoad } from '../claim/queue-plan.ts';
import type { ClaimToken } from '../workers/pre-send-check.ts';

/**
 * 'revoke': access of the claim was taken away, or its endpoint was changed, disabled or deleted. 'leave': this worker
 * shuts down, or was deregistered.
 */
export type CancelCause = 'revoke' | 'leave';

export type NewInFlightAttempt = Pick<InFlightAttempt, 'deliveryId' | 'endpointId' | 'host' | 'claimToken'>;

export class InFlightAttempt implements SlotRequest {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly host: string;
  readonly claimToken: ClaimToken;
  readonly stopper = new LightAbortController();
  /** True until the mutation that hands the delivery off has committed. */
  isReserved = false;
  stoppedBy: CancelCause | undefined;
  /** True if the pre-send check has passed: from then on the receiver may have seen something. */
  hasBegun = false;
  /** Speed of the endpoint at the time of the claim. */
  readonly speed: ReceiverSpeed;
  /**
   * Monotonic time at which the attempt got its slot in the outbound client. A wait for a slot is not slowness of the
   * receiver.
   */
  enteredAtMs: number | undefined;
  /** Called when the attempt turns slow: others may then take its slot. */
  slowListener: (() => void) | undefined;
  /** Duration since the attempt got its slot; undefined until known. */
  durationUs: number | undefined;
  /** Undefined while the attempt may have a socket. */
  offWireAtMs: number | undefined;
  /** Called in order. Few deliveries have more than one listener. */
  readonly #listeners: (() => void)[] = [];

  constructor({ deliveryId, endpointId, host, claimToken }: NewInFlightAttempt, speed: ReceiverSpeed) {
    this.deliveryId = deliveryId;
    this.endpointId = endpointId;
    this.host = host;
    this.claimToken = claimToken;
    this.speed = speed;
  }

  onEnter(): void {
    this.enteredAtMs = monotonicMs();
  }

  onSlow(): void {
    this.slowListener?.();
  }

  /** Reports that the socket is closed, or was never opened. */
  markOffWire(): void {
    if (this.offWireAtMs !== undefined) return;
    this.offWireAtMs = monotonicMs();
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` once, immediately if the attempt is already off the wire. */
  onOffWire(listener: () => void): void {
    if (this.offWireAtMs === undefined) this.#listeners.push(listener);
    else listener();
  }
}

/**
 * The attempts in flight. As a DispatchLoad, it counts only those on the wire: the slot of an attempt is free as soon
 * as the attempt is off the wire, before it is recorded.
 */
export interface InFlightAttempts extends DispatchLoad {
  /** Number of attempts, including those that are off the wire and not yet recorded. */
  readonly unrecorded: number;
  add(attempt: NewInFlightAttempt): InFlightAttempt;
  remove(attempt: InFlightAttempt): void;
  deliveryIds(): string[];
  /** Aborts the attempts that match. Resolves once none of them is on the wire. */
  abort(isMeant: (attempt: InFlightAttempt) => boolean, cause: CancelCause): Promise<void>;
  /** Resolves when no attempt is left. */
  whenEmpty(): Promise<void>;
}

const countUp = (counts: Map<string, number>, id: string, change: number): void => {
  const count = (counts.get(id) ?? 0) + change;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
};

/**
 * Returns the slots that the attempts on the wire take now. An attempt on the wire for too long is slow, and so is its
 * endpoint.
 */
function measureSpeedLoad(
  attempts: ReadonlySet<InFlightAttempt>,
  speeds: ReturnType<typeof createEndpointSpeeds>,
): SpeedLoad {
  const longAgoMs = monotonicMs() - SLOW_AFTER_MS;
  const hanging = new Set<string>();
  const hosts = new Map<string, SpeedCounts>();
  const apps = new Map<string, number>();
  let total = 0;
  for (const { endpointId, host, speed, enteredAtMs, claimToken } of attempts) {
    const isOld = enteredAtMs !== undefined && enteredAtMs < longAgoMs;
    if (isOld) hanging.add(endpointId);
    const counted = isOld && speed !== 'slow' ? 'hanging' : speed;
    const counts = hosts.get(host) ?? noCounts();
    counts[counted] += 1;
    hosts.set(host, counts);
    if (counted === 'fast') continue;
    total += 1;
    countUp(apps, claimToken.appId, 1);
  }
  const of = (endpointId: string): ReceiverSpeed => (hanging.has(endpointId) ? 'slow' : speeds.of(endpointId));
  return {
    of,
    slotsOf: (endpointId) => speeds.slotsOf(endpointId, of(endpointId)),
    ofHost: (host) => hosts.get(host) ?? noCounts(),
    notFast: total,
    notFastOfApp: (appId) => apps.get(appId) ?? 0,
  };
}

export function createInFlightAttempts(): InFlightAttempts {
  const attempts = new Set<InFlightAttempt>();
  const onWire = new Set<InFlightAttempt>();
  const endpoints = new Map<string, number>();
  const apps = new Map<string, number>();
  const speeds = createEndpointSpeeds();
  let waiting: (() => void)[] = [];

  function leaveWire(attempt: InFlightAttempt): void {
    if (!onWire.delete(attempt)) return;
    // An attempt that this worker aborted, or that never got a slot, is no evidence about its receiver.
    const { stoppedBy, durationUs, enteredAtMs } = attempt;
    if (stoppedBy === undefined && durationUs !== undefined && enteredAtMs !== undefined) {
      speeds.note(attempt.endpointId, durationUs / 1000);
    }
    countUp(endpoints, attempt.endpointId, -1);
    countUp(apps, attempt.claimToken.appId, -1);
  }

  return {
    get total() {
      return onWire.size;
    },
    get unrecorded() {
      return attempts.size;
    },
    ofEndpoint: (endpointId) => endpoints.get(endpointId) ?? 0,
    ofApp: (appId) => apps.get(appId) ?? 0,
    speeds: () => measureSpeedLoad(onWire, speeds),
    deliveryIds: () => [...attempts].map((attempt) => attempt.deliveryId),
    add(given) {
      const attempt = new InFlightAttempt(given, speeds.of(given.endpointId));
      attempts.add(attempt);
      onWire.add(attempt);
      attempt.onOffWire(() => leaveWire(attempt));
      countUp(endpoints, attempt.endpointId, 1);
      countUp(apps, attempt.claimToken.appId, 1);
      return attempt;
    },
    remove(attempt) {
      if (!attempts.delete(attempt)) return;
      leaveWire(attempt);
      if (attempts.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    async abort(isMeant, cause) {
      const matching = [...attempts].filter(isMeant);
      for (const attempt of matching) {
        attempt.stoppedBy ??= cause;
        attempt.stopper.stop();
      }
      // An attempt that is only reserved is not on the wire, and may wait long for its mutation: it ends when it begins.
      const begun = matching.filter(({ isReserved }) => !isReserved);
      await Promise.all(begun.map((attempt) => new Promise<void>((resolve) => attempt.onOffWire(resolve))));
    },
    whenEmpty: () => (attempts.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** Weight of the latest attempt in the moving average. */
const WEIGHT = 0.25;
/** Maximum duration that counts. After one time-out, a quick endpoint is therefore fast again after six attempts. */
const MAX_MEASURED_MS = 4 * SLOW_AFTER_MS;
const MAX_REMEMBERED_ENDPOINTS = 10_000;
const UNKNOWN_SLOTS = 1;
/**
 * Enough for a slow but working endpoint. With more, a hundred endpoints that hang for 15 seconds at a time would hold
 * every slot.
 */
export const MAX_PER_SLOW_ENDPOINT = 2;
/**
 * Initial slots of a fast endpoint. Each attempt within SLOW_AFTER_MS adds one slot, and each longer attempt halves
 * them.
 */
export const FIRST_PER_FAST_ENDPOINT = 8;
/** Equal to the limit of an app. */
const MAX_PER_FAST_ENDPOINT = 32;

/**
 * Keeps the moving average per endpoint. The endpoints whose last attempt is oldest are forgotten and become unknown
 * again.
 */
export function createEndpointSpeeds(mostRemembered = MAX_REMEMBERED_ENDPOINTS) {
  // Only an attempt refreshes an entry, so reads use `peek`.
  const endpoints = new LRUCache<string, { averageMs: number; slots: number }>({ max: mostRemembered });
  function of(endpointId: string): ReceiverSpeed {
    const known = endpoints.peek(endpointId);
    if (known === undefined) return 'unknown';
    return known.averageMs <= SLOW_AFTER_MS ? 'fast' : 'slow';
  }
  return {
    of,
    /** Returns how many attempts to the endpoint may be in flight at this speed. */
    slotsOf(endpointId: string, speed: ReceiverSpeed): number {
      if (speed === 'unknown') return UNKNOWN_SLOTS;
      if (speed === 'slow') return MAX_PER_SLOW_ENDPOINT;
      return endpoints.peek(endpointId)?.slots ?? FIRST_PER_FAST_ENDPOINT;
    },
    note(endpointId: string, tookMs: number): void {
      const ms = Math.min(tookMs, MAX_MEASURED_MS);
      const before = endpoints.peek(endpointId) ?? { averageMs: ms, slots: FIRST_PER_FAST_ENDPOINT - 1 };
      const slots = ms <= SLOW_AFTER_MS ? before.slots + 1 : Math.floor(before.slots / 2);
      endpoints.set(endpointId, {
        averageMs: before.averageMs + (ms - before.averageMs) * WEIGHT,
        slots: Math.min(Math.max(slots, MAX_PER_SLOW_ENDPOINT), MAX_PER_FAST_ENDPOINT),
      });
    },
  };
}
