// The roadmap of a synthetic server. Equal inputs return equal bytes on any machine.
import { type CharacterSet, createSeededRandom, derivedUuid, HISTORY_ENDS_MS, timeSlotOf } from '../synthetic.ts';
import { ROADMAP_IDEAS } from './roadmap-ideas.ts';
import type { RoadmapItem } from './roadmap-item.ts';

export type SyntheticRoadmapItem = Omit<RoadmapItem, 'id'> & { roadmapItemId: string };

const STATUSES = ['idea', 'idea', 'planned', 'planned', 'in_progress', 'shipped', 'shipped', 'declined'] as const;
const HALF_TIME_COUNT = 20;

/** Returns the quarter that is `quarters` quarters after the quarter of the given time. */
export function quarterAfter(atMs: number, quarters: number): string {
  const at = new Date(atMs);
  const quarter = at.getUTCFullYear() * 4 + Math.floor(at.getUTCMonth() / 3) + quarters;
  return `${Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`;
}

/** Returns true if an item of this status has a target quarter. */
export const hasTargetQuarter = (status: RoadmapItem['status']): boolean => status !== 'idea' && status !== 'declined';

/** Returns `count` items of a server's roadmap, starting at its creation. */
export function syntheticRoadmap(
  server: { serverId: string; createdAt: string },
  count: number,
  script: CharacterSet,
): SyntheticRoadmapItem[] {
  const ideas = ROADMAP_IDEAS[script];
  return Array.from({ length: count }, (_, index) => {
    const origin = `${server.serverId}/roadmap/${index}`;
    const draw = createSeededRandom(origin);
    const { atMs, spanMs } = timeSlotOf(Date.parse(server.createdAt), HISTORY_ENDS_MS, index + 1, HALF_TIME_COUNT);
    const createdMs = atMs + draw.number(spanMs);
    const status = draw.pick(STATUSES);
    const [title, description, category] = draw.pick(ideas);
    return {
      roadmapItemId: derivedUuid(origin, createdMs),
      serverId: server.serverId,
      title: index < ideas.length ? title : `${title} (${index + 1})`,
      description,
      status,
      category,
      position: index,
      voteCount: draw.number(400),
      targetQuarter: hasTargetQuarter(status) ? quarterAfter(createdMs, 1 + draw.number(4)) : null,
      createdAt: new Date(createdMs).toISOString(),
    };
  });
}
