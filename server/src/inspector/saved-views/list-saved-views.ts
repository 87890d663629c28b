import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberRead } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject, Type } from '../../kit/http/schema.ts';
import { exampleSavedView, MAX_VIEWS, SavedView, toSavedView } from './saved-view.ts';
import { listViews } from './store.ts';

const SavedViewList = namedObject('SavedViewList', 'Your saved views in an organisation.', {
  data: Type.Array(SavedView, { maxItems: MAX_VIEWS, description: 'The views, in the order of their names.' }),
});

export const listSavedViews = operation({
  id: 'listSavedViews',
  route: 'GET /api/organisations/{organisationId}/saved-views',
  tag: 'Requests',
  summary: 'List your saved views',
  description: 'Lists the views that you saved in the organisation, for every app.',
  access: allowMemberRead('views.read'),
  params: organisationParams,
  replies: ok('The views.', SavedViewList, { one: { data: [exampleSavedView] } }),
  async run({ actor, tx }) {
    return { status: 200, body: { data: (await listViews(tx, actor)).map(toSavedView) } };
  },
});
