import { allowAppManagement, findQuotas, requireSuccessorQuota } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { cancelDeliveriesOfKey, moveEndpointsToKey } from '../../webhooks/webhooks/index.ts';
import { exampleKey, keyParams, toKey, validateLimits } from './key.ts';
import { makeKey } from './make-key.ts';
import { exampleRotatedKey, explainRotationRefusal, RotatedKey, Rotation, validateKeptScopes } from './rotation.ts';
import { lockAppForNewKey, lockKeyRow, revokeKeyRow, setKeyEnd } from './store.ts';

export const rotateKey = operation({
  id: 'rotateKey',
  route: 'POST /organisations/{organisationId}/apps/{appId}/keys/{keyId}/rotate',
  tag: 'Keys',
  summary: 'Rotate a key',
  description:
    'Generates a successor with the same name and note and with the selected scopes, and sets the end of the key. Only this response contains the successor’s secret. With 0 hours the key is revoked immediately, like `revokeKey`. Otherwise both keys work until the end, and after the end the old key returns `revoked_key`. `revokeKey` can bring the end forward; the end cannot be postponed or cancelled. The key’s endpoints and their pending deliveries use the successor from now on. A key that is revoked or expired, or has a successor, cannot be rotated.',
  access: allowAppManagement('keys.rotate'),
  params: keyParams,
  body: Rotation,
  examples: {
    aDay: { expiresInDays: 30, overlapHours: 24 },
    fewerScopes: { expiresInDays: 30, overlapHours: 24, scopes: ['servers:read'] },
  },
  replies: created('The successor with its secret, which is shown once, and the rotated key.', RotatedKey, {
    aDay: exampleRotatedKey(exampleKey),
  }),
  problems: ['conflict', 'quota_exceeded'],
  async run(context, { ids: { keyId }, params, body }) {
    const { plane, actor, tenant, tx, audit, cancelInFlight, certify, receiptId } = context;
    const { expiresInDays, overlapHours } = body;
    const errors = validateLimits({ expiresInDays }, plane.keys.maxDays);
    if (errors.length > 0) throw problem('invalid_request', { errors });
    const { approved, validKeys } = await lockAppForNewKey(tenant);
    const old = await lockKeyRow(tenant, keyId);
    if (!old) throw problem('not_found');
    const refusal = explainRotationRefusal(toKey(old));
    if (refusal) throw problem('conflict', { detail: refusal });
    const { scopes = old.scopes } = body;
    const refused = validateKeptScopes(scopes, old);
    if (refused.length > 0) throw problem('invalid_request', { errors: refused });
    if (!scopes.every((scope) => approved.includes(scope))) {
      throw problem('conflict', {
        detail:
          'The key has scopes for which its app is not approved. Select the scopes to keep, or generate a new key.',
      });
    }
    if (overlapHours > 0) requireSuccessorQuota(await findQuotas(tx, actor.organisationId), validKeys);
    // Ends the old key before the deliveries are moved. A revocation waits for mutations in progress, so the deliveries
    // that they create are moved too. A dated end does not wait for mutations: their deliveries use the old key until
    // its end (docs/decisions/0019).
    const endedKey =
      overlapHours === 0 ? await revokeKeyRow(tenant, keyId, actor.name) : await setKeyEnd(tenant, keyId, overlapHours);
    const { name, note, allowed_cidrs: allowedCidrs } = old;
    const input = { name, note, scopes, allowedCidrs, expiresInDays, createdBy: actor.name, predecessorId: keyId };
    const { row, token } = await makeKey(tenant, plane, input);
    // Without events:read, the successor cannot deliver. If a concurrent change assigned the old key to an endpoint,
    // the endpoint keeps that key, so that the end of the old key counts as a lost key of the endpoint.
    if (scopes.includes('events:read')) moveEndpointsToKey(tenant, keyId, row.key_id);
    if (overlapHours === 0) {
      certify({ keys: [{ keyId, kid: old.kid }], cancelled: cancelDeliveriesOfKey(tenant, keyId) });
      cancelInFlight({ keyId, serverId: null });
    }
    const successorId = toId('key', row.key_id);
    const receipt = { receiptId: receiptId() };
    const detail = { kid: old.kid, successorId, successorKid: row.kid, scopes, expiresInDays, overlapHours };
    audit('key.rotate', params.keyId, overlapHours === 0 ? { ...detail, ...receipt } : detail);
    const predecessor = toKey({ ...(endedKey ?? old), successor_id: row.key_id });
    const answer = { key: toKey(row), token, predecessor, ...receipt };
    return { status: 201, body: answer, headers: { 'cache-control': 'no-store' } };
  },
});
