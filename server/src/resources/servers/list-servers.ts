import { allowKeyRead, listPage } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { linkOfFirst, listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { exampleServer, Server, toServer } from './server.ts';
import { listReadableServers } from './store.ts';

export const listServers = operation({
  id: 'listServers',
  route: 'GET /v1/servers',
  tag: 'Servers',
  summary: 'List servers',
  description:
    'Lists the servers that have authorised this app with `servers:read`, newest first. The list omits servers whose installation or scope is paused or revoked.',
  access: allowKeyRead('servers:read'),
  query: strictObject(listQuery),
  replies: listReplies('ServerList', Server, 'A page of servers.', exampleServer, {
    headers: ['Link'],
    links: { aServer: linkOfFirst('getServer', 'serverId', 'A server of the page.') },
  }),
  run: (context) =>
    listPage(context, {
      collection: 'servers',
      prefix: 'srv',
      idOf: (row) => row.server_id,
      toItem: toServer,
      load: listReadableServers,
    }),
});
