import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberChange } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleDeletion, OrganisationDeletion, toDeletion } from './organisation-status.ts';
import { reportOrganisationStatus } from './report-organisation-status.ts';
import { cancelDeletion, findOrganisationStatus } from './store.ts';

export const restoreOrganisation = operation({
  id: 'restoreOrganisation',
  route: 'POST /api/organisations/{organisationId}/restore',
  tag: 'Organisations',
  summary: 'Restore an organisation',
  description:
    'Undoes the deletion of an organisation within its grace period. Its apps stay suspended; `resumeApp` resumes each app.',
  access: allowMemberChange('organisation.delete'),
  params: organisationParams,
  replies: ok('The organisation is no longer being deleted.', OrganisationDeletion, {
    restored: { ...exampleDeletion, eraseAt: null },
  }),
  problems: ['conflict'],
  async run({ services, actor, tx, audit, afterCommit }) {
    const { organisationId } = actor;
    const row = await findOrganisationStatus(tx, organisationId);
    if (!row) throw problem('not_found');
    if (row.delete_at) {
      if (!(await cancelDeletion(tx, organisationId))) {
        throw problem('conflict', { detail: 'The organisation is already being erased.' });
      }
      audit('organisation.restore', toId('org', organisationId));
    }
    return afterCommit(async () => {
      const pushed = await reportOrganisationStatus(services, organisationId);
      if (!pushed) throw problem('not_found');
      return { status: 200, body: toDeletion(pushed.row, services.environments, pushed.receipts) };
    });
  },
});
