import { allowOrganisationManagement, organisationParams, withTenant } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { dateTime, integer, namedObject, strictObject, Type, text } from '../../kit/http/schema.ts';
import { cancelDeliveriesOfKey } from '../../webhooks/webhooks/index.ts';
import { lockAppIds, revokeKeyRowsMadeBy } from './store.ts';

const createdBy = text('The person who generated the keys, as in `createdBy` of a key.', {
  minLength: 1,
  maxLength: 320,
});

const KeyMaker = namedObject('KeyMaker', 'The person whose keys are revoked.', {
  createdBy,
  earlier: Type.Optional(
    Type.Array(
      strictObject({
        createdBy,
        until: dateTime('When the person last had this address. Later keys belong to another person.'),
      }),
      { maxItems: 1000, description: 'Earlier addresses of the person.' },
    ),
  ),
});

export const revokeKeysMadeBy = operation({
  id: 'revokeKeysMadeBy',
  route: 'POST /organisations/{organisationId}/keys/revoke',
  tag: 'Keys',
  summary: 'Revoke all keys of a person',
  description:
    'Revokes permanently every key in the organisation’s apps that this person generated or got from a rotation, like `revokeKey`. Name earlier addresses of the person in `earlier`. The operation revokes all keys or, if it fails, none. It runs when a member is removed, and is idempotent.',
  access: allowOrganisationManagement('keys.revoke'),
  params: organisationParams,
  body: KeyMaker,
  examples: {
    ofAMember: { createdBy: 'imke@example.org' },
    withEarlierAddresses: {
      createdBy: 'imke@example.com',
      earlier: [{ createdBy: 'imke@example.org', until: '2026-03-03T09:30:00.000Z' }],
    },
  },
  replies: ok(
    'The keys are revoked.',
    namedObject('RevokedKeys', 'The number of revoked keys.', {
      revoked: integer('The number of keys that were active.', 0, 1_000_000),
    }),
    { two: { revoked: 2 } },
  ),
  async run(context, { body }) {
    const { actor, tx } = context;
    const makers = [
      { createdBy: body.createdBy },
      // JavaScript cannot represent a leap second.
      ...(body.earlier ?? []).map((one) => ({ ...one, until: new Date(one.until.replace(':60', ':59')) })),
    ];
    let revoked = 0;
    for (const appId of await lockAppIds(tx, actor.organisationId)) {
      const { tenant, audit, cancelInFlight, certify } = withTenant(context, appId);
      const keys = await revokeKeyRowsMadeBy(tenant, makers, actor.name);
      // The call can repeat one that was committed but not answered, because the wait for the workers failed.
      if (keys.length === 0) cancelInFlight({ keyId: null, serverId: null });
      for (const { key_id: keyId, kid, created_by: createdBy } of keys) {
        const receiptId = certify({ keys: [{ keyId, kid }], cancelled: cancelDeliveriesOfKey(tenant, keyId) });
        audit('key.revoke', toId('key', keyId), { kid, createdBy, receiptId });
        cancelInFlight({ keyId, serverId: null });
        revoked += 1;
      }
    }
    return { status: 200, body: { revoked } };
  },
});
