// The table of event types: those of the contract's resources, and those of the platform. The writers of events, the
// access checks and the contract all read it.
import type { Scope } from '../../access/authority/index.ts';
import {
  type EVENT_SCOPE,
  isOperatorContract,
  type ResourceEventType,
  type ResourceKind,
  resourceEvents,
} from '../../access/contracts/index.ts';

/** The scope that a key needs to read events and to receive deliveries. */
export { EVENT_SCOPE } from '../../access/contracts/index.ts';

/** The scopes that protect the resources of events. */
export type ResourceScope = Exclude<Scope, typeof EVENT_SCOPE>;

/** The kind of resource that an event concerns. The row of that resource counts the sequence. */
export type SubjectType = ResourceKind | 'installation';

type PlatformEventType = 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping';
export type EventType = ResourceEventType | PlatformEventType;

interface EventKind {
  /** The newest version of the data. An emitter writes all older versions too. */
  schemaVersion: number;
  subject: SubjectType;
  /**
   * The scope of the resource in the data, which a server grants independently of `events:read`. Null without a
   * resource.
   */
  scope: ResourceScope | null;
  meaning: string;
}

/** Returns the kind of an event without a resource. */
const platformEvent = (subject: SubjectType, meaning: string): EventKind => ({
  schemaVersion: 1,
  subject,
  scope: null,
  meaning,
});

const PLATFORM_EVENTS: Record<PlatformEventType, EventKind> = {
  'installation.paused': platformEvent('installation', 'A server paused the app.'),
  'installation.resumed': platformEvent('installation', 'A server resumed the app after a pause.'),
  'installation.scope_changed': platformEvent(
    'installation',
    'The scopes that a server grants to the app changed, individually or because the installation is new or was revoked.',
  ),
  ping: platformEvent('server', 'A test event without a resource.'),
};

const RESOURCE_EVENTS = resourceEvents.map(({ type, resource: { kind, scope, data }, event: { meaning } }) => [
  type,
  { schemaVersion: data[type]?.length ?? 1, subject: kind, scope, meaning },
]);

export const EVENT_KINDS = {
  ...Object.fromEntries(RESOURCE_EVENTS),
  ...PLATFORM_EVENTS,
} as Readonly<Record<EventType, EventKind>>; // Object.fromEntries loses the type of the keys

export const EVENT_TYPES = Object.keys(EVENT_KINDS) as [EventType, ...EventType[]]; // Object.keys returns strings

/** The prefix of the identifiers of each kind of subject. */
export const SUBJECT_PREFIXES = {
  ...(isOperatorContract && { server: 'srv' }), // the subject of `ping`
  ...Object.fromEntries(resourceEvents.map(({ resource: { kind, idPrefix } }) => [kind, idPrefix])),
  installation: 'ins',
} as Readonly<Record<SubjectType, string>>; // as above

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
