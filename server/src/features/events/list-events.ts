import { fromId } from '../../kit/ids.ts';
import { operation } from '../../kit/operation.ts';
import { cursorSchema, DEFAULT_LIMIT, openCursor, sealCursor } from '../../kit/page.ts';
import { closed, named, nullable, Type } from '../../kit/schema.ts';
import { cursorBinding, reads, requireGrant } from '../authority/index.ts';
import { ServerId } from '../servers/index.ts';
import { Event, EventTypeSchema, exampleEvent } from './event.ts';
import { WITHOUT_RESOURCE } from './event-types.ts';
import { listEventRows, type Position } from './store.ts';

const query = closed({
  type: Type.Optional(EventTypeSchema),
  serverId: Type.Optional(ServerId),
  after: Type.Optional(cursorSchema('A position in the feed: the `nextAfter` of the page before.')),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_LIMIT, description: 'How many to return at most.' }),
  ),
});

const EventList = named(
  'EventList',
  closed(
    {
      data: Type.Array(Event, { maxItems: 100, description: 'Oldest first.' }),
      nextAfter: nullable(
        cursorSchema('Where the feed goes on, now or when more has happened; null while nothing ever has.'),
      ),
    },
    { description: 'A page of the feed.' },
  ),
);

export const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/v1/events',
  tag: 'Events',
  summary: 'List events',
  description:
    'Everything that happened, oldest first, to reconcile what webhooks delivered. Send the last `nextAfter` as `after` to go on: no event is skipped, whenever it was committed. Events of servers that have not authorised this app with `events:read`, or have paused it, are left out.',
  access: reads('events:read', { serverParam: true }),
  query,
  replies: {
    200: {
      description: 'A page of events.',
      schema: EventList,
      examples: { aPage: { data: [exampleEvent], nextAfter: 'c2VhbGVkLXBvc2l0aW9uLW9mLXRoZS1mZWVk' } },
      links: {
        anEvent: {
          operationId: 'getEvent',
          parameters: { eventId: '$response.body#/data/0/id' },
          description: 'An event of the page.',
        },
      },
    },
  },
  run({ plane, caller, read }, { query }) {
    const { limit = DEFAULT_LIMIT, after, ...filter } = query;
    // A restored database counts its transactions anew: a position of before means nothing there.
    const binding = cursorBinding(caller.appId, 'listEvents', { ...filter, restoreEpoch: caller.restoreEpoch });
    const position = positionOf(openCursor(after, binding, plane.cursorKey, '/query/after'));
    const serverId = query.serverId === undefined ? undefined : fromId('srv', query.serverId);
    return read(async (tenant) => {
      if (serverId !== undefined) await requireGrant(tenant, serverId, 'events:read');
      const shown = { type: query.type, serverId, ungranted: serverId === undefined ? WITHOUT_RESOURCE : [] };
      const rows = await listEventRows(tenant, shown, position, limit);
      const last = rows.at(-1);
      const next = last && sealCursor(`${last.xact} ${last.event_id}`, binding, plane.cursorKey);
      // The events as they were written: what is read here and what is delivered are the same bytes.
      const data = rows.map((row) => row.body).join(',');
      return { status: 200, json: `{"data":[${data}],"nextAfter":${JSON.stringify(next ?? after ?? null)}}` };
    });
  },
});

function positionOf(text: string | undefined): Position | undefined {
  const [xact, eventId] = text?.split(' ') ?? [];
  return xact === undefined || eventId === undefined ? undefined : { xact, eventId };
}
