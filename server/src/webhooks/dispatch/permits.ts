// Whether a claimed delivery may still begin. Asked synchronously right before the first byte is written, so it knows
// only what this process remembers: its lease, and every access that was denied since it claimed.

import type { Denial } from '../../access/authority/index.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';

/** One registration of this process as a worker. A new one never inherits the claims of the old. */
export interface Incarnation {
  readonly workerId: string;
  /** Monotonic. Over this, somebody may have struck the worker off: nothing begins any more. */
  leaseUntilMs: number;
}

/** What a claim was allowed under. */
export interface Ticket {
  readonly appId: string;
  readonly keyId: string;
  readonly serverId: string | null;
  readonly endpointId: string;
  /** The app's count of stops, read in the statement that judged the claim. */
  readonly epoch: number;
  /** Monotonic: when the key expires, but at most CLAIM_LIFE_MS after the claim was asked for. */
  readonly beginByMs: number;
  readonly incarnation: Incarnation;
}

export interface EpochDenial extends Denial {
  readonly epoch: number;
}

/**
 * A denial is forgotten after this time. It has no claim left to stop then: one that was asked for before the denial
 * is too old to begin, one that was asked for later was judged without the access.
 */
export const CLAIM_LIFE_MS = 60_000;

export function isMatch(denial: EpochDenial, ticket: Ticket): boolean {
  return (
    denial.appId === ticket.appId &&
    (denial.keyId === null || denial.keyId === ticket.keyId) &&
    (denial.serverId === null || denial.serverId === ticket.serverId) &&
    (denial.endpointId === undefined || denial.endpointId === ticket.endpointId) &&
    denial.epoch > ticket.epoch
  );
}

export interface Permits {
  remember(denial: EpochDenial): void;
  isDenied(ticket: Ticket): boolean;
  mayBegin(ticket: Ticket): boolean;
}

export function createPermits(current: () => Incarnation | undefined): Permits {
  const denied = new Map<string, { denial: EpochDenial; forgetAtMs: number }[]>();

  function forgetOld(nowMs: number): void {
    for (const [appId, list] of denied) {
      const kept = list.filter((entry) => entry.forgetAtMs > nowMs);
      if (kept.length === 0) denied.delete(appId);
      else denied.set(appId, kept);
    }
  }

  const isDenied = (ticket: Ticket): boolean =>
    denied.get(ticket.appId)?.some(({ denial }) => isMatch(denial, ticket)) ?? false;

  return {
    remember(denial) {
      const nowMs = monotonicMs();
      forgetOld(nowMs);
      const entry = { denial, forgetAtMs: nowMs + CLAIM_LIFE_MS };
      denied.set(denial.appId, [...(denied.get(denial.appId) ?? []), entry]);
    },
    isDenied,
    mayBegin(ticket) {
      const nowMs = monotonicMs();
      return (
        ticket.incarnation === current() &&
        nowMs < ticket.incarnation.leaseUntilMs &&
        nowMs < ticket.beginByMs &&
        !isDenied(ticket)
      );
    },
  };
}
