import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { cancelDeliveriesOfKey, listContinuingEndpoints } from '../../webhooks/webhooks/index.ts';
import { exampleKey, keyParams, toKey } from './key.ts';
import { exampleContinuingEndpoint, RevokedKey, toContinuingEndpoint } from './revoked-key.ts';
import { revokeKeyRow } from './store.ts';

export const revokeKey = operation({
  id: 'revokeKey',
  route: 'POST /organisations/{organisationId}/apps/{appId}/keys/{keyId}/revoke',
  tag: 'Keys',
  summary: 'Revoke a key',
  description:
    'Revokes a key permanently. After the response, no request with the key is accepted and no delivery through it starts. Its attempts in flight are stopped. An endpoint with another usable key continues through that key and is listed in `continuingEndpoints`. Pending deliveries of the other endpoints are cancelled.',
  access: allowAppManagement('keys.revoke'),
  params: keyParams,
  replies: ok('The revoked key, and the endpoints that continue through another key.', RevokedKey, {
    aKey: {
      ...exampleKey,
      state: 'revoked',
      revokedAt: '2026-11-03T08:00:00.000Z',
      continuingEndpoints: [exampleContinuingEndpoint],
    },
  }),
  async run({ actor, tenant, audit, cancelInFlight }, { ids: { keyId }, params }) {
    const row = await revokeKeyRow(tenant, keyId, actor.name);
    if (!row) throw problem('not_found');
    cancelDeliveriesOfKey(tenant, keyId);
    const continuing = await listContinuingEndpoints(tenant, keyId);
    audit('key.revoke', params.keyId, { kid: row.kid });
    cancelInFlight({ keyId, serverId: null });
    return { status: 200, body: { ...toKey(row), continuingEndpoints: continuing.map(toContinuingEndpoint) } };
  },
});
