import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { AppDeletion, exampleApp, exampleStop, graceDaysOf, StoppedApp, toApp } from './app.ts';
import { endAppAccess, requireLockedApp } from './end-app-access.ts';
import { scheduleErasure } from './store.ts';

export const deleteApp = operation({
  id: 'deleteApp',
  route: 'POST /organisations/{organisationId}/apps/{appId}/delete',
  tag: 'Apps',
  summary: 'Delete an app',
  description:
    'Stops all activity of an app immediately, like `suspendApp`, and sets the time of its erasure. Until then, `restoreApp` cancels the deletion. After that time the app does not exist, and all its data except the audit log is erased. A repeated deletion does not change the time.',
  access: allowAppManagement('apps.delete'),
  params: appParams,
  body: AppDeletion,
  examples: { aWeek: {}, aDay: { graceDays: 1 } },
  replies: ok('The app with the time of its erasure, and the stopped activity.', StoppedApp, {
    aDeletion: {
      app: { ...exampleApp, state: 'deleting', eraseAt: '2026-11-10T09:00:00.000Z' },
      stopped: exampleStop,
    },
  }),
  async run(context, { params, body }) {
    const { plane, tenant, audit } = context;
    const locked = await requireLockedApp(context);
    const { row, stopped } = await endAppAccess(context, async () =>
      locked.erase_at ? locked : scheduleErasure(tenant, graceDaysOf(body)),
    );
    const answer = { app: toApp(row, plane), stopped };
    audit('app.delete', params.appId, { eraseAt: answer.app.eraseAt, ...stopped });
    return { status: 200, body: answer };
  },
});
