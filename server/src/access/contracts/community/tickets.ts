// A ticket: a request from a member of a community to its team, created by the app.
import { linkOfFirst } from '../../../kit/http/page.ts';
import {
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
} from '../../../kit/http/schema.ts';
import { resource } from '../contract.ts';
import type { CharacterSet } from '../declaration.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { servers } from './servers.ts';
import { TICKET_WORDS } from './words/tickets.ts';

const CATEGORIES = ['question', 'bug', 'feedback', 'billing', 'other'] as const;
const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
const CLOSED = { named: 'The ticket is closed.', any: 'Every ticket is closed.' };

export const personName = text('The name.', { minLength: 1, maxLength: 100 });
export const reference = text('The identifier in your system.', { minLength: 1, maxLength: 200 });
export const Requester = namedObject('TicketRequester', 'The requester.', {
  name: personName,
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

const fields = {
  number: integer('The number of the ticket on its server.', 1),
  subject: text('The subject, in one line.', { minLength: 1, maxLength: 200 }),
  body: text('The full text.', { minLength: 1, maxLength: 10_000 }),
  category: oneOf(CATEGORIES, 'The category.'),
  priority: oneOf(PRIORITIES, 'The priority.'),
  status: oneOf(['open', 'pending', 'resolved', 'closed'], 'The status.'),
  requester: nullable(Requester),
  labels: Type.Array(text('A label.', { minLength: 1, maxLength: 50 }), {
    maxItems: 20,
    description: 'The labels that you assign.',
  }),
  metadata: Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,40}$' }), text('A value.', { maxLength: 500 }), {
    maxProperties: 50,
    additionalProperties: false,
    description: 'Names and values that you assign. They are stored unchanged.',
  }),
  createdAt: dateTime('The creation time.'),
};
const { body, requester: _requester, ...inAllVersions } = fields;

// The content of a released version of an event's data never changes, even if the fields of the resource change.
const createdV1 = {
  ...inAllVersions,
  body,
  requester: nullable(describedObject('The requester.', { name: personName, externalId: Type.Optional(reference) })),
};
const createdV2 = {
  ...inAllVersions,
  bodyMarkdown: body,
  requester: nullable(describedObject('The requester.', { name: personName, reference: Type.Optional(reference) })),
};
const [TicketFields, CreatedV1, CreatedV2] = [strictObject(fields), strictObject(createdV1), strictObject(createdV2)];
type CreatedV1 = Static<typeof CreatedV1>;
type CreatedV2 = Static<typeof CreatedV2>;

function toCreatedV2({ body, requester, ...rest }: Static<typeof TicketFields>): CreatedV2 {
  const reference = requester?.reference;
  return {
    ...rest,
    bodyMarkdown: body,
    requester: requester && { name: requester.name, ...(reference !== undefined && { reference }) },
  };
}

function toCreatedV1({ bodyMarkdown, requester, ...rest }: CreatedV2): CreatedV1 {
  const externalId = requester?.reference;
  return {
    ...rest,
    body: bodyMarkdown,
    requester: requester && { name: requester.name, ...(externalId !== undefined && { externalId }) },
  };
}

/** Returns the requester's identifier under both names until `externalId` is removed. */
function withBothIdentifiers(ticket: Partial<Static<typeof TicketFields>>): object {
  if (!ticket.requester) return ticket;
  const { name, reference, externalId = reference } = ticket.requester;
  const both = externalId === undefined ? {} : { reference: reference ?? externalId, externalId };
  return { ...ticket, requester: { name, ...both } };
}

const STATUSES = ['open', 'open', 'pending', 'resolved', 'closed'] as const;

/** Generates the texts of a ticket with five draws. */
export function composeTicket(draw: SeededRandom, script: CharacterSet) {
  const words = TICKET_WORDS[script];
  const [subject, body] = draw.pick(words.subjects);
  return {
    subject,
    body,
    category: draw.pick(CATEGORIES),
    priority: draw.pick(PRIORITIES),
    requester: { name: draw.pick(words.names) },
    labels: [draw.pick(words.labels)],
  };
}

export const tickets = resource({
  file: import.meta.url,
  name: 'Ticket',
  kind: 'ticket',
  plural: 'tickets',
  noun: 'ticket',
  description:
    'A ticket that this app created. In the sandbox, also a ticket of the sandbox data or of a triggered event.',
  path: 'tickets',
  tag: 'Tickets',
  idPrefix: 'tkt',
  parent: servers,
  scope: 'tickets:create',
  origin: 'made',
  fields,
  defaults: { category: 'question', priority: 'normal', status: 'open', requester: null, labels: [], metadata: {} },
  // The team answers, then resolves, and finally the ticket is closed. An answer opens a resolved ticket again.
  states: { open: ['pending', 'closed'], pending: ['resolved', 'closed'], resolved: ['open', 'closed'], closed: [] },
  example: {
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
  },
  list: {
    id: 'listTickets',
    summary: 'List the tickets of the app on a server',
    description:
      'Lists the tickets that this app created on a server that has authorised it with `tickets:create`, newest first. Tickets of other apps are not listed. In the sandbox, the list also contains the tickets of the sandbox data and of triggered events.',
    links: { aTicket: linkOfFirst('getTicket', 'ticketId', 'A ticket of the page.') },
  },
  get: {
    description: 'Returns the current state of a ticket that this app created.',
    exampleName: 'aTicket',
  },
  present: withBothIdentifiers,
  events: {
    'ticket.created': {
      meaning: 'A ticket was created.',
      creates: true,
      versions: [
        {
          name: 'TicketCreatedDataV1',
          description: 'A ticket at its creation.',
          fields: createdV1,
          convert: toCreatedV1,
        },
        {
          name: 'TicketCreatedDataV2',
          description:
            'A ticket at its creation. `body` is called `bodyMarkdown`, as in publications, and the requester’s `externalId` is called `reference`.',
          fields: createdV2,
          convert: toCreatedV2,
        },
      ],
    },
    'ticket.updated': { meaning: 'A ticket was answered or resolved.', refusal: CLOSED },
    'ticket.closed': { meaning: 'A ticket was closed.', refusal: CLOSED },
  },
  sandbox: {
    segment: 'ticket',
    halfTimeCount: 10,
    synthesise: ({ draw, index, script }) => ({
      number: index + 1,
      status: draw.pick(STATUSES),
      ...composeTicket(draw, script),
    }),
  },
});
