// A trace: a request, its events, their deliveries and the attempts of these. Pure.

import { AppId, OrganisationId } from '../../access/authority/index.ts';
import { ID_BODY_PATTERN, toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  describedObject,
  idSchema,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { EventId, type EventType, EventTypeSchema } from '../../resources/events/index.ts';
import { ATTEMPT_OUTCOMES, DELIVERY_STATUSES, EndpointId } from '../../webhooks/webhooks/index.ts';
import { exampleRequest, RequestId, RequestRecord } from '../requests/index.ts';

/** The maximum number of each that is shown. */
export const TRACE_LIMITS = { events: 100, deliveries: 500, attempts: 2_000 };

const TracedId = Type.String({
  description: 'A request, an event or a delivery.',
  pattern: `^(req|evt|dlv)_${ID_BODY_PATTERN}$`,
  minLength: 30,
  maxLength: 30,
  examples: [exampleRequest.id],
});
export const traceParams = strictObject({ organisationId: OrganisationId, appId: AppId, tracedId: TracedId });

const DeliveryId = idSchema('dlv', 'The delivery.');

const TracedAttempt = describedObject('An attempt of a delivery.', {
  number: Type.Integer({ minimum: 1, maximum: 1000, description: 'Number of the attempt, starting with 1.' }),
  startedAt: dateTime('When the attempt began.'),
  durationMs: Type.Number({ minimum: 0, maximum: 86_400_000, description: 'Duration in milliseconds.' }),
  outcome: oneOf(ATTEMPT_OUTCOMES, '`response`, or the kind of failure.'),
  status: nullable(Type.Integer({ minimum: 100, maximum: 599, description: 'The HTTP status of the response.' })),
});

const TracedDelivery = describedObject('A delivery of the event.', {
  id: DeliveryId,
  endpointId: EndpointId,
  status: oneOf(DELIVERY_STATUSES, 'The state of the delivery.'),
  reason: nullable(text('Why the delivery is held, was cancelled or was skipped.', { maxLength: 50 })),
  createdAt: dateTime('When the delivery was created.'),
  finishedAt: nullable(dateTime('When the delivery ended; null while it is pending.')),
  redeliveryOf: nullable(idSchema('dlv', 'The delivery that this delivery repeats.')),
  attempts: Type.Array(TracedAttempt, {
    maxItems: TRACE_LIMITS.attempts,
    description: 'In the order in which they were made.',
  }),
});

export const actorOfEvent = nullable(
  text('The member who caused it from the Console or through the management API; null for any other cause.', {
    maxLength: 320,
  }),
);

const TracedEvent = describedObject('An event that the request caused.', {
  id: EventId,
  type: EventTypeSchema,
  occurredAt: dateTime('When it happened.'),
  subject: text('The identifier of the event’s subject.', { maxLength: 40 }),
  actor: actorOfEvent,
  deliveries: Type.Array(TracedDelivery, {
    maxItems: TRACE_LIMITS.deliveries,
    description: 'In the order in which they were made.',
  }),
});

const EventPayload = describedObject('The payload of the event in one schema version.', {
  schemaVersion: Type.Integer({ minimum: 1, maximum: 1000, description: 'The version of `data`.' }),
  body: text('The exact bytes of the event in this version.', { maxLength: 262_144 }),
});

export const Trace = namedObject(
  'Trace',
  'A request with the events, deliveries and attempts that it caused. `requestId` is null if no request caused the event. `request` is null if its record is not in the Request Inspector.',
  {
    requestId: nullable(RequestId),
    request: nullable(RequestRecord),
    events: Type.Array(TracedEvent, {
      maxItems: TRACE_LIMITS.events,
      description: 'In the order in which they happened.',
    }),
    payloads: nullable(
      Type.Array(EventPayload, {
        maxItems: 1_000,
        description:
          'The payload of the event in each schema version, oldest version first, if the trace was requested by an event. Null for a request or a delivery, and while the event’s server does not authorise `events:read` or the scope of the event’s resource.',
      }),
    ),
    isTruncated: Type.Boolean({ description: 'True if the trace is truncated.' }),
  },
);
export type Trace = Static<typeof Trace>;

export interface TracedEventRow {
  event_id: string;
  /** The envelope as it was sent. */
  body: string;
  actor: string | null;
}
/** An event in its newest schema version, and in the versions before it, from version 1. */
export interface EventBodiesRow {
  body: string;
  older_bodies: string[];
}
export interface TracedDeliveryRow {
  delivery_id: string;
  event_id: string;
  endpoint_id: string;
  status: Static<typeof TracedDelivery>['status'];
  reason: string | null;
  created_at: Date;
  finished_at: Date | null;
  redelivery_of: string | null;
}
export interface TracedAttemptRow {
  delivery_id: string;
  attempt_no: number;
  started_at: Date;
  duration_us: number;
  outcome: Static<typeof TracedAttempt>['outcome'];
  status: number | null;
}

interface Envelope {
  id: string;
  type: EventType;
  occurredAt: string;
  subject: { id: string };
  requestId: string | null;
}
const envelopeOf = ({ body }: TracedEventRow): Envelope => JSON.parse(body); // written by this server

/** Returns the causing request, `req_...`, which need not be a request of the API. */
export const causingRequestId = (event: TracedEventRow): string | null => envelopeOf(event).requestId;

/** Returns the events of a trace. The inputs may hold one more of each kind than is shown. */
export function toEvents(
  events: readonly TracedEventRow[],
  deliveries: readonly TracedDeliveryRow[],
  attempts: readonly TracedAttemptRow[],
) {
  const toDelivery = (row: TracedDeliveryRow): Static<typeof TracedDelivery> => ({
    id: toId('dlv', row.delivery_id),
    endpointId: toId('whe', row.endpoint_id),
    status: row.status,
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    redeliveryOf: row.redelivery_of === null ? null : toId('dlv', row.redelivery_of),
    attempts: attempts
      .slice(0, TRACE_LIMITS.attempts)
      .flatMap((one) => (one.delivery_id === row.delivery_id ? [toAttempt(one)] : [])),
  });
  return events.slice(0, TRACE_LIMITS.events).map((event): Static<typeof TracedEvent> => {
    const { id, type, occurredAt, subject } = envelopeOf(event);
    const own = deliveries.slice(0, TRACE_LIMITS.deliveries).filter((row) => row.event_id === event.event_id);
    return { id, type, occurredAt, subject: subject.id, actor: event.actor, deliveries: own.map(toDelivery) };
  });
}

/** Returns the payloads of an event, oldest schema version first. */
export const toPayloads = ({ body, older_bodies }: EventBodiesRow): NonNullable<Trace['payloads']> =>
  [...older_bodies, body].map((bytes, index) => ({ schemaVersion: index + 1, body: bytes }));

const toAttempt = (row: TracedAttemptRow): Static<typeof TracedAttempt> => ({
  number: row.attempt_no,
  startedAt: row.started_at.toISOString(),
  durationMs: row.duration_us / 1000,
  outcome: row.outcome,
  status: row.status,
});

export const exampleTrace: Trace = {
  requestId: exampleRequest.id,
  request: { ...exampleRequest, status: 201, code: null },
  events: [
    {
      id: 'evt_01j9z3v8k6e5t8m2n4p6q8r0sa',
      type: 'ticket.created',
      occurredAt: '2026-11-02T10:15:30.000Z',
      subject: 'tkt_01j9z3v8k6e5t8m2n4p6q8r0s4',
      actor: null,
      deliveries: [
        {
          id: 'dlv_01j9z3v8k6e5t8m2n4p6q8r0sc',
          endpointId: 'whe_01j9z3v8k6e5t8m2n4p6q8r0s9',
          status: 'succeeded',
          reason: null,
          createdAt: '2026-11-02T10:15:30.001Z',
          finishedAt: '2026-11-02T10:15:30.062Z',
          redeliveryOf: null,
          attempts: [
            { number: 1, startedAt: '2026-11-02T10:15:30.020Z', durationMs: 41.7, outcome: 'response', status: 204 },
          ],
        },
      ],
    },
  ],
  payloads: null,
  isTruncated: false,
};
