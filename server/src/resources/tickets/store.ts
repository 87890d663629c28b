// The SQL of tickets.

import {
  insertReplies,
  type MutationWriter,
  type NewReplyRow,
  type TenantWriter,
} from '../../access/authority/index.ts';
import { defineItemWrite } from '../../kit/db/item-statement-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { insertEvents, type NewEvent } from '../events/index.ts';
import { TABLES } from '../objects/index.ts';
import { CREATED_SEQUENCE, DEFAULTS, type TicketInput, type TicketRow } from './ticket.ts';

/**
 * A ticket with its texts. The database assigns the number during the insert, so a text that contains the number is
 * split into two parts around it.
 */
interface TicketWrite {
  ticketId: string;
  serverId: string;
  ticket: TicketInput;
  createdAt: Date;
  event: Omit<NewEvent, 'body' | 'older'> & { body: SplitText; older: readonly SplitText[] };
  reply: (Omit<NewReplyRow, 'body'> & { body: SplitText }) | undefined;
}

type SplitText = readonly [string, string];

interface NewTicketRow extends TicketInput {
  ticket_id: string;
  server_id: string;
  created_at: string;
  event_id: string;
  event_type: string;
  schema_version: number;
  subject_type: string;
  request_id: string | null;
  event_body: SplitText;
  older_bodies: readonly SplitText[];
  key_hash?: string | undefined;
  request_hash?: string | undefined;
  reply_status?: number | undefined;
  reply_body?: SplitText | undefined;
  location?: string | null | undefined;
}

/** Joins the two parts of a text with the number of the ticket between them. */
const joinWithNumber = (parts: Sql): Sql => sql`(${parts})[1] || number || (${parts})[2]`;

// Assigns the next numbers of a server in the order of the rows. The row of the number is locked until the transaction
// ends, so that numbers have no gaps.
const numbered = (rows: Sql): Sql => sql`
  asked as materialized (
    select item.*, row_number() over on_server as place, count(*) over (partition by item.app_id, item.server_id) as of_server
    from ${rows} window on_server as (partition by item.app_id, item.server_id order by item.nth)),
  counted as (
    insert into ticket_numbers as n (app_id, server_id, last_number)
    select app_id, server_id, of_server from asked where place = 1 order by app_id, server_id
    on conflict (app_id, server_id) do update set last_number = n.last_number + excluded.last_number
    returning app_id, server_id, last_number),
  numbered as materialized (
    select asked.*, (last_number - of_server + place)::int as number from asked join counted using (app_id, server_id))`;

const TICKET_COLUMNS = sql`subject text, body text, category text, priority text, requester jsonb, labels text[], metadata jsonb`;

/** Inserts the numbered tickets, with defaults for missing fields. */
const insertNumbered = (createdAt: Sql): Sql => sql`
  insert into tickets (app_id, ticket_id, server_id, number, subject, body, category, priority, requester, labels,
    metadata, event_sequence, created_at)
  select app_id, ticket_id, server_id, number, subject, body, coalesce(category, ${DEFAULTS.category}),
    coalesce(priority, ${DEFAULTS.priority}), coalesce(requester, 'null'::jsonb), coalesce(labels, '{}'),
    coalesce(metadata, '{}'::jsonb), ${CREATED_SEQUENCE}::int, ${createdAt}
  from numbered`;

const INSERT = defineItemWrite<TicketInput & { ticket_id: string; server_id: string }, TicketRow>(
  sql`ticket_id uuid, server_id uuid, ${TICKET_COLUMNS}`,
  (rows) => sql`
    with ${numbered(rows)},
    made as (${insertNumbered(sql`clock_timestamp()`)} returning ${TABLES.ticket.columns})
    select numbered.nth, made.* from made join numbered using (ticket_id)`,
);

/** Inserts the next ticket on the server and returns its row, for a transaction that needs the row. */
export async function insertTicket(
  tenant: TenantWriter,
  ticketId: string,
  serverId: string,
  ticket: TicketInput,
): Promise<TicketRow> {
  const [row] = await tenant.each(INSERT, { ...ticket, ticket_id: ticketId, server_id: serverId });
  return row as TicketRow; // an insert without a conflict clause returns its row or throws
}

const WRITE = defineItemWrite<NewTicketRow, { number: number }>(
  sql`ticket_id uuid, server_id uuid, ${TICKET_COLUMNS}, created_at timestamptz, event_id uuid, event_type text, schema_version smallint,
    subject_type text, request_id uuid, event_body text[], older_bodies text[], key_hash bytea, request_hash bytea, reply_status int,
    reply_body text[], location text`,
  (rows) => sql`
    with ${numbered(rows)},
    made as (${insertNumbered(sql`created_at`)}),
    emitted as (${insertEvents(sql`(
      select app_id, event_id as "eventId", event_type as type, schema_version as "schemaVersion", server_id as "serverId",
        subject_type as "subjectType", ticket_id as "subjectId", ${CREATED_SEQUENCE}::int as sequence, request_id as "requestId",
        ${joinWithNumber(sql`event_body`)} as body,
        array(select ${joinWithNumber(sql`array[older_bodies[v][1], older_bodies[v][2]]`)} from generate_subscripts(older_bodies, 1) v
          order by v) as older,
        null::uuid as "onlyEndpointId"
      from numbered) emitted`)}),
    stored as (${insertReplies(sql`(
      select app_id, key_hash, request_hash, reply_status as status, ${joinWithNumber(sql`reply_body`)} as body, location, request_id
      from numbered where key_hash is not null) stored`)})
    select nth, number from numbered`,
);

/** Writes the ticket together with the commit of the transaction, and resolves with its number after the commit. */
export async function writeTicket(
  tenant: MutationWriter,
  { ticketId, serverId, ticket, createdAt, event, reply }: TicketWrite,
): Promise<number> {
  const [row] = await tenant.finish(WRITE, {
    ...ticket,
    ticket_id: ticketId,
    server_id: serverId,
    created_at: createdAt.toISOString(),
    event_id: event.eventId,
    event_type: event.type,
    schema_version: event.schemaVersion,
    subject_type: event.subjectType,
    request_id: event.requestId,
    event_body: event.body,
    older_bodies: event.older,
    key_hash: reply?.key_hash,
    request_hash: reply?.request_hash,
    reply_status: reply?.status,
    reply_body: reply?.body,
    location: reply?.location,
  });
  return (row as { number: number }).number; // the statement writes a ticket or fails
}
