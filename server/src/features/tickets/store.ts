// The SQL of tickets.
import { type Sql, sql } from '../../kit/sql.ts';
import { readRevised, type Tenant } from '../authority/index.ts';
import type { NewTicket, TicketRow } from './ticket.ts';

export const COLUMNS: Sql = sql`ticket_id, server_id, number, subject, body, category, priority, status, requester, labels,
  metadata, event_sequence, created_at`;

/**
 * The next one on the server, whose number's row is held until the transaction ends, so that numbers have no gaps; undefined where
 * there is no such server, which is not yet known when this is asked.
 */
export async function insertTicket(
  tenant: Tenant,
  ticketId: string,
  serverId: string,
  ticket: NewTicket,
): Promise<TicketRow | undefined> {
  const rows = await tenant.query<TicketRow>(sql`
    with next as (
      insert into ticket_numbers as n (app_id, server_id, last_number)
      select app_id, server_id, 1 from servers where app_id = ${tenant.appId} and server_id = ${serverId}
      on conflict (app_id, server_id) do update set last_number = n.last_number + 1 returning last_number)
    insert into tickets (app_id, ticket_id, server_id, number, subject, body, category, priority, requester, labels,
      metadata, event_sequence)
    select ${tenant.appId}, ${ticketId}, ${serverId}, last_number, ${ticket.subject}, ${ticket.body},
      ${ticket.category ?? 'question'}, ${ticket.priority ?? 'normal'},
      ${JSON.stringify(ticket.requester ?? null)}::jsonb, ${ticket.labels ?? []}::text[],
      ${JSON.stringify(ticket.metadata ?? {})}::jsonb, 1
    from next
    returning ${COLUMNS}`);
  return rows[0];
}

export async function findTicket(
  tenant: Tenant,
  ticketId: string,
): Promise<{ revision: number; row: TicketRow | undefined }> {
  const { revision, rows } = await readRevised<TicketRow>(
    tenant,
    'activity',
    sql`select ${COLUMNS} from tickets where app_id = ${tenant.appId} and ticket_id = ${ticketId}`,
  );
  return { revision, row: rows[0] };
}
