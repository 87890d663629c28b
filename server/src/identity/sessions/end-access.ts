// Ends all access of a person without a session, for a password reset, for signing out everywhere and for the restoration
// of an earlier address. A thief with a stolen session may have created such access.

import { OrganisationId, type UnitOfWork } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  displayName,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { AccessTokenId } from './access-token.ts';
import { deleteDeviceSignInsOf, deleteTokensOf, lockOrganisationsOf } from './ended-access-store.ts';
import type { Person } from './identity.ts';
import { endProviderLinks } from './provider-link-store.ts';
import { cancelRemoval } from './second-factor-removal-store.ts';

export const EndedAccess = namedObject('EndedAccess', 'The access in the name of the person that was ended.', {
  accessTokens: Type.Array(
    strictObject({
      id: AccessTokenId,
      name: displayName('The place where the token was used.'),
      organisationId: OrganisationId,
      organisation: text("The organisation's name.", { maxLength: 100 }),
    }),
    { maxItems: 10_000, description: 'Each access token that was active.' },
  ),
  terminals: Type.Array(displayName('The name that the terminal gives itself.'), {
    maxItems: 10_000,
    description: 'Each terminal whose sign-in was approved and that had no token yet.',
  }),
  providerLinks: Type.Array(
    strictObject({
      issuer: nullable(text('The address of the identity provider; null if it is unknown.', { maxLength: 2000 })),
      linkedAt: dateTime('When the identity was linked.'),
      state: oneOf(
        ['ended', 'kept'],
        'Ended, or kept because the account has no password and signs in only with the provider.',
      ),
    }),
    {
      maxItems: 100,
      description:
        'Each identity at an identity provider that signed the person in. Unlink a kept identity if you do not recognise it.',
    },
  ),
});
export type EndedAccess = Static<typeof EndedAccess>;

export const exampleEndedAccess: EndedAccess = {
  accessTokens: [
    {
      id: 'pat_01j9z3v8k6e5t8m2n4p6q8r0se',
      name: 'My laptop',
      organisationId: 'org_01j9z3v8k6e5t8m2n4p6q8r0s6',
      organisation: 'Harbour Tools',
    },
  ],
  terminals: [],
  providerLinks: [{ issuer: 'https://id.example.org', linkedAt: '2026-03-03T09:30:00.000Z', state: 'ended' }],
};

/**
 * Ends the sessions of the person by `endSessions`, which uses the transaction, and deletes their access tokens and
 * approved sign-ins of terminals, each with its audit entry. Cancels a pending removal of the second factor. Deletes
 * the links to identity providers of an account with a password, after the sessions, because an open session can add
 * one. The transaction locks the organisations first, so that no session creates a token between its end and the
 * deletion.
 */
export async function endAccess(
  { tx, audit }: Pick<UnitOfWork, 'tx' | 'audit'>,
  person: Person,
  reason: 'password_reset' | 'signed_out_everywhere' | 'email_change_undone',
  endSessions: () => Promise<void>,
): Promise<EndedAccess> {
  await lockOrganisationsOf(tx, person.id);
  const terminals = await deleteDeviceSignInsOf(tx, person.id);
  const tokens = await deleteTokensOf(tx, person.id);
  await endSessions();
  await cancelRemoval(tx, person.id);
  const links = await endProviderLinks(tx, person.id);
  const actor = { kind: 'person', id: person.id, name: person.email } as const;
  const entry = (organisationId: string, action: string, target: string, detail: object): void =>
    audit(action, target, { ...detail, reason }, { organisationId, actor });
  for (const { organisation_id, token_id, kid } of tokens)
    entry(organisation_id, 'access_token.revoke', toId('pat', token_id), { kid, owner: person.email });
  for (const { organisation_id, device } of terminals)
    entry(organisation_id, 'device_sign_in.revoke', person.id, { device });
  return {
    accessTokens: tokens
      .filter(({ is_expired }) => !is_expired)
      .map(({ token_id, name, organisation_id, organisation }) => ({
        id: toId('pat', token_id),
        name,
        organisationId: toId('org', organisation_id),
        organisation,
      })),
    terminals: terminals.map(({ device }) => device),
    providerLinks: links.map(({ issuer, linked_at, is_ended }) => ({
      issuer,
      linkedAt: linked_at.toISOString(),
      state: is_ended ? 'ended' : 'kept',
    })),
  };
}
