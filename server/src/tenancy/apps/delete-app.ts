import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { AppDeletion, exampleApp, exampleStop, graceDaysOf, StoppedApp, toApp } from './app.ts';
import { holdApp, stopApp } from './stop-app.ts';
import { dateErasing } from './store.ts';

export const deleteApp = operation({
  id: 'deleteApp',
  method: 'POST',
  path: '/organisations/{organisationId}/apps/{appId}/delete',
  tag: 'Apps',
  summary: 'Delete an app',
  description:
    'Stops everything of an app at once, as `suspendApp` does, and dates its end: until then `restoreApp` takes it back, from then on it does not exist, and all of it but the audit log is erased. Deleting an app again moves nothing.',
  access: managesApp('apps.delete'),
  params: appParams,
  body: AppDeletion,
  examples: { aWeek: {}, aDay: { graceDays: 1 } },
  replies: {
    200: {
      description: 'The app with its date, and what was stopped.',
      schema: StoppedApp,
      examples: {
        aDeletion: {
          app: { ...exampleApp, state: 'deleting', eraseAt: '2026-11-10T09:00:00.000Z' },
          stopped: exampleStop,
        },
      },
    },
  },
  async run(context, { params, body }) {
    const { plane, tenant, audit } = context;
    const held = await holdApp(context);
    const { row, stopped } = await stopApp(context, async () =>
      held.erase_at ? held : dateErasing(tenant, graceDaysOf(body)),
    );
    const answer = { app: toApp(row, plane.environment), stopped };
    audit('app.delete', params.appId, { eraseAt: answer.app.eraseAt, ...stopped });
    return { status: 200, body: answer };
  },
});
