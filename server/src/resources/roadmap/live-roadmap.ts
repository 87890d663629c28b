// Changes of the roadmap in a running world. Each change writes its event.

import type { EventPort, TenantTransaction } from '../../access/authority/index.ts';
import { composeRoadmapItem, hasTargetQuarter, quarterAfter, roadmapItems } from '../../access/contracts/index.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { emitObjectEvent } from '../events/index.ts';
import { countObjects, insertObjects } from '../objects/index.ts';
import { type CharacterSet, createSeededRandom, derivedUuid } from '../synthetic.ts';
import { lockRoadmapItem, type RoadmapItemSelector, updateRoadmapItem } from './live-store.ts';
import type { RoadmapItemContent, RoadmapItemMove, RoadmapItemRow } from './roadmap-item.ts';

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
export async function proposeRoadmapItem(
  tenant: TenantTransaction,
  plane: EventPort,
  serverId: string,
  from: { origin: string; script: CharacterSet },
  words?: RoadmapItemContent,
): Promise<string | undefined> {
  const position = await countObjects(tenant, 'roadmap_item', { serverId });
  if (position >= MAX_ON_SERVER) return undefined;
  const atMs = nowMs();
  const roadmapItemId = derivedUuid(`${from.origin}/roadmap`, atMs);
  await insertObjects(tenant, roadmapItems, [
    {
      roadmapItemId,
      serverId,
      ...composeRoadmapItem(createSeededRandom(`${from.origin}/roadmap`), from.script),
      ...words,
      status: 'idea',
      position,
      voteCount: 0,
      targetQuarter: null,
      createdAt: new Date(atMs).toISOString(),
    },
  ]);
  const row = await updateRoadmapItem(tenant, roadmapItemId, { status: 'idea', targetQuarter: null });
  return emitObjectEvent(tenant, plane, roadmapItems, 'roadmap.item_created', row);
}

/** Moves an item to the given or the next status. Returns undefined if there is no such item. */
export async function moveRoadmapItem(
  tenant: TenantTransaction,
  plane: EventPort,
  choice: RoadmapItemSelector,
  move?: RoadmapItemMove,
): Promise<string | undefined> {
  const row = await lockRoadmapItem(tenant, choice);
  if (!row) return undefined;
  const status = move?.status ?? NEXT[row.status];
  const targetQuarter = hasTargetQuarter(status) ? (row.target_quarter ?? quarterAfter(nowMs(), 1)) : null;
  const moved = await updateRoadmapItem(tenant, row.roadmap_item_id, { status, targetQuarter });
  return emitObjectEvent(tenant, plane, roadmapItems, 'roadmap.item_moved', moved);
}
