import { cursorBinding, mayDo, organisationParams } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { AccessToken, exampleAccessToken, toAccessToken } from './access-token.ts';
import { listTokenRows } from './access-token-store.ts';
import { memberReads } from './member-may.ts';

export const listAccessTokens = operation({
  id: 'listAccessTokens',
  method: 'GET',
  path: '/api/organisations/{organisationId}/access-tokens',
  tag: 'Access tokens',
  summary: 'List access tokens',
  description:
    'Your own access tokens in this organisation, newest first, without their secrets; those of all members when your role allows `tokens.manage`.',
  access: memberReads('tokens.read'),
  params: organisationParams,
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of access tokens.',
      schema: named('AccessTokenList', listOf(AccessToken, 'A page of access tokens.')),
      examples: { aPage: { data: [exampleAccessToken], nextCursor: null } },
    },
  },
  async run({ services, actor, person, tx }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(actor.organisationId, 'listAccessTokens', query);
    const position = openCursor(query.cursor, binding, services.cursorKey);
    const after = position === undefined ? undefined : fromId('pat', position);
    const owner = mayDo(actor.role, 'tokens.manage') ? undefined : person.id;
    const rows = await listTokenRows(tx, actor.organisationId, owner, after, limit + 1);
    const body = toList(rows, limit, toAccessToken, (row) =>
      sealCursor(toId('pat', row.token_id), binding, services.cursorKey),
    );
    return { status: 200, body };
  },
});
