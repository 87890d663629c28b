// Generated from contract/openapi.json by `npm run contract`. Do not edit.

/** The APIs of this host (RFC 9727), as a set of links (RFC 9264). */
export interface ApiCatalog {
  /** One entry per API. */
  linkset: {
    /** The address of the API. */
    anchor: string;
    /** The machine-readable description of the API. */
    'service-desc': {
      /** Its address. */
      href: string;
      /** Its media type. */
      type: string;
    }[];
  }[];
}

/** Something that happened. A webhook delivers the same bytes, in the schema version that its endpoint is pinned to. */
export interface Event {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** What happened. More may be added. */
  type: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping';
  /** The version of `data` for this type. */
  schemaVersion: number;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  subject: EventSubject;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The resource as of the event, in this schema version. */
  data: Record<string, unknown>;
}

/** A page of the feed. */
export interface EventList {
  /** Oldest first. */
  data: Event[];
  nextAfter: string | null;
  /** Whether more may stand after `nextAfter` already: then read on, also from a page without events. False at the end of the feed. */
  hasMore: boolean;
}

/** The resource that the event is about. */
export interface EventSubject {
  /** The kind of resource. */
  type: string;
  /** The resource's identifier. */
  id: string;
}

/** A server paused the app. In schema version 1. */
export interface InstallationPausedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'installation.paused';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'installation';
    /** The resource's identifier. */
    id: string;
  };
  /** Empty: the event has no resource. */
  data: Record<string, unknown>;
}

/** A server resumed the app after a pause. In schema version 1. */
export interface InstallationResumedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'installation.resumed';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'installation';
    /** The resource's identifier. */
    id: string;
  };
  /** Empty: the event has no resource. */
  data: Record<string, unknown>;
}

/** Scopes that a server allows the app changed, by themselves or because the installation is new or was revoked. In schema version 1. */
export interface InstallationScopeChangedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'installation.scope_changed';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'installation';
    /** The resource's identifier. */
    id: string;
  };
  data: ScopeChange;
}

/** A key that is in the wrong hands. */
export interface LeakReport {
  /** The whole key, as it was found. */
  key: string;
}

/** A key that was reported as leaked, as it is now. */
export interface LeakedKey {
  /** The public half of its text. */
  kid: string;
  /** What it is now: `expired` when it was over before it was reported. */
  state: 'revoked' | 'expired';
}

/** The calling key and its app. */
export interface Me {
  /** Where the key opens. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The key's identifier. */
  keyId: string;
  /** The public part of the key. */
  kid: string;
  /** What the key may do. */
  scopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[];
  /** When the key stops being valid. */
  expiresAt: string;
}

/** A ticket to create. Category is `question` and priority `normal` unless given. */
export interface NewTicket {
  /** What it is about, in a line. */
  subject: string;
  /** The whole text. */
  body: string;
  /** What kind of ticket it is. */
  category?: 'question' | 'bug' | 'feedback' | 'billing' | 'other';
  /** How urgent it is. */
  priority?: 'low' | 'normal' | 'high' | 'urgent';
  requester?: TicketRequester;
  /** Labels of your own. */
  labels?: string[];
  /** Names and values of your own, kept as they are. */
  metadata?: Record<string, string>;
}

/** A run to begin. */
export interface NewWorkflowRun {
  /** What the run was given; it fits the workflow’s schema. */
  input: Record<string, unknown>;
}

/** A test that carries no resource. In schema version 1. */
export interface PingV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'ping';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'server';
    /** The resource's identifier. */
    id: string;
  };
  /** Empty: the event has no resource. */
  data: Record<string, unknown>;
}

/** A problem (RFC 9457). */
export interface Problem {
  /** The address of its page. */
  type: string;
  /** A short title. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** The machine-readable code. More may be added. */
  code: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'upstream_invalid' | 'unavailable' | 'timeout';
  /** The request. */
  requestId: string;
  /** What is wrong in this case, or what to do about it. `missing_scope` has none. */
  detail?: string;
  /** Each invalid part of the request. */
  errors?: {
    /** Where it is (JSON Pointer). */
    pointer: string;
    /** What is expected there. */
    detail: string;
  }[];
}

/** A post in one of a community’s channels. */
export interface Publication {
  /** The publication's identifier. */
  id: string;
  /** The server's identifier. */
  serverId: string;
  /** The channel that it stands in. */
  channel: string;
  /** Its headline. */
  title: string;
  /** Its text, in Markdown (CommonMark). */
  bodyMarkdown: string;
  /** How far it has come. Members see what is published, and what is archived on request. */
  status: 'draft' | 'scheduled' | 'published' | 'archived';
  /** Who wrote it. */
  author: string;
  /** What it is about. */
  tags: string[];
  publishedAt: string | null;
  /** When its first draft was written. */
  createdAt: string;
}

/** A publication was archived. In schema version 1. */
export interface PublicationArchivedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'publication.archived';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'publication';
    /** The resource's identifier. */
    id: string;
  };
  data: Publication;
}

/** A page of publications. */
export interface PublicationList {
  /** Newest first. */
  data: Publication[];
  nextCursor: string | null;
}

/** A publication appeared. In schema version 1. */
export interface PublicationPublishedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'publication.published';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'publication';
    /** The resource's identifier. */
    id: string;
  };
  data: Publication;
}

/** A publication was edited. In schema version 1. */
export interface PublicationUpdatedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'publication.updated';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'publication';
    /** The resource's identifier. */
    id: string;
  };
  data: Publication;
}

/** Something that a community means to do. */
export interface RoadmapItem {
  /** The roadmap item's identifier. */
  id: string;
  /** The server's identifier. */
  serverId: string;
  /** What it is, in a line. */
  title: string;
  /** What it would bring. */
  description: string;
  /** How far it has come. */
  status: 'idea' | 'planned' | 'in_progress' | 'shipped' | 'declined';
  /** What part of the community it belongs to. */
  category: string;
  /** Its place on the board, from 0 at the top. */
  position: number;
  /** How many members voted for it. */
  voteCount: number;
  targetQuarter: string | null;
  /** When it was proposed. */
  createdAt: string;
}

/** A roadmap item was proposed. In schema version 1. */
export interface RoadmapItemCreatedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'roadmap.item_created';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'roadmap_item';
    /** The resource's identifier. */
    id: string;
  };
  data: RoadmapItem;
}

/** A page of roadmap items. */
export interface RoadmapItemList {
  /** Newest first. */
  data: RoadmapItem[];
  nextCursor: string | null;
}

/** A roadmap item moved to another status. In schema version 1. */
export interface RoadmapItemMovedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'roadmap.item_moved';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'roadmap_item';
    /** The resource's identifier. */
    id: string;
  };
  data: RoadmapItem;
}

/** Which scopes of an installation changed, and each state before and after. A new or a revoked installation changes each of its scopes. */
export interface ScopeChange {
  /** The scopes that changed. */
  scopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[];
  from: ScopeStates;
  to: ScopeStates;
}

/** What a server allows in one scope. */
export interface ScopeGrant {
  /** A scope. */
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run';
  /** Authorised allows; paused holds until it is resumed; revoked is final. */
  state: 'authorised' | 'paused' | 'revoked';
}

/** The state of each scope in `scopes`. A scope that was never granted is `revoked`. */
export interface ScopeStates {
  /** Authorised allows; paused holds until it is resumed; revoked is final. */
  'servers:read'?: 'authorised' | 'paused' | 'revoked';
  /** Authorised allows; paused holds until it is resumed; revoked is final. */
  'publications:read'?: 'authorised' | 'paused' | 'revoked';
  /** Authorised allows; paused holds until it is resumed; revoked is final. */
  'events:read'?: 'authorised' | 'paused' | 'revoked';
  /** Authorised allows; paused holds until it is resumed; revoked is final. */
  'roadmap:read'?: 'authorised' | 'paused' | 'revoked';
  /** Authorised allows; paused holds until it is resumed; revoked is final. */
  'tickets:create'?: 'authorised' | 'paused' | 'revoked';
  /** Authorised allows; paused holds until it is resumed; revoked is final. */
  'workflows:run'?: 'authorised' | 'paused' | 'revoked';
}

/** What the matches were. A key of the other environment is left out: it is reported there. */
export type SecretScanningFeedback = ({
  /** SHA-256 of the token, in hex. */
  token_hash: string;
  /** The type that GitHub named. */
  token_type: string;
  /** Whether it is a key of this environment. */
  label: 'true_positive' | 'false_positive';
})[];

/** What GitHub found. */
export type SecretScanningMatches = {
  /** What was found. */
  token: string;
  /** Of which kind GitHub takes it to be. */
  type: string;
  /** Where it was found; may be empty. */
  url?: string;
  /** In what it was found. */
  source?: string;
}[];

/** A community on a chat platform. */
export interface Server {
  /** The server's identifier. */
  id: string;
  /** Its display name. */
  name: string;
  /** Its name in addresses. */
  slug: string;
  /** What the community is about. */
  description: string;
  /** The address of its icon. */
  iconUrl: string;
  /** Its language (BCP 47). */
  locale: string;
  /** Its time zone (IANA). */
  timezone: string;
  /** How many members it has. */
  memberCount: number;
  /** When the community was founded. */
  createdAt: string;
  installation: ServerInstallation;
}

/** This app's installation on the server. */
export interface ServerInstallation {
  /** The installation's identifier. */
  id: string;
  /** Authorised allows; paused holds until it is resumed; revoked is final. */
  state: 'authorised' | 'paused' | 'revoked';
  /** Each scope that was ever granted here. */
  scopes: ScopeGrant[];
}

/** A page of servers. */
export interface ServerList {
  /** Newest first. */
  data: Server[];
  nextCursor: string | null;
}

/** A server changed its description or gained or lost members. In schema version 1. */
export interface ServerUpdatedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'server.updated';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'server';
    /** The resource's identifier. */
    id: string;
  };
  data: Server;
}

/** A ticket that this app created. */
export interface Ticket {
  /** The ticket's identifier. */
  id: string;
  /** The server's identifier. */
  serverId: string;
  /** Its number on the server. */
  number: number;
  /** What it is about, in a line. */
  subject: string;
  /** The whole text. */
  body: string;
  /** What kind of ticket it is. */
  category: 'question' | 'bug' | 'feedback' | 'billing' | 'other';
  /** How urgent it is. */
  priority: 'low' | 'normal' | 'high' | 'urgent';
  /** How far it has come. */
  status: 'open' | 'pending' | 'resolved' | 'closed';
  requester: TicketRequester | null;
  /** Labels of your own. */
  labels: string[];
  /** Names and values of your own, kept as they are. */
  metadata: Record<string, string>;
  /** When it was created. */
  createdAt: string;
}

/** A ticket was closed. In schema version 1. */
export interface TicketClosedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'ticket.closed';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'ticket';
    /** The resource's identifier. */
    id: string;
  };
  data: Ticket;
}

/** A ticket as it was created. */
export interface TicketCreatedDataV1 {
  /** The ticket's identifier. */
  id: string;
  /** The server's identifier. */
  serverId: string;
  /** Its number on the server. */
  number: number;
  /** What it is about, in a line. */
  subject: string;
  /** What kind of ticket it is. */
  category: 'question' | 'bug' | 'feedback' | 'billing' | 'other';
  /** How urgent it is. */
  priority: 'low' | 'normal' | 'high' | 'urgent';
  /** How far it has come. */
  status: 'open' | 'pending' | 'resolved' | 'closed';
  /** Labels of your own. */
  labels: string[];
  /** Names and values of your own, kept as they are. */
  metadata: Record<string, string>;
  /** When it was created. */
  createdAt: string;
  /** The whole text. */
  body: string;
  requester: {
    /** Their name. */
    name: string;
    /** Their identifier in your system. */
    externalId?: string;
  } | null;
}

/** A ticket as it was created. `body` is called `bodyMarkdown`, as in publications, and the requester’s `externalId` is `reference`. */
export interface TicketCreatedDataV2 {
  /** The ticket's identifier. */
  id: string;
  /** The server's identifier. */
  serverId: string;
  /** Its number on the server. */
  number: number;
  /** What it is about, in a line. */
  subject: string;
  /** What kind of ticket it is. */
  category: 'question' | 'bug' | 'feedback' | 'billing' | 'other';
  /** How urgent it is. */
  priority: 'low' | 'normal' | 'high' | 'urgent';
  /** How far it has come. */
  status: 'open' | 'pending' | 'resolved' | 'closed';
  /** Labels of your own. */
  labels: string[];
  /** Names and values of your own, kept as they are. */
  metadata: Record<string, string>;
  /** When it was created. */
  createdAt: string;
  /** The whole text. */
  bodyMarkdown: string;
  requester: {
    /** Their name. */
    name: string;
    /** Their identifier in your system. */
    reference?: string;
  } | null;
}

/** A ticket was created. In schema version 1. */
export interface TicketCreatedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'ticket.created';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'ticket';
    /** The resource's identifier. */
    id: string;
  };
  data: TicketCreatedDataV1;
}

/** A ticket was created. In schema version 2. */
export interface TicketCreatedV2 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'ticket.created';
  /** The version of `data`. */
  schemaVersion: 2;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'ticket';
    /** The resource's identifier. */
    id: string;
  };
  data: TicketCreatedDataV2;
}

/** Who asks. */
export interface TicketRequester {
  /** Their name. */
  name: string;
  /** Their identifier in your system. */
  reference?: string;
  /** The former name of `reference`. @deprecated */
  externalId?: string;
}

/** A ticket was answered or resolved. In schema version 1. */
export interface TicketUpdatedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'ticket.updated';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'ticket';
    /** The resource's identifier. */
    id: string;
  };
  data: Ticket;
}

/** Something that a community’s team has prepared and lets apps run. */
export interface Workflow {
  /** The workflow's identifier. */
  id: string;
  /** The server's identifier. */
  serverId: string;
  /** Its name. */
  name: string;
  /** What a run of it does. */
  description: string;
  /** A JSON Schema (2020-12): what the input of a run must fit. */
  inputSchema: Record<string, unknown>;
  /** Whether it can be run now. */
  enabled: boolean;
  /** When it was prepared. */
  createdAt: string;
}

/** A page of workflows. */
export interface WorkflowList {
  /** Newest first. */
  data: Workflow[];
  nextCursor: string | null;
}

/** A run of a workflow. */
export interface WorkflowRun {
  /** The run's identifier. */
  id: string;
  /** The workflow's identifier. */
  workflowId: string;
  /** The server's identifier. */
  serverId: string;
  /** How far it has come. */
  status: 'queued' | 'running' | 'succeeded' | 'failed';
  /** What the run was given; it fits the workflow’s schema. */
  input: Record<string, unknown>;
  output: Record<string, unknown> | null;
  /** In the order in which they run. */
  steps: WorkflowRunStep[];
  /** When it was asked for. */
  createdAt: string;
  finishedAt: string | null;
}

/** A workflow run failed. In schema version 1. */
export interface WorkflowRunFailedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'workflow_run.failed';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'workflow_run';
    /** The resource's identifier. */
    id: string;
  };
  data: WorkflowRun;
}

/** A workflow run began. In schema version 1. */
export interface WorkflowRunStartedV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'workflow_run.started';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'workflow_run';
    /** The resource's identifier. */
    id: string;
  };
  data: WorkflowRun;
}

/** A step of a run. */
export interface WorkflowRunStep {
  /** What it is called. */
  name: string;
  /** How far it has come; what follows a failed step is skipped. */
  status: 'waiting' | 'running' | 'succeeded' | 'failed' | 'skipped';
  startedAt: string | null;
  finishedAt: string | null;
}

/** A workflow run succeeded. In schema version 1. */
export interface WorkflowRunSucceededV1 {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** What happened. */
  type: 'workflow_run.succeeded';
  /** The version of `data`. */
  schemaVersion: 1;
  /** The resource that the event is about. */
  subject: {
    /** The kind of resource. */
    type: 'workflow_run';
    /** The resource's identifier. */
    id: string;
  };
  data: WorkflowRun;
}

/** What a webhook carries; `type` says which it is. */
export type WebhookEvent = PublicationPublishedV1 | PublicationUpdatedV1 | PublicationArchivedV1 | RoadmapItemCreatedV1 | RoadmapItemMovedV1 | TicketCreatedV2 | TicketCreatedV1 | TicketUpdatedV1 | TicketClosedV1 | WorkflowRunStartedV1 | WorkflowRunSucceededV1 | WorkflowRunFailedV1 | ServerUpdatedV1 | InstallationPausedV1 | InstallationResumedV1 | InstallationScopeChangedV1 | PingV1;

export interface Operations {
  /** Get who is calling. The environment, app, key and scopes behind the key of this request, and when it expires. Access: Any valid key. */
  getMe: {
    input: Record<never, never>;
    output: Me;
  };
  /** List servers. The servers that have authorised this app with `servers:read`, newest first. Servers where the installation or the scope is paused or revoked are left out. Access: A key with `servers:read`. */
  listServers: {
    input: {
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: ServerList;
    item: Server;
  };
  /** Get a server. One server that has authorised this app with `servers:read`. Access: A key with `servers:read`. */
  getServer: {
    input: {
      /** The server's identifier. */
      serverId: string;
    };
    output: Server;
  };
  /** List the publications of a server. What a server that has authorised this app with `publications:read` publishes, newest first. Access: A key with `publications:read`. */
  listPublications: {
    input: {
      /** The server's identifier. */
      serverId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: PublicationList;
    item: Publication;
  };
  /** Get a publication. One publication of a server that has authorised this app with `publications:read`. Access: A key with `publications:read`. */
  getPublication: {
    input: {
      /** The publication's identifier. */
      publicationId: string;
    };
    output: Publication;
  };
  /** List the roadmap of a server. What a server that has authorised this app with `roadmap:read` means to do, newest proposal first; `position` is its place on the board. Access: A key with `roadmap:read`. */
  listRoadmap: {
    input: {
      /** The server's identifier. */
      serverId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: RoadmapItemList;
    item: RoadmapItem;
  };
  /** Get a roadmap item. One roadmap item of a server that has authorised this app with `roadmap:read`. Access: A key with `roadmap:read`. */
  getRoadmapItem: {
    input: {
      /** The roadmap item's identifier. */
      roadmapItemId: string;
    };
    output: RoadmapItem;
  };
  /** Create a ticket. Creates a ticket on a server that has authorised this app with `tickets:create`, and emits `ticket.created`. In the sandbox nobody is notified. Takes an `Idempotency-Key`. Access: A key with `tickets:create`, and a server that has authorised it. */
  createTicket: {
    input: {
      /** The server's identifier. */
      serverId: string;
      body: NewTicket;
    };
    output: Ticket;
    takesIdempotencyKey: true;
  };
  /** Get a ticket. One of the tickets that this app created, as it stands now. Access: A key with `tickets:create`. */
  getTicket: {
    input: {
      /** The ticket's identifier. */
      ticketId: string;
    };
    output: Ticket;
  };
  /** List the workflows of a server. What a server that has authorised this app with `workflows:run` lets it run, newest first. Access: A key with `workflows:run`. */
  listWorkflows: {
    input: {
      /** The server's identifier. */
      serverId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: WorkflowList;
    item: Workflow;
  };
  /** Run a workflow. Asks for a run of a workflow on a server that has authorised this app with `workflows:run`. The run is queued; read it, or wait for `workflow_run.succeeded` or `workflow_run.failed`. In the sandbox it goes through its steps and does nothing. Takes an `Idempotency-Key`. Access: A key with `workflows:run`, and a server that has authorised it. */
  createWorkflowRun: {
    input: {
      /** The workflow's identifier. */
      workflowId: string;
      body: NewWorkflowRun;
    };
    output: WorkflowRun;
    takesIdempotencyKey: true;
  };
  /** Get a run. One of the runs that this app asked for, as it stands now. Access: A key with `workflows:run`. */
  getWorkflowRun: {
    input: {
      /** The run's identifier. */
      workflowRunId: string;
    };
    output: WorkflowRun;
  };
  /** List events. Everything that happened, oldest first, to reconcile what webhooks delivered. Send the last `nextAfter` as `after` to go on: no event is skipped, whenever it was committed. Of two changes that overlapped the one that began first stands first, so put the events of a subject in order by `sequence`. Withheld are events of servers that do not authorise this app with `events:read` and with the scope of the event’s resource: `publications:read`, `roadmap:read`, `tickets:create`, `workflows:run` or `servers:read`. `nextAfter` passes them: when a server grants the scope again, read its events again with `serverId`, from a position before. A page looks at a bounded number of events; while `hasMore` is true, read on, even if a page is empty. Events are shown in version 1 of their schemas unless `schemaVersion` asks for another. Access: A key with `events:read`. */
  listEvents: {
    input: {
      /** The schema version in which events are shown; a type that has no such version yet is shown in its newest. Each event says its own in `schemaVersion`. */
      schemaVersion?: number;
      /** What happened. More may be added. */
      type?: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping';
      /** The server's identifier. */
      serverId?: string;
      /** A position in the feed: the `nextAfter` of the page before. */
      after?: string;
      /** Maximum number of items to return. */
      limit?: number;
    };
    output: EventList;
    item: Event;
  };
  /** Get an event. One event, in the bytes that webhooks deliver to endpoints that have this schema version. Access: A key with `events:read`. */
  getEvent: {
    input: {
      /** The event's identifier: the same in every delivery and here. */
      eventId: string;
      /** The schema version in which events are shown; a type that has no such version yet is shown in its newest. Each event says its own in `schemaVersion`. */
      schemaVersion?: number;
    };
    output: Event;
  };
  /** Report a leaked key. Whoever has found a key can end it: it is revoked at once and for good, what is on its way through it is stopped, and its organisation is told. A key that is over already is answered as what it is. Whatever is no key is answered with one and the same `invalid_key`. The key is neither logged nor kept. Access: Anyone, a few times a minute from one address; no key is needed beside the one in the body. */
  reportLeakedKey: {
    input: {
      body: LeakReport;
    };
    output: LeakedKey;
  };
  /** Report keys that GitHub found. For GitHub's secret scanning: each match that is a key of this environment is revoked as by `reportLeakedKey`. The same message again changes nothing and is answered alike. Access: GitHub, by its signature of the body. Its keys are the operator's to set; without them nobody is let in. */
  reportGithubMatches: {
    input: {
      body: SecretScanningMatches;
    };
    output: SecretScanningFeedback;
  };
  /** Get the contract. Returns the OpenAPI 3.1 document of this API. Access: Anyone; no key is needed. */
  getOpenapi: {
    input: Record<never, never>;
    output: {
      /** Its version of OpenAPI. */
      openapi: '3.1.0';
    };
  };
  /** Find the contract. Returns the addresses of this API and of its OpenAPI document, at the well-known location of RFC 9727. Access: Anyone; no key is needed. */
  getApiCatalog: {
    input: Record<never, never>;
    output: ApiCatalog;
  };
  /** Read about all problems. Returns a page that lists all problems, with a link to the page of each. Access: Anyone; no key is needed. */
  getProblemIndex: {
    input: Record<never, never>;
    output: string;
  };
  /** Read about a problem. Returns the page that a problem’s `type` links to: the meaning, the cause and the fix. Access: Anyone; no key is needed. */
  getProblemPage: {
    input: {
      /** The last segment of the problem’s `type`. */
      slug: string;
    };
    output: string;
  };
  /** Read about all deprecations. Returns a page that lists all deprecations, with a link to the page of each. The page says so if there are none. Access: Anyone; no key is needed. */
  getDeprecationIndex: {
    input: Record<never, never>;
    output: string;
  };
  /** Read about a deprecation. Returns the page that the `Link` header of a deprecated use points to: the deprecated part, the day on which it ends, and the replacement. Access: Anyone; no key is needed. */
  getDeprecationPage: {
    input: {
      /** Which deprecation. */
      deprecationId: string;
    };
    output: string;
  };
}

export const operations = {
  getMe: { method: 'GET', path: '/v1/me' },
  listServers: { method: 'GET', path: '/v1/servers', query: ['limit', 'cursor'], page: 'cursor' },
  getServer: { method: 'GET', path: '/v1/servers/{serverId}' },
  listPublications: { method: 'GET', path: '/v1/servers/{serverId}/publications', query: ['limit', 'cursor'], page: 'cursor' },
  getPublication: { method: 'GET', path: '/v1/publications/{publicationId}' },
  listRoadmap: { method: 'GET', path: '/v1/servers/{serverId}/roadmap', query: ['limit', 'cursor'], page: 'cursor' },
  getRoadmapItem: { method: 'GET', path: '/v1/roadmap/{roadmapItemId}' },
  createTicket: { method: 'POST', path: '/v1/servers/{serverId}/tickets', takesIdempotencyKey: true },
  getTicket: { method: 'GET', path: '/v1/tickets/{ticketId}' },
  listWorkflows: { method: 'GET', path: '/v1/servers/{serverId}/workflows', query: ['limit', 'cursor'], page: 'cursor' },
  createWorkflowRun: { method: 'POST', path: '/v1/workflows/{workflowId}/runs', takesIdempotencyKey: true },
  getWorkflowRun: { method: 'GET', path: '/v1/workflow-runs/{workflowRunId}' },
  listEvents: { method: 'GET', path: '/v1/events', query: ['schemaVersion', 'type', 'serverId', 'after', 'limit'], page: 'after' },
  getEvent: { method: 'GET', path: '/v1/events/{eventId}', query: ['schemaVersion'] },
  reportLeakedKey: { method: 'POST', path: '/v1/leaked-keys' },
  reportGithubMatches: { method: 'POST', path: '/v1/leaked-keys/github' },
  getOpenapi: { method: 'GET', path: '/v1/openapi.json' },
  getApiCatalog: { method: 'GET', path: '/.well-known/api-catalog' },
  getProblemIndex: { method: 'GET', path: '/problems', isText: true },
  getProblemPage: { method: 'GET', path: '/problems/{slug}', isText: true },
  getDeprecationIndex: { method: 'GET', path: '/deprecations', isText: true },
  getDeprecationPage: { method: 'GET', path: '/deprecations/{deprecationId}', isText: true },
} as const;
