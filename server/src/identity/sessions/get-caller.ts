import { fromId, toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject, nullable, Type, text } from '../../kit/http/schema.ts';
import { AccessToken, exampleAccessToken, toAccessToken } from './access-token.ts';
import { findTokenRow } from './access-token-store.ts';
import { allowPersonOrToken } from './caller-access.ts';
import { exampleSession, Membership } from './session-body.ts';
import { listMemberships } from './store.ts';

const Caller = namedObject('Caller', 'The caller: a signed-in person, or the owner of an access token.', {
  email: text('The e-mail address of the person.', { maxLength: 320 }),
  name: text('The name of the person.', { maxLength: 100 }),
  accessToken: nullable(AccessToken),
  organisations: Type.Array(Membership, {
    maxItems: 1000,
    description:
      'The organisations of the person, oldest first. For an access token, only the organisation of the token.',
  }),
});

export const getCaller = operation({
  id: 'getCaller',
  route: 'GET /api/caller',
  tag: 'Access tokens',
  summary: 'Get the caller',
  description:
    'Returns the person of this call, the access token if there is one, and the organisations that the caller can access. A terminal calls this operation first.',
  access: allowPersonOrToken(),
  replies: ok('The caller.', Caller, {
    aToken: {
      email: exampleSession.person.email,
      name: exampleSession.person.name,
      accessToken: exampleAccessToken,
      organisations: exampleSession.organisations,
    },
  }),
  async run({ services, caller: { person, token } }) {
    const organisationId = token?.organisationId;
    const tokenId = token && fromId('pat', token.id);
    const [memberships, row] = await Promise.all([
      listMemberships(services.db, person.id),
      organisationId && tokenId ? findTokenRow(services.db, organisationId, tokenId) : undefined,
    ]);
    const organisations = memberships
      .filter(({ organisation_id }) => !organisationId || organisation_id === organisationId)
      .map(({ organisation_id, name, role }) => ({ id: toId('org', organisation_id), name, role }));
    const { email, name } = person;
    return { status: 200, body: { email, name, accessToken: row ? toAccessToken(row) : null, organisations } };
  },
});
