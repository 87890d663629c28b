// The default contract in the view of the sweep.
import { exampleNewTicket } from '../../src/resources/tickets/ticket.ts';
import { exampleNewRun } from '../../src/resources/workflows/workflow-run.ts';
import { until } from '../harness.ts';
import { missingId, uuidOf } from './copied-rows.ts';
import { API, SCOPES } from './model.ts';
import type { SweptContract } from './swept-contract.ts';

const OBJECTS: Readonly<Record<string, { prefix: string; table: string; column: string }>> = {
  serverId: { prefix: 'srv', table: 'servers', column: 'server_id' },
  publicationId: { prefix: 'pub', table: 'publications', column: 'publication_id' },
  roadmapItemId: { prefix: 'rmi', table: 'roadmap_items', column: 'roadmap_item_id' },
  ticketId: { prefix: 'tkt', table: 'tickets', column: 'ticket_id' },
  workflowId: { prefix: 'wfl', table: 'workflows', column: 'workflow_id' },
  workflowRunId: { prefix: 'wfr', table: 'workflow_runs', column: 'workflow_run_id' },
  eventId: { prefix: 'evt', table: 'events', column: 'event_id' },
  pingId: { prefix: 'evt', table: 'events', column: 'event_id' },
};

export const COMMUNITY: SweptContract = {
  scopes: SCOPES,
  rules: API,
  additionalForms: {
    listEvents: { name: 'listEvents of a server', path: '/v1/events?serverId={serverId}' },
    getEvent: { name: 'getEvent of a ping', path: '/v1/events/{pingId}' },
  },
  calls: {},
  ends: [],
  missingId: (name) => (OBJECTS[name] ? missingId(OBJECTS[name].prefix) : undefined),
  lists: [
    {
      path: '/v1/servers',
      scopes: ['servers:read'],
      granted: ['servers:read'],
      idName: 'serverId',
      idIn: ({ id }) => id,
      position: 'cursor',
    },
    {
      path: '/v1/events',
      scopes: ['events:read'],
      // Each server has an event of a ticket.
      granted: ['events:read', 'tickets:create'],
      idName: 'serverId',
      idIn: ({ type, serverId }) => (type === 'ping' ? undefined : serverId),
      position: 'after',
    },
  ],
  eventTypes: ['ticket.created', 'ticket.closed'],
  deprecationId: 'ticket-requester-external-id',
  triggerId: (serverId) => serverId,
  worldObject: { prefix: 'pub', table: 'publications', column: 'publication_id' },
  rowsOfServer: ['ticket_numbers'],
  hasAccount: false,
  async makeObjects(call) {
    const idOf = async (path: string): Promise<string> => (await call('GET', path)).data[0]?.id ?? '';
    const serverId = await idOf('/v1/servers');
    const on = `/v1/servers/${serverId}`;
    const { data: workflows } = await call('GET', `${on}/workflows`);
    const workflowId = workflows.at(-1)?.id ?? '';
    const ids: Readonly<Record<string, string>> = {
      serverId,
      publicationId: await idOf(`${on}/publications`),
      roadmapItemId: await idOf(`${on}/roadmap`),
      ticketId: (await call('POST', `${on}/tickets`, exampleNewTicket)).id,
      workflowId,
      workflowRunId: (await call('POST', `/v1/workflows/${workflowId}/runs`, exampleNewRun)).id,
      // The feed shows an event when no running transaction of the cluster can come before it.
      eventId: await until(async () => (await call('GET', '/v1/events?type=ticket.created')).data[0]?.id, 30_000),
    };
    return Object.entries(OBJECTS).flatMap(([name, { table, column }]) => {
      const id = ids[name];
      return id === undefined ? [] : [{ name, id, uuid: uuidOf(id), table, column }];
    });
  },
};
