// A ticket: a request from a member of a community to its team, created by the app.
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  idSchema,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  sensitive,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { ServerId } from '../servers/index.ts';

export const CATEGORIES = ['question', 'bug', 'feedback', 'billing', 'other'] as const;
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
/** The default values of a new ticket. */
export const DEFAULTS = { category: 'question', priority: 'normal' } as const;
const STATUSES = ['open', 'pending', 'resolved', 'closed'] as const;

const subject = text('The subject, in one line.', { minLength: 1, maxLength: 200 });
const body = text('The full text.', { minLength: 1, maxLength: 10_000 });
const category = oneOf(CATEGORIES, 'The category.');
const priority = oneOf(PRIORITIES, 'The priority.');
const labels = Type.Array(text('A label.', { minLength: 1, maxLength: 50 }), {
  maxItems: 20,
  description: 'The labels that you assign.',
});
const metadata = Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,40}$' }), text('A value.', { maxLength: 500 }), {
  maxProperties: 50,
  additionalProperties: false,
  description: 'Names and values that you assign. They are stored unchanged.',
});
const requesterName = text('The name.', { minLength: 1, maxLength: 100 });
const reference = text('The identifier in your system.', { minLength: 1, maxLength: 200 });
const Requester = namedObject('TicketRequester', 'The requester.', {
  name: requesterName,
  reference: Type.Optional(reference),
  externalId: Type.Optional(
    Type.String({
      description: 'The deprecated name of `reference`.',
      deprecated: true,
      pattern: '^[^\\u0000]*$',
      minLength: 1,
      maxLength: 200,
    }),
  ),
});
export type Requester = Static<typeof Requester>;

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
    requester: Type.Optional(strictObject({ name: requesterName, reference: Type.Optional(reference) })),
    labels: Type.Optional(labels),
    metadata: Type.Optional(metadata),
  },
);
export type TicketContent = Static<typeof TicketContent>;

export const TicketId = idSchema('tkt', 'The identifier of the ticket.');

export const Ticket = namedObject(
  'Ticket',
  'A ticket that this app created. In the sandbox, also a ticket of the sandbox data or of a triggered event.',
  {
    id: TicketId,
    serverId: ServerId,
    number: integer('The number of the ticket on its server.', 1),
    subject,
    body,
    category,
    priority,
    status: oneOf(STATUSES, 'The status.'),
    requester: nullable(Requester),
    labels,
    metadata,
    createdAt: dateTime('The creation time.'),
  },
);
export type Ticket = Static<typeof Ticket>;

export interface TicketRow {
  ticket_id: string;
  server_id: string;
  number: number;
  subject: string;
  body: string;
  category: (typeof CATEGORIES)[number];
  priority: (typeof PRIORITIES)[number];
  status: (typeof STATUSES)[number];
  requester: Requester | null;
  labels: string[];
  metadata: Record<string, string>;
  event_sequence: number;
  created_at: Date;
}

export function toTicket(row: TicketRow): Ticket {
  return {
    id: toId('tkt', row.ticket_id),
    serverId: toId('srv', row.server_id),
    number: row.number,
    subject: row.subject,
    body: row.body,
    category: row.category,
    priority: row.priority,
    status: row.status,
    requester: row.requester && withBothIdentifiers(row.requester),
    labels: row.labels,
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
  };
}

const PLACEHOLDER_NUMBER = -1;
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
    status: 'open',
    requester: ticket.requester ?? null,
    labels: ticket.labels ?? [],
    metadata: ticket.metadata ?? {},
    event_sequence: 1,
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

/** Returns the identifier under both names until `externalId` is removed. */
function withBothIdentifiers({ name, reference, externalId = reference }: Requester): Requester {
  return { name, ...(externalId !== undefined && { reference: reference ?? externalId, externalId }) };
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

export const exampleTicket: Ticket = {
  id: 'tkt_01j9z3v8k6e5t8m2n4p6q8r0s4',
  serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
  number: 17,
  subject: 'Cannot join the voice channel',
  body: 'Since this morning the voice channel asks for a role that I already have.',
  category: 'bug',
  priority: 'normal',
  status: 'open',
  requester: { name: 'Imke', reference: 'user-4711', externalId: 'user-4711' },
  labels: ['voice'],
  metadata: { source: 'help-form' },
  createdAt: '2026-11-02T10:15:30.000Z',
};
