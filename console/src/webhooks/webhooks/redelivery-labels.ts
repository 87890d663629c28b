// Texts of redelivery jobs.
import type { Endpoint, Redelivery, RedeliveryPreview } from '../../kit/api.ts';
import { counted, grouped } from '../../kit/number.ts';
import type { Tone } from '../../kit/state-badge.tsx';
import { exactTime } from '../../kit/time.ts';

export const JOB_TONES: Record<Redelivery['state'], Tone> = {
  running: 'waiting',
  paused: 'warning',
  cancelled: 'none',
  finished: 'good',
};

/** The statuses that a job selects, in the order of the form. */
export const SELECTABLE = [
  'pending',
  'failed',
  'skipped',
  'cancelled',
] as const satisfies readonly Redelivery['filter']['statuses'][number][];

const atLeast = (isExact: boolean): string => (isExact ? '' : 'at least ');

function duration(seconds: number): string {
  if (seconds < 120) return counted(seconds, 'second');
  if (seconds < 7_200) return counted(Math.ceil(seconds / 60), 'minute');
  return counted(Math.ceil(seconds / 3_600), 'hour');
}

/** Describes the matching deliveries. `endpointOf` returns an existing endpoint. */
export function describeFilter(
  { filter }: Redelivery,
  endpointOf: (endpointId: string) => Endpoint | undefined,
): string {
  const { since, until, statuses, endpointId, eventType, reason } = filter;
  return [
    statuses.map((status) => (status === 'pending' ? 'waiting for a retry' : status)).join(' or '),
    `events since ${exactTime(since)}`,
    until && `before ${exactTime(until)}`,
    eventType,
    endpointId && (endpointOf(endpointId)?.url ?? endpointId),
    reason && `reason ${reason}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** `ended` names the matching deliveries that wait for no retry. */
export function describeCount(preview: RedeliveryPreview, ended = 'ended'): string {
  const { total, waiting, isTotalExact, durationSeconds, ratePerSecond } = preview;
  if (total === 0) return 'No delivery matches.';
  const pace = `at ${grouped(ratePerSecond)} per second that takes at least ${duration(durationSeconds)}`;
  const parts = waiting > 0 ? ` (${grouped(waiting)} waiting + ${grouped(total - waiting)} ${ended})` : '';
  return `${isTotalExact ? '' : 'At least '}${counted(total, 'delivery', 'deliveries')} would be redelivered${parts}; ${pace}.`;
}

export function describeProgress({ done, total, isTotalExact, skipped }: Redelivery): string {
  const skippedNote = skipped > 0 ? `, of which ${grouped(skipped)} were skipped` : '';
  return `${grouped(done)} of ${atLeast(isTotalExact)}${grouped(total)} redelivered${skippedNote}`;
}

/** Returns the progress in per cent. If the total is a lower bound, the progress is relative to it. */
export function progressOf({ done, total, state }: Redelivery): number {
  if (state === 'finished') return 100;
  return total === 0 ? 0 : Math.min(100, (done / total) * 100);
}
