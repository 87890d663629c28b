// The tables of the resources: one for each resource of the default contract, and one for those of any other contract.
import { type Collection, storedTitle } from '../../access/authority/index.ts';
import { type ResourceKind, resources, titleFieldsOf } from '../../access/contracts/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { hasTable } from './has-table.ts';

export interface ObjectTable {
  table: Sql;
  id: Sql;
  /** The columns that /v1 and a running world read. */
  columns: Sql;
  /** The name, the title or the subject of an object. The statement must give the table the alias o. */
  title: Sql;
  status: Sql;
  /** The revision that counts changes of the table. */
  collection: Collection;
  /** The further condition of a table with the objects of several kinds. */
  condition: Sql;
}

export const TABLES: Record<ResourceKind, ObjectTable> = {
  server: {
    table: sql`servers`,
    id: sql`server_id`,
    columns: sql`server_id, name, slug, description, icon_url, locale, timezone, member_count, created_at`,
    title: sql`name`,
    status: sql`null::text`,
    collection: 'servers',
    condition: sql``,
  },
  publication: {
    table: sql`publications`,
    id: sql`publication_id`,
    columns: sql`publication_id, server_id, channel, title, body_markdown, status, author, tags, published_at, created_at`,
    title: sql`title`,
    status: sql`status`,
    collection: 'publications',
    condition: sql``,
  },
  roadmap_item: {
    table: sql`roadmap_items`,
    id: sql`roadmap_item_id`,
    columns: sql`roadmap_item_id, server_id, title, description, status, category, position, vote_count, target_quarter,
      created_at`,
    title: sql`title`,
    status: sql`status`,
    collection: 'roadmap',
    condition: sql``,
  },
  ticket: {
    table: sql`tickets`,
    id: sql`ticket_id`,
    columns: sql`ticket_id, server_id, number, subject, body, category, priority, status, requester, labels, metadata,
      event_sequence, created_at`,
    title: sql`subject`,
    status: sql`status`,
    collection: 'activity',
    condition: sql``,
  },
  workflow: {
    table: sql`workflows`,
    id: sql`workflow_id`,
    columns: sql`workflow_id, server_id, name, description, input_schema, steps, failing_step, enabled, created_at`,
    title: sql`name`,
    status: sql`case when enabled then 'enabled' else 'disabled' end`,
    collection: 'workflows',
    condition: sql``,
  },
  workflow_run: {
    table: sql`workflow_runs`,
    id: sql`workflow_run_id`,
    columns: sql`workflow_run_id, workflow_id, server_id, status, input, output, steps, request_id, event_sequence, created_at,
      finished_at`,
    title: sql`coalesce((select w.name from workflows w
      where w.app_id = o.app_id and w.workflow_id = o.workflow_id), '')`,
    status: sql`status`,
    collection: 'activity',
    condition: sql``,
  },
};

/** The table with the objects of every other resource. */
const storedAs = (kind: ResourceKind): ObjectTable => ({
  table: sql`objects`,
  id: sql`object_id`,
  columns: sql`object_id, key, server_id, parent_id, state, data, hidden, event_sequence, created_at`,
  title: storedTitle(TITLE_FIELDS.get(kind) ?? [], 300),
  status: sql`state`,
  collection: 'activity',
  condition: sql`and kind = ${kind}`,
});

const TITLE_FIELDS = new Map<ResourceKind, readonly string[]>(resources.map((one) => [one.kind, titleFieldsOf(one)]));
const KINDS_WITHOUT_TABLE = new Set(resources.filter((one) => !hasTable(one)).map(({ kind }) => kind));

/** Returns the table with the objects of a kind. */
export const tableOf = (kind: ResourceKind): ObjectTable =>
  KINDS_WITHOUT_TABLE.has(kind) ? storedAs(kind) : TABLES[kind];

type Insert = (appId: Sql, rows: Sql) => Sql;

/**
 * Inserts objects of new sandbox data from rows under the names of the fields. Existing objects to which others refer are
 * set to these values.
 */
export const INSERTS: { readonly [Kind in ResourceKind]?: Insert } = {
  server: (appId, rows) => sql`
    insert into servers (app_id, server_id, name, slug, description, icon_url, locale, timezone, member_count, created_at)
    select ${appId}, made.* from ${rows} as made ("serverId" uuid, name text, slug text, description text, "iconUrl" text,
      locale text, timezone text, "memberCount" int, "createdAt" timestamptz)
    on conflict (app_id, server_id) do update set name = excluded.name, slug = excluded.slug,
      description = excluded.description, icon_url = excluded.icon_url, locale = excluded.locale,
      timezone = excluded.timezone, member_count = excluded.member_count`,
  publication: (appId, rows) => sql`
    insert into publications (app_id, publication_id, server_id, channel, title, body_markdown, status, author, tags,
      published_at, created_at)
    select ${appId}, made.* from ${rows} as made ("publicationId" uuid, "serverId" uuid, channel text, title text,
      "bodyMarkdown" text, status text, author text, tags text[], "publishedAt" timestamptz, "createdAt" timestamptz)`,
  roadmap_item: (appId, rows) => sql`
    insert into roadmap_items (app_id, roadmap_item_id, server_id, title, description, status, category, position,
      vote_count, target_quarter, created_at)
    select ${appId}, made.* from ${rows} as made ("roadmapItemId" uuid, "serverId" uuid, title text, description text,
      status text, category text, position int, "voteCount" int, "targetQuarter" text, "createdAt" timestamptz)`,
  ticket: (appId, rows) => sql`
    insert into tickets (app_id, ticket_id, server_id, number, subject, body, category, priority, status, requester,
      labels, metadata, created_at)
    select ${appId}, made.* from ${rows} as made ("ticketId" uuid, "serverId" uuid, number int, subject text, body text,
      category text, priority text, status text, requester jsonb, labels text[], metadata jsonb, "createdAt" timestamptz)`,
  workflow: (appId, rows) => sql`
    insert into workflows (app_id, workflow_id, server_id, name, description, input_schema, steps, failing_step, enabled,
      created_at)
    select ${appId}, made.* from ${rows} as made ("workflowId" uuid, "serverId" uuid, name text, description text,
      "inputSchema" jsonb, steps text[], "failingStep" smallint, enabled boolean, "createdAt" timestamptz)
    on conflict (app_id, workflow_id) do update set enabled = excluded.enabled`,
};
