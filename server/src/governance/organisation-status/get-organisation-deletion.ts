import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberChange } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleDeletion, OrganisationDeletion, toDeletion } from './organisation-status.ts';
import { findOrganisationStatus, listReceipts } from './store.ts';

export const getOrganisationDeletion = operation({
  id: 'getOrganisationDeletion',
  route: 'GET /api/organisations/{organisationId}/deletion',
  tag: 'Organisations',
  summary: 'Get the deletion of an organisation',
  description:
    'Returns if an organisation is being deleted, until when it can be restored, and which environments have confirmed it.',
  access: allowMemberChange('members.read'),
  params: organisationParams,
  replies: ok(
    'The state of the deletion. `eraseAt` is null if the organisation is not being deleted.',
    OrganisationDeletion,
    { aDeletion: exampleDeletion },
  ),
  async run({ services, actor, tx }) {
    const row = await findOrganisationStatus(tx, actor.organisationId);
    if (!row) throw problem('not_found');
    const receipts = await listReceipts(tx, actor.organisationId);
    return { status: 200, body: toDeletion(row, services.environments, receipts) };
  },
});
