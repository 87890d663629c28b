import { allowKeyRead, requireGrant } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { linkOfObject } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleServer, Server, ServerId, toServer } from './server.ts';
import { findServer } from './store.ts';

export const getServer = operation({
  id: 'getServer',
  route: 'GET /v1/servers/{serverId}',
  tag: 'Servers',
  summary: 'Get a server',
  description: 'Returns one server that has authorised this app with `servers:read`.',
  access: allowKeyRead('servers:read', { runRequiresGrant: true }),
  params: strictObject({ serverId: ServerId }),
  replies: ok(
    'The server.',
    Server,
    { aServer: exampleServer },
    {
      links: {
        itsPublications: linkOfObject('listPublications', 'serverId', 'The publications of the server.'),
        itsRoadmap: linkOfObject('listRoadmap', 'serverId', 'The roadmap of the server.'),
        itsWorkflows: linkOfObject('listWorkflows', 'serverId', 'The workflows of the server.'),
        itsTickets: linkOfObject('listTickets', 'serverId', 'The tickets that this app created on the server.'),
        aTicket: linkOfObject('createTicket', 'serverId', 'A new ticket on the server.'),
      },
    },
  ),
  run(context, { ids: { serverId } }) {
    return context.page('servers', async (tenant) => {
      const { revision, row } = await findServer(tenant, serverId);
      if (!row) throw problem('not_found');
      await requireGrant(tenant, serverId, 'servers:read');
      return { revision, json: JSON.stringify(toServer(row)) };
    });
  },
});
