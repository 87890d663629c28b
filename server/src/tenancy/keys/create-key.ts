import { allowAppManagement, appParams, findQuotas, requireQuota, type Scope } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { CreatedKey, exampleKey, KeyInput, scopesOf, toKey, validateLimits, validateNote } from './key.ts';
import { makeKey } from './make-key.ts';
import { lockAppForNewKey } from './store.ts';

export const createKey = operation({
  id: 'createKey',
  route: 'POST /organisations/{organisationId}/apps/{appId}/keys',
  tag: 'Keys',
  summary: 'Generate a key',
  description:
    'Generates a key. The response contains its secret. Slipway stores only a verifier of the secret, so no later call can return it. Select the scopes individually or with a preset, which contains the minimum for a task.',
  access: allowAppManagement('keys.create'),
  params: appParams,
  body: KeyInput,
  examples: {
    aKey: {
      name: 'Staging bridge',
      note: 'In the vault as bridge/staging.',
      scopes: ['servers:read', 'tickets:create'],
      expiresInDays: 30,
    },
    aPreset: { name: 'Dashboard', preset: 'read-only', expiresInDays: 7 },
  },
  replies: created('The key with its secret, which is shown once.', CreatedKey, {
    aKey: { key: exampleKey, token: 'slw_test_7Qh2mXc04LpA_EXAMPLEexampleEXAMPLEexampleEXAM000000' },
  }),
  problems: ['quota_exceeded', 'conflict'],
  async run({ plane, actor, tenant, tx, audit }, { body }) {
    const scopes = scopesOf(body);
    const errors = [...validateNote(body), ...validateLimits(body, plane.keys.maxDays)];
    if (!scopes) errors.push({ pointer: '/preset', detail: 'requires exactly one of preset and scopes' });
    if (!scopes || errors.length > 0) throw problem('invalid_request', { errors });
    const { status, approved, validKeys } = await lockAppForNewKey(tenant);
    if (status === 'deleting') throw problem('conflict', { detail: 'The app is being deleted.' });
    requireApproved(scopes, approved, body.preset === undefined ? '/scopes' : '/preset');
    requireQuota(await findQuotas(tx, actor.organisationId), 'keysPerApp', validKeys);
    const { name, note, expiresInDays, allowedCidrs } = body;
    const { row, token } = await makeKey(tenant, plane, {
      name: name.trim(),
      note,
      scopes,
      allowedCidrs,
      expiresInDays,
      createdBy: actor.name,
    });
    const id = toId('key', row.key_id);
    audit('key.create', id, { kid: row.kid, scopes: row.scopes, allowedCidrs: row.allowed_cidrs, expiresInDays });
    return { status: 201, body: { key: toKey(row), token }, headers: { 'cache-control': 'no-store' } };
  },
});

/** Rejects scopes for which the app is not approved. In the sandbox, every app is approved for all scopes. */
function requireApproved(scopes: readonly Scope[], approved: readonly Scope[], pointer: string): void {
  const beyond = scopes.filter((scope) => !approved.includes(scope));
  if (beyond.length === 0) return;
  const detail = `must not contain scopes for which the app is not approved: ${beyond.join(', ')}`;
  throw problem('invalid_request', { errors: [{ pointer, detail }] });
}
