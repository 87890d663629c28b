import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { endpointParams } from './endpoint.ts';
import { findSecrets } from './secret-store.ts';
import { exampleSigningSecret, openSecrets, SigningSecret, toSigningSecret } from './signing-secret.ts';

// A POST, because it writes to the audit log, and its response must not be cached or repeated. Access tokens are
// refused: unlike a rotation, a revealed secret leaves no visible trace, and it stays useful long after the token
// expires.
export const revealSigningSecret = operation({
  id: 'revealSigningSecret',
  route: 'POST /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/secret/reveal',
  tag: 'Webhooks',
  summary: 'Reveal a signing secret',
  description:
    'Returns the secret that signs the endpoint’s deliveries, and records in the audit log who saw it. It requires a signed-in member; access tokens are refused.',
  access: allowAppManagement('endpoints.reveal'),
  params: endpointParams,
  replies: ok('The secret.', SigningSecret, { aSecret: exampleSigningSecret }),
  problems: ['access_token_not_allowed'],
  async run({ plane, actor, tenant, audit }, { ids, params }) {
    if (actor.kind !== 'person') {
      throw problem('access_token_not_allowed', {
        detail: 'Revealing a signing secret requires a signed-in member; access tokens are refused.',
        headers: { 'www-authenticate': 'Bearer realm="slipway"' },
      });
    }
    const row = await findSecrets(tenant, ids.endpointId);
    if (!row) throw problem('not_found');
    const [signingSecret] = openSecrets(row, plane.secrets.masterKeys);
    audit('signing_secret.reveal', params.endpointId);
    const headers = { 'cache-control': 'no-store' };
    return { status: 200, body: toSigningSecret(signingSecret, row), headers };
  },
});
