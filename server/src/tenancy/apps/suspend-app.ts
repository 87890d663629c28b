import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleApp, exampleStop, StoppedApp, toApp } from './app.ts';
import { holdApp, stopApp } from './stop-app.ts';
import { updateState } from './store.ts';

export const suspendApp = operation({
  id: 'suspendApp',
  method: 'POST',
  path: '/organisations/{organisationId}/apps/{appId}/suspend',
  tag: 'Apps',
  summary: 'Suspend an app',
  description:
    'Stops everything of an app. When this is answered every call with its keys is answered `app_suspended`, also a person’s call by a key’s id; nothing is written by a call that began before, and no delivery begins. Deliveries that wait, and those of events from now on, are held; its world and its workflow runs stand still. Keys are not revoked, and go on towards their expiry.',
  access: managesApp('apps.suspend'),
  params: appParams,
  replies: {
    200: {
      description: 'The app, and what was stopped.',
      schema: StoppedApp,
      examples: {
        aSuspension: { app: { ...exampleApp, state: 'suspended', suspendedBy: 'member' }, stopped: exampleStop },
      },
    },
  },
  problems: ['conflict'],
  async run(context, { params }) {
    const { plane, tenant, audit } = context;
    if ((await holdApp(context)).erase_at) throw problem('conflict', { detail: 'The app is being deleted.' });
    const { row, stopped } = await stopApp(context, () => updateState(tenant, 'suspended'));
    audit('app.suspend', params.appId, stopped);
    return { status: 200, body: { app: toApp(row, plane.environment), stopped } };
  },
});
