import { allowMemberWrite } from '../../identity/sessions/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { destinationParams } from './destination.ts';
import { deleteDestination } from './store.ts';

export const deleteNoticeDestination = operation({
  id: 'deleteNoticeDestination',
  route: 'DELETE /api/organisations/{organisationId}/notice-destinations/{destinationId}',
  tag: 'Notices',
  summary: 'Delete a destination of notices',
  description:
    'Deletes a destination with its address, its secret and its waiting messages. An attempt in progress is aborted within a few seconds.',
  access: allowMemberWrite('endpoints.change'),
  params: destinationParams,
  replies: { 204: { description: 'The destination is deleted.' } },
  async run({ actor, tx, audit }, { ids, params }) {
    const row = await deleteDestination(tx, actor.organisationId, ids.destinationId);
    if (!row) throw problem('not_found');
    audit('notice_destination.delete', params.destinationId, { kind: row.kind, name: row.name, host: row.host });
    return { status: 204 };
  },
});
