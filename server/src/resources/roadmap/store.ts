// The SQL of roadmap items.

import { readRevised, type Tenant } from '../../access/authority/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { RoadmapItemRow } from './roadmap-item.ts';
import type { SyntheticRoadmapItem } from './synthetic-roadmap.ts';

export const COLUMNS: Sql = sql`roadmap_item_id, server_id, title, description, status, category, position, vote_count,
  target_quarter, created_at`;

/** Lists a server's roadmap after the position, newest first. */
export function listRoadmapItemRows(
  tenant: Tenant,
  serverId: string,
  after: string | undefined,
  limit: number,
): Promise<{ revision: number; rows: RoadmapItemRow[] }> {
  const beyond = after === undefined ? sql`` : sql`and roadmap_item_id < ${after}`;
  const rows = sql`select ${COLUMNS} from roadmap_items where app_id = ${tenant.appId} and server_id = ${serverId} ${beyond}
    order by roadmap_item_id desc limit ${limit}`;
  return readRevised(tenant, 'roadmap', rows, sql`order by roadmap_item_id desc`);
}

export async function findRoadmapItem(
  tenant: Tenant,
  roadmapItemId: string,
): Promise<{ revision: number; row: RoadmapItemRow | undefined }> {
  const { revision, rows } = await readRevised<RoadmapItemRow>(
    tenant,
    'roadmap',
    sql`select ${COLUMNS} from roadmap_items where app_id = ${tenant.appId} and roadmap_item_id = ${roadmapItemId}`,
  );
  return { revision, row: rows[0] };
}

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
