import { allowMemberChange } from '../../identity/sessions/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { savedViewParams } from './saved-view.ts';
import { deleteView } from './store.ts';

export const deleteSavedView = operation({
  id: 'deleteSavedView',
  route: 'DELETE /api/organisations/{organisationId}/saved-views/{savedViewId}',
  tag: 'Requests',
  summary: 'Delete a saved view',
  description: 'Deletes one of your saved views.',
  access: allowMemberChange('views.change'),
  params: savedViewParams,
  replies: { 204: { description: 'The view is deleted.' } },
  async run({ actor, tx }, { ids }) {
    if (!(await deleteView(tx, actor, ids.savedViewId))) throw problem('not_found');
    return { status: 204 };
  },
});
