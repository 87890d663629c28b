import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { EventScopes, exampleAnnounced, exampleEnforced, MAX_EXAMINED_ROWS, toEventScopes } from './event-scopes.ts';
import { findWithheld } from './store.ts';

export const getEventScopes = operation({
  id: 'getEventScopes',
  route: 'GET /organisations/{organisationId}/apps/{appId}/event-scopes',
  tag: 'Installations',
  summary: 'Get the rule about the scopes of events',
  description: `Returns whether the app’s events require the grant of their resource’s scope in addition to \`events:read\`, and the events and deliveries that the rule would withhold from the announced day on. Counts the ${MAX_EXAMINED_ROWS} newest events and as many deliveries. For an app that enforces the rule it counts nothing.`,
  access: allowAppManagement('installations.read'),
  params: appParams,
  replies: ok('The status of the rule, and the events that it would withhold.', EventScopes, {
    announced: exampleAnnounced,
    enforced: exampleEnforced,
  }),
  async run({ plane, tenant }) {
    return { status: 200, body: toEventScopes(await findWithheld(tenant), plane.urls.public) };
  },
});
