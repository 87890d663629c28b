import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberChange } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import {
  exampleDeletion,
  GRACE_DAYS,
  OrganisationDeletion,
  OrganisationDeletionInput,
  toDeletion,
} from './organisation-status.ts';
import { reportOrganisationStatus } from './report-organisation-status.ts';
import { findOrganisationStatus, scheduleDeletion } from './store.ts';

export const deleteOrganisation = operation({
  id: 'deleteOrganisation',
  route: 'POST /api/organisations/{organisationId}/delete',
  tag: 'Organisations',
  summary: 'Delete an organisation',
  description:
    'Stops all apps of the organisation in every environment immediately, and schedules the erasure for seven days later. Until then you can undo the deletion with `restoreOrganisation`, and export all data with `exportOrganisation`. Then all data of the organisation is erased in every environment and in the Console. An unreachable environment is notified as soon as it can be reached. The Console keeps the organisation until every environment has confirmed the erasure. Deleting the organisation again does not change the date.',
  access: allowMemberChange('organisation.delete'),
  params: organisationParams,
  body: OrganisationDeletionInput,
  examples: { byName: { organisationName: 'Harbour Tools' } },
  replies: ok('Date of the erasure, and the environments that have stopped the apps.', OrganisationDeletion, {
    aDeletion: exampleDeletion,
  }),
  async run({ services, actor, tx, audit, afterCommit }, { body }) {
    const { organisationId } = actor;
    const row = await findOrganisationStatus(tx, organisationId);
    if (!row) throw problem('not_found');
    if (body.organisationName.trim() !== row.name) {
      throw problem('invalid_request', {
        errors: [{ pointer: '/organisationName', detail: 'must be the name of this organisation' }],
      });
    }
    await scheduleDeletion(tx, organisationId, GRACE_DAYS);
    if (!row.delete_at) audit('organisation.delete', toId('org', organisationId), { graceDays: GRACE_DAYS });
    return afterCommit(async () => {
      const pushed = await reportOrganisationStatus(services, organisationId);
      if (!pushed) throw problem('not_found');
      return { status: 200, body: toDeletion(pushed.row, services.environments, pushed.receipts) };
    });
  },
});
