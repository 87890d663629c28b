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
  replies: ok('The revoked key, the endpoints that continue through another key, and the receipt.', RevokedKey, {
    aKey: {
      ...exampleKey,
      state: 'revoked',
      revokedAt: '2026-11-03T08:00:00.000Z',
      continuingEndpoints: [exampleContinuingEndpoint],
      receiptId: 'rct_01j9z3v8k6e5t8m2n4p6q8r0sc',
    },
  }),
  async run({ actor, tenant, audit, cancelInFlight, certify }, { ids: { keyId }, params }) {
    // In one round trip: the endpoints are read after the key is revoked.
    const [row, continuing] = await Promise.all([
      revokeKeyRow(tenant, keyId, actor.name),
      listContinuingEndpoints(tenant, keyId),
    ]);
    if (!row) throw problem('not_found');
    const receiptId = certify({
      keys: [{ keyId, kid: row.kid }],
      cancelled: cancelDeliveriesOfKey(tenant, keyId),
    });
    audit('key.revoke', params.keyId, { kid: row.kid, receiptId });
    cancelInFlight({ keyId, serverId: null });
    const continuingEndpoints = continuing.map(toContinuingEndpoint);
    return { status: 200, body: { ...toKey(row), continuingEndpoints, receiptId } };
  },
});
