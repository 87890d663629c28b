import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleKey, Key, KeyChange, keyParams, toKey, validateNote } from './key.ts';
import { updateKeyRow } from './store.ts';

export const updateKey = operation({
  id: 'updateKey',
  route: 'PATCH /organisations/{organisationId}/apps/{appId}/keys/{keyId}',
  tag: 'Keys',
  summary: 'Change the name or the note of a key',
  description:
    'Changes the name or the note of a key, also of a revoked or expired key. The scopes and the expiry are fixed: generate a new key to change them.',
  access: allowAppManagement('keys.change'),
  params: keyParams,
  body: KeyChange,
  examples: { aNote: { note: 'In the vault as bridge/staging; ask Imke before revoking it.' } },
  replies: ok('The updated key.', Key, {
    aNote: { ...exampleKey, note: 'In the vault as bridge/staging; ask Imke before revoking it.' },
  }),
  async run({ tenant, audit }, { ids, params, body }) {
    const errors = validateNote(body);
    if (errors.length > 0) throw problem('invalid_request', { errors });
    const change = { ...body, ...(body.name !== undefined && { name: body.name.trim() }) };
    const row = await updateKeyRow(tenant, ids.keyId, change);
    if (!row) throw problem('not_found');
    audit('key.update', params.keyId, { kid: row.kid, ...change });
    return { status: 200, body: toKey(row) };
  },
});
