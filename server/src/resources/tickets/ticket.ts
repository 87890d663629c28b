// The input of a ticket, and a ticket as the store reads and writes it.
import { personName, Requester, reference, tickets } from '../../access/contracts/index.ts';
import { namedObject, type Static, sensitive, strictObject, Type } from '../../kit/http/schema.ts';
import { objectReader, type RowOf } from '../objects/index.ts';

export const Ticket = tickets.schema;
export type Ticket = Static<typeof Ticket>;

/** The default values of a new ticket. */
export const DEFAULTS = tickets.defaults;

const { subject, body, category, priority, labels, metadata } = tickets.fields;

export const TicketInput = namedObject(
  'TicketInput',
  'A ticket to create. The category defaults to `question` and the priority to `normal`.',
  {
    subject,
    body,
    category: Type.Optional(category),
    priority: Type.Optional(priority),
    requester: sensitive(Type.Optional(Requester)),
    labels: Type.Optional(labels),
    metadata: sensitive(Type.Optional(metadata)),
  },
  2,
);
export type TicketInput = Static<typeof TicketInput>;

export const TicketContent = namedObject(
  'TicketWords',
  'The fields of a triggered ticket. The sandbox generates missing fields.',
  {
    subject: Type.Optional(subject),
    body: Type.Optional(body),
    category: Type.Optional(category),
    priority: Type.Optional(priority),
    requester: Type.Optional(strictObject({ name: personName, reference: Type.Optional(reference) })),
    labels: Type.Optional(labels),
    metadata: Type.Optional(metadata),
  },
);
export type TicketContent = Static<typeof TicketContent>;

export interface TicketRow extends RowOf<typeof tickets> {
  event_sequence: number;
}

export const toTicket: (row: TicketRow) => Ticket = objectReader(tickets);

const PLACEHOLDER_NUMBER = -1;
/** The sequence number of `ticket.created` among the events of a ticket. */
export const CREATED_SEQUENCE = 1;
const PLACEHOLDER_JSON = `"number":${PLACEHOLDER_NUMBER}`;

/** Returns a ticket that is not written yet, without its number. */
export const draftTicket = (ticketId: string, serverId: string, ticket: TicketInput, createdAt: Date): Ticket =>
  toTicket({
    ticket_id: ticketId,
    server_id: serverId,
    number: PLACEHOLDER_NUMBER,
    subject: ticket.subject,
    body: ticket.body,
    category: ticket.category ?? DEFAULTS.category,
    priority: ticket.priority ?? DEFAULTS.priority,
    status: DEFAULTS.status,
    requester: ticket.requester ?? DEFAULTS.requester,
    labels: ticket.labels ?? [...DEFAULTS.labels],
    metadata: ticket.metadata ?? DEFAULTS.metadata,
    event_sequence: CREATED_SEQUENCE,
    created_at: createdAt,
  });

/**
 * Splits JSON that contains such a ticket into two parts around the ticket's number. The placeholder is unique: a
 * caller cannot set a number, and JSON escapes the quotes of PLACEHOLDER_JSON in a caller's text.
 */
export function splitAtNumber(json: string): readonly [string, string] {
  const [before, after, ...more] = json.split(PLACEHOLDER_JSON);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error('A ticket must have exactly one number.');
  return [`${before}"number":`, after];
}

export const exampleNewTicket: TicketInput = {
  subject: 'Cannot join the voice channel',
  body: 'Since this morning the voice channel asks for a role that I already have.',
  category: 'bug',
  priority: 'normal',
  requester: { name: 'Imke', reference: 'user-4711' },
  labels: ['voice'],
  metadata: { source: 'help-form' },
};
