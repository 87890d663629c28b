import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { enforce } from './enforce.ts';
import { EventScopes, exampleEnforced, toEventScopes } from './event-scopes.ts';
import { findWithheld } from './store.ts';

export const enforceEventScopes = operation({
  id: 'enforceEventScopes',
  method: 'POST',
  path: '/organisations/{organisationId}/apps/{appId}/event-scopes/enforce',
  tag: 'Installations',
  summary: 'Enforce the scopes of events',
  description:
    'Switches the app to the new rule before the announced day: an event with a resource needs the grant of the resource’s scope as well as `events:read`. When this is answered, no event is read or delivered by `events:read` alone. The switch cannot be taken back. Repeating it changes nothing.',
  access: managesApp('apps.change'),
  params: appParams,
  replies: {
    200: {
      description: 'The rule is enforced.',
      schema: EventScopes,
      examples: { enforced: exampleEnforced },
    },
  },
  async run(context, { params }) {
    const { plane, tenant, audit } = context;
    if (await enforce(context)) audit('app.enforce_event_scopes', params.appId);
    return { status: 200, body: toEventScopes(await findWithheld(tenant), plane.publicUrl) };
  },
});
