import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleFault, Fault, FaultChange, faultParams, toFault } from './fault.ts';
import { updateFaultRow } from './store.ts';

export const updateFault = operation({
  id: 'updateFault',
  route: 'PATCH /organisations/{organisationId}/apps/{appId}/faults/{faultId}',
  tag: 'Faults',
  summary: 'Change a fault rule',
  description: 'Enables or disables the rule, or changes its share. For another operation or effect, add a new rule.',
  access: allowAppManagement('faults.change'),
  params: faultParams,
  body: FaultChange,
  examples: { off: { isEnabled: false } },
  replies: ok('The rule after the change.', Fault, { off: { ...exampleFault, isEnabled: false } }),
  async run({ tenant, audit }, { ids, params, body }) {
    const row = await updateFaultRow(tenant, ids.faultId, body);
    if (!row) throw problem('not_found');
    audit('fault.update', params.faultId, body);
    return { status: 200, body: toFault(row) };
  },
});
