// The SQL of publications.
import { type Sql, sql } from '../../kit/sql.ts';
import { readRevised, type Tenant } from '../authority/index.ts';
import type { PublicationRow } from './publication.ts';
import type { SyntheticPublication } from './synthetic-publications.ts';

const COLUMNS: Sql = sql`publication_id, server_id, channel, title, body_markdown, status, author, tags, published_at,
  created_at`;

/** A server's publications, newest first, after the position. */
export function listPublicationRows(
  tenant: Tenant,
  serverId: string,
  after: string | undefined,
  limit: number,
): Promise<{ revision: number; rows: PublicationRow[] }> {
  const beyond = after === undefined ? sql`` : sql`and publication_id < ${after}`;
  const rows = sql`select ${COLUMNS} from publications where app_id = ${tenant.appId} and server_id = ${serverId} ${beyond}
    order by publication_id desc limit ${limit}`;
  return readRevised(tenant, 'publications', rows, sql`order by publication_id desc`);
}

export async function findPublication(
  tenant: Tenant,
  publicationId: string,
): Promise<{ revision: number; row: PublicationRow | undefined }> {
  const { revision, rows } = await readRevised<PublicationRow>(
    tenant,
    'publications',
    sql`select ${COLUMNS} from publications where app_id = ${tenant.appId} and publication_id = ${publicationId}`,
  );
  return { revision, row: rows[0] };
}

export async function insertPublications(tenant: Tenant, made: readonly SyntheticPublication[]): Promise<void> {
  const column = <K extends keyof SyntheticPublication>(name: K): SyntheticPublication[K][] =>
    made.map((one) => one[name]);
  // Tags are joined on the way: Postgres has no arrays of arrays of different lengths.
  const tags = made.map((one) => one.tags.join(','));
  await tenant.query(sql`
    insert into publications (app_id, publication_id, server_id, channel, title, body_markdown, status, author,
      published_at, created_at, tags)
    select ${tenant.appId}::uuid, id, server_id, channel, title, body_markdown, status, author, published_at, created_at,
      string_to_array(tags, ',')
    from unnest(${column('publicationId')}::uuid[], ${column('serverId')}::uuid[], ${column('channel')}::text[],
      ${column('title')}::text[], ${column('bodyMarkdown')}::text[], ${column('status')}::text[],
      ${column('author')}::text[], ${column('publishedAt')}::timestamptz[], ${column('createdAt')}::timestamptz[],
      ${tags}::text[])
      as made (id, server_id, channel, title, body_markdown, status, author, published_at, created_at, tags)`);
}
