import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { App, AppChange, exampleApp, toApp } from './app.ts';
import { requireLockedApp } from './end-app-access.ts';
import { updateSettings } from './store.ts';

export const updateApp = operation({
  id: 'updateApp',
  route: 'PATCH /organisations/{organisationId}/apps/{appId}',
  tag: 'Apps',
  summary: 'Change an app',
  description:
    'Changes the name of an app, or whether the sandbox stores the headers and bodies of its requests. Its identifier and all its data are unchanged. `capturesBodies: true` applies to requests that arrive after the response; `false` also makes stored headers and bodies unreadable before the response. It is refused in production, and if the operator forbids it.',
  access: allowAppManagement('apps.change'),
  params: appParams,
  body: AppChange,
  examples: { aName: { name: 'Ticket bridge (staging)' }, captures: { capturesBodies: true } },
  replies: ok('The updated app.', App, { aName: { ...exampleApp, name: 'Ticket bridge (staging)' } }),
  problems: ['conflict'],
  async run(context, { params, body: { name, capturesBodies } }) {
    const { plane, tenant, audit } = context;
    if (capturesBodies === true && !plane.captures)
      throw problem('conflict', { detail: NO_CAPTURES[plane.environment] });
    const before = await requireLockedApp(context);
    const row = await updateSettings(tenant, { name: name?.trim(), capturesBodies });
    if (name !== undefined) audit('app.update', params.appId, { name: row.name, before: before.name });
    const [wasCapturing, isCapturing] = [before, row].map(({ captures_since }) => captures_since !== null);
    if (isCapturing && !wasCapturing) audit('app.captures_begin', params.appId, { name: row.name });
    if (wasCapturing && !isCapturing) audit('app.captures_end', params.appId, { name: row.name });
    return { status: 200, body: toApp(row, plane) };
  },
});

const NO_CAPTURES = {
  sandbox: 'The operator of Slipway forbids the storing of headers and bodies.',
  production: 'Production does not store headers and bodies of requests.',
};
