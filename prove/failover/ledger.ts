// The ledger of the proof: each answer that a caller received, kept outside the database and by one clock.

/** The name of the node that is connected directly to the primary of a round. */
export const DIRECT = 'api-direct';

export type CallKind = 'read' | 'write' | 'readiness';

/** One call whose time counts. */
export interface TimedCall {
  /** The node or process that was called. */
  name: string;
  kind: CallKind;
  beganMs: number;
  endedMs: number;
  /** False for a 503, a timeout or a lost connection. */
  isAnswered: boolean;
}

export interface AcknowledgedTicket {
  id: string;
  subject: string;
}

export interface KeyToRevoke {
  /** The uuid. */
  id: string;
  token: string;
}

export interface RevokedKey extends KeyToRevoke {
  answeredMs: number;
  /** The number of requests that the receiver of webhooks had when the revocation was answered. */
  arrivals: number;
}

/** An answered request with a revoked key. It began after the response to the revocation. */
export interface RevokedCall {
  name: string;
  beganMs: number;
  /** Milliseconds between the response to the revocation and the request. */
  afterMs: number;
  outcome: 'accepted' | 'refused' | 'unavailable';
}

/** The part of the ledger of one round. */
export class Ledger {
  readonly calls: TimedCall[] = [];
  readonly tickets: AcknowledgedTicket[] = [];
  readonly revoked: RevokedKey[] = [];
  readonly revokedCalls: RevokedCall[] = [];
  /** Ids of answered requests with a valid key. */
  requestIds: string[] = [];
  /** Answers that no fault explains, such as a refused valid key. */
  readonly strange: string[] = [];

  /** Revoked keys that a node accepted. */
  get accepted(): RevokedCall[] {
    return this.revokedCalls.filter(({ outcome }) => outcome === 'accepted');
  }

  /** The number of requests with a revoked key that nodes refused. */
  get refused(): number {
    return this.revokedCalls.filter(({ outcome }) => outcome === 'refused').length;
  }
}

/**
 * Returns the milliseconds from a fault to the first answer after the last failure, of calls that ended before `untilMs`.
 * Returns 0 if no call failed.
 */
export function recoveryMs(
  { calls }: Ledger,
  kind: CallKind,
  names: readonly string[],
  { struckMs, untilMs }: { struckMs: number; untilMs: number },
): number {
  const watched = calls.filter(
    (call) => call.kind === kind && names.includes(call.name) && call.endedMs > struckMs && call.endedMs < untilMs,
  );
  const times = names.map((name) => {
    const ofOne = watched.filter((call) => call.name === name);
    const lastMs = Math.max(...ofOne.filter(({ isAnswered }) => !isAnswered).map(({ endedMs }) => endedMs));
    if (lastMs === -Infinity) return 0;
    const answers = ofOne.filter(({ isAnswered, endedMs }) => isAnswered && endedMs >= lastMs);
    return Math.min(...answers.map(({ endedMs }) => endedMs)) - struckMs;
  });
  return Math.max(0, ...times);
}
