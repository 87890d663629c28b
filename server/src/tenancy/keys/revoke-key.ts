import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { cancelDeliveries } from '../../webhooks/webhooks/index.ts';
import { exampleKey, Key, keyParams, toKey } from './key.ts';
import { revokeKeyRow } from './store.ts';

export const revokeKey = operation({
  id: 'revokeKey',
  route: 'POST /organisations/{organisationId}/apps/{appId}/keys/{keyId}/revoke',
  tag: 'Keys',
  summary: 'Revoke a key',
  description:
    'Revokes a key permanently. After the response, no request with the key is accepted and no delivery through it starts. Pending deliveries are cancelled.',
  access: allowAppManagement('keys.revoke'),
  params: keyParams,
  replies: ok('The revoked key.', Key, {
    aKey: { ...exampleKey, state: 'revoked', revokedAt: '2026-11-03T08:00:00.000Z' },
  }),
  async run({ actor, tenant, audit, cancelInFlight }, { ids: { keyId }, params }) {
    const row = await revokeKeyRow(tenant, keyId, actor.name);
    if (!row) throw problem('not_found');
    cancelDeliveries(tenant, { keyId, serverId: null }, 'key_revoked');
    audit('key.revoke', params.keyId, { kid: row.kid });
    cancelInFlight({ keyId, serverId: null });
    return { status: 200, body: toKey(row) };
  },
});
