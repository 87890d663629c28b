// Filter of a redelivery job, as form input and in the API's format.
import { defined, type EventType, type RedeliveryInput } from '../../kit/api.ts';
import type { SELECTABLE } from './redelivery-labels.ts';

export const DEFAULT_RATE = 100;
/** A delivery fails 75 hours or more after its event, unless the schedule of its endpoint is faster. */
const DEFAULT_PERIOD_MS = 7 * 86_400_000;

export interface RedeliveryDraft {
  /** Local time, in the format of its inputs. */
  since: string;
  until: string;
  endpointId: string | null;
  eventType: EventType | null;
  statuses: (typeof SELECTABLE)[number][];
  reason: string | null;
  ratePerSecond: number | string;
}

export function defaultRedeliveryInput(endpointId: string | undefined, nowMs: number): RedeliveryDraft {
  return {
    since: toLocal(nowMs - DEFAULT_PERIOD_MS),
    until: '',
    endpointId: endpointId ?? null,
    eventType: null,
    statuses: ['failed'],
    reason: null,
    ratePerSecond: DEFAULT_RATE,
  };
}

/** Returns the value of a local date and time input, to the minute. */
export function toLocal(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, 16);
}

/** Returns undefined while the form is incomplete. */
export function toNewRedelivery(input: RedeliveryDraft): RedeliveryInput | undefined {
  const { since, until, endpointId, eventType, statuses, reason, ratePerSecond } = input;
  if (since === '' || statuses.length === 0) return undefined;
  return {
    since: new Date(since).toISOString(),
    statuses,
    ...defined({
      until: until === '' ? undefined : new Date(until).toISOString(),
      endpointId: endpointId ?? undefined,
      eventType: eventType ?? undefined,
      reason: reason ?? undefined,
      ratePerSecond: ratePerSecond === '' ? undefined : Number(ratePerSecond),
    }),
  };
}
