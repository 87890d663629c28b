import { organisationParams } from '../../access/authority/index.ts';
import { memberMay } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { pushStanding } from './push-standing.ts';
import { exampleDeletion, OrganisationDeletion, toDeletion } from './standing.ts';
import { cancelDeletion, findStanding } from './store.ts';

export const restoreOrganisation = operation({
  id: 'restoreOrganisation',
  method: 'POST',
  path: '/api/organisations/{organisationId}/restore',
  tag: 'Organisations',
  summary: 'Restore an organisation',
  description:
    'Takes the deletion of an organisation back, within its grace. Its apps are suspended: `resumeApp` lets each of them go on.',
  access: memberMay('organisation.delete'),
  params: organisationParams,
  replies: {
    200: {
      description: 'The organisation has no end any more.',
      schema: OrganisationDeletion,
      examples: { restored: { ...exampleDeletion, eraseAt: null } },
    },
  },
  problems: ['conflict'],
  async run({ services, actor, tx, audit, afterCommit }) {
    const { organisationId } = actor;
    const row = await findStanding(tx, organisationId);
    if (!row) throw problem('not_found');
    if (row.delete_at) {
      if (!(await cancelDeletion(tx, organisationId))) {
        throw problem('conflict', { detail: 'The organisation is being erased.' });
      }
      audit('organisation.restore', toId('org', organisationId));
    }
    return afterCommit(async () => {
      const pushed = await pushStanding(services, organisationId);
      if (!pushed) throw problem('not_found');
      return { status: 200, body: toDeletion(pushed.row, services.environments, pushed.receipts) };
    });
  },
});
