// Changes of tickets in a running world. Each change writes its event.

import type { EventPort, TenantTransaction } from '../../access/authority/index.ts';
import { composeTicket, tickets } from '../../access/contracts/index.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { emitObjectEvent } from '../events/index.ts';
import { type CharacterSet, createSeededRandom, derivedUuid } from '../synthetic.ts';
import { lockOpenTicket, updateTicket } from './live-store.ts';
import { insertTicket } from './store.ts';
import type { TicketContent, TicketRow } from './ticket.ts';

/** The next status of a ticket: the team answers, then resolves, and finally the ticket is closed. */
const NEXT: Record<Exclude<TicketRow['status'], 'closed'>, TicketRow['status']> = {
  open: 'pending',
  pending: 'resolved',
  resolved: 'closed',
};

type TicketSelector = Parameters<typeof lockOpenTicket>[1];

/** Opens a ticket like a member of the community, with the given fields. */
export async function openTicket(
  tenant: TenantTransaction,
  plane: EventPort,
  serverId: string,
  from: { origin: string; script: CharacterSet },
  words: TicketContent = {},
): Promise<string> {
  const origin = `${from.origin}/ticket`;
  const written = { ...composeTicket(createSeededRandom(origin), from.script), ...words };
  const row = await insertTicket(tenant, derivedUuid(origin, nowMs()), serverId, written);
  return emitObjectEvent(tenant, plane, tickets, 'ticket.created', row);
}

/** Moves a ticket to its next status. Returns undefined if every ticket is closed. */
export async function advanceTicket(
  tenant: TenantTransaction,
  plane: EventPort,
  choice: TicketSelector,
): Promise<string | undefined> {
  const row = await lockOpenTicket(tenant, choice);
  if (!row || row.status === 'closed') return undefined;
  const status = NEXT[row.status];
  const moved = await updateTicket(tenant, row.ticket_id, status);
  return emitObjectEvent(tenant, plane, tickets, status === 'closed' ? 'ticket.closed' : 'ticket.updated', moved);
}

/** Answers a ticket. A resolved ticket is reopened. */
export async function answerTicket(
  tenant: TenantTransaction,
  plane: EventPort,
  choice: TicketSelector,
): Promise<string | undefined> {
  const row = await lockOpenTicket(tenant, choice);
  if (!row || row.status === 'closed') return undefined;
  const answered = await updateTicket(tenant, row.ticket_id, row.status === 'resolved' ? 'open' : NEXT[row.status]);
  return emitObjectEvent(tenant, plane, tickets, 'ticket.updated', answered);
}

export async function closeTicket(
  tenant: TenantTransaction,
  plane: EventPort,
  choice: TicketSelector,
): Promise<string | undefined> {
  const row = await lockOpenTicket(tenant, choice);
  return (
    row && emitObjectEvent(tenant, plane, tickets, 'ticket.closed', await updateTicket(tenant, row.ticket_id, 'closed'))
  );
}
