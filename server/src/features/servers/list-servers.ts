import { fromId, toId } from '../../kit/ids.ts';
import { operation } from '../../kit/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/page.ts';
import { closed, named } from '../../kit/schema.ts';
import { cursorBinding, reads } from '../authority/index.ts';
import { exampleServer, Server, toServer } from './server.ts';
import { listReadableServers } from './store.ts';

export const listServers = operation({
  id: 'listServers',
  method: 'GET',
  path: '/v1/servers',
  tag: 'Servers',
  summary: 'List servers',
  description:
    'The servers that have authorised this app with `servers:read`, newest first. Servers where the installation or the scope is paused or revoked are left out.',
  access: reads('servers:read'),
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of servers.',
      schema: named('ServerList', listOf(Server, 'A page of servers.')),
      examples: { aPage: { data: [exampleServer], nextCursor: null } },
    },
  },
  run(context, { query }) {
    const { plane, caller } = context;
    const limit = query.limit ?? DEFAULT_LIMIT;
    return context.page('servers', async (tenant) => {
      // In here, so that a page from the cache costs no hashing; a cursor that is no cursor never makes a page.
      const binding = cursorBinding(caller.appId, 'listServers', query);
      const position = openCursor(query.cursor, binding, plane.cursorKey);
      const after = position === undefined ? undefined : fromId('srv', position);
      const { revision, rows } = await listReadableServers(tenant, after, limit + 1);
      const page = toList(rows, limit, toServer, (row) =>
        sealCursor(toId('srv', row.server_id), binding, plane.cursorKey),
      );
      return { revision, json: JSON.stringify(page) };
    });
  },
});
