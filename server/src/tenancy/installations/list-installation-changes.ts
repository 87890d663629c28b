import { allowAppManagement, appParams, ScopeSchema } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { listInstallationChangeRows } from './change-store.ts';
import { exampleInstallationChange, InstallationChange, toInstallationChange } from './installation-change.ts';

export const listInstallationChanges = operation({
  id: 'listInstallationChanges',
  route: 'GET /organisations/{organisationId}/apps/{appId}/installation-changes',
  tag: 'Installations',
  summary: 'List changes of installations',
  description:
    'Lists the history of grants to the app, newest first, including servers that no longer exist. Each change is written in the transaction that makes it and is immutable. `serverId` selects one server. `scope` selects one scope, together with changes of its installation as a whole.',
  access: allowAppManagement('installations.read'),
  params: appParams,
  query: strictObject({ ...listQuery, serverId: Type.Optional(ServerId), scope: Type.Optional(ScopeSchema) }),
  replies: listReplies('InstallationChangeList', InstallationChange, 'A page of changes.', exampleInstallationChange),
  run: ({ tenant, paged }, { ids: { serverId }, query: { scope } }) =>
    paged({
      prefix: 'ich',
      load: (before, limit) => listInstallationChangeRows(tenant, { serverId, scope }, before, limit),
      toItem: toInstallationChange,
      idOf: (row) => row.change_id,
    }),
});
