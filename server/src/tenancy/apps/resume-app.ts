import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { releaseDeliveriesOfApp } from '../../webhooks/webhooks/index.ts';
import { App, exampleApp, toApp } from './app.ts';
import { requireLockedApp } from './end-app-access.ts';
import { updateState } from './store.ts';

export const resumeApp = operation({
  id: 'resumeApp',
  route: 'POST /organisations/{organisationId}/apps/{appId}/resume',
  tag: 'Apps',
  summary: 'Resume an app',
  description:
    'Ends a suspension. Keys that are still valid give access again. The sandbox data and the workflow runs continue. Held deliveries are sent, unless another condition holds them. Restore an app that is being deleted first. Only the operator of Slipway can resume an app whose organisation is suspended.',
  access: allowAppManagement('apps.suspend'),
  params: appParams,
  replies: ok('The app.', App, { anApp: exampleApp }),
  problems: ['conflict'],
  async run(context, { params }) {
    const { plane, tenant, audit, wakeWorkers } = context;
    const { erase_at: eraseAt, organisation_status: organisation, live_status: live } = await requireLockedApp(context);
    if (eraseAt) throw problem('conflict', { detail: 'The app is being deleted; restore it first.' });
    if (organisation !== 'active') {
      const reason = organisation === 'suspended' ? 'was suspended by the operator' : 'is being deleted';
      throw problem('conflict', { detail: `The organisation ${reason}. Its apps cannot be resumed.` });
    }
    if (live !== 'active')
      throw problem('conflict', {
        detail: `The live access of the app is ${live}. Only the operator of Slipway can change it.`,
      });
    const row = await updateState(tenant, 'active');
    await releaseDeliveriesOfApp(tenant);
    wakeWorkers();
    audit('app.resume', params.appId);
    return { status: 200, body: toApp(row, plane) };
  },
});
