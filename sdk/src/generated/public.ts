// Generated from contract/openapi.json by `npm run contract`. Do not edit.

/** The APIs of this host (RFC 9727), as a set of links (RFC 9264). */
export interface ApiCatalog {
  /** An entry for each API. */
  linkset: {
    /** The address of the API. */
    anchor: string;
    /** Its description for machines. */
    'service-desc': {
      /** Its address. */
      href: string;
      /** Its media type. */
      type: string;
    }[];
  }[];
}

/** Something that happened. A webhook delivers the same bytes. */
export interface Event {
  /** The event's identifier: the same in every delivery and here. */
  id: string;
  /** What happened. */
  type: "publication.published" | "publication.updated" | "publication.archived" | "roadmap.item_created" | "roadmap.item_moved" | "ticket.created" | "ticket.updated" | "ticket.closed" | "workflow_run.started" | "workflow_run.succeeded" | "workflow_run.failed" | "server.updated" | "installation.paused" | "installation.resumed" | "ping";
  /** The version of `data` for this type. */
  schemaVersion: number;
  /** When it happened. */
  occurredAt: string;
  /** Where it happened. */
  environment: "sandbox" | "production";
  /** The app's identifier. */
  appId: string;
  /** The server's identifier. */
  serverId: string;
  subject: EventSubject;
  /** Contiguous for each subject, from 1: a gap means that an event has not arrived yet. */
  sequence: number;
  requestId: string | null;
  /** The resource as of the event, in this schema version. */
  data: {
  };
}

/** A page of the feed. */
export interface EventList {
  /** Oldest first. */
  data: Event[];
  nextAfter: string | null;
}

/** What it happened to. */
export interface EventSubject {
  /** What kind of resource. */
  type: string;
  /** The resource's identifier. */
  id: string;
}

/** Who is calling. */
export interface Me {
  /** Where the key opens. */
  environment: "sandbox" | "production";
  /** The app's identifier. */
  appId: string;
  /** The key's identifier. */
  keyId: string;
  /** The public half of the key's text. */
  kid: string;
  /** What the key may do. */
  scopes: ("servers:read" | "publications:read" | "events:read" | "roadmap:read" | "tickets:create" | "workflows:run")[];
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
  category?: "question" | "bug" | "feedback" | "billing" | "other";
  /** How urgent it is. */
  priority?: "low" | "normal" | "high" | "urgent";
  /** Who asks. */
  requester?: {
    /** Their name. */
    name: string;
    /** Their identifier in your system. */
    reference?: string;
    /** The former name of `reference`. */
    externalId?: string;
  };
  /** Labels of your own. */
  labels?: string[];
  /** Names and values of your own, kept as they are. */
  metadata?: Record<string, string>;
}

/** A run to begin. */
export interface NewWorkflowRun {
  /** What the run was given; it fits the workflow’s schema. */
  input: {
  };
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
  code: "invalid_request" | "missing_key" | "invalid_key" | "expired_key" | "revoked_key" | "wrong_environment" | "sign_in_required" | "sign_in_failed" | "missing_scope" | "scope_not_authorised" | "installation_paused" | "installation_revoked" | "app_suspended" | "browser_use" | "role_not_allowed" | "cross_site_request" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "conflict" | "quota_exceeded" | "idempotency_in_progress" | "gone" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "workflow_input_invalid" | "idempotency_key_reused" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable";
  /** The request. */
  requestId: string;
  /** What is wrong in this case. */
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
  status: "draft" | "scheduled" | "published" | "archived";
  /** Who wrote it. */
  author: string;
  /** What it is about. */
  tags: string[];
  publishedAt: string | null;
  /** When its first draft was written. */
  createdAt: string;
}

/** A page of publications. */
export interface PublicationList {
  /** Newest first. */
  data: Publication[];
  nextCursor: string | null;
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
  status: "idea" | "planned" | "in_progress" | "shipped" | "declined";
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

/** A page of roadmap items. */
export interface RoadmapItemList {
  /** Newest first. */
  data: RoadmapItem[];
  nextCursor: string | null;
}

/** What a server allows in one scope. */
export interface ScopeGrant {
  /** A scope. */
  scope: "servers:read" | "publications:read" | "events:read" | "roadmap:read" | "tickets:create" | "workflows:run";
  /** Authorised allows; paused holds until it is resumed; revoked is final. */
  state: "authorised" | "paused" | "revoked";
}

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
  state: "authorised" | "paused" | "revoked";
  /** Each scope that was ever granted here. */
  scopes: ScopeGrant[];
}

/** A page of servers. */
export interface ServerList {
  /** Newest first. */
  data: Server[];
  nextCursor: string | null;
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
  category: "question" | "bug" | "feedback" | "billing" | "other";
  /** How urgent it is. */
  priority: "low" | "normal" | "high" | "urgent";
  /** How far it has come. */
  status: "open" | "pending" | "resolved" | "closed";
  requester: TicketRequester | null;
  /** Labels of your own. */
  labels: string[];
  /** Names and values of your own, kept as they are. */
  metadata: Record<string, string>;
  /** When it was created. */
  createdAt: string;
}

/** Who asks. */
export interface TicketRequester {
  /** Their name. */
  name: string;
  /** Their identifier in your system. */
  reference?: string;
  /** The former name of `reference`. */
  externalId?: string;
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
  inputSchema: {
  };
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
  status: "queued" | "running" | "succeeded" | "failed";
  /** What the run was given; it fits the workflow’s schema. */
  input: {
  };
  output: {
  } | null;
  /** In the order in which they run. */
  steps: WorkflowRunStep[];
  /** When it was asked for. */
  createdAt: string;
  finishedAt: string | null;
}

/** A step of a run. */
export interface WorkflowRunStep {
  /** What it is called. */
  name: string;
  /** How far it has come; what follows a failed step is skipped. */
  status: "waiting" | "running" | "succeeded" | "failed" | "skipped";
  startedAt: string | null;
  finishedAt: string | null;
}

export interface Operations {
  /** Get who is calling. The environment, app, key and scopes behind the key of this request, and when it expires. Access: Any valid key. */
  getMe: {
    input: Record<never, never>;
    output: Me;
  };
  /** List servers. The servers that have authorised this app with `servers:read`, newest first. Servers where the installation or the scope is paused or revoked are left out. Access: A key with `servers:read`. */
  listServers: {
    input: {
      /** How many to return at most. */
      limit?: number;
      /** Where to go on: the `nextCursor` of the page before. */
      cursor?: string;
    };
    output: ServerList;
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
      /** How many to return at most. */
      limit?: number;
      /** Where to go on: the `nextCursor` of the page before. */
      cursor?: string;
    };
    output: PublicationList;
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
      /** How many to return at most. */
      limit?: number;
      /** Where to go on: the `nextCursor` of the page before. */
      cursor?: string;
    };
    output: RoadmapItemList;
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
      /** How many to return at most. */
      limit?: number;
      /** Where to go on: the `nextCursor` of the page before. */
      cursor?: string;
    };
    output: WorkflowList;
  };
  /** Run a workflow. Asks for a run of a workflow on a server that has authorised this app with `workflows:run`. The run is queued; read it, or wait for `workflow_run.succeeded` or `workflow_run.failed`. In the sandbox it goes through its steps and does nothing. Takes an `Idempotency-Key`. Access: A key with `workflows:run`, and a server that has authorised it. */
  createWorkflowRun: {
    input: {
      /** The workflow's identifier. */
      workflowId: string;
      body: NewWorkflowRun;
    };
    output: WorkflowRun;
  };
  /** Get a run. One of the runs that this app asked for, as it stands now. Access: A key with `workflows:run`. */
  getWorkflowRun: {
    input: {
      /** The run's identifier. */
      workflowRunId: string;
    };
    output: WorkflowRun;
  };
  /** List events. Everything that happened, oldest first, to reconcile what webhooks delivered. Send the last `nextAfter` as `after` to go on: no event is skipped, whenever it was committed. Events of servers that have not authorised this app with `events:read`, or have paused it, are left out. Access: A key with `events:read`. */
  listEvents: {
    input: {
      /** What happened. */
      type?: "publication.published" | "publication.updated" | "publication.archived" | "roadmap.item_created" | "roadmap.item_moved" | "ticket.created" | "ticket.updated" | "ticket.closed" | "workflow_run.started" | "workflow_run.succeeded" | "workflow_run.failed" | "server.updated" | "installation.paused" | "installation.resumed" | "ping";
      /** The server's identifier. */
      serverId?: string;
      /** A position in the feed: the `nextAfter` of the page before. */
      after?: string;
      /** How many to return at most. */
      limit?: number;
    };
    output: EventList;
  };
  /** Get an event. One event, in the bytes that webhooks deliver. Access: A key with `events:read`. */
  getEvent: {
    input: {
      /** The event's identifier: the same in every delivery and here. */
      eventId: string;
    };
    output: Event;
  };
  /** Get the contract. This API as an OpenAPI 3.1 document. Access: Anyone; no key is needed. */
  getOpenapi: {
    input: Record<never, never>;
    output: {
      /** Its version of OpenAPI. */
      openapi: "3.1.0";
    };
  };
  /** Find the contract. Where this API and its OpenAPI document are, in the place that RFC 9727 gives it. Access: Anyone; no key is needed. */
  getApiCatalog: {
    input: Record<never, never>;
    output: ApiCatalog;
  };
  /** Read about a problem. The page behind a problem's `type`: what it means and how to mend it. Access: Anyone; no key is needed. */
  getProblemPage: {
    input: {
      /** The end of the problem's type. */
      slug: string;
    };
    output: string;
  };
  /** Read about a deprecation. The page that the `Link` of a deprecated use leads to: what ends when, and what to do instead. Access: Anyone; no key is needed. */
  getDeprecationPage: {
    input: {
      /** Which deprecation. */
      deprecationId: string;
    };
    output: string;
  };
}

export const operations = {
  getMe: { method: 'GET', path: '/v1/me', query: [] },
  listServers: { method: 'GET', path: '/v1/servers', query: ["limit","cursor"] },
  getServer: { method: 'GET', path: '/v1/servers/{serverId}', query: [] },
  listPublications: { method: 'GET', path: '/v1/servers/{serverId}/publications', query: ["limit","cursor"] },
  getPublication: { method: 'GET', path: '/v1/publications/{publicationId}', query: [] },
  listRoadmap: { method: 'GET', path: '/v1/servers/{serverId}/roadmap', query: ["limit","cursor"] },
  getRoadmapItem: { method: 'GET', path: '/v1/roadmap/{roadmapItemId}', query: [] },
  createTicket: { method: 'POST', path: '/v1/servers/{serverId}/tickets', query: [] },
  getTicket: { method: 'GET', path: '/v1/tickets/{ticketId}', query: [] },
  listWorkflows: { method: 'GET', path: '/v1/servers/{serverId}/workflows', query: ["limit","cursor"] },
  createWorkflowRun: { method: 'POST', path: '/v1/workflows/{workflowId}/runs', query: [] },
  getWorkflowRun: { method: 'GET', path: '/v1/workflow-runs/{workflowRunId}', query: [] },
  listEvents: { method: 'GET', path: '/v1/events', query: ["type","serverId","after","limit"] },
  getEvent: { method: 'GET', path: '/v1/events/{eventId}', query: [] },
  getOpenapi: { method: 'GET', path: '/v1/openapi.json', query: [] },
  getApiCatalog: { method: 'GET', path: '/.well-known/api-catalog', query: [] },
  getProblemPage: { method: 'GET', path: '/problems/{slug}', query: [] },
  getDeprecationPage: { method: 'GET', path: '/deprecations/{deprecationId}', query: [] },
} as const;
