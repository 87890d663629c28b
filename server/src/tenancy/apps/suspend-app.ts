import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleApp, exampleStop, StoppedApp, toApp } from './app.ts';
import { endAppAccess, requireLockedApp } from './end-app-access.ts';
import { updateState } from './store.ts';

export const suspendApp = operation({
  id: 'suspendApp',
  route: 'POST /organisations/{organisationId}/apps/{appId}/suspend',
  tag: 'Apps',
  summary: 'Suspend an app',
  description:
    'Stops all activity of an app. After the response, every call with its keys returns `app_suspended`, also a person’s call by a key’s id. Calls that began earlier write nothing, and no delivery starts. Pending and new deliveries are held, and its sandbox data and workflow runs are paused. Keys are not revoked, and keep their expiry.',
  access: allowAppManagement('apps.suspend'),
  params: appParams,
  replies: ok('The app, and the stopped activity.', StoppedApp, {
    aSuspension: { app: { ...exampleApp, state: 'suspended', suspendedBy: 'member' }, stopped: exampleStop },
  }),
  problems: ['conflict'],
  async run(context, { params }) {
    const { plane, tenant, audit } = context;
    if ((await requireLockedApp(context)).erase_at) throw problem('conflict', { detail: 'The app is being deleted.' });
    const { row, stopped } = await endAppAccess(context, () => updateState(tenant, 'suspended'));
    audit('app.suspend', params.appId, stopped);
    return { status: 200, body: { app: toApp(row, plane), stopped } };
  },
});
