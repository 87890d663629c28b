import { allowKeyRead, requireGrant } from '../../access/authority/index.ts';
import { servers } from '../../access/contracts/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { cursorSchema, cursorsOf, DEFAULT_LIMIT, linkOfFirst, listQuery } from '../../kit/http/page.ts';
import { namedObject, nullable, strictObject, Type } from '../../kit/http/schema.ts';
import { EVENT_DEPRECATIONS } from '../../platform/deprecations/index.ts';
import { DEFAULT_SCHEMA_VERSION, Event, EventTypeSchema, exampleEvent, schemaVersionQuery } from './event.ts';
import { RESOURCE_SCOPES } from './event-types.ts';
import { type FeedPosition, listEventRows, MAX_EXAMINED_EVENTS } from './store.ts';

const query = strictObject({
  ...schemaVersionQuery,
  type: Type.Optional(EventTypeSchema),
  serverId: Type.Optional(servers.id),
  after: Type.Optional(cursorSchema('Cursor of the page: the `nextAfter` of the previous page.')),
  limit: listQuery.limit,
});

const EventList = namedObject(
  'EventList',
  'A page of the feed.',
  {
    data: Type.Array(Event, { maxItems: 100, description: 'Oldest first.' }),
    nextAfter: nullable(
      cursorSchema(
        'Cursor for the next events, now or after further events; null before the first event. The cursor also passes events that are withheld from the app.',
      ),
    ),
    hasMore: Type.Boolean({
      description:
        'True if further events may follow `nextAfter`: continue to read, also after a page without events. False at the end of the feed.',
    }),
  },
  2,
);

const SCOPES_OF_RESOURCES = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  RESOURCE_SCOPES.map((scope) => `\`${scope}\``),
);

export const listEvents = operation({
  id: 'listEvents',
  route: 'GET /v1/events',
  tag: 'Events',
  summary: 'List events',
  description: `Lists all events, oldest first, for the reconciliation of webhook deliveries. To continue, send the last \`nextAfter\` as \`after\`. No event is skipped, regardless of the time of its commit. Events are ordered by the start of their transactions, so sort the events of a subject by \`sequence\`. Events of a server are withheld unless the server authorises this app with \`events:read\` and with the scope of the event’s resource: ${SCOPES_OF_RESOURCES}. \`nextAfter\` passes withheld events. When a server grants the scope again, read the events of the server with \`serverId\` from an earlier position. A page examines a bounded number of events: while \`hasMore\` is true, continue to read, even if a page is empty. Events have version 1 of their schemas unless \`schemaVersion\` selects another version.`,
  access: allowKeyRead('events:read', { runRequiresGrant: true }),
  query,
  replies: ok(
    'A page of events.',
    EventList,
    { aPage: { data: [exampleEvent], nextAfter: 'c2VhbGVkLXBvc2l0aW9uLW9mLXRoZS1mZWVk', hasMore: false } },
    { links: { anEvent: linkOfFirst('getEvent', 'eventId', 'An event of the page.') } },
  ),
  deprecations: EVENT_DEPRECATIONS,
  run(context, { ids: { serverId }, query }) {
    const { plane, caller, request } = context;
    // The version changes the representation and not the selection, so a position is valid for all versions.
    const { limit = DEFAULT_LIMIT, after, schemaVersion = DEFAULT_SCHEMA_VERSION, ...filter } = query;
    return context.page('activity', async (tenant) => {
      // A restored database reuses transaction numbers, so a position from before the restore is invalid.
      const bound = { ...filter, restoreEpoch: caller.restoreEpoch };
      const cursors = cursorsOf(caller.appId, request.operation.id, bound, plane.secrets.cursorKey);
      const position = parseFeedPosition(cursors.open(after, '/query/after'));
      const selection = { type: query.type, schemaVersion, serverId };
      const { revision, rows, lastExamined } = await listEventRows(tenant, selection, position, limit);
      // Runs after the rows and their revision, as in every list.
      if (serverId !== undefined) await requireGrant(tenant, serverId, 'events:read');
      const settled = rows.filter((row) => row.is_settled);
      // If the page is not full, it covers every examined event, visible or withheld.
      const last = lastExamined ?? settled.at(-1);
      const isWhole = settled.length === rows.length;
      const hasMore = isWhole && (rows.length === limit || lastExamined?.examined === MAX_EXAMINED_EVENTS);
      const next = last && cursors.seal(`${last.xact} ${last.event_id}`);
      // The stored bytes of the events, so the feed and the deliveries are identical.
      const data = settled.map((row) => row.body).join(',');
      return {
        // A page that left events out can change without a new revision.
        revision: isWhole ? revision : undefined,
        json: `{"data":[${data}],"nextAfter":${JSON.stringify(next ?? after ?? null)},"hasMore":${hasMore}}`,
      };
    });
  },
});

function parseFeedPosition(text: string | undefined): FeedPosition | undefined {
  const [xact, eventId] = text?.split(' ') ?? [];
  return xact === undefined || eventId === undefined ? undefined : { xact, eventId };
}
