import { inTenant, managesOrganisation, organisationParams } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed, named, Type, text } from '../../kit/http/schema.ts';
import { cancelDeliveries } from '../../webhooks/webhooks/index.ts';
import { holdAppIds, revokeKeyRowsMadeBy } from './store.ts';

const KeyMaker = named(
  'KeyMaker',
  closed(
    {
      createdBy: text('Who generated them, as `createdBy` of a key says.', { minLength: 1, maxLength: 320 }),
    },
    { description: 'Whose keys to revoke.' },
  ),
);

export const revokeKeysMadeBy = operation({
  id: 'revokeKeysMadeBy',
  method: 'POST',
  path: '/organisations/{organisationId}/keys/revoke',
  tag: 'Keys',
  summary: 'Revoke all keys that somebody made',
  description:
    'Revokes for good every key of every app of the organisation that this person generated or rotated to, as `revokeKey` does: all of them or, when it fails, none. Removing a member asks for it; it can be asked for again at any time.',
  access: managesOrganisation('keys.revoke'),
  params: organisationParams,
  body: KeyMaker,
  examples: { ofAMember: { createdBy: 'imke@example.org' } },
  replies: {
    200: {
      description: 'They are revoked.',
      schema: named(
        'RevokedKeys',
        closed(
          { revoked: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many were active until now.' }) },
          { description: 'What was revoked.' },
        ),
      ),
      examples: { two: { revoked: 2 } },
    },
  },
  async run(context, { body }) {
    const { actor, tx } = context;
    let revoked = 0;
    for (const appId of await holdAppIds(tx, actor.organisationId)) {
      const { tenant, audit, cancelInFlight } = inTenant(context, appId);
      for (const { key_id: keyId, kid } of await revokeKeyRowsMadeBy(tenant, body.createdBy, actor.name)) {
        cancelDeliveries(tenant, { keyId, serverId: null }, 'key_revoked');
        audit('key.revoke', toId('key', keyId), { kid, createdBy: body.createdBy });
        cancelInFlight({ keyId, serverId: null });
        revoked += 1;
      }
    }
    return { status: 200, body: { revoked } };
  },
});
