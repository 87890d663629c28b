// Generated from contract/openapi.json by `npm run contract`. Do not edit.

/** The APIs of this host (RFC 9727), as a set of links (RFC 9264). */
export interface ApiCatalog {
  /** One entry per API. */
  linkset: {
    /** The address of the API. */
    anchor: string;
    /** The machine-readable description of the API. */
    'service-desc': {
      /** The address of the document. */
      href: string;
      /** The media type of the document. */
      type: string;
    }[];
  }[];
}

/** An event of a server of the app. A webhook delivers the same bytes, in the schema version to which its endpoint is pinned. */
export interface Event {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The type of the event. One of `publication.published`, `publication.updated`, `publication.archived`, `roadmap.item_created`, `roadmap.item_moved`, `ticket.created`, `ticket.updated`, `ticket.closed`, `workflow_run.started`, `workflow_run.succeeded`, `workflow_run.failed`, `server.updated`, `installation.paused`, `installation.resumed`, `installation.scope_changed`, `ping`; more may be added. */
  type: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping';
  /** The version of `data` for this type. */
  schemaVersion: number;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  subject: EventSubject;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The resource at the time of the event, in this schema version. */
  data: Record<string, unknown>;
}

/** A page of the feed. */
export interface EventList {
  /** Oldest first. */
  data: Event[];
  nextAfter: string | null;
  /** True if further events may follow `nextAfter`: continue to read, also after a page without events. False at the end of the feed. */
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
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** The scopes that a server grants to the app changed, individually or because the installation is new or was revoked. In schema version 1. */
export interface InstallationScopeChangedV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** A leaked key. */
export interface LeakReport {
  /** The complete key. */
  key: string;
}

/** The current state of a key that was reported as leaked. */
export interface LeakedKey {
  /** The public half of the key's text. */
  kid: string;
  /** The current state: `expired` if the key had expired before the report. One of `revoked`, `expired`; more may be added. */
  state: 'revoked' | 'expired';
}

/** The calling key and its app. */
export interface Me {
  /** The environment of the key. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The key's identifier. */
  keyId: string;
  /** The public part of the key. */
  kid: string;
  /** The effective scopes of the key. */
  scopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[];
  /** The expiry of the key. */
  expiresAt: string;
}

/** A test event without a resource. In schema version 1. */
export interface PingV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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
  /** The address of the page about this problem. */
  type: string;
  /** A short title. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** The machine-readable code. One of `missing_key`, `invalid_key`, `expired_key`, `revoked_key`, `wrong_environment`, `missing_scope`, `scope_not_authorised`, `installation_paused`, `installation_revoked`, `app_suspended`, `address_not_allowed`, `browser_use`, `invalid_request`, `not_found`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `conflict`, `quota_exceeded`, `idempotency_in_progress`, `gone`, `body_too_large`, `uri_too_long`, `unsupported_media_type`, `idempotency_key_reused`, `workflow_input_invalid`, `rate_limited`, `headers_too_large`, `internal_error`, `upstream_invalid`, `unavailable`, `timeout`; more may be added. */
  code: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'upstream_invalid' | 'unavailable' | 'timeout';
  /** The request. */
  requestId: string;
  /** The error in this case, or the fix. `missing_scope` has none. */
  detail?: string;
  /** Each invalid part of the request. */
  errors?: {
    /** JSON Pointer to the invalid part. */
    pointer: string;
    /** The expected value. */
    detail: string;
  }[];
}

/** A post in one of a community’s channels. */
export interface Publication {
  /** The identifier of the publication. */
  id: string;
  /** The identifier of the server. */
  serverId: string;
  /** The channel of the publication. */
  channel: string;
  /** The headline. */
  title: string;
  /** The text, in Markdown (CommonMark). */
  bodyMarkdown: string;
  /** The status. Members see published publications, and archived ones on request. One of `draft`, `scheduled`, `published`, `archived`; more may be added. */
  status: 'draft' | 'scheduled' | 'published' | 'archived';
  /** The name of the author. */
  author: string;
  /** The tags. */
  tags: string[];
  publishedAt: string | null;
  /** The creation time of the first draft. */
  createdAt: string;
}

/** A publication was archived. In schema version 1. */
export interface PublicationArchivedV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** A publication was published. In schema version 1. */
export interface PublicationPublishedV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** A JSON Web Key Set (RFC 7517). */
export interface ReceiptKeys {
  /** The current key, and all earlier keys that signed a receipt. */
  keys: {
    /** The type of the key. */
    kty: 'OKP';
    /** The curve of the key. */
    crv: 'Ed25519';
    /** The public key in base64url. */
    x: string;
    /** The identifier of the key: its thumbprint (RFC 7638). */
    kid: string;
    /** The algorithm of its signatures. */
    alg: 'EdDSA';
    /** The use of the key. */
    use: 'sig';
  }[];
}

/** A plan of a community. */
export interface RoadmapItem {
  /** The identifier of the roadmap item. */
  id: string;
  /** The identifier of the server. */
  serverId: string;
  /** The title, in one line. */
  title: string;
  /** The expected benefit. */
  description: string;
  /** The status. One of `idea`, `planned`, `in_progress`, `shipped`, `declined`; more may be added. */
  status: 'idea' | 'planned' | 'in_progress' | 'shipped' | 'declined';
  /** The area of the community. */
  category: string;
  /** The place on the board, from 0 at the top. */
  position: number;
  /** The number of members who voted for the item. */
  voteCount: number;
  targetQuarter: string | null;
  /** The creation time. */
  createdAt: string;
}

/** A roadmap item was created. In schema version 1. */
export interface RoadmapItemCreatedV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** The changed scopes of an installation, with the state of each before and after the change. A new or a revoked installation changes each of its scopes. */
export interface ScopeChange {
  /** The changed scopes. */
  scopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[];
  from: ScopeStates;
  to: ScopeStates;
}

/** The grant of one scope by a server. */
export interface ScopeGrant {
  /** A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`, `workflows:run`; more may be added. */
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run';
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
  state: 'authorised' | 'paused' | 'revoked';
}

/** The state of each scope in `scopes`. A scope that was never granted is `revoked`. */
export interface ScopeStates {
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
  'servers:read'?: 'authorised' | 'paused' | 'revoked';
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
  'publications:read'?: 'authorised' | 'paused' | 'revoked';
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
  'events:read'?: 'authorised' | 'paused' | 'revoked';
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
  'roadmap:read'?: 'authorised' | 'paused' | 'revoked';
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
  'tickets:create'?: 'authorised' | 'paused' | 'revoked';
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
  'workflows:run'?: 'authorised' | 'paused' | 'revoked';
}

/** The classification of the matches. Keys of the other environment are omitted, because GitHub reports them there. */
export type SecretScanningFeedback = ({
  /** SHA-256 of the token, in hex. */
  token_hash: string;
  /** The type that GitHub assigned. */
  token_type: string;
  /** `true_positive`: the token is a key of this environment. One of `true_positive`, `false_positive`; more may be added. */
  label: 'true_positive' | 'false_positive';
})[];

/** The tokens that GitHub found. */
export type SecretScanningMatches = {
  /** The token that GitHub found. */
  token: string;
  /** The type that GitHub assigned. */
  type: string;
  /** The address of the location; may be empty. */
  url?: string;
  /** The kind of the location. */
  source?: string;
}[];

/** A community on a chat platform. */
export interface Server {
  /** The identifier of the server. */
  id: string;
  /** The display name. */
  name: string;
  /** The name in addresses. */
  slug: string;
  /** The description of the community. */
  description: string;
  /** The address of the icon. */
  iconUrl: string;
  /** The language (BCP 47). */
  locale: string;
  /** The time zone (IANA). */
  timezone: string;
  /** The number of members. */
  memberCount: number;
  /** The creation time of the community. */
  createdAt: string;
  installation: ServerInstallation;
}

/** The installation of this app on the server. */
export interface ServerInstallation {
  /** The identifier of the installation. */
  id: string;
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
  state: 'authorised' | 'paused' | 'revoked';
  /** Every scope that the server has granted in this installation. */
  scopes: ScopeGrant[];
}

/** A page of servers. */
export interface ServerList {
  /** Newest first. */
  data: Server[];
  nextCursor: string | null;
}

/** The description of a server or its number of members changed. In schema version 1. */
export interface ServerUpdatedV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** A ticket that this app created. In the sandbox, also a ticket of the sandbox data or of a triggered event. */
export interface Ticket {
  /** The identifier of the ticket. */
  id: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the ticket on its server. */
  number: number;
  /** The subject, in one line. */
  subject: string;
  /** The full text. */
  body: string;
  /** The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added. */
  category: 'question' | 'bug' | 'feedback' | 'billing' | 'other';
  /** The priority. One of `low`, `normal`, `high`, `urgent`; more may be added. */
  priority: 'low' | 'normal' | 'high' | 'urgent';
  /** The status. One of `open`, `pending`, `resolved`, `closed`; more may be added. */
  status: 'open' | 'pending' | 'resolved' | 'closed';
  requester: TicketRequester | null;
  /** The labels that you assign. */
  labels: string[];
  /** Names and values that you assign. They are stored unchanged. */
  metadata: Record<string, string>;
  /** The creation time. */
  createdAt: string;
}

/** A ticket was closed. In schema version 1. */
export interface TicketClosedV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** A ticket at its creation. */
export interface TicketCreatedDataV1 {
  /** The identifier of the ticket. */
  id: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the ticket on its server. */
  number: number;
  /** The subject, in one line. */
  subject: string;
  /** The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added. */
  category: 'question' | 'bug' | 'feedback' | 'billing' | 'other';
  /** The priority. One of `low`, `normal`, `high`, `urgent`; more may be added. */
  priority: 'low' | 'normal' | 'high' | 'urgent';
  /** The status. One of `open`, `pending`, `resolved`, `closed`; more may be added. */
  status: 'open' | 'pending' | 'resolved' | 'closed';
  /** The labels that you assign. */
  labels: string[];
  /** Names and values that you assign. They are stored unchanged. */
  metadata: Record<string, string>;
  /** The creation time. */
  createdAt: string;
  /** The full text. */
  body: string;
  requester: {
    /** The name. */
    name: string;
    /** The identifier in your system. */
    externalId?: string;
  } | null;
}

/** A ticket at its creation. `body` is called `bodyMarkdown`, as in publications, and the requester’s `externalId` is called `reference`. */
export interface TicketCreatedDataV2 {
  /** The identifier of the ticket. */
  id: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the ticket on its server. */
  number: number;
  /** The subject, in one line. */
  subject: string;
  /** The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added. */
  category: 'question' | 'bug' | 'feedback' | 'billing' | 'other';
  /** The priority. One of `low`, `normal`, `high`, `urgent`; more may be added. */
  priority: 'low' | 'normal' | 'high' | 'urgent';
  /** The status. One of `open`, `pending`, `resolved`, `closed`; more may be added. */
  status: 'open' | 'pending' | 'resolved' | 'closed';
  /** The labels that you assign. */
  labels: string[];
  /** Names and values that you assign. They are stored unchanged. */
  metadata: Record<string, string>;
  /** The creation time. */
  createdAt: string;
  /** The full text. */
  bodyMarkdown: string;
  requester: {
    /** The name. */
    name: string;
    /** The identifier in your system. */
    reference?: string;
  } | null;
}

/** A ticket was created. In schema version 1. */
export interface TicketCreatedV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** A ticket to create. The category defaults to `question` and the priority to `normal`. */
export interface TicketInput {
  /** The subject, in one line. */
  subject: string;
  /** The full text. */
  body: string;
  /** The category. */
  category?: 'question' | 'bug' | 'feedback' | 'billing' | 'other';
  /** The priority. */
  priority?: 'low' | 'normal' | 'high' | 'urgent';
  requester?: TicketRequesterInput;
  /** The labels that you assign. */
  labels?: string[];
  /** Names and values that you assign. They are stored unchanged. */
  metadata?: Record<string, string>;
}

/** A page of tickets. */
export interface TicketList {
  /** Newest first. */
  data: Ticket[];
  nextCursor: string | null;
}

/** The requester. */
export interface TicketRequester {
  /** The name. */
  name: string;
  /** The identifier in your system. */
  reference?: string;
  /** The deprecated name of `reference`. @deprecated */
  externalId?: string;
}

/** The requester. */
export interface TicketRequesterInput {
  /** The name. */
  name: string;
  /** The identifier in your system. */
  reference?: string;
  /** The deprecated name of `reference`. @deprecated */
  externalId?: string;
}

/** A ticket was answered or resolved. In schema version 1. */
export interface TicketUpdatedV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** A procedure that a community’s team has prepared and allows apps to run. */
export interface Workflow {
  /** The identifier of the workflow. */
  id: string;
  /** The identifier of the server. */
  serverId: string;
  /** The name. */
  name: string;
  /** The effect of a run. */
  description: string;
  /** The JSON Schema (2020-12) of a run’s input. */
  inputSchema: Record<string, unknown>;
  /** True if the workflow can be run. */
  enabled: boolean;
  /** The creation time. */
  createdAt: string;
}

/** The input of the run. It must match the workflow’s schema. */
export type WorkflowInput = Record<string, unknown>;

/** A page of workflows. */
export interface WorkflowList {
  /** Newest first. */
  data: Workflow[];
  nextCursor: string | null;
}

/** A run of a workflow. */
export interface WorkflowRun {
  /** The identifier of the run. */
  id: string;
  /** The identifier of the workflow. */
  workflowId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The status. One of `queued`, `running`, `succeeded`, `failed`; more may be added. */
  status: 'queued' | 'running' | 'succeeded' | 'failed';
  input: WorkflowInput;
  output: Record<string, unknown> | null;
  /** The steps, in the order of execution. */
  steps: WorkflowRunStep[];
  /** The creation time. */
  createdAt: string;
  finishedAt: string | null;
}

/** A workflow run failed. In schema version 1. */
export interface WorkflowRunFailedV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** A run to begin. */
export interface WorkflowRunInput {
  input: WorkflowInput;
}

/** A workflow run started. In schema version 1. */
export interface WorkflowRunStartedV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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
  /** The name. */
  name: string;
  /** The status. The steps after a failed step are skipped. One of `waiting`, `running`, `succeeded`, `failed`, `skipped`; more may be added. */
  status: 'waiting' | 'running' | 'succeeded' | 'failed' | 'skipped';
  startedAt: string | null;
  finishedAt: string | null;
}

/** A workflow run succeeded. In schema version 1. */
export interface WorkflowRunSucceededV1 {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The time of the event. */
  occurredAt: string;
  /** The environment of the event. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The app's identifier. */
  appId: string;
  /** The identifier of the server. */
  serverId: string;
  /** The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The type of the event. */
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

/** The event in the body of a webhook; `type` distinguishes the types. */
export type WebhookEvent = PublicationPublishedV1 | PublicationUpdatedV1 | PublicationArchivedV1 | RoadmapItemCreatedV1 | RoadmapItemMovedV1 | TicketCreatedV2 | TicketCreatedV1 | TicketUpdatedV1 | TicketClosedV1 | WorkflowRunStartedV1 | WorkflowRunSucceededV1 | WorkflowRunFailedV1 | ServerUpdatedV1 | InstallationPausedV1 | InstallationResumedV1 | InstallationScopeChangedV1 | PingV1;

export interface Operations {
  /** Get the caller. Returns the environment, the app, the scopes and the expiry of the key that authenticates the request. Access: Any valid key. */
  getMe: {
    input: Record<never, never>;
    output: Me;
  };
  /** List servers. Lists the servers that have authorised this app with `servers:read`, newest first. The list omits servers whose installation or scope is paused or revoked. Access: A key with `servers:read`. */
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
  /** Get a server. Returns one server that has authorised this app with `servers:read`. Access: A key with `servers:read`. */
  getServer: {
    input: {
      /** The identifier of the server. */
      serverId: string;
    };
    output: Server;
  };
  /** List the publications of a server. Lists the publications of a server that has authorised this app with `publications:read`, newest first. Access: A key with `publications:read`. */
  listPublications: {
    input: {
      /** The identifier of the server. */
      serverId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: PublicationList;
    item: Publication;
  };
  /** Get a publication. Returns one publication of a server that has authorised this app with `publications:read`. Access: A key with `publications:read`. */
  getPublication: {
    input: {
      /** The identifier of the publication. */
      publicationId: string;
    };
    output: Publication;
  };
  /** List the roadmap of a server. Lists the roadmap of a server that has authorised this app with `roadmap:read`, newest item first. `position` is the place of an item on the board. Access: A key with `roadmap:read`. */
  listRoadmap: {
    input: {
      /** The identifier of the server. */
      serverId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: RoadmapItemList;
    item: RoadmapItem;
  };
  /** Get a roadmap item. Returns one roadmap item of a server that has authorised this app with `roadmap:read`. Access: A key with `roadmap:read`. */
  getRoadmapItem: {
    input: {
      /** The identifier of the roadmap item. */
      roadmapItemId: string;
    };
    output: RoadmapItem;
  };
  /** List the tickets of the app on a server. Lists the tickets that this app created on a server that has authorised it with `tickets:create`, newest first. Tickets of other apps are not listed. In the sandbox, the list also contains the tickets of the sandbox data and of triggered events. Access: A key with `tickets:create`. */
  listTickets: {
    input: {
      /** The identifier of the server. */
      serverId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: TicketList;
    item: Ticket;
  };
  /** Create a ticket. Creates a ticket on a server that has authorised this app with `tickets:create`, and emits `ticket.created`. In the sandbox no member is notified. Accepts an `Idempotency-Key`. Access: A key with `tickets:create`, on a server that has authorised the scope. */
  createTicket: {
    input: {
      /** The identifier of the server. */
      serverId: string;
      body: TicketInput;
    };
    output: Ticket;
    takesIdempotencyKey: true;
  };
  /** Get a ticket. Returns the current state of a ticket that this app created. Access: A key with `tickets:create`. */
  getTicket: {
    input: {
      /** The identifier of the ticket. */
      ticketId: string;
    };
    output: Ticket;
  };
  /** List the workflows of a server. Lists the workflows of a server that has authorised this app with `workflows:run`, newest first. Access: A key with `workflows:run`. */
  listWorkflows: {
    input: {
      /** The identifier of the server. */
      serverId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: WorkflowList;
    item: Workflow;
  };
  /** Run a workflow. Creates a run of a workflow on a server that has authorised this app with `workflows:run`. The run is queued: read its status, or wait for `workflow_run.succeeded` or `workflow_run.failed`. In the sandbox the steps of a run have no effect. Accepts an `Idempotency-Key`. Access: A key with `workflows:run`, on a server that has authorised the scope. */
  createWorkflowRun: {
    input: {
      /** The identifier of the workflow. */
      workflowId: string;
      body: WorkflowRunInput;
    };
    output: WorkflowRun;
    takesIdempotencyKey: true;
  };
  /** Get a run. Returns the current state of a run that this app created. Access: A key with `workflows:run`. */
  getWorkflowRun: {
    input: {
      /** The identifier of the run. */
      workflowRunId: string;
    };
    output: WorkflowRun;
  };
  /** List events. Lists all events, oldest first, for the reconciliation of webhook deliveries. To continue, send the last `nextAfter` as `after`. No event is skipped, regardless of the time of its commit. Events are ordered by the start of their transactions, so sort the events of a subject by `sequence`. Events of a server are withheld unless the server authorises this app with `events:read` and with the scope of the event’s resource: `publications:read`, `roadmap:read`, `tickets:create`, `workflows:run` or `servers:read`. `nextAfter` passes withheld events. When a server grants the scope again, read the events of the server with `serverId` from an earlier position. A page examines a bounded number of events: while `hasMore` is true, continue to read, even if a page is empty. Events have version 1 of their schemas unless `schemaVersion` selects another version. Access: A key with `events:read`. */
  listEvents: {
    input: {
      /** The schema version of the returned events. A type without this version is returned in its newest version. The `schemaVersion` of each event names its version. */
      schemaVersion?: number;
      /** The type of the event. */
      type?: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping';
      /** The identifier of the server. */
      serverId?: string;
      /** Cursor of the page: the `nextAfter` of the previous page. */
      after?: string;
      /** Maximum number of items to return. */
      limit?: number;
    };
    output: EventList;
    item: Event;
  };
  /** Get an event. Returns one event, in the bytes that webhooks deliver to endpoints with this schema version. Access: A key with `events:read`. */
  getEvent: {
    input: {
      /** The identifier of the event, identical in the feed and in every delivery. */
      eventId: string;
      /** The schema version of the returned events. A type without this version is returned in its newest version. The `schemaVersion` of each event names its version. */
      schemaVersion?: number;
    };
    output: Event;
  };
  /** Report a leaked key. Revokes a leaked key. Every holder of the complete key can report it. The key is revoked immediately and permanently, its in-flight calls and deliveries are cancelled, and its organisation is notified. For a key that is already revoked or expired, the operation returns its state. Every text that is not a valid key gets the same `invalid_key` response. The key is neither logged nor stored. Access: Any client, a few times a minute from one address; no key is required except the key in the body. */
  reportLeakedKey: {
    input: {
      body: LeakReport;
    };
    output: LeakedKey;
  };
  /** Report keys that GitHub found. Receives the reports of GitHub's secret scanning and revokes each key of this environment like `reportLeakedKey`. The operation is idempotent: a repeated message changes nothing and gets the same response. Access: GitHub, authenticated by its signature of the body. The operator configures GitHub's public keys; without them every request is rejected. */
  reportGithubMatches: {
    input: {
      body: SecretScanningMatches;
    };
    output: SecretScanningFeedback;
  };
  /** Get the keys that verify revocation receipts. Returns the public keys of this environment as a JSON Web Key Set. A receipt names its key in `kid`. Earlier keys stay in the set. Access: Any client; no key is required. */
  getReceiptKeys: {
    input: Record<never, never>;
    output: ReceiptKeys;
  };
  /** Get the contract. Returns the OpenAPI 3.1 document of this API. Access: Any client; no key is required. */
  getOpenapi: {
    input: {
      /** False omits `webhooks` and the schemas that only they use, for tools that support only the operations. */
      webhooks?: boolean;
    };
    output: {
      /** The OpenAPI version of the document. */
      openapi: '3.1.0';
    };
  };
  /** Find the contract. Returns the addresses of this API and of its OpenAPI document, at the well-known location of RFC 9727. Access: Any client; no key is required. */
  getApiCatalog: {
    input: Record<never, never>;
    output: ApiCatalog;
  };
  /** Read about all problems. Returns a page that lists all problems, with a link to the page of each. Access: Any client; no key is required. */
  getProblemIndex: {
    input: Record<never, never>;
    output: string;
  };
  /** Read about a problem. Returns the page that a problem’s `type` links to: the meaning, the cause and the fix. Access: Any client; no key is required. */
  getProblemPage: {
    input: {
      /** The last segment of the problem’s `type`. */
      slug: string;
    };
    output: string;
  };
  /** Read about all deprecations. Returns a page that lists all deprecations, with a link to the page of each. The page says so if there are none. Access: Any client; no key is required. */
  getDeprecationIndex: {
    input: Record<never, never>;
    output: string;
  };
  /** Read about a deprecation. Returns the page that the `Link` header of a deprecated use points to: the deprecated part, the day on which it ends, and the replacement. Access: Any client; no key is required. */
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
  listTickets: { method: 'GET', path: '/v1/servers/{serverId}/tickets', query: ['limit', 'cursor'], page: 'cursor' },
  createTicket: { method: 'POST', path: '/v1/servers/{serverId}/tickets', takesIdempotencyKey: true },
  getTicket: { method: 'GET', path: '/v1/tickets/{ticketId}' },
  listWorkflows: { method: 'GET', path: '/v1/servers/{serverId}/workflows', query: ['limit', 'cursor'], page: 'cursor' },
  createWorkflowRun: { method: 'POST', path: '/v1/workflows/{workflowId}/runs', takesIdempotencyKey: true },
  getWorkflowRun: { method: 'GET', path: '/v1/workflow-runs/{workflowRunId}' },
  listEvents: { method: 'GET', path: '/v1/events', query: ['schemaVersion', 'type', 'serverId', 'after', 'limit'], page: 'after' },
  getEvent: { method: 'GET', path: '/v1/events/{eventId}', query: ['schemaVersion'] },
  reportLeakedKey: { method: 'POST', path: '/v1/leaked-keys' },
  reportGithubMatches: { method: 'POST', path: '/v1/leaked-keys/github' },
  getReceiptKeys: { method: 'GET', path: '/receipt-keys' },
  getOpenapi: { method: 'GET', path: '/v1/openapi.json', query: ['webhooks'] },
  getApiCatalog: { method: 'GET', path: '/.well-known/api-catalog' },
  getProblemIndex: { method: 'GET', path: '/problems', isText: true },
  getProblemPage: { method: 'GET', path: '/problems/{slug}', isText: true },
  getDeprecationIndex: { method: 'GET', path: '/deprecations', isText: true },
  getDeprecationPage: { method: 'GET', path: '/deprecations/{deprecationId}', isText: true },
} as const;
