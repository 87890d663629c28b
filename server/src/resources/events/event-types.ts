// The table of event types. The writers of events, the access checks and the contract all read it.
import type { Scope } from '../../access/authority/index.ts';

interface EventKind {
  /** The newest version of the data. An emitter writes all older versions too. */
  schemaVersion: number;
  /** The kind of resource that the event concerns. The row of that resource counts the sequence. */
  subject: 'publication' | 'roadmap_item' | 'ticket' | 'workflow_run' | 'server' | 'installation';
  /**
   * The component schema of the data in the newest version: the resource at the time of the event, or null for no data.
   */
  data:
    | 'Publication'
    | 'RoadmapItem'
    | 'Ticket'
    | 'TicketCreatedDataV2'
    | 'WorkflowRun'
    | 'Server'
    | 'ScopeChange'
    | null;
  /**
   * The scope of the resource in the data, which a server grants independently of `events:read`. Null without a
   * resource.
   */
  scope: ResourceScope | null;
  meaning: string;
}

/** The scopes that protect the resources of events. */
export type ResourceScope = Exclude<Scope, typeof EVENT_SCOPE>;

/** The scope that a key needs to read events and to receive deliveries. */
export const EVENT_SCOPE = 'events:read';

const SUBJECT_SCOPES: Record<EventKind['subject'], ResourceScope | null> = {
  publication: 'publications:read',
  roadmap_item: 'roadmap:read',
  ticket: 'tickets:create',
  workflow_run: 'workflows:run',
  server: 'servers:read',
  installation: null,
};

/** The prefix of the identifiers of each kind of subject. */
export const SUBJECT_PREFIXES = {
  publication: 'pub',
  roadmap_item: 'rmi',
  ticket: 'tkt',
  workflow_run: 'wfr',
  server: 'srv',
  installation: 'ins',
} as const satisfies Record<EventKind['subject'], string>;
export type SubjectType = keyof typeof SUBJECT_PREFIXES;

export const EVENT_KINDS = {
  'publication.published': kind('publication', 'Publication', 'A publication was published.'),
  'publication.updated': kind('publication', 'Publication', 'A publication was edited.'),
  'publication.archived': kind('publication', 'Publication', 'A publication was archived.'),
  'roadmap.item_created': kind('roadmap_item', 'RoadmapItem', 'A roadmap item was created.'),
  'roadmap.item_moved': kind('roadmap_item', 'RoadmapItem', 'A roadmap item moved to another status.'),
  'ticket.created': { ...kind('ticket', 'TicketCreatedDataV2', 'A ticket was created.'), schemaVersion: 2 },
  'ticket.updated': kind('ticket', 'Ticket', 'A ticket was answered or resolved.'),
  'ticket.closed': kind('ticket', 'Ticket', 'A ticket was closed.'),
  'workflow_run.started': kind('workflow_run', 'WorkflowRun', 'A workflow run started.'),
  'workflow_run.succeeded': kind('workflow_run', 'WorkflowRun', 'A workflow run succeeded.'),
  'workflow_run.failed': kind('workflow_run', 'WorkflowRun', 'A workflow run failed.'),
  'server.updated': kind('server', 'Server', 'The description of a server or its number of members changed.'),
  'installation.paused': kind('installation', null, 'A server paused the app.'),
  'installation.resumed': kind('installation', null, 'A server resumed the app after a pause.'),
  'installation.scope_changed': kind(
    'installation',
    'ScopeChange',
    'The scopes that a server grants to the app changed, individually or because the installation is new or was revoked.',
  ),
  ping: kind('server', null, 'A test event without a resource.'),
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENT_KINDS;

export const EVENT_TYPES = Object.keys(EVENT_KINDS) as [EventType, ...EventType[]]; // Object.keys returns strings

export const RESOURCE_SCOPES: readonly ResourceScope[] = [
  ...new Set(EVENT_TYPES.flatMap((type) => EVENT_KINDS[type].scope ?? [])),
];

/**
 * The types whose events contain no resource. A key with `events:read` is enough to receive them, and no grant of a
 * server holds or cancels their deliveries.
 */
export const TYPES_WITHOUT_RESOURCE: readonly EventType[] = EVENT_TYPES.filter(
  (type) => EVENT_KINDS[type].scope === null,
);

function kind<S extends EventKind['subject'], D extends EventKind['data']>(subject: S, data: D, meaning: string) {
  return { schemaVersion: 1, subject, data, scope: data === null ? null : SUBJECT_SCOPES[subject], meaning };
}
