import { isActionAllowed, organisationParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { AccessToken, exampleAccessToken, toAccessToken } from './access-token.ts';
import { listTokenRows } from './access-token-store.ts';
import { allowMemberRead } from './member-access.ts';

export const listAccessTokens = operation({
  id: 'listAccessTokens',
  route: 'GET /api/organisations/{organisationId}/access-tokens',
  tag: 'Access tokens',
  summary: 'List access tokens',
  description:
    'Lists your own access tokens in this organisation, newest first, without their secrets. If your role allows `tokens.manage`, it lists the tokens of all members.',
  access: allowMemberRead('tokens.read'),
  params: organisationParams,
  query: strictObject(listQuery),
  replies: listReplies('AccessTokenList', AccessToken, 'A page of access tokens.', exampleAccessToken),
  run({ actor, person, tx, paged }) {
    const owner = isActionAllowed(actor.role, 'tokens.manage') ? undefined : person.id;
    return paged({
      prefix: 'pat',
      load: (after, limit) => listTokenRows(tx, actor.organisationId, owner, after, limit),
      toItem: toAccessToken,
      idOf: (row) => row.token_id,
    });
  },
});
