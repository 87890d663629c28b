import { organisationParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from './access.ts';
import { exampleOrganisation, OperatedOrganisation, toOperated } from './operator.ts';
import { resume } from './store.ts';

export const resumeOrganisation = operation({
  id: 'resumeOrganisation',
  route: 'POST /api/operator/organisations/{organisationId}/resume',
  tag: 'Operators',
  summary: 'Resume an organisation',
  description: 'Ends the suspension of an organisation.',
  access: operator(),
  params: organisationParams,
  replies: ok('The organisation.', OperatedOrganisation, { anOrganisation: exampleOrganisation }),
  problems: ['not_found'],
  async run({ tx, recordOf, services, afterCommit }, { ids: { organisationId } }) {
    const row = await resume(tx, organisationId);
    if (!row) throw problem('not_found');
    await recordOf(row.organisation_id, 'organisation.resume');
    afterCommit(() => services.onStatusChange(row.organisation_id));
    return { status: 200, body: toOperated(row) };
  },
});
