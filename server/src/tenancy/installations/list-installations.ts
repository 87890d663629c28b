import { appParams, cursorBinding, managesApp } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { exampleInstallation, Installation, toInstallation } from './installation.ts';
import { listInstallationRows } from './store.ts';

export const listInstallations = operation({
  id: 'listInstallations',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/installations',
  tag: 'Installations',
  summary: 'List servers and what they allow',
  description: 'Every server of the app, with its latest installation and the state of each scope.',
  access: managesApp('installations.read'),
  params: appParams,
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of servers.',
      schema: named('InstallationList', listOf(Installation, 'A page of servers and their installations.')),
      examples: { aPage: { data: [exampleInstallation], nextCursor: null } },
    },
  },
  async run({ plane, tenant }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(tenant.appId, 'listInstallations', query);
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const after = position === undefined ? undefined : fromId('srv', position);
    const rows = await listInstallationRows(tenant, after, limit + 1);
    const body = toList(rows, limit, toInstallation, (row) =>
      sealCursor(toId('srv', row.server_id), binding, plane.cursorKey),
    );
    return { status: 200, body };
  },
});
