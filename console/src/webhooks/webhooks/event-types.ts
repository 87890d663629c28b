// Descriptions of event types, and their schema versions.
import type { Endpoint, EventType } from '../../kit/api.ts';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { nodesOf } from '../../platform/reference/document.ts';
import { useReference } from '../../platform/reference/use-reference.ts';

export const EVENT_TYPES: Record<EventType, string> = OWN_CONTRACT?.events ?? {
  'publication.published': 'A publication was published. The event includes the publication.',
  'publication.updated': 'A publication was edited. The event includes the publication.',
  'publication.archived': 'A publication was archived. The event includes the publication.',
  'roadmap.item_created': 'A roadmap item was created. The event includes the item.',
  'roadmap.item_moved': 'A roadmap item moved to another status. The event includes the item.',
  'ticket.created': 'A ticket was created. The event includes the ticket.',
  'ticket.updated': 'A ticket was answered or resolved. The event includes the ticket.',
  'ticket.closed': 'A ticket was closed. The event includes the ticket.',
  'workflow_run.started': 'A workflow run started. The event includes the run.',
  'workflow_run.succeeded': 'A workflow run succeeded. The event includes the run and its output.',
  'workflow_run.failed': 'A workflow run failed. The event includes the run.',
  'server.updated': 'A server changed. The event includes the server.',
  'installation.paused': 'A server paused the app. The event contains no resource.',
  'installation.resumed': 'A server resumed the app. The event contains no resource.',
  'installation.scope_changed':
    'The scopes that a server grants to the app changed, also with a new or a revoked installation. The event contains no resource.',
  ping: 'A test event without a resource.',
};
export const ALL_TYPES = Object.keys(EVENT_TYPES) as EventType[]; // Object.keys loses the key type

/** The event types of the first endpoint of an app. */
export const FIRST_EVENT_TYPES: EventType[] = OWN_CONTRACT ? ALL_TYPES : ['ticket.created'];

/** Returns the types that an endpoint receives, in the order of the list. */
export const receivedTypes = (eventTypes: Endpoint['eventTypes']): EventType[] =>
  ALL_TYPES.filter((type) => eventTypes.includes('*') || eventTypes.includes(type));

/** Returns a function that lists the schema versions of a type, newest first; empty until the contract is loaded. */
export function useVersionsOf(): (type: EventType) => number[] {
  const webhooks = useReference().data?.document.webhooks;
  const byType = new Map(nodesOf(webhooks).map(({ path, node }) => [path, node['x-event-versions'] ?? [1]]));
  return (type) => byType.get(type) ?? [];
}
