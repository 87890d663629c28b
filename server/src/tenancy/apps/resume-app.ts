import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { releaseDeliveriesOfApp } from '../../webhooks/webhooks/index.ts';
import { App, exampleApp, toApp } from './app.ts';
import { holdApp } from './stop-app.ts';
import { updateState } from './store.ts';

export const resumeApp = operation({
  id: 'resumeApp',
  method: 'POST',
  path: '/organisations/{organisationId}/apps/{appId}/resume',
  tag: 'Apps',
  summary: 'Resume an app',
  description:
    'Ends a suspension. Keys that are still valid give access again, the world and the workflow runs go on, and what was held is delivered, unless something else holds it still. An app that is being deleted is restored first; one that was suspended with its organisation waits for the operator of Slipway.',
  access: managesApp('apps.suspend'),
  params: appParams,
  replies: { 200: { description: 'The app.', schema: App, examples: { anApp: exampleApp } } },
  problems: ['conflict'],
  async run(context, { params }) {
    const { plane, tenant, audit, wakeWorkers } = context;
    const { erase_at: eraseAt, organisation_standing: standing, live_standing: live } = await holdApp(context);
    if (eraseAt) throw problem('conflict', { detail: 'The app is being deleted; restore it first.' });
    if (standing !== 'active') {
      const why = standing === 'suspended' ? 'was suspended by the operator' : 'is being deleted';
      throw problem('conflict', { detail: `The organisation ${why}, and its apps with it.` });
    }
    if (live !== 'active') throw problem('conflict', { detail: `The live access of the app is ${live}.` });
    const row = await updateState(tenant, 'active');
    await releaseDeliveriesOfApp(tenant);
    wakeWorkers();
    audit('app.resume', params.appId);
    return { status: 200, body: toApp(row, plane.environment) };
  },
});
