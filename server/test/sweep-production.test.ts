// The sweep of production with the default contract.
import type { ResourceScope } from '../src/resources/events/index.ts';
import { startProduction } from './production.fixture.ts';
import { startReferenceUpstream } from './reference-upstream.ts';
import { REPORTED_TYPES } from './reported-events.ts';
import { report, state } from './restrictions.fixture.ts';
import { SCOPES } from './sweep/model.ts';
import { type StartedEnvironment, sweepProduction } from './sweep/sweep-production.fixture.ts';

async function start(): Promise<StartedEnvironment> {
  const upstream = await startReferenceUpstream();
  const production = await startProduction({}, { url: upstream.url });
  const [first = '', second = ''] = upstream.serverIds;
  const ofServer = (serverId: string) => ({ serverId, key: serverId });
  return {
    production,
    upstream: {
      scopes: SCOPES,
      operations: {
        'servers:read': { id: 'getServer', path: '/v1/servers/{key}', status: 200 },
        'publications:read': { id: 'listPublications', path: '/v1/servers/{key}/publications', status: 200 },
        'events:read': { id: 'listEvents', path: '/v1/events?serverId={serverId}', status: 200 },
        'roadmap:read': { id: 'listRoadmap', path: '/v1/servers/{key}/roadmap', status: 200 },
        'tickets:create': {
          id: 'createTicket',
          path: '/v1/servers/{key}/tickets',
          status: 201,
          body: { subject: 'Cannot join', body: 'Since this morning.' },
        },
        'workflows:run': { id: 'listWorkflows', path: '/v1/servers/{key}/workflows', status: 200 },
      },
      list: { id: 'listServers', path: '/v1/servers', scope: 'servers:read' },
      eventTypes: REPORTED_TYPES,
      servers: [ofServer(first), ofServer(second)],
      state: (app, { serverId }, whole, scopes) => state(production, app, serverId, whole, scopes),
      report: (app, scope) => report(production, app, scope as ResourceScope, first), // a key of REPORTED_TYPES
    },
    async close() {
      await production.close();
      await upstream.close();
    },
  };
}

sweepProduction(start, { oneIn: 4 });
