// The filter that selects the deliveries of a redelivery, and a position among them. Pure.
import { firstUuidAt, toUuid } from '../../kit/crypto/ids.ts';
import { type InvalidPart, problem } from '../../kit/openapi/problems.ts';

/** The statuses that a job can select, in the order in which it stores them. */
export const REDELIVERABLE = ['failed', 'skipped', 'cancelled', 'pending'] as const;

/** The filter in the form that SQL compares. */
export interface RedeliveryFilter {
  endpoint_id: string | null;
  event_type: string | null;
  /** `pending` stands for deliveries that wait for a retry. */
  statuses: readonly string[];
  reason: string | null;
  since: Date;
  until: Date | null;
}

/** A position in the order of the events, and of the deliveries of each event. */
export interface RedeliveryPosition {
  after_event_id: string;
  after_delivery_id: string;
}

const NO_UUID = '00000000-0000-0000-0000-000000000000';
/** No event has this id. A position with it is a position among the waiting retries. */
const AMONG_RETRIES = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/**
 * Milliseconds, longer than the clocks of two nodes differ: the id of a delivery is never dated earlier than this
 * before its event's.
 */
export const MAX_CLOCK_SKEW_MS = 3_600_000;

type MatchCriteria = Pick<RedeliveryFilter, 'since' | 'statuses'>;

export const includesRetries = ({ statuses }: Pick<RedeliveryFilter, 'statuses'>): boolean =>
  statuses.includes('pending');
export const includesEnded = ({ statuses }: Pick<RedeliveryFilter, 'statuses'>): boolean =>
  statuses.some((status) => status !== 'pending');

/** Returns the position of a new job. A job makes waiting retries due before it redelivers ended deliveries. */
export const firstPosition = (filter: MatchCriteria): RedeliveryPosition =>
  includesRetries(filter)
    ? retryPosition(firstUuidAt(filter.since.getTime() - MAX_CLOCK_SKEW_MS))
    : firstEndedPosition(filter);

export const firstEndedPosition = ({ since }: Pick<RedeliveryFilter, 'since'>): RedeliveryPosition => ({
  after_event_id: firstUuidAt(since.getTime()),
  after_delivery_id: NO_UUID,
});

/** Returns the position after a waiting delivery. */
export const retryPosition = (deliveryId: string): RedeliveryPosition => ({
  after_event_id: AMONG_RETRIES,
  after_delivery_id: deliveryId,
});

export const isAmongRetries = ({ after_event_id }: RedeliveryPosition): boolean => after_event_id === AMONG_RETRIES;

interface RedeliveryFilterInput {
  since: string;
  until?: string | undefined;
  endpointId?: string | undefined;
  eventType?: string | undefined;
  statuses?: readonly string[] | undefined;
  reason?: string | undefined;
}

/** Only deliveries with these statuses have a reason. */
const STATUSES_WITH_REASON = ['skipped', 'cancelled'];

/** Converts the request. Throws invalid_request for an invalid time, and for a filter that no delivery can match. */
export function toRedeliveryFilter(input: RedeliveryFilterInput): RedeliveryFilter {
  const since = parseFilterTime('/since', input.since);
  const until = input.until === undefined ? null : parseFilterTime('/until', input.until);
  if (until && until <= since) throw invalidRequest({ pointer: '/until', detail: 'must be later than `since`' });
  const { statuses, reason = null } = input;
  if (reason !== null && statuses?.every((status) => !STATUSES_WITH_REASON.includes(status))) {
    throw invalidRequest({
      pointer: '/statuses',
      detail: 'must include `skipped` or `cancelled`: other deliveries have no `reason`',
    });
  }
  if (reason !== null && statuses?.includes('pending')) {
    throw invalidRequest({ pointer: '/statuses', detail: 'must not include `pending` with a `reason`' });
  }
  const selected = statuses ?? (reason === null ? ['failed'] : STATUSES_WITH_REASON);
  return {
    endpoint_id: input.endpointId === undefined ? null : toUuid('whe', input.endpointId),
    event_type: input.eventType ?? null,
    statuses: REDELIVERABLE.filter((one) => selected.includes(one)),
    reason,
    since,
    until,
  };
}

// A leap second matches the pattern, but JavaScript cannot represent it.
function parseFilterTime(pointer: string, value: string): Date {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) throw invalidRequest({ pointer, detail: 'must be a valid time' });
  return at;
}

export const invalidRequest = (part: InvalidPart): Error => problem('invalid_request', { errors: [part] });
