// Takes deliveries over from the mutations of this process without a claim (docs/decisions/0101). Between its two round
// trips, a mutation reserves a slot and writes the queue row as in flight with the id of this worker. The settings of
// the endpoint come from its latest claim. The mutation reads the version of the endpoint's row with the access, so
// settings from before a change are never used.

import { LRUCache } from 'lru-cache';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import type { HandOff, OfferedDelivery } from '../../webhooks/index.ts';
import type { InFlightAttempt, InFlightAttempts } from '../attempt/in-flight-attempts.ts';
import type { ClaimToken, WorkerRegistration } from '../workers/pre-send-check.ts';
import type { ClaimedDeliveryRow, DeliveryClaim, SendingSettings } from './claim-store.ts';
import { leavesHalf, planQueues } from './queue-plan.ts';

/**
 * Milliseconds for which the result of a claim serves. Another worker may record failures of the endpoint meanwhile. A
 * success is written before its attempt is recorded only if the endpoint is known to fail, and a failure that is a minute
 * old has no consequence yet.
 */
const KNOWN_FOR_MS = 60_000;
/** Equal to the number of endpoints whose secrets stay opened. */
const MAX_KNOWN_ENDPOINTS = 1_000;

interface KnownEndpoint {
  version: string;
  claimedAtMs: number;
  settings: SendingSettings;
}

/** The endpoints whose due deliveries wait for a slot: `any` if one of them is fast, or is not known. */
export type Backlog = 'none' | 'notFast' | 'any';

interface HandOffParts {
  inFlight: InFlightAttempts;
  maxInFlight: number;
  /** Returns the registration under which this worker may begin an attempt now. */
  admit(): WorkerRegistration | undefined;
  backlog(): Backlog;
  toToken(delivery: OfferedDelivery, registration: WorkerRegistration, askedMs: number): ClaimToken;
  /** Adds an attempt to those in flight. */
  addAttempt(row: { delivery_id: string; url: string }, token: ClaimToken): InFlightAttempt;
  begin(claim: DeliveryClaim, attempt: InFlightAttempt): void;
  /** Reports a reservation whose delivery may be committed nevertheless. */
  onRelease(): void;
}

interface NotingHandOff extends HandOff {
  /** Remembers the endpoint of a claim, if its next deliveries may be handed off. */
  note(row: ClaimedDeliveryRow): void;
}

export function createHandOff({ inFlight, maxInFlight, ...worker }: HandOffParts): NotingHandOff {
  const endpoints = new LRUCache<string, KnownEndpoint>({ max: MAX_KNOWN_ENDPOINTS });

  function findSettings({ endpoint_id, endpoint_version }: OfferedDelivery): SendingSettings | undefined {
    const known = endpoints.get(endpoint_id);
    const isValid = known?.version === endpoint_version && monotonicMs() - known.claimedAtMs < KNOWN_FOR_MS;
    return isValid ? known.settings : undefined;
  }

  /**
   * Returns whether the plan of claims has a slot for the endpoint. While other deliveries wait for slots, an endpoint
   * without an attempt in flight gets one, as in a claim. A fast endpoint also gets one if only slow and unknown endpoints
   * wait and it leaves them their half of the slots: hanging receivers must not delay it.
   */
  function hasSlot({ app_id, endpoint_id }: OfferedDelivery, { url }: SendingSettings): boolean {
    const backlog = worker.backlog();
    if (backlog !== 'none' && inFlight.ofEndpoint(endpoint_id) > 0) {
      if (backlog === 'any' || !leavesHalf(inFlight, { app_id, endpoint_id }, maxInFlight)) return false;
    }
    const queue = { app_id, endpoint_id, url, rate_per_second: null, wait_ms: 0 };
    return planQueues([queue], inFlight, maxInFlight).length > 0;
  }

  return {
    note({ endpoint_id, endpoint_version: version, ...row }) {
      const { url, sealed_secret, sealed_previous_secret, sealed_headers, schedule_speed, is_failing } = row;
      // A claim takes the deliveries of an endpoint with a rate. A claim reads until when a previous secret signs, and
      // whether a success must be written before the attempt.
      if (row.rate_per_second !== null || sealed_previous_secret !== null || is_failing) {
        endpoints.delete(endpoint_id);
        return;
      }
      const settings = { url, sealed_secret, sealed_previous_secret, sealed_headers, schedule_speed, is_failing };
      endpoints.set(endpoint_id, { version, claimedAtMs: monotonicMs(), settings });
    },
    open() {
      const registration = worker.admit();
      if (registration === undefined) return undefined;
      const askedMs = monotonicMs();
      return (delivery) => {
        const settings = findSettings(delivery);
        if (settings === undefined || worker.admit() !== registration || !hasSlot(delivery, settings)) return undefined;
        const token = worker.toToken(delivery, registration, askedMs);
        const attempt = worker.addAttempt({ delivery_id: delivery.delivery_id, url: settings.url }, token);
        attempt.isReserved = true;
        return {
          workerId: registration.workerId,
          begin(body) {
            attempt.isReserved = false;
            const row = { ...delivery, ...settings, attempt_no: 1, is_ordered: false, body };
            worker.begin({ row, token }, attempt);
          },
          release() {
            inFlight.remove(attempt);
            worker.onRelease();
          },
        };
      };
    },
  };
}
