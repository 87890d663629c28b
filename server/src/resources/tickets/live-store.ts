// The SQL of the initial tickets of a world, and of their answers and ends in a running world.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { TABLES } from '../objects/index.ts';
import type { SyntheticTicket } from './synthetic-tickets.ts';
import type { TicketRow } from './ticket.ts';

/** Locks a ticket that is not closed until the transaction ends: by its id, or by its position from the newest one. */
export function lockOpenTicket(
  tenant: Tenant,
  choice: { ticketId?: string | undefined; skip?: number },
): Promise<TicketRow | undefined> {
  const one = choice.ticketId === undefined ? sql`` : sql`and ticket_id = ${choice.ticketId}`;
  return tenant.first(sql`
    select ${TABLES.ticket.columns} from tickets where app_id = ${tenant.appId} and status <> 'closed' ${one}
    order by ticket_id desc offset ${choice.skip ?? 0} limit 1 for update`);
}

/** Changes the ticket and increments its event sequence. */
export async function updateTicket(tenant: Tenant, ticketId: string, status: TicketRow['status']): Promise<TicketRow> {
  const rows = await tenant.query<TicketRow>(sql`
    update tickets set status = ${status}, event_sequence = event_sequence + 1
    where app_id = ${tenant.appId} and ticket_id = ${ticketId} returning ${TABLES.ticket.columns}`);
  return rows[0] as TicketRow; // its row is locked by this transaction
}

/** Replaces all tickets of the app with these, numbered from 1 on each server. */
export async function replaceTickets(tenant: Tenant, tickets: readonly SyntheticTicket[]): Promise<void> {
  await tenant.query(sql`delete from tickets where app_id = ${tenant.appId}`);
  await tenant.query(sql`delete from ticket_numbers where app_id = ${tenant.appId}`);
  await tenant.query(sql`
    insert into tickets (app_id, ticket_id, server_id, number, subject, body, category, priority, status, requester,
      labels, created_at, metadata)
    select ${tenant.appId}::uuid, made.*, '{}' from jsonb_to_recordset(${JSON.stringify(tickets)}::jsonb) as made (
      "ticketId" uuid, "serverId" uuid, number int, subject text, body text, category text, priority text, status text,
      requester jsonb, labels text[], "createdAt" timestamptz)`);
  await tenant.query(sql`insert into ticket_numbers (app_id, server_id, last_number)
    select app_id, server_id, max(number) from tickets where app_id = ${tenant.appId} group by app_id, server_id`);
}
