import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { exampleInstallation, Installation, toInstallation } from './installation.ts';
import { listInstallationRows } from './store.ts';

export const listInstallations = operation({
  id: 'listInstallations',
  route: 'GET /organisations/{organisationId}/apps/{appId}/installations',
  tag: 'Installations',
  summary: 'List servers and their grants',
  description: 'Lists every server of the app, with its latest installation and the state of each scope.',
  access: allowAppManagement('installations.read'),
  params: appParams,
  query: strictObject(listQuery),
  replies: listReplies(
    'InstallationList',
    Installation,
    'A page of servers and their installations.',
    exampleInstallation,
  ),
  run: ({ tenant, paged }) =>
    paged({
      prefix: 'srv',
      load: (after, limit) => listInstallationRows(tenant, after, limit),
      toItem: toInstallation,
      idOf: (row) => row.server_id,
    }),
});
