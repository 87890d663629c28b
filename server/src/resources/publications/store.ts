// The SQL of the initial publications of a world.

import type { Tenant } from '../../access/authority/index.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';
import type { SyntheticPublication } from './synthetic-publications.ts';

const SEPARATOR = '\u001f';

export async function insertPublications(tenant: Tenant, publications: readonly SyntheticPublication[]): Promise<void> {
  const column = (pick: (one: SyntheticPublication) => string | null): Buffer => textArray(publications.map(pick));
  // Tags are joined into one text, because Postgres has no arrays of arrays with different lengths.
  const tags = publications.map((one) => one.tags.join(SEPARATOR));
  await tenant.query(sql`
    insert into publications (app_id, publication_id, server_id, channel, title, body_markdown, status, author,
      published_at, created_at, tags)
    select ${tenant.appId}::uuid, id::uuid, server_id::uuid, channel, title, body_markdown, status, author,
      published_at::timestamptz, created_at::timestamptz, string_to_array(tags, ${SEPARATOR})
    from unnest(${column((one) => one.publicationId)}::text[], ${column((one) => one.serverId)}::text[],
      ${column((one) => one.channel)}::text[], ${column((one) => one.title)}::text[],
      ${column((one) => one.bodyMarkdown)}::text[], ${column((one) => one.status)}::text[],
      ${column((one) => one.author)}::text[], ${column((one) => one.publishedAt)}::text[],
      ${column((one) => one.createdAt)}::text[], ${textArray(tags)}::text[])
      as made (id, server_id, channel, title, body_markdown, status, author, published_at, created_at, tags)`);
}
