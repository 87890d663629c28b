// The pre-send check: whether a claimed delivery may still begin. The check runs synchronously right before the first
// byte is written. So it uses only data in the memory of this process: the lease, and each access that was denied since
// the claim.

import type { LostAccess } from '../../../access/authority/index.ts';
import { monotonicMs } from '../../../kit/flow/clock.ts';

/** A registration of this process as a worker. A new registration never inherits the claims of an earlier one. */
export interface WorkerRegistration {
  readonly workerId: string;
  /** Monotonic time. After it, another worker may have deregistered this one, so no attempt begins. */
  leaseUntilMs: number;
}

/** The access under which a claim was allowed. */
export interface ClaimToken {
  readonly appId: string;
  readonly keyId: string;
  readonly serverId: string | null;
  readonly endpointId: string;
  /** The app's count of stops, read by the statement that judged the claim. */
  readonly epoch: number;
  /** Monotonic time of the key's expiry, but at most CLAIM_LIFETIME_MS after the claim was sent. */
  readonly beginByMs: number;
  readonly registration: WorkerRegistration;
}

export interface EpochDenial extends LostAccess {
  readonly epoch: number;
}

/**
 * Milliseconds after which a denial is forgotten, because no claim is left that it could stop. A claim from before the
 * denial is too old to begin by then. A later claim was judged without the access.
 */
export const CLAIM_LIFETIME_MS = 60_000;

export function matchesDenial(denial: EpochDenial, claim: ClaimToken): boolean {
  return (
    denial.appId === claim.appId &&
    (denial.keyId === null || denial.keyId === claim.keyId) &&
    (denial.serverId === null || denial.serverId === claim.serverId) &&
    (denial.endpointId === undefined || denial.endpointId === claim.endpointId) &&
    denial.epoch > claim.epoch
  );
}

export interface PreSendCheck {
  remember(denial: EpochDenial): void;
  isDenied(claim: ClaimToken): boolean;
  mayBegin(claim: ClaimToken): boolean;
}

export function createPreSendCheck(current: () => WorkerRegistration | undefined): PreSendCheck {
  const denied = new Map<string, { denial: EpochDenial; forgetAtMs: number }[]>();

  function forgetOld(nowMs: number): void {
    for (const [appId, list] of denied) {
      const kept = list.filter((entry) => entry.forgetAtMs > nowMs);
      if (kept.length === 0) denied.delete(appId);
      else denied.set(appId, kept);
    }
  }

  const isDenied = (claim: ClaimToken): boolean =>
    denied.get(claim.appId)?.some(({ denial }) => matchesDenial(denial, claim)) ?? false;

  return {
    remember(denial) {
      const nowMs = monotonicMs();
      forgetOld(nowMs);
      const entry = { denial, forgetAtMs: nowMs + CLAIM_LIFETIME_MS };
      denied.set(denial.appId, [...(denied.get(denial.appId) ?? []), entry]);
    },
    isDenied,
    mayBegin(claim) {
      const nowMs = monotonicMs();
      return (
        claim.registration === current() &&
        nowMs < claim.registration.leaseUntilMs &&
        nowMs < claim.beginByMs &&
        !isDenied(claim)
      );
    },
  };
}
