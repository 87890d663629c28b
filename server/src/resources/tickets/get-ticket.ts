import { allowKeyRead, requireGrant } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findTicket } from './store.ts';
import { exampleTicket, Ticket, TicketId, toTicket } from './ticket.ts';

export const getTicket = operation({
  id: 'getTicket',
  route: 'GET /v1/tickets/{ticketId}',
  tag: 'Tickets',
  summary: 'Get a ticket',
  description: 'Returns the current state of a ticket that this app created.',
  access: allowKeyRead('tickets:create', { serverParam: true }),
  params: strictObject({ ticketId: TicketId }),
  replies: ok('The ticket.', Ticket, { aTicket: exampleTicket }),
  run(context, { ids }) {
    return context.page('activity', async (tenant) => {
      const { revision, row } = await findTicket(tenant, ids.ticketId);
      if (!row) throw problem('not_found');
      await requireGrant(tenant, row.server_id, 'tickets:create');
      return { revision, subjectId: row.server_id, json: JSON.stringify(toTicket(row)) };
    });
  },
});
