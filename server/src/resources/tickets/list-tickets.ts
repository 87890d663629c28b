import { allowKeyRead, listPage } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { linkOfFirst, listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { ServerId } from '../servers/index.ts';
import { listTicketRows } from './store.ts';
import { exampleTicket, Ticket, toTicket } from './ticket.ts';

export const listTickets = operation({
  id: 'listTickets',
  route: 'GET /v1/servers/{serverId}/tickets',
  tag: 'Tickets',
  summary: 'List the tickets of the app on a server',
  description:
    'Lists the tickets that this app created on a server that has authorised it with `tickets:create`, newest first. Tickets of other apps are not listed. In the sandbox, the list also contains the tickets of the sandbox data and of triggered events.',
  access: allowKeyRead('tickets:create', { serverParam: true }),
  params: strictObject({ serverId: ServerId }),
  query: strictObject(listQuery),
  replies: listReplies('TicketList', Ticket, 'A page of tickets.', exampleTicket, {
    headers: ['Link'],
    links: { aTicket: linkOfFirst('getTicket', 'ticketId', 'A ticket of the page.') },
  }),
  run: (context, { ids: { serverId } }) =>
    listPage(context, {
      collection: 'activity',
      prefix: 'tkt',
      idOf: (row) => row.ticket_id,
      toItem: toTicket,
      granted: { serverId, scope: 'tickets:create' },
      load: (tenant, after, limit) => listTicketRows(tenant, serverId, after, limit),
    }),
});
