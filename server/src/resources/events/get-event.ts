import { allowKeyRead, enforceRules, RESOURCE_RULES, requireGrant } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { EVENT_DEPRECATIONS } from '../../platform/deprecations/index.ts';
import { DEFAULT_SCHEMA_VERSION, Event, EventId, exampleEvent, schemaVersionQuery } from './event.ts';
import { EVENT_KINDS } from './event-types.ts';
import { findEvent } from './store.ts';

export const getEvent = operation({
  id: 'getEvent',
  route: 'GET /v1/events/{eventId}',
  tag: 'Events',
  summary: 'Get an event',
  description: 'Returns one event, in the bytes that webhooks deliver to endpoints with this schema version.',
  access: allowKeyRead('events:read', { runRequiresGrant: true }),
  params: strictObject({ eventId: EventId }),
  query: strictObject(schemaVersionQuery),
  replies: ok('The event.', Event, { aPing: exampleEvent }),
  deprecations: EVENT_DEPRECATIONS,
  run(context, { ids, query }) {
    return context.page('activity', async (tenant) => {
      const { schemaVersion = DEFAULT_SCHEMA_VERSION } = query;
      const { revision, event } = await findEvent(tenant, ids.eventId, schemaVersion);
      if (!event) throw problem('not_found');
      const { server_id: serverId } = event;
      const scope = EVENT_KINDS[event.type]?.scope;
      if (scope !== null) {
        if (serverId === null) throw problem('not_found');
        await requireGrant(tenant, serverId, 'events:read');
        if (event.resource) enforceRules(RESOURCE_RULES, event.resource, scope);
      }
      return {
        revision,
        ...(serverId !== null && { grantorId: serverId }),
        eventType: event.type,
        json: event.body,
      };
    });
  },
});
