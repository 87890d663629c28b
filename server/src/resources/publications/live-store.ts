// The SQL of publications that are created and changed in a running world.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { TABLES } from '../objects/index.ts';
import type { PublicationContent, PublicationRow } from './publication.ts';

interface LivePublicationRow extends PublicationRow {
  event_sequence: number;
}

type Status = PublicationRow['status'];

/** Selects one publication of the app: by its id, of a server, or the newest of all, optionally limited to statuses. */
export interface PublicationSelector {
  publicationId?: string | undefined;
  serverId?: string | undefined;
  statuses: readonly Status[];
  isOldest?: boolean;
}

/** Locks the publication until the transaction ends and returns its row. */
export function lockPublication(tenant: Tenant, choice: PublicationSelector): Promise<LivePublicationRow | undefined> {
  const { publicationId, serverId } = choice;
  const one = publicationId === undefined ? sql`` : sql`and publication_id = ${publicationId}`;
  const onServer = serverId === undefined ? sql`` : sql`and server_id = ${serverId}`;
  const order = choice.isOldest ? sql`order by publication_id` : sql`order by publication_id desc`;
  return tenant.first(sql`
    select ${TABLES.publication.columns}, event_sequence from publications
    where app_id = ${tenant.appId} ${one} ${onServer} and status = any(${choice.statuses}::text[])
    ${order} limit 1 for update`);
}

/** Changes the given fields of the publication and increments its event sequence. */
export async function updatePublication(
  tenant: Tenant,
  publicationId: string,
  { status, title, bodyMarkdown, tags }: { status: Status } & PublicationContent,
): Promise<LivePublicationRow> {
  const rows = await tenant.query<LivePublicationRow>(sql`
    update publications set status = ${status}, title = coalesce(${title ?? null}, title),
      body_markdown = coalesce(${bodyMarkdown ?? null}, body_markdown), tags = coalesce(${tags ?? null}::text[], tags),
      published_at = case when ${status} = 'published' and status <> 'published' then clock_timestamp()
        else published_at end, event_sequence = event_sequence + 1
    where app_id = ${tenant.appId} and publication_id = ${publicationId}
    returning ${TABLES.publication.columns}, event_sequence`);
  return rows[0] as LivePublicationRow; // its row is locked by this transaction
}
