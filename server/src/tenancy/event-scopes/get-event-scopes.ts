import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { EventScopes, exampleAnnounced, exampleEnforced, MOST_LOOKED_AT, toEventScopes } from './event-scopes.ts';
import { findWithheld } from './store.ts';

export const getEventScopes = operation({
  id: 'getEventScopes',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/event-scopes',
  tag: 'Installations',
  summary: 'Get the rule about the scopes of events',
  description: `Whether the app’s events need the grant of their resource’s scope as well as \`events:read\`, and which events and deliveries that would withhold from the announced day on. It counts among the ${MOST_LOOKED_AT} newest events and as many deliveries. For an app that enforces the rule it counts nothing.`,
  access: managesApp('installations.read'),
  params: appParams,
  replies: {
    200: {
      description: 'The rule, and what it would withhold.',
      schema: EventScopes,
      examples: { announced: exampleAnnounced, enforced: exampleEnforced },
    },
  },
  async run({ plane, tenant }) {
    return { status: 200, body: toEventScopes(await findWithheld(tenant), plane.publicUrl) };
  },
});
