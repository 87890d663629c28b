import { allowAppManagement, appParams, findQuotas, requireQuota } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { changeHeaders } from './custom-headers.ts';
import { CreatedEndpoint, EndpointInput, exampleEndpoint, toEndpoint } from './endpoint.ts';
import { originOf, validateListenerHeaders } from './endpoint-change.ts';
import { ALL_EVENT_TYPES, expandTypes, toServerUuids } from './endpoint-filter.ts';
import { changedKeyIds, validateKeyForm } from './endpoint-keys.ts';
import { makeEndpoint } from './make-endpoint.ts';
import { countEndpoints } from './store.ts';
import { validateSettings } from './validate-settings.ts';

export const createEndpoint = operation({
  id: 'createEndpoint',
  route: 'POST /organisations/{organisationId}/apps/{appId}/endpoints',
  tag: 'Webhooks',
  summary: 'Add an endpoint',
  description:
    'Adds an endpoint with its own signing secret. Events that occur from now on are delivered to it. An event of these types that `serverIds` or `conditions` of the endpoint withhold becomes a skipped delivery with the reason `filtered`, which can be redelivered.',
  access: allowAppManagement('endpoints.change'),
  params: appParams,
  body: EndpointInput,
  examples: {
    anEndpoint: {
      url: 'https://bridge.example.org/hooks/slipway',
      keyIds: exampleEndpoint.keyIds,
      eventTypes: ['ticket.created'],
      conditions: exampleEndpoint.conditions,
      schemaVersions: { 'ticket.created': 2 },
      description: 'The bridge in staging',
    },
  },
  replies: created('The endpoint and its signing secret.', CreatedEndpoint, {
    anEndpoint: {
      endpoint: exampleEndpoint,
      signingSecret: 'whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUgZXhhbXBsZSE=',
    },
  }),
  problems: ['quota_exceeded'],
  async run(context, { body }) {
    const { plane, actor, tenant, tx, audit } = context;
    const { headers: headerChanges = {}, eventTypes, serverIds = null, ...rest } = body;
    const { headers, errors } = changeHeaders(new Map(), headerChanges);
    errors.push(
      ...validateKeyForm(body, true),
      ...(await validateSettings(context, { ...body, received: expandTypes(body.eventTypes) })),
      ...validateListenerHeaders(body.url, headerChanges),
    );
    if (errors.length > 0) throw problem('invalid_request', { errors });
    const quotas = await findQuotas(tx, actor.organisationId);
    requireQuota(quotas, 'endpointsPerApp', await countEndpoints(tenant));
    const result = await makeEndpoint(tenant, plane, {
      description: '',
      ...rest,
      eventTypes: expandTypes(eventTypes),
      receivesAllTypes: eventTypes.includes(ALL_EVENT_TYPES),
      serverIds: toServerUuids(serverIds),
      headers,
      endpointId: newUuid(),
      keyIds: changedKeyIds(body),
      createdBy: actor.name,
    });
    // Keys are never deleted, and these were just found in the app.
    if (!result) throw new Error('The key was not found.');
    const id = toId('whe', result.row.endpoint_id);
    audit('endpoint.create', id, { url: originOf(body.url), eventTypes });
    return {
      status: 201,
      body: { endpoint: toEndpoint(result.row), signingSecret: result.signingSecret.reveal() },
      headers: { 'cache-control': 'no-store' },
    };
  },
});
