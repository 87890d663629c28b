// The health of an endpoint: the outcomes of its latest attempts, and since when all attempts have failed. Pure.
import { count, dateTime, integer, namedObject, nullable, Type } from '../../kit/http/schema.ts';

/** Number of latest attempts whose success is remembered per endpoint. */
export const MAX_RECENT_ATTEMPTS = 100;

export const EndpointHealth = namedObject(
  'EndpointHealth',
  'The health of the endpoint as of a few seconds ago. Attempts that Slipway stopped are not counted. If all attempts fail for five days, the endpoint is disabled. The organisation is notified after one day, after three days, and when the endpoint is disabled.',
  {
    lastSuccessAt: nullable(dateTime('When an attempt last succeeded.')),
    lastFailureAt: nullable(dateTime('When an attempt last failed.')),
    failingSince: nullable(dateTime('Since when every attempt has failed; null if the last attempt succeeded.')),
    consecutiveFailures: count('How many attempts have failed since the last success.'),
    recentAttempts: integer(
      `The number of latest attempts that \`successRate\` covers: at most ${MAX_RECENT_ATTEMPTS}.`,
      0,
      MAX_RECENT_ATTEMPTS,
    ),
    successRate: nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'The share of the latest attempts that succeeded; null if there was no attempt.',
      }),
    ),
  },
);

export interface HealthRow {
  last_success_at: Date | null;
  last_failure_at: Date | null;
  failing_since: Date | null;
  consecutive_failures: number;
  /** Oldest first: 1 succeeded, 0 failed. */
  recent: string;
}

export function toHealth(row: HealthRow) {
  const { length } = row.recent;
  return {
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    lastFailureAt: row.last_failure_at?.toISOString() ?? null,
    failingSince: row.failing_since?.toISOString() ?? null,
    consecutiveFailures: row.consecutive_failures,
    recentAttempts: length,
    successRate: length === 0 ? null : row.recent.replaceAll('0', '').length / length,
  };
}

/** The outcomes of one or more attempts to an endpoint. Times are monotonic; each is the latest of its kind. */
export interface HealthOutcomes {
  appId: string;
  endpointId: string;
  succeededAtMs: number | undefined;
  failedAtMs: number | undefined;
  /** Since the last success among them. */
  failures: number;
  firstFailedAtMs: number | undefined;
  recent: string;
}

export function toHealthOutcomes(
  ids: { appId: string; endpointId: string },
  isSuccess: boolean,
  atMs: number,
): HealthOutcomes {
  return {
    appId: ids.appId,
    endpointId: ids.endpointId,
    succeededAtMs: isSuccess ? atMs : undefined,
    failedAtMs: isSuccess ? undefined : atMs,
    failures: isSuccess ? 0 : 1,
    firstFailedAtMs: isSuccess ? undefined : atMs,
    recent: isSuccess ? '1' : '0',
  };
}

const lastOf = ({ succeededAtMs = 0, failedAtMs = 0 }: HealthOutcomes): number => Math.max(succeededAtMs, failedAtMs);

/** Merges two outcomes, in any order. */
export function mergeHealthOutcomes(one: HealthOutcomes, other: HealthOutcomes): HealthOutcomes {
  const [earlier, later] = lastOf(one) > lastOf(other) ? [other, one] : [one, other];
  // Failures count since the last success, so earlier ones count only if the later outcomes have no success.
  const before = later.succeededAtMs === undefined ? earlier : undefined;
  return {
    appId: one.appId,
    endpointId: one.endpointId,
    succeededAtMs: later.succeededAtMs ?? earlier.succeededAtMs,
    failedAtMs: later.failedAtMs ?? earlier.failedAtMs,
    failures: (before?.failures ?? 0) + later.failures,
    firstFailedAtMs: before !== undefined && before.failures > 0 ? before.firstFailedAtMs : later.firstFailedAtMs,
    recent: (earlier.recent + later.recent).slice(-MAX_RECENT_ATTEMPTS),
  };
}

export const exampleHealth: ReturnType<typeof toHealth> = {
  lastSuccessAt: '2026-11-03T08:00:00.000Z',
  lastFailureAt: null,
  failingSince: null,
  consecutiveFailures: 0,
  recentAttempts: 42,
  successRate: 1,
};
