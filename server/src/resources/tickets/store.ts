// The SQL of tickets.

import { readRevised, type Tenant, type WritingRows } from '../../access/authority/index.ts';
import { writesEach } from '../../kit/db/each-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { NewTicket, TicketRow } from './ticket.ts';

export const COLUMNS: Sql = sql`ticket_id, server_id, number, subject, body, category, priority, status, requester, labels,
  metadata, event_sequence, created_at`;

interface TicketToMake extends NewTicket {
  ticket_id: string;
  server_id: string;
}

// Where several are made on one server they take the next numbers in the order of the rows.
const INSERT = writesEach<TicketToMake, TicketRow>(
  sql`ticket_id uuid, server_id uuid, subject text, body text, category text, priority text, requester jsonb, labels text[],
    metadata jsonb`,
  (rows) => sql`
    with asked as materialized (
      select i.*, row_number() over on_server as place, count(*) over (partition by i.app_id, i.server_id) as of_server
      from ${rows} join servers s on s.app_id = i.app_id and s.server_id = i.server_id
      window on_server as (partition by i.app_id, i.server_id order by i.nth)),
    counted as (
      insert into ticket_numbers as n (app_id, server_id, last_number)
      select app_id, server_id, of_server from asked where place = 1 order by app_id, server_id
      on conflict (app_id, server_id) do update set last_number = n.last_number + excluded.last_number
      returning app_id, server_id, last_number),
    made as (
      insert into tickets (app_id, ticket_id, server_id, number, subject, body, category, priority, requester, labels,
        metadata, event_sequence)
      select app_id, ticket_id, server_id, last_number - of_server + place, subject, body, coalesce(category, 'question'),
        coalesce(priority, 'normal'), coalesce(requester, 'null'::jsonb), coalesce(labels, '{}'),
        coalesce(metadata, '{}'::jsonb), 1
      from asked join counted using (app_id, server_id)
      returning ${COLUMNS})
    select asked.nth, made.* from made join asked using (ticket_id)`,
);

/**
 * The next one on the server, whose number's row is held until the transaction ends, so that numbers have no gaps; undefined where
 * there is no such server, which is not yet known when this is asked.
 */
export async function insertTicket(
  tenant: WritingRows,
  ticketId: string,
  serverId: string,
  ticket: NewTicket,
): Promise<TicketRow | undefined> {
  const [row] = await tenant.each(INSERT, { ...ticket, ticket_id: ticketId, server_id: serverId });
  return row;
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
