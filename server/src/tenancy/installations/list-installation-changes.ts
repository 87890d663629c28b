import { appParams, cursorBinding, managesApp, ScopeSchema } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named, Type } from '../../kit/http/schema.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { listInstallationChangeRows } from './change-store.ts';
import { exampleInstallationChange, InstallationChange, toInstallationChange } from './installation-change.ts';

export const listInstallationChanges = operation({
  id: 'listInstallationChanges',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/installation-changes',
  tag: 'Installations',
  summary: 'List changes of installations',
  description:
    'The history of what servers allow the app, newest first, also of servers that are no more: each change was written in the transaction that made it, and nobody can change it. Of one server with `serverId`; of one scope, with what befell its installations as a whole, with `scope`.',
  access: managesApp('installations.read'),
  params: appParams,
  query: closed({ ...listQuery, serverId: Type.Optional(ServerId), scope: Type.Optional(ScopeSchema) }),
  replies: {
    200: {
      description: 'A page of changes.',
      schema: named('InstallationChangeList', listOf(InstallationChange, 'A page of changes.')),
      examples: { aPage: { data: [exampleInstallationChange], nextCursor: null } },
    },
  },
  async run({ plane, tenant }, { ids: { serverId }, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(tenant.appId, 'listInstallationChanges', query);
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const before = position === undefined ? undefined : fromId('ich', position);
    const rows = await listInstallationChangeRows(tenant, { serverId, scope: query.scope }, before, limit + 1);
    const body = toList(rows, limit, toInstallationChange, (row) =>
      sealCursor(toId('ich', row.change_id), binding, plane.cursorKey),
    );
    return { status: 200, body };
  },
});
