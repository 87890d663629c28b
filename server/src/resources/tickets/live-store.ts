// The SQL of answers and ends of tickets in a running world, and of the numbers of the tickets of a new one.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { TABLES } from '../objects/index.ts';
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

/** Forgets the numbers of the app's tickets. */
export async function deleteTicketNumbers(tenant: Tenant): Promise<void> {
  await tenant.query(sql`delete from ticket_numbers where app_id = ${tenant.appId}`);
}

/** Continues the numbers after those of the app's tickets. */
export async function countTicketNumbers(tenant: Tenant): Promise<void> {
  await tenant.query(sql`insert into ticket_numbers (app_id, server_id, last_number)
    select app_id, server_id, max(number) from tickets where app_id = ${tenant.appId} group by app_id, server_id`);
}
