import { organisationParams } from '../../access/authority/index.ts';
import { memberMay } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { pushStanding } from './push-standing.ts';
import { exampleDeletion, GRACE_DAYS, OrganisationDeletion, OrganisationDeletionWish, toDeletion } from './standing.ts';
import { dateDeletion, findStanding } from './store.ts';

export const deleteOrganisation = operation({
  id: 'deleteOrganisation',
  method: 'POST',
  path: '/api/organisations/{organisationId}/delete',
  tag: 'Organisations',
  summary: 'Delete an organisation',
  description:
    'Stops all its apps in every environment at once, and dates its end a week ahead. Until then `restoreOrganisation` takes it back and `exportOrganisation` hands out all that it has; then everything of it is erased, in every environment and here. An environment that cannot be reached now is told as soon as it can; until all have confirmed that nothing is left, the organisation stays on record here. Deleting it again moves nothing.',
  access: memberMay('organisation.delete'),
  params: organisationParams,
  body: OrganisationDeletionWish,
  examples: { byName: { organisationName: 'Harbour Tools' } },
  replies: {
    200: {
      description: 'Its end, and which environments have stopped its apps.',
      schema: OrganisationDeletion,
      examples: { aDeletion: exampleDeletion },
    },
  },
  async run({ services, actor, tx, audit, afterCommit }, { body }) {
    const { organisationId } = actor;
    const row = await findStanding(tx, organisationId);
    if (!row) throw problem('not_found');
    if (body.organisationName.trim() !== row.name) {
      throw problem('invalid_request', {
        errors: [{ pointer: '/organisationName', detail: 'is not the name of this organisation' }],
      });
    }
    await dateDeletion(tx, organisationId, GRACE_DAYS);
    if (!row.delete_at) audit('organisation.delete', toId('org', organisationId), { graceDays: GRACE_DAYS });
    return afterCommit(async () => {
      const pushed = await pushStanding(services, organisationId);
      if (!pushed) throw problem('not_found');
      return { status: 200, body: toDeletion(pushed.row, services.environments, pushed.receipts) };
    });
  },
});
