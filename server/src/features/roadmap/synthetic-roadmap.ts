// The roadmap of a synthetic server: equal inputs give equal bytes on any machine.
import { derivedUuid, drawFrom } from '../../kit/synthetic.ts';
import type { RoadmapItemRow } from './roadmap-item.ts';

export interface SyntheticRoadmapItem {
  roadmapItemId: string;
  serverId: string;
  title: string;
  description: string;
  status: RoadmapItemRow['status'];
  category: string;
  position: number;
  voteCount: number;
  targetQuarter: string | null;
  createdAt: string;
}

const IDEAS = [
  ['A calendar of meetups', 'One page with every meetup of the season, to subscribe to.', 'events'],
  ['Roles by interest', 'Members choose what they hear about, and are left alone otherwise.', 'moderation'],
  ['A library of recordings', 'Every talk, with chapters and a transcript.', 'archive'],
  ['Quieter notifications', 'One summary a day instead of one message an answer.', 'notifications'],
  ['A mentoring programme', 'Pairs of a beginner and somebody who remembers being one.', 'members'],
  ['Translated announcements', 'Each announcement in the three languages that most of us read.', 'announcements'],
  ['A shared tool shed', 'Who has what, and when it comes back.', 'members'],
  ['Monthly open hours', 'An hour in which the team answers whatever is asked.', 'events'],
] as const;
const STATUSES = ['idea', 'idea', 'planned', 'planned', 'in_progress', 'shipped', 'shipped', 'declined'] as const;
const DAY_MS = 86_400_000;

function quarterAfter(atMs: number, quarters: number): string {
  const at = new Date(atMs);
  const quarter = at.getUTCFullYear() * 4 + Math.floor(at.getUTCMonth() / 3) + quarters;
  return `${Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`;
}

/** `count` items of a server's roadmap, a few weeks apart from its founding on. */
export function syntheticRoadmap(
  server: { serverId: string; createdAt: string },
  count: number,
): SyntheticRoadmapItem[] {
  return Array.from({ length: count }, (_, index) => {
    const origin = `${server.serverId}/roadmap/${index}`;
    const draw = drawFrom(origin);
    const createdMs = Date.parse(server.createdAt) + (index + 1) * 20 * DAY_MS + draw.number(DAY_MS);
    const status = draw.pick(STATUSES);
    const [title, description, category] = draw.pick(IDEAS);
    const isTimed = status === 'planned' || status === 'in_progress' || status === 'shipped';
    return {
      roadmapItemId: derivedUuid(origin, createdMs),
      serverId: server.serverId,
      title: index < IDEAS.length ? title : `${title} (${index + 1})`,
      description,
      status,
      category,
      position: index,
      voteCount: draw.number(400),
      targetQuarter: isTimed ? quarterAfter(createdMs, 1 + draw.number(4)) : null,
      createdAt: new Date(createdMs).toISOString(),
    };
  });
}
