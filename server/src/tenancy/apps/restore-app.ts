import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { App, exampleApp, toApp } from './app.ts';
import { requireLockedApp } from './end-app-access.ts';
import { cancelErasure } from './store.ts';

export const restoreApp = operation({
  id: 'restoreApp',
  route: 'POST /organisations/{organisationId}/apps/{appId}/restore',
  tag: 'Apps',
  summary: 'Restore an app',
  description:
    'Cancels a deletion within its grace period, except in its last minute. The app has all its previous data and is suspended. Before `resumeApp`, check its keys and revoke those that must not give access again.',
  access: allowAppManagement('apps.delete'),
  params: appParams,
  replies: ok('The app.', App, { anApp: { ...exampleApp, state: 'suspended', suspendedBy: 'member' } }),
  problems: ['conflict'],
  async run(context, { params }) {
    const { plane, tenant, audit } = context;
    const locked = await requireLockedApp(context);
    if (locked.erase_at === null) return { status: 200, body: toApp(locked, plane) };
    const row = await cancelErasure(tenant);
    if (!row) throw problem('conflict', { detail: 'The app is about to be erased and can no longer be restored.' });
    audit('app.restore', params.appId);
    return { status: 200, body: toApp(row, plane) };
  },
});
