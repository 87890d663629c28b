import { allowAppManagement } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { endpointParams } from './endpoint.ts';
import { endPreviousSecretRow, lockSecrets } from './secret-store.ts';

export const endPreviousSecret = operation({
  id: 'endPreviousSecret',
  route: 'DELETE /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/secret/previous',
  tag: 'Webhooks',
  summary: 'End the overlap of a rotation',
  description:
    'Erases the previous signing secret, so that only the current secret signs from now on. Requests that are in flight can still carry both signatures. If the overlap has already ended, nothing changes.',
  access: allowAppManagement('endpoints.rotate'),
  params: endpointParams,
  replies: { 204: { description: 'Only the current secret signs.' } },
  async run({ tenant, audit }, { ids: { endpointId }, params }) {
    const held = await lockSecrets(tenant, endpointId);
    if (!held) throw problem('not_found');
    if (held.sealed_previous_secret) {
      await endPreviousSecretRow(tenant, endpointId);
      audit('signing_secret.end_overlap', params.endpointId);
    }
    return { status: 204 };
  },
});
