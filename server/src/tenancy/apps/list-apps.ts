import { allowOrganisationManagement, organisationParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { App, exampleApp, toApp } from './app.ts';
import { listAppRows } from './store.ts';

export const listApps = operation({
  id: 'listApps',
  route: 'GET /organisations/{organisationId}/apps',
  tag: 'Apps',
  summary: 'List apps',
  description: "Lists the organisation's apps in this environment, newest first.",
  access: allowOrganisationManagement('apps.read'),
  params: organisationParams,
  query: strictObject(listQuery),
  replies: listReplies('AppList', App, 'A page of apps.', exampleApp),
  run: ({ plane, actor, tx, paged }) =>
    paged({
      prefix: 'app',
      load: (after, limit) => listAppRows(tx, actor.organisationId, after, limit),
      toItem: (row) => toApp(row, plane),
      idOf: (row) => row.app_id,
    }),
});
