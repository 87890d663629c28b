// Changes of the roadmap in a running world. Each change writes its event.

import type { Plane, TenantTransaction } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { type EventType, emitEvent } from '../events/index.ts';
import { derivedUuid, drawFrom, type Script } from '../synthetic.ts';
import {
  countRoadmapItems,
  type LiveRoadmapItemRow,
  lockRoadmapItem,
  type RoadmapChoice,
  updateRoadmapItem,
} from './live-store.ts';
import { type RoadmapItemMove, type RoadmapItemRow, type RoadmapItemWords, toRoadmapItem } from './roadmap-item.ts';
import { ROADMAP_IDEAS } from './roadmap-words.ts';
import { insertRoadmapItems } from './store.ts';
import { isTimed, quarterAfter } from './synthetic-roadmap.ts';

/**
 * The maximum number of items on a server. Above it, a shipped or declined item returns to the board instead of a new
 * one.
 */
const MAX_ON_SERVER = 60;

/** The next status of an item: forward to the end of the board, and from the end back to its start. */
const NEXT: Record<RoadmapItemRow['status'], RoadmapItemRow['status']> = {
  idea: 'planned',
  planned: 'in_progress',
  in_progress: 'shipped',
  shipped: 'idea',
  declined: 'idea',
};

/** Creates an item from the given or generated fields. Returns undefined if the board is full. */
export async function proposeItem(
  tenant: TenantTransaction,
  plane: Plane,
  serverId: string,
  from: { origin: string; script: Script },
  words?: RoadmapItemWords,
): Promise<string | undefined> {
  const position = await countRoadmapItems(tenant, serverId);
  if (position >= MAX_ON_SERVER) return undefined;
  const atMs = nowMs();
  const roadmapItemId = derivedUuid(`${from.origin}/roadmap`, atMs);
  const [title, description, category] = drawFrom(`${from.origin}/roadmap`).pick(ROADMAP_IDEAS[from.script]);
  await insertRoadmapItems(tenant, [
    {
      roadmapItemId,
      serverId,
      title: words?.title ?? title,
      description: words?.description ?? description,
      status: 'idea',
      category,
      position,
      voteCount: 0,
      targetQuarter: null,
      createdAt: new Date(atMs).toISOString(),
    },
  ]);
  const row = await updateRoadmapItem(tenant, roadmapItemId, { status: 'idea', targetQuarter: null });
  return tell(tenant, plane, 'roadmap.item_created', row);
}

/** Moves an item to the given or the next status. Returns undefined if there is no such item. */
export async function moveItem(
  tenant: TenantTransaction,
  plane: Plane,
  choice: RoadmapChoice,
  move?: RoadmapItemMove,
): Promise<string | undefined> {
  const row = await lockRoadmapItem(tenant, choice);
  if (!row) return undefined;
  const status = move?.status ?? NEXT[row.status];
  const targetQuarter = isTimed(status) ? (row.target_quarter ?? quarterAfter(nowMs(), 1)) : null;
  const moved = await updateRoadmapItem(tenant, row.roadmap_item_id, { status, targetQuarter });
  return tell(tenant, plane, 'roadmap.item_moved', moved);
}

function tell(tenant: TenantTransaction, plane: Plane, type: EventType, row: LiveRoadmapItemRow): Promise<string> {
  return emitEvent(tenant, plane, {
    type,
    serverId: row.server_id,
    subject: { uuid: row.roadmap_item_id, id: toId('rmi', row.roadmap_item_id) },
    sequence: row.event_sequence,
    requestId: null,
    data: toRoadmapItem(row),
  });
}
