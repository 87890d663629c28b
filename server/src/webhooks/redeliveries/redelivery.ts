// The schemas and row type of a redelivery job, which redelivers deliveries that ended without success or wait for a
// retry. Its matches are fixed when it is created.

import { AppId, OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  count,
  dateTime,
  describedObject,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { EVENT_TYPES, type EventType } from '../../resources/events/index.ts';
import { DELIVERY_STATUSES, type DeliveryStatus, EndpointId, RedeliveryId } from '../webhooks/index.ts';
import { REDELIVERABLE, type RedeliveryFilter } from './redelivery-filter.ts';

export const redeliveryParams = strictObject({
  organisationId: OrganisationId,
  appId: AppId,
  redeliveryId: RedeliveryId,
});

/**
 * Maximum number of running or paused redelivery jobs per app. Their deliveries wait in the same queues as those of new
 * events.
 */
export const MAX_UNFINISHED = 3;
const MAX_RATE = 1_000;
export const DEFAULT_RATE = 100;

const STATES = ['running', 'paused', 'cancelled', 'finished'] as const;
export type RedeliveryState = (typeof STATES)[number];

const ratePerSecond = integer(
  'How many deliveries are made per second. The endpoints’ own rate limits apply too.',
  1,
  MAX_RATE,
);
const statuses = Type.Array(oneOf(REDELIVERABLE, 'The status of a delivery.'), {
  minItems: 1,
  maxItems: REDELIVERABLE.length,
  uniqueItems: true,
  description:
    'Deliveries that ended with one of these statuses. `pending` selects the deliveries that wait for a retry: the retry becomes due now.',
});
const eventType = oneOf(EVENT_TYPES, 'Deliveries of events of this type.');
const reason = text('Deliveries that were skipped or cancelled for this reason.', {
  minLength: 1,
  maxLength: 50,
  pattern: '^[a-z_]+$',
  examples: ['endpoint_disabled'],
});

export const RedeliveryInput = namedObject(
  'RedeliveryInput',
  `The deliveries to redeliver. The default for \`statuses\` is \`failed\`; with a \`reason\` it is \`skipped\` and \`cancelled\`. Deliveries that were redelivered since, and deliveries of test events, are left out. Deliveries that the filter of their endpoint withheld are included only with the \`reason\` \`filtered\`. The default for \`ratePerSecond\` is ${DEFAULT_RATE}.`,
  {
    since: dateTime(
      'Deliveries of events that occurred at this time or later. A delivery fails at the end of its schedule, which is 75 hours or more after the event, or earlier with a faster schedule or after a response with 410. Until then it is `pending`.',
    ),
    until: Type.Optional(dateTime('Deliveries of events that occurred before this time.')),
    endpointId: Type.Optional(EndpointId),
    eventType: Type.Optional(eventType),
    statuses: Type.Optional(statuses),
    reason: Type.Optional(reason),
    ratePerSecond: Type.Optional(ratePerSecond),
    isDryRun: Type.Optional(
      Type.Boolean({ default: false, description: 'Returns what would be redelivered, and redelivers nothing.' }),
    ),
  },
);

export const RedeliveryChange = namedObject(
  'RedeliveryChange',
  'The changes to a redelivery job. A property that is left out stays unchanged.',
  {
    state: Type.Optional(oneOf(['running', 'paused', 'cancelled'], '`running` resumes a paused job.')),
    ratePerSecond: Type.Optional(ratePerSecond),
  },
);

export const RedeliveryPreview = namedObject('RedeliveryPreview', 'The preview of a redelivery job.', {
  total: count('How many deliveries would be redelivered.'),
  waiting: count('How many of these wait for a retry, which would become due now.'),
  isTotalExact: Type.Boolean({
    description: 'True if `total` is exact. Otherwise there are at least `total` deliveries.',
  }),
  firstAt: nullable(dateTime('When the first of these deliveries was created; null if there is none.')),
  lastAt: nullable(dateTime('When the last counted delivery was created.')),
  ratePerSecond,
  durationSeconds: count('The minimum duration at that rate, in seconds.'),
});

const fields = {
  id: RedeliveryId,
  state: oneOf(
    STATES,
    'The state of the redelivery job. A paused job can be resumed; a cancelled or finished job cannot.',
  ),
  filter: describedObject(
    'The filter for the deliveries that had ended, or waited for a retry, when the redelivery job was created. A null property matches every delivery.',
    {
      since: dateTime('Events that occurred at this time or later.'),
      until: nullable(dateTime('Events that occurred before this time.')),
      endpointId: nullable(EndpointId),
      eventType: nullable(eventType),
      statuses,
      reason: nullable(reason),
    },
  ),
  ratePerSecond,
  total: count(
    'How many deliveries matched when the redelivery job was created. A delivery that is redelivered in another way in the meantime is left out.',
  ),
  isTotalExact: Type.Boolean({
    description: 'True if `total` is exact. Otherwise there were at least `total` deliveries.',
  }),
  done: count('How many deliveries have been redelivered so far, including retries that were made due.'),
  skipped: count('How many of those were recorded as skipped, with the reason, and not sent.'),
  createdBy: text('The member or token that started the redelivery job.', { maxLength: 320 }),
  createdAt: dateTime('When the redelivery job was started.'),
  finishedBy: nullable(
    text('The member or token that cancelled the redelivery job; null if it was not cancelled.', { maxLength: 320 }),
  ),
  finishedAt: nullable(dateTime('When the redelivery job finished or was cancelled.')),
};

export const Redelivery = namedObject('Redelivery', 'A job that redelivers many deliveries.', fields);
export type Redelivery = Static<typeof Redelivery>;

const Outcome = describedObject('The deliveries of a redelivery job with the same status and reason.', {
  status: oneOf(DELIVERY_STATUSES, 'The status of these deliveries.'),
  reason: nullable(text('Why these deliveries are held, or were cancelled or skipped.', { maxLength: 50 })),
  count: count('The number of these deliveries.'),
});

export const RedeliveryDetail = namedObject(
  'RedeliveryDetail',
  'A redelivery job with the outcomes of its deliveries.',
  {
    ...fields,
    deliveries: Type.Array(Outcome, { maxItems: 100, description: 'The outcomes of the deliveries so far.' }),
    isCountComplete: Type.Boolean({
      description: 'True if all deliveries were counted. Otherwise only the first ones were.',
    }),
  },
);

export interface RedeliveryRow extends RedeliveryFilter {
  redelivery_id: string;
  state: RedeliveryState;
  rate_per_second: number;
  total: number;
  is_total_exact: boolean;
  done: number;
  skipped: number;
  created_by: string;
  created_at: Date;
  finished_by: string | null;
  finished_at: Date | null;
}

export interface OutcomeRow {
  status: DeliveryStatus;
  reason: string | null;
  count: number;
}

export function toRedelivery(row: RedeliveryRow): Redelivery {
  return {
    id: toId('rdl', row.redelivery_id),
    state: row.state,
    filter: {
      since: row.since.toISOString(),
      until: row.until?.toISOString() ?? null,
      endpointId: row.endpoint_id === null ? null : toId('whe', row.endpoint_id),
      eventType: row.event_type as EventType | null, // checked when it was written
      statuses: row.statuses as Redelivery['filter']['statuses'],
      reason: row.reason,
    },
    ratePerSecond: row.rate_per_second,
    total: row.total,
    isTotalExact: row.is_total_exact,
    done: row.done,
    skipped: row.skipped,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    finishedBy: row.finished_by,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export const exampleRedelivery: Redelivery = {
  id: 'rdl_01j9z3v8k6e5t8m2n4p6q8r0sd',
  state: 'running',
  filter: {
    since: '2026-11-02T08:00:00.000Z',
    until: null,
    endpointId: 'whe_01j9z3v8k6e5t8m2n4p6q8r0s8',
    eventType: null,
    statuses: ['failed'],
    reason: null,
  },
  ratePerSecond: 100,
  total: 1240,
  isTotalExact: true,
  done: 400,
  skipped: 0,
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
  finishedBy: null,
  finishedAt: null,
};
