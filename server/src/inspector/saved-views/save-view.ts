import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberChange } from '../../identity/sessions/index.ts';
import { toUuid } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleInput, exampleSavedView, MAX_VIEWS, SavedView, SavedViewInput, toSavedView } from './saved-view.ts';
import { upsertView } from './store.ts';

export const saveView = operation({
  id: 'saveView',
  route: 'PUT /api/organisations/{organisationId}/saved-views',
  tag: 'Requests',
  summary: 'Save a view',
  description: `Saves the filters of a list under a name, in place of your view with the same app, page and name. Only you can read and delete the view. You can save up to ${MAX_VIEWS} views in an organisation. A view ends with your membership.`,
  access: allowMemberChange('views.change'),
  params: organisationParams,
  body: SavedViewInput,
  examples: { aView: exampleInput },
  replies: ok('The saved view.', SavedView, { aView: exampleSavedView }),
  problems: ['quota_exceeded'],
  async run({ actor, tx }, { body }) {
    const { page, name, filters } = body;
    const app_id = toUuid('app', body.appId);
    const row = await upsertView(tx, actor, { app_id, page, name: name.trim(), filters });
    if (row) return { status: 200, body: toSavedView(row) };
    throw problem('quota_exceeded', {
      detail: `A member has at most ${MAX_VIEWS} saved views in an organisation. Delete a view first.`,
    });
  },
});
