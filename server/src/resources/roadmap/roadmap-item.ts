// A roadmap item: a plan of a community, with the votes of its members.
import { toId } from '../../kit/crypto/ids.ts';
import {
  count,
  dateTime,
  idSchema,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { ServerId } from '../servers/index.ts';

export const STATUSES = ['idea', 'planned', 'in_progress', 'shipped', 'declined'] as const;

const title = text('The title, in one line.', { maxLength: 200 });
const description = text('The expected benefit.', { maxLength: 5_000 });
const status = oneOf(STATUSES, 'The status.');
/** The fields that a member may set when proposing an item. */
export const RoadmapItemContent = Type.Partial(strictObject({ title, description }));
export type RoadmapItemContent = Static<typeof RoadmapItemContent>;
/** The status to which a member may move an item. */
export const RoadmapItemMove = Type.Partial(strictObject({ status }));
export type RoadmapItemMove = Static<typeof RoadmapItemMove>;

export const RoadmapItemId = idSchema('rmi', 'The identifier of the roadmap item.');

export const RoadmapItem = namedObject('RoadmapItem', 'A plan of a community.', {
  id: RoadmapItemId,
  serverId: ServerId,
  title,
  description,
  status,
  category: text('The area of the community.', { maxLength: 50 }),
  position: count('The place on the board, from 0 at the top.'),
  voteCount: count('The number of members who voted for the item.'),
  targetQuarter: nullable(
    text('The planned quarter, for example `2027-Q1`; null without a plan.', {
      minLength: 7,
      maxLength: 7,
      pattern: '^[0-9]{4}-Q[1-4]$',
    }),
  ),
  createdAt: dateTime('The creation time.'),
});
export type RoadmapItem = Static<typeof RoadmapItem>;

export interface RoadmapItemRow {
  roadmap_item_id: string;
  server_id: string;
  title: string;
  description: string;
  status: (typeof STATUSES)[number];
  category: string;
  position: number;
  vote_count: number;
  target_quarter: string | null;
  created_at: Date;
}

export function toRoadmapItem(row: RoadmapItemRow): RoadmapItem {
  return {
    id: toId('rmi', row.roadmap_item_id),
    serverId: toId('srv', row.server_id),
    title: row.title,
    description: row.description,
    status: row.status,
    category: row.category,
    position: row.position,
    voteCount: row.vote_count,
    targetQuarter: row.target_quarter,
    createdAt: row.created_at.toISOString(),
  };
}

export const exampleRoadmapItem: RoadmapItem = {
  id: 'rmi_01j9z3v8k6e5t8m2n4p6q8r0s6',
  serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
  title: 'A calendar of walks',
  description: 'One page with every walk of the season, to subscribe to.',
  status: 'planned',
  category: 'events',
  position: 2,
  voteCount: 87,
  targetQuarter: '2027-Q1',
  createdAt: '2026-09-14T08:20:00.000Z',
};
