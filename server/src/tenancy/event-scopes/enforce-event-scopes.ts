import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { enforceForOneApp } from './enforce-for-app.ts';
import { EventScopes, exampleEnforced, toEventScopes } from './event-scopes.ts';
import { findWithheld } from './store.ts';

export const enforceEventScopes = operation({
  id: 'enforceEventScopes',
  route: 'POST /organisations/{organisationId}/apps/{appId}/event-scopes/enforce',
  tag: 'Installations',
  summary: 'Enforce the scopes of events',
  description:
    'Enables the new rule for the app before the announced day: an event with a resource requires the grant of the resource’s scope in addition to `events:read`. After the response, no event is read or delivered with `events:read` only. The rule cannot be disabled. The operation is idempotent.',
  access: allowAppManagement('apps.change'),
  params: appParams,
  replies: ok('The rule is enforced.', EventScopes, { enforced: exampleEnforced }),
  async run(context, { params }) {
    const { plane, tenant, audit } = context;
    if (await enforceForOneApp(context)) audit('app.enforce_event_scopes', params.appId);
    return { status: 200, body: toEventScopes(await findWithheld(tenant), plane.urls.public) };
  },
});
