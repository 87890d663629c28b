import { allowKeyWriteOnServer } from '../../access/authority/index.ts';
import { eventData, tickets } from '../../access/contracts/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { linkOfObject } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { deprecationsOf } from '../../platform/deprecations/index.ts';
import { buildEvent } from '../events/index.ts';
import { ServerId } from '../servers/index.ts';
import { writeTicket } from './store.ts';
import { CREATED_SEQUENCE, draftTicket, exampleNewTicket, splitAtNumber, Ticket, TicketInput } from './ticket.ts';

const ticketCreatedOn = (serverId: string) => ({ type: 'ticket.created', serverId }) as const;

export const createTicket = operation({
  id: 'createTicket',
  route: 'POST /v1/servers/{serverId}/tickets',
  tag: 'Tickets',
  summary: 'Create a ticket',
  description:
    'Creates a ticket on a server that has authorised this app with `tickets:create`, and emits `ticket.created`. In the sandbox no member is notified. Accepts an `Idempotency-Key`.',
  access: allowKeyWriteOnServer('tickets:create', {
    serverOf: async (_tenant, { serverId }) => serverId,
    prepare: (tenant, { serverId }, plane) => plane.deliveries.prepare(tenant, ticketCreatedOn(serverId)),
  }),
  params: strictObject({ serverId: ServerId }),
  body: TicketInput,
  examples: { aTicket: exampleNewTicket },
  replies: created(
    'The ticket.',
    Ticket,
    { aTicket: tickets.example },
    {
      headers: ['Location'],
      links: {
        theTicket: linkOfObject('getTicket', 'ticketId', 'The current state of the ticket.'),
      },
    },
  ),
  deprecations: deprecationsOf('createTicket'),
  async run({ plane, tenant, requestId, prepared: enqueue, now, takeReplyRow }, { ids: { serverId }, body }) {
    const ticketId = newUuid();
    const ticket = draftTicket(ticketId, serverId, body, now);
    const draft = {
      ...ticketCreatedOn(serverId),
      subject: { uuid: ticketId, id: ticket.id },
      sequence: CREATED_SEQUENCE,
      requestId,
      ...eventData(tickets, 'ticket.created', ticket),
    };
    const event = buildEvent(tenant.appId, plane, draft);
    const reply = {
      status: 201,
      body: ticket,
      headers: { location: `${plane.urls.public}/v1/tickets/${ticket.id}` },
    };
    const replyRow = takeReplyRow(reply);
    // The last statements go with the commit, so they are sent in one turn of the event loop, without an await between.
    const written = writeTicket(tenant, {
      ticketId,
      serverId,
      ticket: body,
      createdAt: now,
      event: { ...event, body: splitAtNumber(event.body), older: event.older.map(splitAtNumber) },
      reply: replyRow && { ...replyRow, body: splitAtNumber(replyRow.body) },
    });
    // The body that filters examine here still has the placeholder of the number, so no filter may name the number
    // (endpoint-filter.ts).
    enqueue({ ...event, subject: { uuid: ticketId, sequence: event.sequence } });
    return { ...reply, body: { ...ticket, number: await written } };
  },
});
