// The SQL of new roadmap items.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import type { SyntheticRoadmapItem } from './synthetic-roadmap.ts';

export async function insertRoadmapItems(tenant: Tenant, items: readonly SyntheticRoadmapItem[]): Promise<void> {
  const column = <K extends keyof SyntheticRoadmapItem>(name: K): SyntheticRoadmapItem[K][] =>
    items.map((one) => one[name]);
  await tenant.query(sql`
    insert into roadmap_items (app_id, roadmap_item_id, server_id, title, description, status, category, position,
      vote_count, target_quarter, created_at)
    select ${tenant.appId}::uuid, * from unnest(${column('roadmapItemId')}::uuid[], ${column('serverId')}::uuid[],
      ${column('title')}::text[], ${column('description')}::text[], ${column('status')}::text[],
      ${column('category')}::text[], ${column('position')}::int[], ${column('voteCount')}::int[],
      ${column('targetQuarter')}::text[], ${column('createdAt')}::timestamptz[])`);
}
