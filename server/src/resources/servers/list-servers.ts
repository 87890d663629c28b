import { allowKeyRead, listPage } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { listOf, listQuery } from '../../kit/http/page.ts';
import { namedSchema, strictObject } from '../../kit/http/schema.ts';
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
  replies: ok(
    'A page of servers.',
    namedSchema('ServerList', listOf(Server, 'A page of servers.')),
    { aPage: { data: [exampleServer], nextCursor: null } },
    {
      headers: ['Link'],
      links: {
        aServer: {
          operationId: 'getServer',
          parameters: { serverId: '$response.body#/data/0/id' },
          description: 'A server of the page.',
        },
      },
    },
  ),
  run: (context) =>
    listPage(context, {
      collection: 'servers',
      prefix: 'srv',
      idOf: (row) => row.server_id,
      toItem: toServer,
      load: listReadableServers,
    }),
});
