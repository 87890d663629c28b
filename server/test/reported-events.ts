// Events that the upstream API reports in production, one with a resource of each scope.

import { exampleData } from '../src/listeners/event-catalogue.ts';
import type { EventType, ResourceScope } from '../src/resources/events/index.ts';

export const REPORTED_TYPES: Readonly<Record<ResourceScope, EventType>> = {
  'servers:read': 'server.updated',
  'publications:read': 'publication.updated',
  'roadmap:read': 'roadmap.item_moved',
  'tickets:create': 'ticket.created',
  'workflows:run': 'workflow_run.started',
};

/** Returns the report of an event about a resource of this scope on the server, for this app only. */
export function reportedEvent(scope: ResourceScope, serverId: string, appId: string): object {
  const type = REPORTED_TYPES[scope];
  const ofServer = scope === 'servers:read' ? { id: serverId } : { serverId };
  return { id: `${type} on ${serverId}`, type, serverId, appId, data: { ...exampleData(type).at(-1), ...ofServer } };
}
