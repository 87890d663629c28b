import { allowAppManagement } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { faultParams } from './fault.ts';
import { deleteFaultRow } from './store.ts';

export const deleteFault = operation({
  id: 'deleteFault',
  route: 'DELETE /organisations/{organisationId}/apps/{appId}/faults/{faultId}',
  tag: 'Faults',
  summary: 'Delete a fault rule',
  description: 'Deletes the rule. The rule does not apply to calls that begin after the response.',
  access: allowAppManagement('faults.change'),
  params: faultParams,
  replies: { 204: { description: 'The rule was deleted.' } },
  async run({ tenant, audit }, { ids, params }) {
    if (!(await deleteFaultRow(tenant, ids.faultId))) throw problem('not_found');
    audit('fault.delete', params.faultId);
    return { status: 204 };
  },
});
