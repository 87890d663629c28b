import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberChange } from '../../identity/sessions/index.ts';
import { toUuid } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findErasedApps } from './find-erased-apps.ts';
import { exampleInput, exampleSavedView, MAX_VIEWS, SavedView, SavedViewInput, toSavedView } from './saved-view.ts';
import { deleteViewsOfApps, listViewedApps, upsertView } from './store.ts';

export const saveView = operation({
  id: 'saveView',
  route: 'PUT /api/organisations/{organisationId}/saved-views',
  tag: 'Requests',
  summary: 'Save a view',
  description: `Saves the filters of a list under a name, in place of your view with the same app, page and name. Only you can read and delete the view. You can save up to ${MAX_VIEWS} views in an organisation. Views of erased apps do not count: at the limit they are deleted. A view ends with your membership.`,
  access: allowMemberChange('views.change'),
  params: organisationParams,
  body: SavedViewInput,
  examples: { aView: exampleInput },
  replies: ok('The saved view.', SavedView, { aView: exampleSavedView }),
  problems: ['quota_exceeded'],
  async run({ services, actor, tx, runAgain, afterCommit }, { body }) {
    const { page, name, filters } = body;
    const view = { app_id: toUuid('app', body.appId), page, name: name.trim(), filters };
    const row = await upsertView(tx, actor, view);
    if (row) return { status: 200, body: toSavedView(row) };
    // The Console does not know when an environment erases an app. It asks outside of the transaction, whose lock would
    // delay other changes of the organisation.
    const viewed = await listViewedApps(tx, actor);
    return afterCommit(async () => {
      const erased = await findErasedApps(services, actor, viewed);
      return runAgain(async (work) => {
        await deleteViewsOfApps(work.tx, work.actor, erased);
        const saved = await upsertView(work.tx, work.actor, view);
        if (saved) return { status: 200, body: toSavedView(saved) };
        throw problem('quota_exceeded', {
          detail: `A member has at most ${MAX_VIEWS} saved views in an organisation. Delete a view first.`,
        });
      });
    });
  },
});
