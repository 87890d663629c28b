import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { App, exampleApp, toApp } from './app.ts';
import { findAppRow } from './store.ts';

export const getApp = operation({
  id: 'getApp',
  route: 'GET /organisations/{organisationId}/apps/{appId}',
  tag: 'Apps',
  summary: 'Get an app',
  description: 'Returns one app of the organisation.',
  access: allowAppManagement('apps.read'),
  params: appParams,
  replies: ok('The app.', App, { anApp: exampleApp }),
  async run({ plane, actor, tx, app }) {
    const row = await findAppRow(tx, actor.organisationId, app.app_id);
    if (!row) throw problem('not_found');
    return { status: 200, body: toApp(row, plane) };
  },
});
