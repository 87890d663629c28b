import { allowAppManagement } from '../../access/authority/index.ts';
import { seal } from '../../kit/crypto/seal.ts';
import { createSigningSecret } from '../../kit/crypto/standard-webhooks.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { endpointParams, secretBinding } from './endpoint.ts';
import { lockSecrets, rotateSecret } from './secret-store.ts';
import {
  DEFAULT_OVERLAP_HOURS,
  exampleSigningSecret,
  SecretRotation,
  SigningSecret,
  toSigningSecret,
  validateSecretRotation,
} from './signing-secret.ts';

export const rotateSigningSecret = operation({
  id: 'rotateSigningSecret',
  route: 'POST /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/secret/rotate',
  tag: 'Webhooks',
  summary: 'Rotate a signing secret',
  description:
    'Creates a new signing secret. During the overlap (24 hours by default, at most 7 days) deliveries carry a signature by the new secret and one by the previous secret. A receiver that has either secret can verify them. When the overlap ends, the previous secret is erased. Requests that are in flight can still be signed by the previous secret alone. At most two secrets sign: another rotation during the overlap is refused, unless its own overlap is 0 hours, which ends both earlier secrets.',
  access: allowAppManagement('endpoints.rotate'),
  params: endpointParams,
  body: SecretRotation,
  examples: { aDay: { overlapHours: 24 } },
  replies: ok('The new signing secret.', SigningSecret, { aDay: exampleSigningSecret }),
  problems: ['conflict'],
  async run({ plane, tenant, audit }, { ids: { endpointId }, params, body }) {
    const overlapHours = body.overlapHours ?? DEFAULT_OVERLAP_HOURS;
    const held = await lockSecrets(tenant, endpointId);
    if (!held) throw problem('not_found');
    const refusal = validateSecretRotation(held.sealed_previous_secret !== null, overlapHours);
    if (refusal) throw problem('conflict', { detail: refusal });
    const signingSecret = createSigningSecret();
    const sealed = seal(signingSecret, secretBinding(endpointId), plane.secrets.masterKeys);
    const dates = await rotateSecret(tenant, endpointId, sealed, overlapHours);
    audit('signing_secret.rotate', params.endpointId, { overlapHours });
    return {
      status: 200,
      body: toSigningSecret(signingSecret, dates ?? held),
      headers: { 'cache-control': 'no-store' },
    };
  },
});
