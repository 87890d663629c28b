// The SQL of roadmap items that are created and moved in a running world.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { TABLES } from '../objects/index.ts';
import type { RoadmapItemRow } from './roadmap-item.ts';

interface LiveRoadmapItemRow extends RoadmapItemRow {
  event_sequence: number;
}

/** Selects one item of the app: by its id, by a drawn number on a server, or the newest of all. */
export type RoadmapItemSelector = { roadmapItemId?: string | undefined } | { serverId: string; drawn: number };

/** Locks the item until the transaction ends and returns its row. */
export function lockRoadmapItem(tenant: Tenant, choice: RoadmapItemSelector): Promise<LiveRoadmapItemRow | undefined> {
  return tenant.first(sql`
    select ${TABLES.roadmap_item.columns}, event_sequence from roadmap_items where app_id = ${tenant.appId} ${selectorCondition(tenant, choice)}
    limit 1 for update`);
}

function selectorCondition(tenant: Tenant, choice: RoadmapItemSelector) {
  if ('serverId' in choice) {
    return sql`and server_id = ${choice.serverId} order by roadmap_item_id
      offset ${choice.drawn}::bigint % greatest(1, (select count(*) from roadmap_items
        where app_id = ${tenant.appId} and server_id = ${choice.serverId}))`;
  }
  const { roadmapItemId } = choice;
  return roadmapItemId === undefined ? sql`order by roadmap_item_id desc` : sql`and roadmap_item_id = ${roadmapItemId}`;
}

/** Moves the item and increments its event sequence. */
export async function updateRoadmapItem(
  tenant: Tenant,
  roadmapItemId: string,
  move: { status: RoadmapItemRow['status']; targetQuarter: string | null },
): Promise<LiveRoadmapItemRow> {
  const rows = await tenant.query<LiveRoadmapItemRow>(sql`
    update roadmap_items set status = ${move.status}, target_quarter = ${move.targetQuarter},
      event_sequence = event_sequence + 1
    where app_id = ${tenant.appId} and roadmap_item_id = ${roadmapItemId}
    returning ${TABLES.roadmap_item.columns}, event_sequence`);
  return rows[0] as LiveRoadmapItemRow; // its row is locked by this transaction
}
