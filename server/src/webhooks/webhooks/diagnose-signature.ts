import { allowAppManagement } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import {
  Diagnosis,
  diagnose,
  exampleDiagnosis,
  exampleMessage,
  ReceivedMessage,
  toDiagnosis,
} from '../signatures/index.ts';
import { endpointParams } from './endpoint.ts';
import { findSecrets, listOtherSecrets, listSentBodies } from './secret-store.ts';
import { openSecrets, type SealedSecretsRow } from './signing-secret.ts';

const MAX_OTHERS = 20;

// A secret that cannot be opened is an operator's problem. Such a secret must not prevent a diagnosis with the other
// secrets.
function openOtherSecret(row: SealedSecretsRow, masterKeys: MasterKeys): { endpointId: string; secret: Secret }[] {
  try {
    const [secret] = openSecrets(row, masterKeys);
    return [{ endpointId: toId('whe', row.endpoint_id), secret }];
  } catch {
    return [];
  }
}

export const diagnoseSignature = operation({
  id: 'diagnoseSignature',
  route: 'POST /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/diagnose-signature',
  tag: 'Webhooks',
  summary: 'Find out why a message does not verify',
  description:
    'Finds the mistakes that prevent a received message from verifying, such as a reserialised body, a wrong secret, a wrong clock or a missing header. Send the body and the headers as your receiver got them. If you also send the signature that your code computed, the diagnosis covers mistakes in the computation. The request is not stored, and the response contains neither a secret nor a signature. Secrets that were erased after a rotation are unknown. The body is compared with the event only if the app can read the event now, or if a delivery of the event could have reached this endpoint. A truncated or reserialised body is recognised only if the signature is correct for the body that was sent.',
  access: allowAppManagement('endpoints.read'),
  params: endpointParams,
  body: ReceivedMessage,
  examples: { writtenAgain: exampleMessage },
  replies: ok('The mistakes.', Diagnosis, { writtenAgain: exampleDiagnosis }),
  async run({ plane, tenant }, { ids: { endpointId }, body }) {
    const webhookId = Object.entries(body.headers).find(([name]) => name.toLowerCase() === 'webhook-id')?.[1];
    const eventId = webhookId === undefined ? undefined : fromId('evt', webhookId.trim());
    const [row, others, sent] = await Promise.all([
      findSecrets(tenant, endpointId),
      listOtherSecrets(tenant, endpointId, MAX_OTHERS),
      eventId === undefined ? [] : listSentBodies(tenant, endpointId, eventId),
    ]);
    if (!row) throw problem('not_found');
    const [secret, previous] = openSecrets(row, plane.secrets.masterKeys);
    const receivedAtMs = Date.parse(body.receivedAt ?? '');
    const findings = diagnose(
      {
        body: Buffer.from(body.bodyBase64, 'base64'),
        headers: body.headers,
        receivedAtMs: Number.isNaN(receivedAtMs) ? undefined : receivedAtMs,
        computed: body.computedSignature,
      },
      {
        secret,
        previous,
        others: others.flatMap((other) => openOtherSecret(other, plane.secrets.masterKeys)),
        sent: sent.map((text) => Buffer.from(text)),
      },
    );
    return { status: 200, body: toDiagnosis(findings) };
  },
});
