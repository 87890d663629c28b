// The tables of the resources: one for each resource.
import type { Collection } from '../../access/authority/index.ts';
import type { ResourceKind } from '../../access/contracts/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';

export interface ObjectTable {
  table: Sql;
  id: Sql;
  /** The columns that /v1 and a running world read. */
  columns: Sql;
  /** The name, the title or the subject of object o. */
  title: Sql;
  status: Sql;
  /** The revision that counts changes of the table. */
  collection: Collection;
}

export const TABLES: Record<ResourceKind, ObjectTable> = {
  server: {
    table: sql`servers`,
    id: sql`server_id`,
    columns: sql`server_id, name, slug, description, icon_url, locale, timezone, member_count, created_at`,
    title: sql`name`,
    status: sql`null::text`,
    collection: 'servers',
  },
  publication: {
    table: sql`publications`,
    id: sql`publication_id`,
    columns: sql`publication_id, server_id, channel, title, body_markdown, status, author, tags, published_at, created_at`,
    title: sql`title`,
    status: sql`status`,
    collection: 'publications',
  },
  roadmap_item: {
    table: sql`roadmap_items`,
    id: sql`roadmap_item_id`,
    columns: sql`roadmap_item_id, server_id, title, description, status, category, position, vote_count, target_quarter,
      created_at`,
    title: sql`title`,
    status: sql`status`,
    collection: 'roadmap',
  },
  ticket: {
    table: sql`tickets`,
    id: sql`ticket_id`,
    columns: sql`ticket_id, server_id, number, subject, body, category, priority, status, requester, labels, metadata,
      event_sequence, created_at`,
    title: sql`subject`,
    status: sql`status`,
    collection: 'activity',
  },
  workflow: {
    table: sql`workflows`,
    id: sql`workflow_id`,
    columns: sql`workflow_id, server_id, name, description, input_schema, steps, failing_step, enabled, created_at`,
    title: sql`name`,
    status: sql`case when enabled then 'enabled' else 'disabled' end`,
    collection: 'workflows',
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
  },
};
