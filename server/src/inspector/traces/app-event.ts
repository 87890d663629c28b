// An event in the list of an app: what happened, to which object, and the cause. Pure.
import { fromId, ID_BODY_PATTERN, toId } from '../../kit/crypto/ids.ts';
import { dateTime, idSchema, namedObject, nullable, type Static, text } from '../../kit/http/schema.ts';
import {
  EventId,
  type EventType,
  EventTypeSchema,
  exampleEvent,
  SUBJECT_PREFIXES,
  type SubjectType,
} from '../../resources/events/index.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { actorOfEvent } from './trace.ts';

const PREFIXES = Object.values(SUBJECT_PREFIXES);

export const SubjectId = text('The object that an event is about, such as a ticket, a server or an installation.', {
  minLength: 30,
  maxLength: 30,
  pattern: `^(${PREFIXES.join('|')})_${ID_BODY_PATTERN}$`,
  examples: ['tkt_01j9z3v8k6e5t8m2n4p6q8r0s4'],
});

/** Returns the uuid of a subject's identifier. */
export const uuidOfSubject = (id: string): string | undefined =>
  PREFIXES.map((prefix) => fromId(prefix, id)).find((uuid) => uuid !== undefined);

export const AppEvent = namedObject('AppEvent', 'An event of the app, without its payload.', {
  id: EventId,
  type: EventTypeSchema,
  occurredAt: dateTime('When it happened.'),
  serverId: nullable(ServerId),
  subject: text('The identifier of the object that the event is about.', { maxLength: 40 }),
  requestId: nullable(idSchema('req', 'The request that caused the event; null for any other cause.')),
  actor: actorOfEvent,
});
export type AppEvent = Static<typeof AppEvent>;

export interface AppEventRow {
  event_id: string;
  type: EventType;
  server_id: string | null;
  subject_type: SubjectType;
  subject_id: string;
  request_id: string | null;
  actor: string | null;
  /** The time in the event itself. */
  occurred_at: string | null;
  created_at: Date;
}

export const toAppEvent = (row: AppEventRow): AppEvent => ({
  id: toId('evt', row.event_id),
  type: row.type,
  occurredAt: row.occurred_at ?? row.created_at.toISOString(),
  serverId: row.server_id === null ? null : toId('srv', row.server_id),
  subject: toId(SUBJECT_PREFIXES[row.subject_type], row.subject_id),
  requestId: row.request_id === null ? null : toId('req', row.request_id),
  actor: row.actor,
});

export const exampleAppEvent: AppEvent = {
  id: exampleEvent.id,
  type: 'ticket.created',
  occurredAt: exampleEvent.occurredAt,
  serverId: exampleEvent.serverId,
  subject: 'tkt_01j9z3v8k6e5t8m2n4p6q8r0s4',
  requestId: exampleEvent.requestId,
  actor: null,
};
