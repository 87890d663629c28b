import { newUuid } from '../../kit/ids.ts';
import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { organisationParams } from '../authority/index.ts';
import {
  type AccessTokenRow,
  CreatedAccessToken,
  exampleAccessToken,
  hashOf,
  MAX_TOKENS,
  NewAccessToken,
  newAccessToken,
  toAccessToken,
} from './access-token.ts';
import { countTokens, findTokenRow, insertToken } from './access-token-store.ts';
import { memberMay } from './member-may.ts';

export const createAccessToken = operation({
  id: 'createAccessToken',
  method: 'POST',
  path: '/api/organisations/{organisationId}/access-tokens',
  tag: 'Access tokens',
  summary: 'Create an access token',
  description:
    'Creates a token for your terminals and scripts, sent as `Authorization: Bearer`. It acts in your name in this organisation, within your role as it is then and its own scope, and ends with your membership. Nothing that is about people, accounts or tokens can be changed with it.',
  access: memberMay('tokens.create'),
  params: organisationParams,
  body: NewAccessToken,
  examples: { toRead: { name: 'My laptop', scope: 'read', expiresInDays: 30 } },
  replies: {
    201: {
      description: 'The access token, this once with its secret.',
      schema: CreatedAccessToken,
      examples: {
        toRead: {
          accessToken: exampleAccessToken,
          token: 'slp_7Qh2mXc04LpA_EXAMPLEexampleEXAMPLEexampleEXAM000000',
        },
      },
    },
  },
  problems: ['quota_exceeded'],
  async run({ actor, person, tx, audit }, { body: { name, scope, expiresInDays } }) {
    const { organisationId } = actor;
    if ((await countTokens(tx, organisationId, person.id)) >= MAX_TOKENS) {
      const detail = `A member has at most ${MAX_TOKENS} access tokens in an organisation. Revoke one, or one that has expired.`;
      throw problem('quota_exceeded', { detail });
    }
    const { kid, token } = newAccessToken();
    const tokenId = newUuid();
    await insertToken(tx, {
      tokenId,
      organisationId,
      personId: person.id,
      kid,
      tokenHash: hashOf(token),
      name: name.trim(),
      scope,
      expiresInDays,
    });
    const row = (await findTokenRow(tx, organisationId, tokenId)) as AccessTokenRow; // inserted a line above
    const accessToken = toAccessToken(row);
    audit('access_token.create', accessToken.id, { kid, scope, expiresInDays });
    return { status: 201, body: { accessToken, token }, headers: { 'cache-control': 'no-store' } };
  },
});
