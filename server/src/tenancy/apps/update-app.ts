import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { App, AppChange, exampleApp, toApp } from './app.ts';
import { requireLockedApp } from './end-app-access.ts';
import { updateName } from './store.ts';

export const updateApp = operation({
  id: 'updateApp',
  route: 'PATCH /organisations/{organisationId}/apps/{appId}',
  tag: 'Apps',
  summary: 'Rename an app',
  description: 'Changes the name of an app. Its identifier and all its data are unchanged.',
  access: allowAppManagement('apps.change'),
  params: appParams,
  body: AppChange,
  examples: { aName: { name: 'Ticket bridge (staging)' } },
  replies: ok('The updated app.', App, { aName: { ...exampleApp, name: 'Ticket bridge (staging)' } }),
  async run(context, { params, body }) {
    const { plane, tenant, audit } = context;
    const { name: before } = await requireLockedApp(context);
    const row = await updateName(tenant, body.name.trim());
    audit('app.update', params.appId, { name: row.name, before });
    return { status: 200, body: toApp(row, plane.environment) };
  },
});
