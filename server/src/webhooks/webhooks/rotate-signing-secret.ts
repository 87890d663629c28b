import { managesApp } from '../../access/authority/index.ts';
import { seal } from '../../kit/crypto/seal.ts';
import { createSigningSecret } from '../../kit/crypto/standard-webhooks.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { endpointParams, secretBinding } from './endpoint.ts';
import { holdSecrets, rotateSecret } from './secret-store.ts';
import {
  DEFAULT_OVERLAP_HOURS,
  exampleSigningSecret,
  refuseSecretRotation,
  SecretRotation,
  SigningSecret,
  toSigningSecret,
} from './signing-secret.ts';

export const rotateSigningSecret = operation({
  id: 'rotateSigningSecret',
  method: 'POST',
  path: '/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/secret/rotate',
  tag: 'Webhooks',
  summary: 'Rotate a signing secret',
  description:
    'Draws a new signing secret. Until the overlap is over (24 hours unless it says otherwise, at most 7 days) deliveries carry a signature by each of the two, so that a receiver with either verifies; then the one before is erased. What is being sent at this moment may still be signed by the one before alone. At most two secrets sign: another rotation within the overlap is refused, unless its own overlap is 0 hours, which ends both secrets before it.',
  access: managesApp('endpoints.rotate'),
  params: endpointParams,
  body: SecretRotation,
  examples: { aDay: { overlapHours: 24 } },
  replies: {
    200: {
      description: 'The new secret.',
      schema: SigningSecret,
      examples: { aDay: exampleSigningSecret },
    },
  },
  problems: ['conflict'],
  async run({ plane, tenant, audit }, { ids: { endpointId }, params, body }) {
    const overlapHours = body.overlapHours ?? DEFAULT_OVERLAP_HOURS;
    const held = await holdSecrets(tenant, endpointId);
    if (!held) throw problem('not_found');
    const refusal = refuseSecretRotation(held.sealed_previous_secret !== null, overlapHours);
    if (refusal) throw problem('conflict', { detail: refusal });
    const signingSecret = createSigningSecret();
    const sealed = seal(signingSecret, secretBinding(endpointId), plane.masterKeys);
    const dates = await rotateSecret(tenant, endpointId, sealed, overlapHours);
    audit('signing_secret.rotate', params.endpointId, { overlapHours });
    return {
      status: 200,
      body: toSigningSecret(signingSecret, dates ?? held),
      headers: { 'cache-control': 'no-store' },
    };
  },
});
