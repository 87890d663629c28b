import { cursorBinding, managesOrganisation, organisationParams } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { App, exampleApp, toApp } from './app.ts';
import { listAppRows } from './store.ts';

export const listApps = operation({
  id: 'listApps',
  method: 'GET',
  path: '/organisations/{organisationId}/apps',
  tag: 'Apps',
  summary: 'List apps',
  description: "The organisation's apps in this environment, newest first.",
  access: managesOrganisation('apps.read'),
  params: organisationParams,
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of apps.',
      schema: named('AppList', listOf(App, 'A page of apps.')),
      examples: { aPage: { data: [exampleApp], nextCursor: null } },
    },
  },
  async run({ plane, actor, tx }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(actor.organisationId, 'listApps', query);
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const after = position === undefined ? undefined : fromId('app', position);
    const rows = await listAppRows(tx, actor.organisationId, after, limit + 1);
    const body = toList(
      rows,
      limit,
      (row) => toApp(row, plane.environment),
      (row) => sealCursor(toId('app', row.app_id), binding, plane.cursorKey),
    );
    return { status: 200, body };
  },
});
