import { coversRole, isActionAllowed } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { accessTokenParams } from './access-token.ts';
import { deleteToken, findTokenRow } from './access-token-store.ts';
import { allowMemberChange } from './member-access.ts';
import { findMembership } from './store.ts';

export const revokeAccessToken = operation({
  id: 'revokeAccessToken',
  route: 'DELETE /api/organisations/{organisationId}/access-tokens/{accessTokenId}',
  tag: 'Access tokens',
  summary: 'Revoke an access token',
  description:
    'Revokes an access token from the next request on, permanently. You can revoke your own tokens and, if your role allows `tokens.manage`, the tokens of members whose role has no more permissions than yours.',
  access: allowMemberChange('tokens.revoke'),
  params: accessTokenParams,
  replies: { 204: { description: 'The access token is revoked.' } },
  async run({ actor, person, tx, audit }, { ids, params }) {
    const { organisationId } = actor;
    const row = await findTokenRow(tx, organisationId, ids.accessTokenId);
    const isOwn = row?.person_id === person.id;
    if (!row || (!isOwn && !isActionAllowed(actor.role, 'tokens.manage'))) throw problem('not_found');
    const ownerRole = (await findMembership(tx, organisationId, row.person_id))?.role;
    if (ownerRole && !coversRole(actor.role, ownerRole)) {
      throw problem('role_not_allowed', {
        detail: `Your role is ${actor.role}, which cannot manage the role ${ownerRole}.`,
      });
    }
    await deleteToken(tx, organisationId, row.token_id);
    audit('access_token.revoke', params.accessTokenId, { kid: row.kid, owner: row.email });
    return { status: 204 };
  },
});
