import { organisationParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from './access.ts';
import { exampleOrganisation, OperatedOrganisation, Quotas, toOperated } from './operator.ts';
import { updateQuotas } from './store.ts';

export const setQuotas = operation({
  id: 'setQuotas',
  route: 'PUT /api/operator/organisations/{organisationId}/quotas',
  tag: 'Operators',
  summary: "Set an organisation's quotas",
  description: 'Replaces all quotas of an organisation. A quota that is left out returns to its default.',
  access: operator(),
  params: organisationParams,
  body: Quotas,
  examples: { more: { apps: 20, keysPerApp: 500 } },
  replies: ok('The organisation.', OperatedOrganisation, { anOrganisation: exampleOrganisation }),
  problems: ['not_found'],
  async run({ tx, recordOf, services, afterCommit }, { ids: { organisationId }, body }) {
    const row = await updateQuotas(tx, organisationId, body);
    if (!row) throw problem('not_found');
    await recordOf(row.organisation_id, 'organisation.set_quotas', body);
    afterCommit(() => services.onStatusChange(row.organisation_id));
    return { status: 200, body: toOperated(row) };
  },
});
