import { organisationParams } from '../../access/authority/index.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { AccessTokenInput, CreatedAccessToken, exampleAccessToken } from './access-token.ts';
import { requireLiveSession } from './fresh-factor.ts';
import { issueAccessToken } from './issue-access-token.ts';
import { allowMemberChange } from './member-access.ts';

export const createAccessToken = operation({
  id: 'createAccessToken',
  route: 'POST /api/organisations/{organisationId}/access-tokens',
  tag: 'Access tokens',
  summary: 'Create an access token',
  description:
    'Creates a token for your terminals and scripts, sent as `Authorization: Bearer`. The token acts in your name in this organisation, within its scope and your current role, and ends with your membership. You receive a mail. The token cannot change people, accounts or tokens.',
  access: allowMemberChange('tokens.create'),
  params: organisationParams,
  body: AccessTokenInput,
  examples: { toRead: { name: 'My laptop', scope: 'read', expiresInDays: 30 } },
  replies: created('The access token, with its secret only in this response.', CreatedAccessToken, {
    toRead: {
      accessToken: exampleAccessToken,
      token: 'slp_7Qh2mXc04LpA_EXAMPLEexampleEXAMPLEexampleEXAM000000',
    },
  }),
  problems: ['quota_exceeded'],
  async run(context, { body: { name, scope, expiresInDays } }) {
    const { services, visitor, actor, person, tx, audit } = context;
    await requireLiveSession(context);
    const input = {
      organisationId: actor.organisationId,
      personId: person.id,
      name: name.trim(),
      scope,
      expiresInDays,
    };
    const origin = { consoleUrl: services.consoleUrl, address: visitor.address, isTerminal: false };
    const created = await issueAccessToken(tx, input, origin);
    const { id, kid } = created.accessToken;
    audit('access_token.create', id, { kid, scope, expiresInDays });
    return { status: 201, body: created, headers: { 'cache-control': 'no-store' } };
  },
});
