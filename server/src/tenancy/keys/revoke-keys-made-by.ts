import { allowOrganisationManagement, organisationParams, withTenant } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { integer, namedObject, text } from '../../kit/http/schema.ts';
import { cancelDeliveriesOfKey } from '../../webhooks/webhooks/index.ts';
import { lockAppIds, revokeKeyRowsMadeBy } from './store.ts';

const KeyMaker = namedObject('KeyMaker', 'The person whose keys are revoked.', {
  createdBy: text('The person who generated the keys, as in `createdBy` of a key.', {
    minLength: 1,
    maxLength: 320,
  }),
});

export const revokeKeysMadeBy = operation({
  id: 'revokeKeysMadeBy',
  route: 'POST /organisations/{organisationId}/keys/revoke',
  tag: 'Keys',
  summary: 'Revoke all keys of a person',
  description:
    'Revokes permanently every key in the organisation’s apps that this person generated or got from a rotation, like `revokeKey`. The operation revokes all keys or, if it fails, none. It runs when a member is removed, and is idempotent.',
  access: allowOrganisationManagement('keys.revoke'),
  params: organisationParams,
  body: KeyMaker,
  examples: { ofAMember: { createdBy: 'imke@example.org' } },
  replies: ok(
    'The keys are revoked.',
    namedObject('RevokedKeys', 'The number of revoked keys.', {
      revoked: integer('The number of keys that were active.', 0, 1_000_000),
    }),
    { two: { revoked: 2 } },
  ),
  async run(context, { body }) {
    const { actor, tx } = context;
    let revoked = 0;
    for (const appId of await lockAppIds(tx, actor.organisationId)) {
      const { tenant, audit, cancelInFlight } = withTenant(context, appId);
      for (const { key_id: keyId, kid } of await revokeKeyRowsMadeBy(tenant, body.createdBy, actor.name)) {
        cancelDeliveriesOfKey(tenant, keyId);
        audit('key.revoke', toId('key', keyId), { kid, createdBy: body.createdBy });
        cancelInFlight({ keyId, serverId: null });
        revoked += 1;
      }
    }
    return { status: 200, body: { revoked } };
  },
});
