// A roadmap item: a plan of a community, with the votes of its members.
import { linkOfFirst } from '../../../kit/http/page.ts';
import { count, dateTime, nullable, oneOf, text } from '../../../kit/http/schema.ts';
import { resource } from '../contract.ts';
import type { CharacterSet } from '../declaration.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { servers } from './servers.ts';
import { ROADMAP_WORDS } from './words/roadmap.ts';

const STATUSES = ['idea', 'idea', 'planned', 'planned', 'in_progress', 'shipped', 'shipped', 'declined'] as const;

/** Returns the quarter that is `quarters` quarters after the quarter of the given time. */
export function quarterAfter(atMs: number, quarters: number): string {
  const at = new Date(atMs);
  const quarter = at.getUTCFullYear() * 4 + Math.floor(at.getUTCMonth() / 3) + quarters;
  return `${Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`;
}

/** Returns true if an item of this status has a target quarter. */
export const hasTargetQuarter = (status: string): boolean => status !== 'idea' && status !== 'declined';

/** Generates the text of an item with one draw. */
export function composeRoadmapItem(draw: SeededRandom, script: CharacterSet) {
  const [title, description, category] = draw.pick(ROADMAP_WORDS[script]);
  return { title, description, category };
}

export const roadmapItems = resource({
  file: import.meta.url,
  name: 'RoadmapItem',
  kind: 'roadmap_item',
  plural: 'roadmapItems',
  noun: 'roadmap item',
  description: 'A plan of a community.',
  path: 'roadmap',
  tag: 'Roadmap',
  idPrefix: 'rmi',
  parent: servers,
  scope: 'roadmap:read',
  origin: 'seeded',
  fields: {
    title: text('The title, in one line.', { maxLength: 200 }),
    description: text('The expected benefit.', { maxLength: 5_000 }),
    status: oneOf(['idea', 'planned', 'in_progress', 'shipped', 'declined'], 'The status.'),
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
  },
  // Forward to the end of the board, and from the end back to its start. A trigger may set any state.
  states: {
    idea: ['planned'],
    planned: ['in_progress'],
    in_progress: ['shipped'],
    shipped: ['idea'],
    declined: ['idea'],
  },
  example: {
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
  },
  list: {
    id: 'listRoadmap',
    summary: 'List the roadmap of a server',
    description:
      'Lists the roadmap of a server that has authorised this app with `roadmap:read`, newest item first. `position` is the place of an item on the board.',
    links: { anItem: linkOfFirst('getRoadmapItem', 'roadmapItemId', 'An item of the page.') },
  },
  get: {
    description: 'Returns one roadmap item of a server that has authorised this app with `roadmap:read`.',
    exampleName: 'anItem',
  },
  events: {
    'roadmap.item_created': {
      meaning: 'A roadmap item was created.',
      creates: true,
      refusal: {
        named: 'The roadmap of the server already has the maximum number of items.',
        any: 'The roadmap of the newest server already has the maximum number of items. Name another server.',
      },
    },
    'roadmap.item_moved': { meaning: 'A roadmap item moved to another status.' },
  },
  sandbox: {
    segment: 'roadmap',
    halfTimeCount: 20,
    synthesise({ draw, index, createdMs, script }) {
      const status = draw.pick(STATUSES);
      const { title, description, category } = composeRoadmapItem(draw, script);
      return {
        title: index < ROADMAP_WORDS[script].length ? title : `${title} (${index + 1})`,
        description,
        status,
        category,
        position: index,
        voteCount: draw.number(400),
        targetQuarter: hasTargetQuarter(status) ? quarterAfter(createdMs, 1 + draw.number(4)) : null,
      };
    },
  },
});
