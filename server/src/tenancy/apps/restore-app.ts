import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { App, exampleApp, toApp } from './app.ts';
import { holdApp } from './stop-app.ts';
import { cancelErasing } from './store.ts';

export const restoreApp = operation({
  id: 'restoreApp',
  method: 'POST',
  path: '/organisations/{organisationId}/apps/{appId}/restore',
  tag: 'Apps',
  summary: 'Restore an app',
  description:
    'Takes a deletion back, within its grace but for its last minute. Everything of the app is as it was, and the app is suspended: look at its keys, and revoke what should not give access again, before `resumeApp`.',
  access: managesApp('apps.delete'),
  params: appParams,
  replies: {
    200: {
      description: 'The app.',
      schema: App,
      examples: { anApp: { ...exampleApp, state: 'suspended', suspendedBy: 'member' } },
    },
  },
  problems: ['conflict'],
  async run(context, { params }) {
    const { plane, tenant, audit } = context;
    const held = await holdApp(context);
    if (held.erase_at === null) return { status: 200, body: toApp(held, plane.environment) };
    const row = await cancelErasing(tenant);
    if (!row) throw problem('conflict', { detail: 'The app is about to be erased.' });
    audit('app.restore', params.appId);
    return { status: 200, body: toApp(row, plane.environment) };
  },
});
