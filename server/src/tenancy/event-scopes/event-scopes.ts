// The announced rule that an event requires the grant of its resource's own scope: the dates of the rule, and the
// events that it withholds from an app.

import { ScopeSchema } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { dateTime, idSchema, integer, namedObject, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { EVENT_SCOPES_CHANGE } from '../../platform/deprecations/index.ts';
import { EventId, type EventType, EventTypeSchema } from '../../resources/events/index.ts';
import { ServerId } from '../../resources/servers/index.ts';

/** The maximum number of newest events, and of newest deliveries, that are counted. */
export const MAX_EXAMINED_ROWS = 10_000;
export const MAX_LISTED_GRANTS = 200;
export const MAX_LISTED_EVENTS = 50;

const count = (description: string) => integer(description, 0, MAX_EXAMINED_ROWS);
const day = (description: string) => Type.String({ description, format: 'date', minLength: 10, maxLength: 10 });

const GRANT_STATES = ['absent', 'paused', 'revoked', 'not_approved'] as const;

export const EventScopes = namedObject(
  'EventScopes',
  'The status of the rule for an app, and the events that it would withhold.',
  {
    state: oneOf(
      ['announced', 'enforced'],
      '`announced`: until `enforcedFrom`, `events:read` is enough to receive events. `enforced`: an event with a resource also requires the grant of the resource’s scope.',
    ),
    announced: day('The day of the announcement.'),
    enforcedFrom: day('The day from which the rule is enforced for every app.'),
    pageUrl: Type.String({ description: 'The page of the announcement.', format: 'uri', maxLength: 2048 }),
    events: count('The number of counted events that the rule would withhold; 0 for an app that enforces the rule.'),
    deliveries: count(
      'The number of counted deliveries that the rule would withhold; 0 for an app that enforces the rule.',
    ),
    countLimit: integer(
      'The maximum number of newest events, and of newest deliveries, that are counted.',
      1,
      MAX_EXAMINED_ROWS,
    ),
    isComplete: Type.Boolean({
      description:
        'True if the app has at most `countLimit` events and deliveries, so that all are counted. False for an app that enforces the rule, because nothing is counted.',
    }),
    grants: Type.Array(
      namedObject('MissingEventGrant', 'A scope that events require and that a server does not grant.', {
        serverId: ServerId,
        serverName: text("The server's display name.", { maxLength: 100 }),
        scope: ScopeSchema,
        grant: oneOf(GRANT_STATES, 'The reason for the missing scope. `not_approved`: the app is not approved for it.'),
        events: count('The number of withheld events.'),
        latestAt: dateTime('The time of the latest withheld event.'),
      }),
      { maxItems: MAX_LISTED_GRANTS, description: 'The missing grants, ordered by the number of withheld events.' },
    ),
    newest: Type.Array(
      namedObject('WithheldEvent', 'An event that the rule would withhold.', {
        eventId: EventId,
        type: EventTypeSchema,
        serverId: ServerId,
        scope: ScopeSchema,
        createdAt: dateTime('The time of the event.'),
        deliveryIds: Type.Array(idSchema('dlv', 'A delivery of the event.'), {
          maxItems: 10,
          description: 'The newest deliveries of the event.',
        }),
      }),
      { maxItems: MAX_LISTED_EVENTS, description: 'The newest events that the rule would withhold.' },
    ),
  },
);
export type EventScopes = Static<typeof EventScopes>;

export interface WithheldRow {
  is_enforced: boolean;
  examined_events: number;
  examined_deliveries: number;
  deliveries: number;
  grants: {
    server_id: string;
    server_name: string;
    scope: EventScopes['grants'][number]['scope'];
    state: EventScopes['grants'][number]['grant'];
    events: number;
    latest_at: string;
  }[];
  newest: {
    event_id: string;
    type: EventType;
    server_id: string;
    scope: EventScopes['newest'][number]['scope'];
    created_at: string;
    delivery_ids: string[];
  }[];
}

export const countEvents = ({ grants }: WithheldRow): number => grants.reduce((sum, { events }) => sum + events, 0);

export function toEventScopes(row: WithheldRow, publicUrl: string): EventScopes {
  const { id, announced, ends } = EVENT_SCOPES_CHANGE;
  return {
    state: row.is_enforced ? 'enforced' : 'announced',
    announced,
    enforcedFrom: ends,
    pageUrl: `${publicUrl}/deprecations/${id}`,
    events: countEvents(row),
    deliveries: row.deliveries,
    countLimit: MAX_EXAMINED_ROWS,
    isComplete:
      !row.is_enforced && row.examined_events < MAX_EXAMINED_ROWS && row.examined_deliveries < MAX_EXAMINED_ROWS,
    grants: row.grants.slice(0, MAX_LISTED_GRANTS).map((grant) => ({
      serverId: toId('srv', grant.server_id),
      serverName: grant.server_name,
      scope: grant.scope,
      grant: grant.state,
      events: grant.events,
      latestAt: new Date(grant.latest_at).toISOString(),
    })),
    newest: row.newest.map((event) => ({
      eventId: toId('evt', event.event_id),
      type: event.type,
      serverId: toId('srv', event.server_id),
      scope: event.scope,
      createdAt: new Date(event.created_at).toISOString(),
      deliveryIds: event.delivery_ids.map((one) => toId('dlv', one)),
    })),
  };
}

export const exampleAnnounced: EventScopes = {
  state: 'announced',
  announced: '2026-11-24',
  enforcedFrom: '2027-06-01',
  pageUrl: 'http://localhost:4000/deprecations/event-scopes',
  events: 12,
  deliveries: 12,
  countLimit: MAX_EXAMINED_ROWS,
  isComplete: true,
  grants: [
    {
      serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
      serverName: 'Harbour Lights',
      scope: 'publications:read',
      grant: 'revoked',
      events: 12,
      latestAt: '2026-11-24T10:15:30.000Z',
    },
  ],
  newest: [],
};

export const exampleEnforced: EventScopes = {
  ...exampleAnnounced,
  ...{ state: 'enforced', events: 0, deliveries: 0, isComplete: false, grants: [] },
};
