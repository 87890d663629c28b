// An event: a change of a subject, with a stable identifier and bytes that never change.

import { AppId } from '../../access/authority/index.ts';
import { resources, servers } from '../../access/contracts/index.ts';
import { dateTime, idSchema, integer, namedObject, nullable, oneOf, Type, text } from '../../kit/http/schema.ts';
import { hasTable } from '../objects/index.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

export interface EventDraft {
  type: EventType;
  /** The UUID of the server. */
  serverId: string;
  subject: { uuid: string; id: string };
  /** Contiguous per subject. The subject's row counts it. */
  sequence: number;
  /** The request that caused the event, or null. */
  requestId: string | null;
  /** The resource at the time of the event. Empty for a type without a resource. */
  data: object;
  /** The data in the versions before the newest, from version 1. Required in full for a type with several versions. */
  older?: readonly object[];
  /** The time in ISO 8601 if an external source states it. Defaults to the current time. */
  occurredAt?: string;
}

/** The body that a receiver gets. The signed bytes contain the fields in this order. */
export interface Envelope {
  id: string;
  type: EventType;
  schemaVersion: number;
  occurredAt: string;
  environment: string;
  appId: string;
  serverId: string;
  subject: { type: string; id: string };
  sequence: number;
  requestId: string | null;
  data: unknown;
}

export const EventId = idSchema('evt', 'The identifier of the event, identical in the feed and in every delivery.');

export const EventTypeSchema = oneOf(EVENT_TYPES, 'The type of the event.');

/** The query of the feed and of a single event. */
export const schemaVersionQuery = {
  schemaVersion: Type.Optional(
    integer(
      'The schema version of the returned events. A type without this version is returned in its newest version. The `schemaVersion` of each event names its version.',
      1,
      1000,
      { default: 1 },
    ),
  ),
};
export const DEFAULT_SCHEMA_VERSION = 1;

/** A contract of an operator can have longer identifiers. */
const MAX_SUBJECT_ID = resources.some(hasTable) ? 40 : 200;

export const Event = namedObject(
  'Event',
  'An event of a server of the app. A webhook delivers the same bytes, in the schema version to which its endpoint is pinned.',
  {
    id: EventId,
    type: EventTypeSchema,
    schemaVersion: integer('The version of `data` for this type.', 1, 1000),
    occurredAt: dateTime('The time of the event.'),
    environment: oneOf(['sandbox', 'production'], 'The environment of the event.'),
    appId: AppId,
    serverId: servers.id,
    subject: namedObject('EventSubject', 'The resource that the event is about.', {
      type: text('The kind of resource.', { maxLength: 50 }),
      id: text("The resource's identifier.", { maxLength: MAX_SUBJECT_ID }),
    }),
    sequence: integer(
      'The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.',
      1,
    ),
    requestId: nullable(idSchema('req', 'The request that caused the event, or null.')),
    data: Type.Object(
      {},
      { additionalProperties: true, description: 'The resource at the time of the event, in this schema version.' },
    ),
  },
  2,
);

export const exampleEvent = {
  id: 'evt_01j9z3v8k6e5t8m2n4p6q8r0s8',
  type: 'ping',
  schemaVersion: 1,
  occurredAt: '2026-11-02T10:15:30.000Z',
  environment: 'sandbox',
  appId: 'app_01j9z3v8k6e5t8m2n4p6q8r0s5',
  serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
  subject: { type: 'server', id: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2' },
  sequence: 1,
  requestId: 'req_01j9z3v8k6e5t8m2n4p6q8r0sb',
  data: {},
};
