// The schemas and row type of a redelivery: a job that sends deliveries again that ended without success. Its matches
// are fixed when it is created.

import { AppId, OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { closed, moment, named, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { EVENT_TYPES, type EventType } from '../../resources/events/index.ts';
import { DELIVERY_STATUSES, type DeliveryStatus, EndpointId, RedeliveryId } from '../webhooks/index.ts';
import type { Filter } from './filter.ts';

export const redeliveryParams = closed({ organisationId: OrganisationId, appId: AppId, redeliveryId: RedeliveryId });

/**
 * Maximum number of running or paused redeliveries per app. Their deliveries wait in the same lanes as those of new
 * events.
 */
export const MAX_UNFINISHED = 3;
const MAX_RATE = 1_000;
export const DEFAULT_RATE = 100;

const REDELIVERABLE = ['failed', 'skipped', 'cancelled'] as const;
const STATES = ['running', 'paused', 'cancelled', 'finished'] as const;
export type RedeliveryState = (typeof STATES)[number];

const ratePerSecond = Type.Integer({
  minimum: 1,
  maximum: MAX_RATE,
  description: 'How many deliveries it makes a second. The rates of endpoints hold beside it.',
});
const statuses = Type.Array(oneOf(REDELIVERABLE, 'How a delivery ended.'), {
  minItems: 1,
  maxItems: REDELIVERABLE.length,
  uniqueItems: true,
  description: 'Deliveries that ended in one of these.',
});
const eventType = oneOf(EVENT_TYPES, 'Deliveries of events of this type.');
const reason = text('Deliveries that were skipped or cancelled for this reason.', {
  minLength: 1,
  maxLength: 50,
  pattern: '^[a-z_]+$',
  examples: ['endpoint_disabled'],
});

export const NewRedelivery = named(
  'NewRedelivery',
  closed(
    {
      since: moment('Deliveries of events from this moment on.'),
      until: Type.Optional(moment('Deliveries of events before this moment.')),
      endpointId: Type.Optional(EndpointId),
      eventType: Type.Optional(eventType),
      statuses: Type.Optional(statuses),
      reason: Type.Optional(reason),
      ratePerSecond: Type.Optional(ratePerSecond),
      isDryRun: Type.Optional(
        Type.Boolean({ default: false, description: 'Only tells what would be redelivered as things stand.' }),
      ),
    },
    {
      description: `Which deliveries to make anew: those that failed, or with a \`reason\` those that were skipped or cancelled, unless \`statuses\` says otherwise; only what was not redelivered since. Deliveries of test events are left out. ${DEFAULT_RATE} a second unless \`ratePerSecond\` says otherwise.`,
    },
  ),
);

export const RedeliveryChange = named(
  'RedeliveryChange',
  closed(
    {
      state: Type.Optional(oneOf(['running', 'paused', 'cancelled'], 'Running resumes one that is paused.')),
      ratePerSecond: Type.Optional(ratePerSecond),
    },
    { description: 'What of a redelivery is to be changed; what is left out stays.' },
  ),
);

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description });

export const RedeliveryPreview = named(
  'RedeliveryPreview',
  closed(
    {
      total: count('How many deliveries would be made anew.'),
      isTotalExact: Type.Boolean({ description: 'Whether all were counted; else there are at least so many.' }),
      firstAt: nullable(moment('When the first of them was created; null when there is none.')),
      lastAt: nullable(moment('When the last of those that were counted was created.')),
      ratePerSecond,
      durationSeconds: count('How long it takes at that rate, at least.'),
    },
    { description: 'What a redelivery would do as things stand.' },
  ),
);

const fields = {
  id: RedeliveryId,
  state: oneOf(STATES, 'A paused one can be resumed; a cancelled or finished one is over.'),
  filter: closed(
    {
      since: moment('Of events from this moment on.'),
      until: nullable(moment('Of events before this moment.')),
      endpointId: nullable(EndpointId),
      eventType: nullable(eventType),
      statuses,
      reason: nullable(reason),
    },
    { description: 'Which deliveries are meant, of those that had ended when it was created; null where any is.' },
  ),
  ratePerSecond,
  total: count('How many there were when it was created. One that somebody else redelivers meanwhile is passed over.'),
  isTotalExact: Type.Boolean({ description: 'Whether all were counted; else there were at least so many.' }),
  done: count('How many it has made anew so far.'),
  skipped: count('How many of those are not allowed any more: recorded as skipped, with the reason, and not sent.'),
  createdBy: text('Who started it.', { maxLength: 320 }),
  createdAt: moment('When it was started.'),
  finishedBy: nullable(text('Who cancelled it; null when it came to its end by itself.', { maxLength: 320 })),
  finishedAt: nullable(moment('When it came to its end or was cancelled.')),
};

export const Redelivery = named(
  'Redelivery',
  closed(fields, { description: 'Deliveries that ended without success, on their way once more.' }),
);
export type Redelivery = Static<typeof Redelivery>;

const Outcome = closed(
  {
    status: oneOf(DELIVERY_STATUSES, 'How far they have come.'),
    reason: nullable(text('Why they are held, were cancelled or skipped.', { maxLength: 50 })),
    count: count('How many they are.'),
  },
  { description: 'Deliveries of it that stand alike.' },
);

export const RedeliveryDetail = named(
  'RedeliveryDetail',
  closed(
    {
      ...fields,
      deliveries: Type.Array(Outcome, { maxItems: 100, description: 'What has become of those that it has made.' }),
      areAllCounted: Type.Boolean({ description: 'Whether all of them were counted; else the first so many.' }),
    },
    { description: 'A redelivery with what has become of its deliveries.' },
  ),
);

export interface RedeliveryRow extends Filter {
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
