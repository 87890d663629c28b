import { writesOnServer } from '../../access/authority/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { DEPRECATIONS } from '../../platform/deprecations/index.ts';
import { emitEvent, findReceivers } from '../events/index.ts';
import { ServerId } from '../servers/index.ts';
import { insertTicket } from './store.ts';
import { exampleNewTicket, exampleTicket, NewTicket, Ticket, toTicket } from './ticket.ts';
import { ticketEventData } from './ticket-created.ts';

const serverUuid = (params: Record<string, string>): string => fromId('srv', params.serverId ?? '') ?? '';

export const createTicket = operation({
  id: 'createTicket',
  method: 'POST',
  path: '/v1/servers/{serverId}/tickets',
  tag: 'Tickets',
  summary: 'Create a ticket',
  description:
    'Creates a ticket on a server that has authorised this app with `tickets:create`, and emits `ticket.created`. In the sandbox nobody is notified. Takes an `Idempotency-Key`.',
  access: writesOnServer('tickets:create', async (_tenant, params) => serverUuid(params)),
  params: closed({ serverId: ServerId }),
  body: NewTicket,
  examples: { aTicket: exampleNewTicket },
  replies: {
    201: {
      description: 'The ticket.',
      schema: Ticket,
      examples: { aTicket: exampleTicket },
      headers: ['Location'],
      links: {
        theTicket: {
          operationId: 'getTicket',
          parameters: { ticketId: '$response.body#/id' },
          description: 'The ticket as it stands now.',
        },
      },
    },
  },
  deprecations: [DEPRECATIONS['ticket-requester-external-id']],
  async run({ plane, tenant, requestId, hold }, { params, body }) {
    const serverId = serverUuid(params);
    const about = { type: 'ticket.created', serverId } as const;
    // In one trip, the ticket first: while it waits for its number it holds no access that a revoke would wait for.
    const [row, , receivers] = await Promise.all([
      insertTicket(tenant, newUuid(), serverId, body),
      hold(),
      findReceivers(tenant, plane, about),
    ]);
    if (!row) throw problem('not_found');
    const ticket = toTicket(row);
    const subject = { uuid: row.ticket_id, id: ticket.id };
    const { event_sequence: sequence } = row;
    const happening = { ...about, subject, sequence, requestId, ...ticketEventData('ticket.created', ticket) };
    await emitEvent(tenant, plane, happening, receivers);
    return {
      status: 201,
      body: ticket,
      headers: { location: `${plane.publicUrl}/v1/tickets/${toId('tkt', row.ticket_id)}` },
    };
  },
});
