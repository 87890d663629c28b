// Changes of tickets in a running world. Each change writes its event.

import type { Plane, TenantTransaction } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { type EventType, emitEvent } from '../events/index.ts';
import { derivedUuid, drawFrom, type Script } from '../synthetic.ts';
import { lockOpenTicket, updateTicket } from './live-store.ts';
import { insertTicket } from './store.ts';
import { writeTicket } from './synthetic-tickets.ts';
import { type TicketRow, type TicketWords, toTicket } from './ticket.ts';
import { ticketEventData } from './ticket-created.ts';

/** The next status of a ticket: the team answers, then resolves, and finally the ticket is closed. */
const NEXT: Record<Exclude<TicketRow['status'], 'closed'>, TicketRow['status']> = {
  open: 'pending',
  pending: 'resolved',
  resolved: 'closed',
};

type Choice = Parameters<typeof lockOpenTicket>[1];

/** Opens a ticket like a member of the community, with the given fields. */
export async function openTicket(
  tenant: TenantTransaction,
  plane: Plane,
  serverId: string,
  from: { origin: string; script: Script },
  words: TicketWords = {},
): Promise<string> {
  const origin = `${from.origin}/ticket`;
  const written = { ...writeTicket(drawFrom(origin), from.script), ...words };
  const row = await insertTicket(tenant, derivedUuid(origin, nowMs()), serverId, written);
  return tell(tenant, plane, 'ticket.created', row);
}

/** Moves a ticket to its next status. Returns undefined if every ticket is closed. */
export async function moveTicket(tenant: TenantTransaction, plane: Plane, choice: Choice): Promise<string | undefined> {
  const row = await lockOpenTicket(tenant, choice);
  if (!row || row.status === 'closed') return undefined;
  const status = NEXT[row.status];
  const moved = await updateTicket(tenant, row.ticket_id, status);
  return tell(tenant, plane, status === 'closed' ? 'ticket.closed' : 'ticket.updated', moved);
}

/** Answers a ticket. A resolved ticket is reopened. */
export async function answerTicket(
  tenant: TenantTransaction,
  plane: Plane,
  choice: Choice,
): Promise<string | undefined> {
  const row = await lockOpenTicket(tenant, choice);
  if (!row || row.status === 'closed') return undefined;
  const answered = await updateTicket(tenant, row.ticket_id, row.status === 'resolved' ? 'open' : NEXT[row.status]);
  return tell(tenant, plane, 'ticket.updated', answered);
}

export async function closeTicket(
  tenant: TenantTransaction,
  plane: Plane,
  choice: Choice,
): Promise<string | undefined> {
  const row = await lockOpenTicket(tenant, choice);
  return row && tell(tenant, plane, 'ticket.closed', await updateTicket(tenant, row.ticket_id, 'closed'));
}

function tell(tenant: TenantTransaction, plane: Plane, type: EventType, row: TicketRow): Promise<string> {
  return emitEvent(tenant, plane, {
    type,
    serverId: row.server_id,
    subject: { uuid: row.ticket_id, id: toId('tkt', row.ticket_id) },
    sequence: row.event_sequence,
    requestId: null,
    ...ticketEventData(type, toTicket(row)),
  });
}
