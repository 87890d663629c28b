// Generated from contract/console.openapi.json by `npm run contract`. Do not edit.

/** A change to forecast. Exactly one of `key`, `grants` and `endpoint` is required. */
export interface AccessChangeInput {
  key?: KeyNarrowing;
  grants?: GrantNarrowing;
  endpoint?: EndpointNarrowing;
  /** Cursor of the part: the `nextCursor` of the previous part of the same change. */
  cursor?: string;
}

/** The explanation of a request’s access. */
export interface AccessExplanation {
  /** The identifier of the operation. */
  operationId: string;
  keyId: string | null;
  serverId: string | null;
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | null;
  resourceScope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | null;
  /** True if every rule holds. A list then returns the objects that are allowed. */
  isAllowed: boolean;
  code: 'invalid_key' | 'revoked_key' | 'expired_key' | 'app_suspended' | 'missing_scope' | 'not_found' | 'installation_revoked' | 'installation_paused' | 'scope_not_authorised' | null;
  /** The rules of the operation, in the order of their evaluation. An operation with several scopes has the rules of each. */
  rules: AccessRule[];
  omittedServers: OmittedServer[] | null;
  /** True if every server was checked. */
  isComplete: boolean;
  /** Conditions that the explanation does not check. */
  notEvaluated: string[];
}

/** What a change would break, by the records of the period. Each part has the totals so far. */
export interface AccessForecast {
  /** The start of the period, 30 days before its end. */
  since: string;
  /** The end of the period: when the forecast began. */
  until: string;
  oldestRecordAt: string | null;
  /** The number of requests of the period without a record. The forecast does not include them. */
  lostRecords: number;
  /** The examined share of the period; 1 at the end. */
  progress: number;
  /** The requests that succeeded and that the current state allows. */
  requests: {
    /** The time from which requests of the period are stored. It is later than the start of the period if the installation or the organisation keeps requests for fewer days, or if the installation is younger. */
    since: string;
    /** The number of examined records, including those that the change does not concern. */
    examined: number;
    /** The number of requests that would be refused. */
    refused: number;
    /** The number of lists that would leave out the objects of a server. The records do not state whether a list had any. */
    shortened: number;
    /** The number of requests for which the records do not answer the question. */
    unknown: number;
    newestId: string | null;
    /** The keys with requests that would be refused, most requests first. */
    keys: {
      /** The key's identifier. */
      keyId: string;
      /** The number of requests that would be refused. */
      refused: number;
    }[];
    /** False if there are more than 50 keys. */
    isKeyListComplete: boolean;
  };
  /** The scheduled deliveries that were sent or wait, and that the current state allows. */
  deliveries: {
    /** The time from which deliveries of the period are stored. It is later than the start of the period if the installation keeps deliveries for fewer days, or is younger. */
    since: string;
    /** The number of examined deliveries, including those that the change does not concern. */
    examined: number;
    /** The number of deliveries that would be skipped, or would not exist. */
    skipped: number;
    /** The number of deliveries that would be held until a server resumes. */
    held: number;
    /** The number of deliveries whose event is no longer stored, or for which a condition needs an event that the app may not read now. */
    unknown: number;
    newestId: string | null;
  };
  nextCursor: string | null;
}

/** The result of one rule. */
export interface AccessRule {
  /** The rule. Rules are listed in the order of their evaluation. One of `key_exists`, `key_not_revoked`, `key_not_expired`, `app_active`, `key_has_scope`, `server_exists`, `installation_exists`, `server_not_revoked_by_organisation`, `installation_not_revoked`, `server_not_paused_by_organisation`, `installation_within_cap`, `installation_not_paused`, `scope_not_revoked_by_organisation`, `scope_authorised`, `scope_not_revoked`, `scope_not_paused_by_organisation`, `scope_not_paused`, `resource_scope_approved`, `resource_scope_not_revoked_by_organisation`, `resource_scope_authorised`, `resource_scope_not_revoked`, `resource_scope_not_paused_by_organisation`, `resource_scope_not_paused`; more may be added. */
  rule: 'key_exists' | 'key_not_revoked' | 'key_not_expired' | 'app_active' | 'key_has_scope' | 'server_exists' | 'installation_exists' | 'server_not_revoked_by_organisation' | 'installation_not_revoked' | 'server_not_paused_by_organisation' | 'installation_within_cap' | 'installation_not_paused' | 'scope_not_revoked_by_organisation' | 'scope_authorised' | 'scope_not_revoked' | 'scope_not_paused_by_organisation' | 'scope_not_paused' | 'resource_scope_approved' | 'resource_scope_not_revoked_by_organisation' | 'resource_scope_authorised' | 'resource_scope_not_revoked' | 'resource_scope_not_paused_by_organisation' | 'resource_scope_not_paused';
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | null;
  /** `unknown`: the rule cannot be evaluated, because an earlier rule is broken. One of `holds`, `broken`, `unknown`; more may be added. */
  outcome: 'holds' | 'broken' | 'unknown';
  /** The problem code of a request that breaks the rule. One of `invalid_key`, `revoked_key`, `expired_key`, `app_suspended`, `missing_scope`, `not_found`, `installation_revoked`, `installation_paused`, `scope_not_authorised`; more may be added. */
  code: 'invalid_key' | 'revoked_key' | 'expired_key' | 'app_suspended' | 'missing_scope' | 'not_found' | 'installation_revoked' | 'installation_paused' | 'scope_not_authorised';
  fix: string | null;
}

/** A personal access token, without its secret. */
export interface AccessToken {
  /** The access token's identifier. */
  id: string;
  /** The public part of the token. */
  kid: string;
  /** The place where the token is used. */
  name: string;
  /** The permission of the token within the role of its owner: read only, or read and write. One of `read`, `write`; more may be added. */
  scope: 'read' | 'write';
  /** Only an active token gives access. One of `active`, `expired`; more may be added. */
  state: 'active' | 'expired';
  /** The e-mail address of the owner, in whose name the token acts. */
  owner: string;
  /** When the token was created. */
  createdAt: string;
  /** When the token expires. */
  expiresAt: string;
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
}

/** An access token to create. */
export interface AccessTokenInput {
  /** The place where the token is used. */
  name: string;
  /** The permission of the token within the role of its owner: read only, or read and write. */
  scope: 'read' | 'write';
  /** The lifetime in days. */
  expiresInDays: number;
}

/** A page of access tokens. */
export interface AccessTokenList {
  /** Newest first. */
  data: AccessToken[];
  nextCursor: string | null;
}

/** An app of an organisation. */
export interface App {
  /** The app's identifier. */
  id: string;
  /** The organisation's identifier. */
  organisationId: string;
  /** The environment of the app. Sandbox and production are isolated. One of `sandbox`, `production`; more may be added. */
  environment: 'sandbox' | 'production';
  /** The name. */
  name: string;
  /** Only an `active` app has access. An app that is `deleting` can be restored until `eraseAt`. One of `active`, `suspended`, `deleting`; more may be added. */
  state: 'active' | 'suspended' | 'deleting';
  suspendedBy: 'member' | 'operator' | null;
  eraseAt: string | null;
  /** True if the headers and bodies of requests are stored for a limited time, sealed, for `revealCapture`. Always false in production. */
  capturesBodies: boolean;
  /** False in production, and if the operator of Slipway forbids the storing of bodies. */
  canCaptureBodies: boolean;
  /** The person who registered the app. */
  createdBy: string;
  /** The time of the registration. */
  createdAt: string;
}

/** The settings of an app to change. */
export interface AppChange {
  /** The name. */
  name?: string;
  /** Whether the headers and bodies of requests are stored for a limited time. `false` makes stored ones unreadable immediately. */
  capturesBodies?: boolean;
}

/** The deletion of an app. */
export interface AppDeletion {
  /** The number of days during which the app can be restored; 7 by default. */
  graceDays?: number;
}

/** An event of the app, without its payload. */
export interface AppEvent {
  /** The identifier of the event, identical in the feed and in every delivery. */
  id: string;
  /** The type of the event. One of `publication.published`, `publication.updated`, `publication.archived`, `roadmap.item_created`, `roadmap.item_moved`, `ticket.created`, `ticket.updated`, `ticket.closed`, `workflow_run.started`, `workflow_run.succeeded`, `workflow_run.failed`, `server.updated`, `installation.paused`, `installation.resumed`, `installation.scope_changed`, `ping`; more may be added. */
  type: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping';
  /** When it happened. */
  occurredAt: string;
  serverId: string | null;
  /** The identifier of the object that the event is about. */
  subject: string;
  requestId: string | null;
  actor: string | null;
}

/** A page of events. */
export interface AppEventList {
  /** Newest first. */
  data: AppEvent[];
  nextCursor: string | null;
}

/** The types of the events of an app, for a filter. */
export interface AppEventTypes {
  /** The types of stored events. */
  types: ('publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping')[];
  /** The types of test events among the newest 1,000 deliveries. */
  testTypes: ('publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping')[];
}

/** An app to register. */
export interface AppInput {
  /** The name. */
  name: string;
}

/** A page of apps. */
export interface AppList {
  /** Newest first. */
  data: App[];
  nextCursor: string | null;
}

/** The activity that was stopped. */
export interface AppStop {
  /** The number of keys that were valid and lost their access. */
  keys: number;
  /** The number of pending deliveries that are now held, at most 10,000. */
  deliveries: number;
  /** The number of workflow runs that are now paused. */
  workflowRuns: number;
}

/** The approval of a terminal. */
export interface ApprovedDeviceSignIn {
  /** The code that the terminal shows, in upper or lower case, with or without the dash. */
  userCode: string;
  /** The permission of the token within the role of its owner: read only, or read and write. */
  scope: 'read' | 'write';
  /** The lifetime in days. */
  expiresInDays: number;
}

/** One attempt of a delivery. */
export interface Attempt {
  /** The number of the attempt, counted from 1. */
  number: number;
  /** When the attempt began. */
  startedAt: string;
  /** The duration of the attempt, in milliseconds. */
  durationMs: number;
  /** `response`, or the kind of failure. One of `response`, `timeout`, `dns`, `tls`, `connect`, `blocked_address`, `redirect`, `protocol`, `interrupted`, `aborted_by_revoke`; more may be added. */
  outcome: 'response' | 'timeout' | 'dns' | 'tls' | 'connect' | 'blocked_address' | 'redirect' | 'protocol' | 'interrupted' | 'aborted_by_revoke';
  status: number | null;
  detail: string | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  /** True if only the beginning of the body is stored. */
  isBodyTruncated: boolean;
  url: string | null;
  keyId: string | null;
}

/** The attempts that began in one interval. */
export interface AttemptBucket {
  /** When the interval begins. */
  at: string;
  /** How many attempts received a 2xx response. */
  succeeded: number;
  /** How many attempts received another response, or none. */
  failed: number;
}

/** The successful and failed attempts of an endpoint over time. Attempts that Slipway stopped are not counted. */
export interface AttemptHistogram {
  /** The intervals, oldest first. */
  data: AttemptBucket[];
  /** Start of the period. */
  since: string;
  /** When the last interval ends. */
  until: string;
  searchedUntil: string | null;
}

/** Entries of one chain; `head` is its newest entry, null before the first. */
export interface AuditEntries {
  /** In the requested order. */
  data: AuditEntry[];
  head: AuditHead | null;
}

/** An entry of the audit log: the actor, the action, the target and the position in the chain. */
export interface AuditEntry {
  /** The entry's identifier. */
  id: string;
  /** The log that the entry belongs to. Each log has a chain of its own. One of `console`, `sandbox`, `production`; more may be added. */
  chain: 'console' | 'sandbox' | 'production';
  /** Position in its chain: 1, 2, 3 and so on, without a gap. */
  sequence: number;
  /** When the action was recorded, with microseconds. */
  at: string;
  /** The actor. */
  actor: {
    /** A person, a personal access token of a person, Slipway itself, or an operator on the server. One of `person`, `token`, `machine`, `operator`; more may be added. */
    kind: 'person' | 'token' | 'machine' | 'operator';
    id: string | null;
    /** Name of the actor; the e-mail address of a person. */
    name: string;
  };
  /** The action. */
  action: string;
  /** The identifier of the target of the action. */
  target: string;
  appId: string | null;
  /** Further details of the action; never a secret. */
  detail: Record<string, unknown>;
  requestId: string | null;
  clientAddress: string | null;
  previousHash: string | null;
  /** SHA-256 over all other fields, in hexadecimal (docs/decisions/0027). */
  hash: string;
}

/** The newest entry of a chain. */
export interface AuditHead {
  /** Position in its chain: 1, 2, 3 and so on, without a gap. */
  sequence: number;
  /** The hash of the entry. */
  hash: string;
}

/** A page of the log. */
export interface AuditLog {
  /** Newest first. */
  data: AuditEntry[];
  nextCursor: string | null;
  /** The end of each chain; null before its first entry. */
  heads: Record<string, AuditHead | null>;
}

/** A code of an authenticator. */
export interface AuthenticatorCode {
  /** The six digits that the authenticator shows now. */
  code: string;
}

/** The new state of many grants. */
export interface BulkChange {
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. */
  state: 'authorised' | 'paused' | 'revoked';
  /** The scopes to change on each server. Without this field the installation as a whole changes. */
  scopes?: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>))[];
  /** The servers to change. Without this field every server changes, 1000 per call. */
  serverIds?: string[];
  /** Changes only grants in this state, and omits the others. */
  from?: 'authorised' | 'paused' | 'revoked' | 'absent';
  /** True to make revoked grants less strict too. Otherwise a revoked grant stays revoked and counts as `excluded`, unless `from` is `revoked`. */
  includeRevoked?: boolean;
  /** Cursor of the page: the `nextCursor` of the previous call. Only without `serverIds`. */
  cursor?: string;
  /** The reason, for readers of the history. */
  reason?: string;
  /** True to return the result of the change without making it. */
  isDryRun?: boolean;
}

/** One grant: the scope on the server, or the installation as a whole if the scope is null. */
export interface BulkItem {
  /** The identifier of the server. */
  serverId: string;
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | null;
  /** `changed`: the state changed, or would change in a dry run. `unchanged`: the grant already had the state. `impossible`: the grant cannot have the state. `excluded`: the grant is revoked and stays revoked without `includeRevoked`. One of `changed`, `unchanged`, `impossible`, `excluded`; more may be added. */
  outcome: 'changed' | 'unchanged' | 'impossible' | 'excluded';
  from: 'authorised' | 'paused' | 'revoked' | null;
  to: 'authorised' | 'paused' | 'revoked' | null;
  reason: 'no_such_server' | 'not_installed' | 'nothing_granted' | 'upstream_withholds' | 'over_cap' | null;
}

/** The result of the change for each grant. */
export interface BulkResult {
  /** True if the call was a dry run and changed nothing. */
  isDryRun: boolean;
  /** The number of changed grants. */
  changed: number;
  /** The number of grants that already had the state. */
  unchanged: number;
  /** The number of grants that cannot have the state. */
  impossible: number;
  /** The number of grants that stay revoked, because the change does not include revoked grants. */
  excluded: number;
  /** The changed grants, counted by their effective state before the change. */
  changedFrom: {
    /** Changed grants that were authorised. */
    authorised: number;
    /** Changed grants that were paused. */
    paused: number;
    /** Changed grants that were revoked. */
    revoked: number;
    /** Changed grants that did not exist. */
    absent: number;
  };
  receiptId: string | null;
  /** The number of pending deliveries that the change cancels, holds, or releases for a new check. For an app with more than 10,000, it counts those of the oldest 10,000, and at most 250 that are cancelled. The others follow when they become due. */
  deliveries: number;
  /** Each grant, server by server. */
  data: BulkItem[];
  nextCursor: string | null;
}

/** The response to a call. */
export interface Call {
  /** The request’s identifier, as in its Request-Id header. */
  requestId: string;
  /** The HTTP status of the response. */
  status: number;
  /** From the call to its response, in milliseconds. */
  durationMs: number;
  /** The headers of the response. */
  headers: Record<string, string>;
  /** The body of the response, unchanged. */
  body: string;
}

/** A call to make with a key of the app. */
export interface CallInput {
  /** The key's identifier. */
  keyId: string;
  /** The HTTP method. */
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, starting with /v1. */
  path: string;
  /** The headers to send. Other headers cannot be set. */
  headers?: {
    /** The accepted media types of the response. */
    Accept?: string;
    /** Makes a retry of the same mutation idempotent for 24 hours. */
    'Idempotency-Key'?: string;
    /** The ETag of an earlier response. */
    'If-None-Match'?: string;
    /** A problem or a latency to simulate. */
    'Sandbox-Simulate'?: string;
    /** The trace of the call (W3C Trace Context). */
    traceparent?: string;
  };
  /** The body to send, as JSON. */
  body?: string;
  /** JSON Pointers, such as `/body/subject`, of values that look like a mask of the Request Inspector, such as `[string of 12 characters]`, but are meant literally. Without its pointer, such a value is refused, because a mask is not the value that was sent. */
  literals?: string[];
}

/** The caller: a signed-in person, or the owner of an access token. */
export interface Caller {
  /** The e-mail address of the person. */
  email: string;
  /** The name of the person. */
  name: string;
  accessToken: AccessToken | null;
  /** The organisations of the person, oldest first. For an access token, only the organisation of the token. */
  organisations: Membership[];
}

/** The stored headers and bodies of a request. */
export interface Capture {
  status: CaptureStatus;
  request: {
    /** The headers, with names in lower case. */
    headers: Record<string, string>;
    /** The headers with a masked value: credentials, cookies, and addresses of callers. */
    maskedHeaders: string[];
    body: string | null;
    /** The masked values of the body, at most the first 1,000: values that the contract marks as sensitive, and text with one of Slipway’s keys. An empty pointer stands for the body as a whole. */
    maskedPointers: string[];
  } | null;
  response: {
    /** The headers, with names in lower case. */
    headers: Record<string, string>;
    /** The headers with a masked value: credentials, cookies, and addresses of callers. */
    maskedHeaders: string[];
    body: string | null;
    /** The masked values of the body, at most the first 1,000: values that the contract marks as sensitive, and text with one of Slipway’s keys. An empty pointer stands for the body as a whole. */
    maskedPointers: string[];
  } | null;
  snippets: {
    /** A command for a POSIX shell. */
    curl: string;
    /** JavaScript for Node, as a module. */
    fetch: string;
    sdk: string | null;
    /** True if the code repeats the request completely. Records do not store bodies: the code contains the example of the contract instead, and no body for GET and HEAD. Only the code that `revealCapture` returns can have the real body. Masked or truncated parts of the address are missing, as are headers that affect the response, such as `If-None-Match` for a 304. */
    isComplete: boolean;
  } | null;
}

/** Whether the headers and bodies of a request are stored. They are stored only in the sandbox, while the app captures bodies (`capturesBodies`). */
export interface CaptureStatus {
  /** `kept`: `revealCapture` returns the headers and bodies. One of `kept`, `not_kept`; more may be added. */
  state: 'kept' | 'not_kept';
  reason: 'off' | 'pending' | 'over_budget' | 'expired' | 'lost' | null;
  expiresAt: string | null;
  requestBody: 'none' | 'whole' | 'masked' | 'cut' | 'not_text' | null;
  responseBody: 'none' | 'whole' | 'masked' | 'cut' | 'not_text' | null;
}

/** A server and its grants to the app after a change, and the receipt of a revocation. */
export interface ChangedInstallation {
  /** The identifier of the server. */
  serverId: string;
  /** The server's display name. */
  serverName: string;
  installation: Grant | null;
  upstream: {
    /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
    state: 'authorised' | 'paused' | 'revoked';
    /** The state of each scope. A scope that is left out is revoked. */
    scopes: ScopeGrant[];
  } | null;
  /** The restrictions by the organisation, in production. The effective state of each grant is the strictest of statement, cap and restriction. */
  restrictions: InstallationRestriction[];
  /** True if the installation is paused because the app has reached its approved number of servers, in production. When a place becomes free, the waiting server with the oldest installation gets it without another statement. */
  isOverCap: boolean;
  unusedScopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[] | null;
  receiptId: string | null;
}

/** A condition on one value of an event, in the schema version to which the endpoint is pinned. It has exactly one of `equals`, `in`, `exists` and `prefix`. */
export interface Condition {
  /** The place of the value in the event, as a JSON Pointer (RFC 6901). */
  pointer: string;
  /** The value equals this one. */
  equals?: string | number | boolean | null;
  /** The value equals one of these. */
  in?: (string | number | boolean | null)[];
  /** True if the event must have the value; false if it must not. */
  exists?: boolean;
  /** The value is a text that begins with this one. */
  prefix?: string;
}

/** A condition on one value of an event, in the schema version to which the endpoint is pinned. It has exactly one of `equals`, `in`, `exists` and `prefix`. */
export interface ConditionInput {
  /** The place of the value in the event, as a JSON Pointer (RFC 6901). */
  pointer: string;
  /** The value equals this one. */
  equals?: string | number | boolean | null;
  /** The value equals one of these. */
  in?: (string | number | boolean | null)[];
  /** True if the event must have the value; false if it must not. */
  exists?: boolean;
  /** The value is a text that begins with this one. */
  prefix?: string;
}

/** A new access token with its secret. */
export interface CreatedAccessToken {
  accessToken: AccessToken;
  /** The whole token, shown only in this response. */
  token: string;
}

/** A new endpoint with its signing secret. */
export interface CreatedEndpoint {
  endpoint: Endpoint;
  /** The secret that signs the endpoint’s deliveries. */
  signingSecret: string;
}

/** A new invitation with its link. */
export interface CreatedInvitation {
  invitation: Invitation;
  /** The link, shown only in this response, for the case that no mail arrives. */
  url: string;
  /** True if `url` is the mailed link, which verifies the address: its holder can create the account of the address. Only an operator receives the mailed link, and only without a mail server. */
  createsAccount: boolean;
  /** The state of the mail with the link. `no_mail_server`: the operator has configured no mail server, and finds the message in the outbox. `limit_reached`: the address was mailed 10 times within a day. One of `queued`, `no_mail_server`, `limit_reached`; more may be added. */
  mail: 'queued' | 'no_mail_server' | 'limit_reached';
}

/** A new key with its secret. */
export interface CreatedKey {
  key: Key;
  /** The complete key. It is shown only in this response. */
  token: string;
}

/** A new destination with its signing secret. */
export interface CreatedNoticeDestination {
  destination: NoticeDestination;
  signingSecret: string | null;
}

/** The credentials of a sign-in. */
export interface Credentials {
  /** Your e-mail address. */
  email: string;
  /** Your password. */
  password: string;
}

/** The delivery of an event to an endpoint. */
export interface Delivery {
  /** The delivery's identifier. */
  id: string;
  /** The endpoint's identifier. */
  endpointId: string;
  endpointUrl: string | null;
  /** The event’s identifier. It is the same in every attempt and redelivery. */
  eventId: string;
  eventType: string | null;
  /** The cause of the delivery. `manual`: a member redelivered a delivery, which `redeliveryOf` names, or sent the event to the endpoint. One of `scheduled`, `manual`, `replay`, `test`; more may be added. */
  trigger: 'scheduled' | 'manual' | 'replay' | 'test';
  /** The status of the delivery. One of `pending`, `held`, `succeeded`, `failed`, `cancelled`, `skipped`; more may be added. */
  status: 'pending' | 'held' | 'succeeded' | 'failed' | 'cancelled' | 'skipped';
  reason: string | null;
  redeliveryOf: string | null;
  redeliveredAs: string | null;
  /** The number of attempts so far. */
  attemptCount: number;
  lastStatus: number | null;
  nextAttemptAt: string | null;
  /** When the delivery was created. */
  createdAt: string;
  finishedAt: string | null;
}

/** A delivery with its body and all attempts. */
export interface DeliveryDetail {
  /** The delivery's identifier. */
  id: string;
  /** The endpoint's identifier. */
  endpointId: string;
  endpointUrl: string | null;
  /** The event’s identifier. It is the same in every attempt and redelivery. */
  eventId: string;
  eventType: string | null;
  /** The cause of the delivery. `manual`: a member redelivered a delivery, which `redeliveryOf` names, or sent the event to the endpoint. One of `scheduled`, `manual`, `replay`, `test`; more may be added. */
  trigger: 'scheduled' | 'manual' | 'replay' | 'test';
  /** The status of the delivery. One of `pending`, `held`, `succeeded`, `failed`, `cancelled`, `skipped`; more may be added. */
  status: 'pending' | 'held' | 'succeeded' | 'failed' | 'cancelled' | 'skipped';
  reason: string | null;
  redeliveryOf: string | null;
  redeliveredAs: string | null;
  /** The number of attempts so far. */
  attemptCount: number;
  lastStatus: number | null;
  nextAttemptAt: string | null;
  /** When the delivery was created. */
  createdAt: string;
  finishedAt: string | null;
  body: string | null;
  /** All attempts, oldest first. */
  attempts: Attempt[];
}

/** A page of deliveries. */
export interface DeliveryList {
  /** Newest first. */
  data: Delivery[];
  nextCursor: string | null;
}

/** A deprecated part of the API that the app still uses. */
export interface DeprecatedUse {
  /** Which deprecation. */
  id: string;
  /** The deprecated part of the API. */
  title: string;
  /** The action that replaces it. */
  replacement: string;
  /** The page about the deprecation. */
  pageUrl: string;
  /** When the deprecation was announced. */
  announced: string;
  /** The day of the end. If `isRefusedAfter`, requests that use it are then refused with `gone`; otherwise it is no longer sent. */
  ends: string;
  /** True for a part of a request. False for a field of a response and for events. */
  isRefusedAfter: boolean;
  /** Number of requests that used it in the last 30 days. */
  uses: number;
  lastUsedAt: string | null;
  /** The newest of these requests, newest first. Their records can be deleted already. Empty for requests that an earlier release counted. */
  newestRequestIds: string[];
  /** Number of enabled endpoints that receive the deprecated events. */
  endpoints: number;
  /** The newest of these endpoints. */
  endpointIds: string[];
  answer: DeprecationAnswer;
}

/** The deprecated parts of the API that the app used in the counted period. */
export interface DeprecatedUseList {
  /** The earliest end first. */
  data: DeprecatedUse[];
}

/** The answer of a member to a deprecation. */
export interface DeprecationAnswer {
  /** The answer. `unanswered`: notices are written. One of `unanswered`, `acknowledged`, `snoozed`; more may be added. */
  status: 'unanswered' | 'acknowledged' | 'snoozed';
  snoozedUntil: string | null;
  answeredAt: string | null;
  answeredBy: string | null;
}

/** A poll of a terminal. */
export interface DeviceCode {
  /** The `deviceCode` of the started sign-in. */
  deviceCode: string;
}

/** A terminal that waits for a decision. */
export interface DeviceSignIn {
  /** The name that the terminal gives itself. It is not verified. */
  device: string;
  /** The client address of the terminal. */
  address: string;
  /** True if the terminal has the same client address as you. */
  hasYourAddress: boolean;
  /** When the terminal started the sign-in. */
  requestedAt: string;
  /** When its code stops being valid. */
  expiresAt: string;
}

/** A sign-in of a terminal to start. */
export interface DeviceSignInInput {
  /** The name that the terminal gives itself. It is not verified. */
  device: string;
}

/** A drill of an endpoint’s receiver. */
export interface Drill {
  /** The drill's identifier. */
  id: string;
  /** The endpoint's identifier. */
  endpointId: string;
  /** A drill is stopped when deliveries to its endpoint are no longer allowed. One of `running`, `completed`, `stopped`; more may be added. */
  status: 'running' | 'completed' | 'stopped';
  reason: string | null;
  /** The progress of the drill. */
  progress: {
    /** The number of steps that have ended. */
    done: number;
    /** The number of steps. */
    total: number;
  };
  /** The results of the steps so far. */
  summary: {
    /** The number of steps that the receiver passed. */
    passed: number;
    /** The number of steps that the receiver failed. */
    failed: number;
    /** The number of steps whose effect the receiver does not report. */
    unseen: number;
    /** The number of steps that were not sent. */
    notSent: number;
  };
  /** The member or token that started the drill. */
  createdBy: string;
  /** When the drill was started. */
  createdAt: string;
  finishedAt: string | null;
}

/** A drill with its report: each step with the responses, their durations, and the change that the receiver needs. */
export interface DrillDetail {
  /** The drill's identifier. */
  id: string;
  /** The endpoint's identifier. */
  endpointId: string;
  /** A drill is stopped when deliveries to its endpoint are no longer allowed. One of `running`, `completed`, `stopped`; more may be added. */
  status: 'running' | 'completed' | 'stopped';
  reason: string | null;
  /** The progress of the drill. */
  progress: {
    /** The number of steps that have ended. */
    done: number;
    /** The number of steps. */
    total: number;
  };
  /** The results of the steps so far. */
  summary: {
    /** The number of steps that the receiver passed. */
    passed: number;
    /** The number of steps that the receiver failed. */
    failed: number;
    /** The number of steps whose effect the receiver does not report. */
    unseen: number;
    /** The number of steps that were not sent. */
    notSent: number;
  };
  /** The member or token that started the drill. */
  createdBy: string;
  /** When the drill was started. */
  createdAt: string;
  finishedAt: string | null;
  /** The steps, in the order in which they run. */
  steps: DrillStep[];
}

/** A page of drills. */
export interface DrillList {
  /** Newest first. */
  data: Drill[];
  nextCursor: string | null;
}

/** One message of a drill, with its result. */
export interface DrillRequest {
  /** The `webhook-id` of the message. Events of a drill appear in no feed. */
  webhookId: string;
  /** The event’s sequence on its subject. */
  sequence: number;
  /** When the message was sent. */
  sentAt: string;
  /** The duration of the request, in milliseconds. */
  durationMs: number;
  /** `response`, or the kind of failure. One of `response`, `timeout`, `dns`, `tls`, `connect`, `blocked_address`, `redirect`, `protocol`, `interrupted`, `aborted_by_revoke`; more may be added. */
  outcome: 'response' | 'timeout' | 'dns' | 'tls' | 'connect' | 'blocked_address' | 'redirect' | 'protocol' | 'interrupted' | 'aborted_by_revoke';
  status: number | null;
  detail: string | null;
  answer: string | null;
  processedCount: number | null;
  stateSequence: number | null;
}

/** A step of a drill. */
export interface DrillStep {
  /** The name of the step. One of `correct`, `raw_bytes`, `duplicates`, `duplicates_at_once`, `delayed`, `shuffled`, `rotated_secret`, `stale_timestamp`, `wrong_signature`, `missing_signature`, `changed_body`, `correct_again`; more may be added. */
  name: 'correct' | 'raw_bytes' | 'duplicates' | 'duplicates_at_once' | 'delayed' | 'shuffled' | 'rotated_secret' | 'stale_timestamp' | 'wrong_signature' | 'missing_signature' | 'changed_body' | 'correct_again';
  /** The messages that the step sends. */
  sends: string;
  /** `accepted`: the receiver should respond with 2xx. `refused`: with 400 or 401. One of `accepted`, `refused`; more may be added. */
  expects: 'accepted' | 'refused';
  verdict: 'passed' | 'failed' | 'unseen' | 'not_sent' | null;
  fix: string | null;
  /** The messages, in the order in which they were sent. */
  requests: DrillRequest[];
}

/** A new e-mail address for your account. */
export interface EmailChangeInput {
  /** The new address. */
  email: string;
  /** Your password, if you have one. */
  currentPassword?: string;
}

/** The link in the mail to the new address. */
export interface EmailConfirmation {
  /** The token of the link. */
  token: string;
}

/** The link that restores an address, with a new password. */
export interface EmailRestoration {
  /** The token of the link. */
  token: string;
  /** A password of at least 12 characters. */
  password: string;
}

/** A request for a mailed link. */
export interface EmailToMail {
  /** The address to which the link is mailed. */
  email: string;
}

/** The access in the name of the person that was ended. */
export interface EndedAccess {
  /** Each access token that was active. */
  accessTokens: {
    /** The access token's identifier. */
    id: string;
    /** The place where the token was used. */
    name: string;
    /** The organisation's identifier. */
    organisationId: string;
    /** The organisation's name. */
    organisation: string;
  }[];
  /** Each terminal whose sign-in was approved and that had no token yet. */
  terminals: string[];
  /** Each identity at an identity provider that signed the person in. Unlink a kept identity if you do not recognise it. */
  providerLinks: ({
    issuer: string | null;
    /** When the identity was linked. */
    linkedAt: string;
    /** Ended, or kept because the account has no password and signs in only with the provider. One of `ended`, `kept`; more may be added. */
    state: 'ended' | 'kept';
  })[];
}

/** The results for the keys. The membership has ended in any case. */
export interface EndedMembership {
  /** One item for each environment if keys were to be revoked; otherwise empty. */
  keys: ({
    /** The environment. One of `sandbox`, `production`; more may be added. */
    environment: 'sandbox' | 'production';
    /** The result. `not_reached`: the environment did not respond, and the keys may still work; `revokeKeysMadeBy` revokes them later. One of `revoked`, `not_reached`; more may be added. */
    outcome: 'revoked' | 'not_reached';
    count: number | null;
  })[];
}

/** An endpoint, without its signing secret. */
export interface Endpoint {
  /** The endpoint's identifier. */
  id: string;
  /** Where events are sent: https, and a public address; in the sandbox also `listener:NAME`, for `slipway listen`. */
  url: string;
  /** The key through which the endpoint delivers: the first usable key of `keyIds`, or the first key if none is usable. */
  keyId: string;
  /** The public half of that key. */
  keyKid: string;
  /** The state of that key. Only an active key with `events:read` delivers. One of `active`, `expired`, `revoked`, `missing_scope`; more may be added. */
  keyState: 'active' | 'expired' | 'revoked' | 'missing_scope';
  /** The keys of the endpoint, in the order in which they are tried. */
  keyIds: string[];
  keysEndAt: string | null;
  /** The event types that the endpoint receives. `*` must be the only item. */
  eventTypes: ('*' | 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping')[];
  serverIds: string[] | null;
  /** An event must meet all of these conditions. An event that lacks a value meets only `exists: false`. The pointer `/data/number` is refused: a ticket gets its number after the filter is evaluated. */
  conditions: Condition[];
  /** The schema version in which the endpoint receives each of its types. A version stays pinned when a newer version appears. The default is the newest version at the time of the request. Only types that the endpoint receives can be named. */
  schemaVersions: {
    /** The version of `publication.published`. */
    'publication.published'?: number;
    /** The version of `publication.updated`. */
    'publication.updated'?: number;
    /** The version of `publication.archived`. */
    'publication.archived'?: number;
    /** The version of `roadmap.item_created`. */
    'roadmap.item_created'?: number;
    /** The version of `roadmap.item_moved`. */
    'roadmap.item_moved'?: number;
    /** The version of `ticket.created`. */
    'ticket.created'?: number;
    /** The version of `ticket.updated`. */
    'ticket.updated'?: number;
    /** The version of `ticket.closed`. */
    'ticket.closed'?: number;
    /** The version of `workflow_run.started`. */
    'workflow_run.started'?: number;
    /** The version of `workflow_run.succeeded`. */
    'workflow_run.succeeded'?: number;
    /** The version of `workflow_run.failed`. */
    'workflow_run.failed'?: number;
    /** The version of `server.updated`. */
    'server.updated'?: number;
    /** The version of `installation.paused`. */
    'installation.paused'?: number;
    /** The version of `installation.resumed`. */
    'installation.resumed'?: number;
    /** The version of `installation.scope_changed`. */
    'installation.scope_changed'?: number;
    /** The version of `ping`. */
    ping?: number;
  };
  /** The purpose of the endpoint. */
  description: string;
  /** The names of the headers that are added to each delivery. Values are never shown. */
  headerNames: string[];
  ratePerSecond: number | null;
  /** True to deliver the events of each subject one after another, in order (FIFO per subject). A failed delivery blocks the later deliveries of its subject. */
  isOrdered: boolean;
  /** How many times faster than real time the retry schedule runs. Values above 1 are allowed only in the sandbox. A change reschedules waiting retries; a held delivery keeps its due time. One of `1`, `60`, `3600`; more may be added. */
  scheduleSpeed: 1 | 60 | 3600;
  secretRotatedAt: string | null;
  previousSecretEndsAt: string | null;
  /** A disabled endpoint receives nothing. One of `enabled`, `disabled`; more may be added. */
  state: 'enabled' | 'disabled';
  disabledReason: string | null;
  health: EndpointHealth;
  /** The member or token that added the endpoint. */
  createdBy: string;
  /** When the endpoint was added. */
  createdAt: string;
}

/** The changes to an endpoint. A property that is left out stays unchanged. The same applies to each header and each schema version. */
export interface EndpointChange {
  /** Where events are sent: https, and a public address; in the sandbox also `listener:NAME`, for `slipway listen`. */
  url?: string;
  /** A single key, as an alternative to `keyIds`. In a change it replaces the first key. */
  keyId?: string;
  /** The keys of the endpoint, in the order in which they are tried. A revoked or expired key is skipped, so deliveries continue through the next one. */
  keyIds?: string[];
  /** The event types that the endpoint receives. `*` must be the only item. */
  eventTypes?: ('*' | 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>))[];
  /** Headers to send with each delivery, by name. A null value removes a header; headers that are not named stay unchanged. A name consists of letters, digits and hyphens. `authorization` is allowed; headers that frame, route or sign a request are not. Values are encrypted at rest and never shown again. A listener (`listener:NAME`) takes no headers. */
  headers?: Record<string, string | null>;
  serverIds?: string[] | null;
  /** An event must meet all of these conditions. An event that lacks a value meets only `exists: false`. The pointer `/data/number` is refused: a ticket gets its number after the filter is evaluated. */
  conditions?: ConditionInput[];
  /** The schema version in which the endpoint receives each of its types. A version stays pinned when a newer version appears. The default is the newest version at the time of the request. Only types that the endpoint receives can be named. */
  schemaVersions?: {
    /** The version of `publication.published`. */
    'publication.published'?: number;
    /** The version of `publication.updated`. */
    'publication.updated'?: number;
    /** The version of `publication.archived`. */
    'publication.archived'?: number;
    /** The version of `roadmap.item_created`. */
    'roadmap.item_created'?: number;
    /** The version of `roadmap.item_moved`. */
    'roadmap.item_moved'?: number;
    /** The version of `ticket.created`. */
    'ticket.created'?: number;
    /** The version of `ticket.updated`. */
    'ticket.updated'?: number;
    /** The version of `ticket.closed`. */
    'ticket.closed'?: number;
    /** The version of `workflow_run.started`. */
    'workflow_run.started'?: number;
    /** The version of `workflow_run.succeeded`. */
    'workflow_run.succeeded'?: number;
    /** The version of `workflow_run.failed`. */
    'workflow_run.failed'?: number;
    /** The version of `server.updated`. */
    'server.updated'?: number;
    /** The version of `installation.paused`. */
    'installation.paused'?: number;
    /** The version of `installation.resumed`. */
    'installation.resumed'?: number;
    /** The version of `installation.scope_changed`. */
    'installation.scope_changed'?: number;
    /** The version of `ping`. */
    ping?: number;
  };
  /** The purpose of the endpoint. */
  description?: string;
  ratePerSecond?: number | null;
  /** True to deliver the events of each subject one after another, in order (FIFO per subject). A failed delivery blocks the later deliveries of its subject. */
  isOrdered?: boolean;
  /** How many times faster than real time the retry schedule runs. Values above 1 are allowed only in the sandbox. A change reschedules waiting retries; a held delivery keeps its due time. */
  scheduleSpeed?: 1 | 60 | 3600;
  /** A disabled endpoint receives nothing. */
  state?: 'enabled' | 'disabled';
  /** Why the endpoint is disabled. */
  disabledReason?: string;
}

/** The health of the endpoint as of a few seconds ago. Attempts that Slipway stopped are not counted. If all attempts fail for five days, the endpoint is disabled. The organisation is notified after one day, after three days, and when the endpoint is disabled. */
export interface EndpointHealth {
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  failingSince: string | null;
  /** How many attempts have failed since the last success. */
  consecutiveFailures: number;
  /** The number of latest attempts that `successRate` covers: at most 100. */
  recentAttempts: number;
  successRate: number | null;
}

/** An endpoint to add, with either `keyIds` or `keyId`. The endpoint delivers through the first of its keys that is valid and has `events:read`. It receives an event only while it has such a key. The server of an event with a resource must also authorise `events:read` and the scope of the resource. */
export interface EndpointInput {
  /** Where events are sent: https, and a public address; in the sandbox also `listener:NAME`, for `slipway listen`. */
  url: string;
  /** A single key, as an alternative to `keyIds`. In a change it replaces the first key. */
  keyId?: string;
  /** The keys of the endpoint, in the order in which they are tried. A revoked or expired key is skipped, so deliveries continue through the next one. */
  keyIds?: string[];
  /** The event types that the endpoint receives. `*` must be the only item. */
  eventTypes: ('*' | 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>))[];
  /** Headers to send with each delivery, by name. A name consists of letters, digits and hyphens. `authorization` is allowed; headers that frame, route or sign a request are not. Values are encrypted at rest and never shown again. A listener (`listener:NAME`) takes no headers. */
  headers?: Record<string, string>;
  serverIds?: string[] | null;
  /** An event must meet all of these conditions. An event that lacks a value meets only `exists: false`. The pointer `/data/number` is refused: a ticket gets its number after the filter is evaluated. */
  conditions?: ConditionInput[];
  /** The schema version in which the endpoint receives each of its types. A version stays pinned when a newer version appears. The default is the newest version at the time of the request. Only types that the endpoint receives can be named. */
  schemaVersions?: {
    /** The version of `publication.published`. */
    'publication.published'?: number;
    /** The version of `publication.updated`. */
    'publication.updated'?: number;
    /** The version of `publication.archived`. */
    'publication.archived'?: number;
    /** The version of `roadmap.item_created`. */
    'roadmap.item_created'?: number;
    /** The version of `roadmap.item_moved`. */
    'roadmap.item_moved'?: number;
    /** The version of `ticket.created`. */
    'ticket.created'?: number;
    /** The version of `ticket.updated`. */
    'ticket.updated'?: number;
    /** The version of `ticket.closed`. */
    'ticket.closed'?: number;
    /** The version of `workflow_run.started`. */
    'workflow_run.started'?: number;
    /** The version of `workflow_run.succeeded`. */
    'workflow_run.succeeded'?: number;
    /** The version of `workflow_run.failed`. */
    'workflow_run.failed'?: number;
    /** The version of `server.updated`. */
    'server.updated'?: number;
    /** The version of `installation.paused`. */
    'installation.paused'?: number;
    /** The version of `installation.resumed`. */
    'installation.resumed'?: number;
    /** The version of `installation.scope_changed`. */
    'installation.scope_changed'?: number;
    /** The version of `ping`. */
    ping?: number;
  };
  /** The purpose of the endpoint. */
  description?: string;
  ratePerSecond?: number | null;
  /** True to deliver the events of each subject one after another, in order (FIFO per subject). A failed delivery blocks the later deliveries of its subject. */
  isOrdered?: boolean;
  /** How many times faster than real time the retry schedule runs. Values above 1 are allowed only in the sandbox. A change reschedules waiting retries; a held delivery keeps its due time. */
  scheduleSpeed?: 1 | 60 | 3600;
}

/** A page of endpoints. */
export interface EndpointList {
  /** Newest first. */
  data: Endpoint[];
  nextCursor: string | null;
}

/** What an endpoint would no longer receive. `endpointId` and at least one other field are required. */
export interface EndpointNarrowing {
  /** The endpoint's identifier. */
  endpointId: string;
  /** `disabled`: the endpoint would be disabled. */
  state?: 'disabled';
  /** The event types that the endpoint receives. `*` must be the only item. */
  eventTypes?: ('*' | 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>))[];
  serverIds?: string[] | null;
  /** An event must meet all of these conditions. An event that lacks a value meets only `exists: false`. The pointer `/data/number` is refused: a ticket gets its number after the filter is evaluated. */
  conditions?: ConditionInput[];
}

/** An environment that this Console manages. */
export interface Environment {
  /** Name of the environment. One of `sandbox`, `production`; more may be added. */
  name: 'sandbox' | 'production';
  /** Public address of its API, without `/v1`. */
  apiUrl: string;
  receiverUrl: string | null;
}

export interface EnvironmentList {
  /** All environments. */
  data: Environment[];
}

/** An environment, and its confirmation. */
export interface EnvironmentStatus {
  /** Name of the environment. One of `sandbox`, `production`; more may be added. */
  name: 'sandbox' | 'production';
  /** True if the environment has confirmed the status of the organisation. For a deletion this means that all apps are stopped there. The Console repeats its report until the environment confirms it. */
  isConfirmed: boolean;
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

/** The endpoint to which an event is sent. */
export interface EventDeliveryInput {
  /** The endpoint's identifier. */
  endpointId: string;
}

/** The status of the rule for an app, and the events that it would withhold. */
export interface EventScopes {
  /** `announced`: until `enforcedFrom`, `events:read` is enough to receive events. `enforced`: an event with a resource also requires the grant of the resource’s scope. One of `announced`, `enforced`; more may be added. */
  state: 'announced' | 'enforced';
  /** The day of the announcement. */
  announced: string;
  /** The day from which the rule is enforced for every app. */
  enforcedFrom: string;
  /** The page of the announcement. */
  pageUrl: string;
  /** The number of counted events that the rule would withhold; 0 for an app that enforces the rule. */
  events: number;
  /** The number of counted deliveries that the rule would withhold; 0 for an app that enforces the rule. */
  deliveries: number;
  /** The maximum number of newest events, and of newest deliveries, that are counted. */
  countLimit: number;
  /** True if the app has at most `countLimit` events and deliveries, so that all are counted. False for an app that enforces the rule, because nothing is counted. */
  isComplete: boolean;
  /** The missing grants, ordered by the number of withheld events. */
  grants: MissingEventGrant[];
  /** The newest events that the rule would withhold. */
  newest: WithheldEvent[];
}

/** The resource that the event is about. */
export interface EventSubject {
  /** The kind of resource. */
  type: string;
  /** The resource's identifier. */
  id: string;
}

/** An event to trigger, and its content. */
export interface EventTrigger {
  /** The type of the event. */
  type: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>);
  /** The object that the event is about: a publication, a roadmap item, a ticket, a workflow (for events of its runs) or a server. Without it, the newest suitable object. */
  objectId?: string;
  set?: EventWords;
}

/** The content of the event. The world generates each field that is left out. The allowed fields depend on the type: - `ticket.created`: subject, body, category, priority, requester, labels, metadata - `publication.published`: title, bodyMarkdown, tags - `publication.updated`: title, bodyMarkdown, tags - `roadmap.item_created`: title, description - `roadmap.item_moved`: status - `workflow_run.started`: input - `workflow_run.succeeded`: input - `workflow_run.failed`: input - `installation.scope_changed`: scope, state */
export interface EventWords {
  /** The subject, in one line. */
  subject?: string;
  /** The full text. */
  body?: string;
  /** The category. */
  category?: 'question' | 'bug' | 'feedback' | 'billing' | 'other';
  /** The priority. */
  priority?: 'low' | 'normal' | 'high' | 'urgent';
  requester?: {
    /** The name. */
    name: string;
    /** The identifier in your system. */
    reference?: string;
  };
  /** The labels that you assign. */
  labels?: string[];
  /** Names and values that you assign. They are stored unchanged. */
  metadata?: Record<string, string>;
  /** The title, in one line. */
  title?: string;
  /** The text, in Markdown (CommonMark). */
  bodyMarkdown?: string;
  /** The tags. */
  tags?: string[];
  /** The expected benefit. */
  description?: string;
  /** The status. */
  status?: 'idea' | 'planned' | 'in_progress' | 'shipped' | 'declined';
  input?: WorkflowInput;
  /** A scope. */
  scope?: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>);
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. */
  state?: 'authorised' | 'paused' | 'revoked';
}

/** Evidence of the app’s behaviour in the sandbox, derived from its records. */
export interface Evidence {
  /** The app's identifier. */
  appId: string;
  /** Time at which the evidence was gathered. */
  gatheredAt: string;
  /** Start of the requests that the checks read: 30 days before `gatheredAt`, or the time from which requests are stored if that is later. */
  since: string;
  /** One entry per scope, in a fixed order. */
  scopes: ({
    /** A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`, `workflows:run`; more may be added. */
    scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run';
    /** Result of the check: `ok` if the records show the behaviour, otherwise `missing`. One of `ok`, `missing`; more may be added. */
    outcome: 'ok' | 'missing';
    lastRequestId: string | null;
    lastRequestAt: string | null;
    fix: string | null;
  })[];
  /** One entry per check of the whole app, in a fixed order. */
  items: ({
    /** Name of the check. One of `error_handling`, `idempotent_retries`, `receiver_drill`, `no_browser_use`, `current_versions`; more may be added. */
    name: 'error_handling' | 'idempotent_retries' | 'receiver_drill' | 'no_browser_use' | 'current_versions';
    /** Result of the check: `ok` if the records show the behaviour, otherwise `missing`. One of `ok`, `missing`; more may be added. */
    outcome: 'ok' | 'missing';
    /** Finding of the check. */
    finding: string;
    /** Counts on which the finding is based. */
    figures: {
      /** Name of the count. */
      name: string;
      /** Value of the count. */
      count: number;
    }[];
    fix: string | null;
  })[];
}

/** A rule that simulates a fault for calls of the app. */
export interface Fault {
  /** The rule's identifier. */
  id: string;
  operationId: string | null;
  /** The share of calls that the rule applies to: 0.1 is 10 %. */
  share: number;
  effect: FaultEffect;
  /** A disabled rule has no effect. */
  isEnabled: boolean;
  /** The member who added the rule. */
  createdBy: string;
  /** When the rule was added. */
  createdAt: string;
}

/** A change to a rule. A field that is left out keeps its value. */
export interface FaultChange {
  /** The share of calls that the rule applies to: 0.1 is 10 %. */
  share?: number;
  /** A disabled rule has no effect. */
  isEnabled?: boolean;
}

/** The effect on a call. */
export type FaultEffect = {
  /** Delay before the effect, in milliseconds. */
  latencyMs: number;
} | {
  /** The problem that the call receives. One of `missing_key`, `invalid_key`, `expired_key`, `revoked_key`, `wrong_environment`, `missing_scope`, `scope_not_authorised`, `installation_paused`, `installation_revoked`, `app_suspended`, `address_not_allowed`, `browser_use`, `invalid_request`, `not_found`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `conflict`, `quota_exceeded`, `idempotency_in_progress`, `gone`, `body_too_large`, `uri_too_long`, `unsupported_media_type`, `idempotency_key_reused`, `workflow_input_invalid`, `rate_limited`, `headers_too_large`, `internal_error`, `unavailable`, `timeout`; more may be added. */
  code: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'unavailable' | 'timeout';
  /** Delay before the effect, in milliseconds. */
  latencyMs?: number;
} | {
  /** The call receives no response: its connection is reset. */
  reset: true;
  /** Delay before the effect, in milliseconds. */
  latencyMs?: number;
};

/** The effect on a call. */
export type FaultEffectInput = {
  /** Delay before the effect, in milliseconds. */
  latencyMs: number;
} | {
  /** The problem that the call receives. */
  code: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'unavailable' | 'timeout';
  /** Delay before the effect, in milliseconds. */
  latencyMs?: number;
} | {
  /** The call receives no response: its connection is reset. */
  reset: true;
  /** Delay before the effect, in milliseconds. */
  latencyMs?: number;
};

/** A rule to add. The rule applies to calls that begin after the response. */
export interface FaultInput {
  operationId: 'getMe' | 'listServers' | 'getServer' | 'listPublications' | 'getPublication' | 'listRoadmap' | 'getRoadmapItem' | 'listTickets' | 'createTicket' | 'getTicket' | 'listWorkflows' | 'createWorkflowRun' | 'getWorkflowRun' | 'listEvents' | 'getEvent' | (string & Record<never, never>) | null;
  /** The share of calls that the rule applies to: 0.1 is 10 %. */
  share: number;
  effect: FaultEffectInput;
}

/** A page of fault rules. */
export interface FaultList {
  /** Newest first. */
  data: Fault[];
  nextCursor: string | null;
}

/** How many events of the app a filter keeps. */
export interface FilterPreview {
  /** How many of these events the filter keeps. */
  kept: number;
  /** How many events of the app occurred in the period, on servers that authorise them now. */
  total: number;
  /** The start of the period. */
  since: string;
  /** True if the period is the last 30 days, or the time for which events are stored if that is shorter. Otherwise there were too many events, and only the newest were counted. */
  isComplete: boolean;
}

/** A filter to preview. The default for a schema version is the newest one. */
export interface FilterToPreview {
  /** The event types that the endpoint receives. `*` must be the only item. */
  eventTypes: ('*' | 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>))[];
  serverIds?: string[] | null;
  /** An event must meet all of these conditions. An event that lacks a value meets only `exists: false`. The pointer `/data/number` is refused: a ticket gets its number after the filter is evaluated. */
  conditions?: ConditionInput[];
  /** The schema version in which the endpoint receives each of its types. A version stays pinned when a newer version appears. The default is the newest version at the time of the request. Only types that the endpoint receives can be named. */
  schemaVersions?: {
    /** The version of `publication.published`. */
    'publication.published'?: number;
    /** The version of `publication.updated`. */
    'publication.updated'?: number;
    /** The version of `publication.archived`. */
    'publication.archived'?: number;
    /** The version of `roadmap.item_created`. */
    'roadmap.item_created'?: number;
    /** The version of `roadmap.item_moved`. */
    'roadmap.item_moved'?: number;
    /** The version of `ticket.created`. */
    'ticket.created'?: number;
    /** The version of `ticket.updated`. */
    'ticket.updated'?: number;
    /** The version of `ticket.closed`. */
    'ticket.closed'?: number;
    /** The version of `workflow_run.started`. */
    'workflow_run.started'?: number;
    /** The version of `workflow_run.succeeded`. */
    'workflow_run.succeeded'?: number;
    /** The version of `workflow_run.failed`. */
    'workflow_run.failed'?: number;
    /** The version of `server.updated`. */
    'server.updated'?: number;
    /** The version of `installation.paused`. */
    'installation.paused'?: number;
    /** The version of `installation.resumed`. */
    'installation.resumed'?: number;
    /** The version of `installation.scope_changed`. */
    'installation.scope_changed'?: number;
    /** The version of `ping`. */
    ping?: number;
  };
}

/** The latest installation on the server. */
export interface Grant {
  /** The identifier of the installation. */
  id: string;
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
  state: 'authorised' | 'paused' | 'revoked';
  /** Every scope that the server has granted in this installation. */
  scopes: ScopeGrant[];
}

/** What servers would no longer grant to the app. */
export interface GrantNarrowing {
  /** The servers. */
  serverIds: string[];
  /** The scopes that would change on each server. Without this field the installation changes as a whole. */
  scopes?: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>))[];
  /** The new state. */
  state: 'paused' | 'revoked';
}

/** An identity provider. */
export interface IdentityProvider {
  /** The name of the provider for people. */
  name: string;
}

export interface IdentityProviderList {
  /** The provider that the operator has configured. */
  data: IdentityProvider[];
  /** True if a mail server is configured. Without a mail server, mailed links stay in the outbox of the operator. */
  sendsMail: boolean;
}

/** A server and its grants to the app. The installation is null if the app was never installed on the server. */
export interface Installation {
  /** The identifier of the server. */
  serverId: string;
  /** The server's display name. */
  serverName: string;
  installation: Grant | null;
  upstream: {
    /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
    state: 'authorised' | 'paused' | 'revoked';
    /** The state of each scope. A scope that is left out is revoked. */
    scopes: ScopeGrant[];
  } | null;
  /** The restrictions by the organisation, in production. The effective state of each grant is the strictest of statement, cap and restriction. */
  restrictions: InstallationRestriction[];
  /** True if the installation is paused because the app has reached its approved number of servers, in production. When a place becomes free, the waiting server with the oldest installation gets it without another statement. */
  isOverCap: boolean;
  unusedScopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[] | null;
}

/** A change of a server’s grants. `from` is null for a new grant. `to` is null if the grant was removed with its server. */
export interface InstallationChange {
  /** The identifier of the change. */
  id: string;
  /** The time of the change. */
  at: string;
  /** The identifier of the server. */
  serverId: string;
  serverName: string | null;
  /** The changed installation. */
  installationId: string;
  scopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[] | null;
  from: 'authorised' | 'paused' | 'revoked' | null;
  to: 'authorised' | 'paused' | 'revoked' | null;
  changedBy: string | null;
  reason: string | null;
  requestId: string | null;
}

/** A page of changes. */
export interface InstallationChangeList {
  /** Newest first. */
  data: InstallationChange[];
  nextCursor: string | null;
}

/** A page of servers and their installations. */
export interface InstallationList {
  /** Newest first. */
  data: Installation[];
  nextCursor: string | null;
}

/** A restriction by the organisation. The scope is null for the server as a whole. */
export interface InstallationRestriction {
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | null;
  /** The strictest state that the restriction allows. One of `paused`, `revoked`; more may be added. */
  state: 'paused' | 'revoked';
  /** The time of the restriction. */
  since: string;
  restrictedBy: string | null;
  reason: string | null;
}

/** An invitation to an organisation, without its link. */
export interface Invitation {
  /** The invitation's identifier. */
  id: string;
  /** The address that the invitation is bound to. */
  email: string;
  /** A role in an organisation. One of `owner`, `admin`, `developer`, `auditor`, `viewer`; more may be added. */
  role: 'owner' | 'admin' | 'developer' | 'auditor' | 'viewer';
  /** Only an open invitation can be accepted. One of `open`, `accepted`, `expired`, `revoked`; more may be added. */
  state: 'open' | 'accepted' | 'expired' | 'revoked';
  /** The e-mail address of the sender. */
  invitedBy: string;
  /** When the invitation was sent. */
  createdAt: string;
  /** The time until which the invitation can be accepted. */
  expiresAt: string;
}

/** The address and the role of an invitation. */
export interface InvitationInput {
  /** The address that the invitation is bound to. */
  email: string;
  /** A role in an organisation. */
  role: 'owner' | 'admin' | 'developer' | 'auditor' | 'viewer';
}

/** A page of invitations. */
export interface InvitationList {
  /** Newest first. */
  data: Invitation[];
  nextCursor: string | null;
}

/** An open invitation, as the holder of its link sees it. */
export interface InvitationPreview {
  /** The organisation's name. */
  organisation: string;
  /** A role in an organisation. One of `owner`, `admin`, `developer`, `auditor`, `viewer`; more may be added. */
  role: 'owner' | 'admin' | 'developer' | 'auditor' | 'viewer';
  /** The e-mail address of the sender. */
  invitedBy: string;
  /** The time until which the invitation can be accepted. */
  expiresAt: string;
  email: string | null;
  hasAccount: boolean | null;
}

/** The token of an invitation's link. */
export interface InvitationToken {
  /** The part of the link after `#token=`. */
  token: string;
}

/** A key, without its secret. */
export interface Key {
  /** The key's identifier. */
  id: string;
  /** The public half of the key's text, which logs contain. */
  kid: string;
  /** The purpose of the key. */
  name: string;
  note: string | null;
  /** The scopes of the key. Grant only the scopes that it needs. */
  scopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[];
  allowedCidrs: string[] | null;
  /** Only an `active` key gives access. One of `active`, `expired`, `revoked`; more may be added. */
  state: 'active' | 'expired' | 'revoked';
  /** The person who generated the key. */
  createdBy: string;
  /** The time of the generation. */
  createdAt: string;
  /** The time of the expiry. */
  expiresAt: string;
  endsAt: string | null;
  revokedAt: string | null;
  predecessorId: string | null;
  successorId: string | null;
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
  /** The uses of each scope by requests and deliveries in the last 30 days, including those of the keys that this key replaced. The counts are delayed by some seconds. */
  scopeUses: ScopeUse[];
  unusedScopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[] | null;
}

/** A part of the activity of a key. The parts add up: entries of the same kind and name, `requests` and `writesWithoutEvent`. */
export interface KeyActivity {
  /** The key's identifier. */
  keyId: string;
  /** The start of the period. */
  since: string;
  /** The end of the period: when the first part was read. */
  until: string;
  oldestRecordAt: string | null;
  /** The number of requests of the app in the period without a record. Any of them can be of the key. */
  lostRecords: number;
  /** The read share of the period; 1 at the end. */
  progress: number;
  /** The number of requests in the part. */
  requests: number;
  /** The number of requests in the part that succeeded with a change, and for which no event is stored: the change is not among the objects. */
  writesWithoutEvent: number;
  /** The entries of the part. */
  entries: ({
    /** `operation`, `server` and `address`: requests by operation, by server and by the caller’s address. `member`: requests that a member made by the key’s identifier. `event`: events that the requests caused, by type. `object`: events by the object that they are about. `receiver`: deliveries of these events, by the URL of the receiver. `key_receiver`: deliveries that the key authorised, by the URL of the receiver. One of `operation`, `server`, `address`, `member`, `event`, `object`, `receiver`, `key_receiver`; more may be added. */
    kind: 'operation' | 'server' | 'address' | 'member' | 'event' | 'object' | 'receiver' | 'key_receiver';
    name: string | null;
    /** The number of requests, events or deliveries. */
    count: number;
    succeeded: number | null;
    /** When the first of them was answered, created or sent. */
    firstAt: string;
    /** When the last of them was answered, created or sent. */
    lastAt: string;
  })[];
  nextCursor: string | null;
}

/** The changes of a key. Missing fields are unchanged, and a null note is removed. */
export interface KeyChange {
  /** The purpose of the key. */
  name?: string;
  note?: string | null;
}

/** A key to generate, with either `scopes` or a `preset`. */
export interface KeyInput {
  /** The purpose of the key. */
  name: string;
  /** Further information about the key, for example its storage or a contact. */
  note?: string;
  /** The scopes of the key. Grant only the scopes that it needs. */
  scopes?: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>))[];
  /** A set of scopes for a task, instead of `scopes`. `read-only`: `servers:read`, `publications:read`, `events:read`, `roadmap:read`; `tickets`: `servers:read`, `tickets:create`; `workflows`: `servers:read`, `workflows:run`; `webhooks`: `events:read`; `everything`: `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`, `workflows:run`. */
  preset?: 'read-only' | 'tickets' | 'workflows' | 'webhooks' | 'everything';
  /** The number of days until the key expires. The expiry is fixed and cannot be changed. */
  expiresInDays: number;
  /** The address ranges from which the key can be used. Requests from other addresses return `address_not_allowed`. The ranges are fixed, like the scopes. */
  allowedCidrs?: string[];
}

/** A page of keys. */
export interface KeyList {
  /** Newest first. */
  data: Key[];
  nextCursor: string | null;
}

/** The person whose keys are revoked. */
export interface KeyMaker {
  /** The person who generated the keys, as in `createdBy` of a key. */
  createdBy: string;
  /** Earlier addresses of the person. */
  earlier?: {
    /** The person who generated the keys, as in `createdBy` of a key. */
    createdBy: string;
    /** When the person last had this address. Later keys belong to another person. */
    until: string;
  }[];
}

/** What a key would lose. `keyId` and at least one other field are required. */
export interface KeyNarrowing {
  /** The key's identifier. */
  keyId: string;
  /** `revoked`: the key would be revoked. */
  state?: 'revoked';
  /** The scopes that the key would keep. */
  scopes?: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>))[];
  /** The address ranges from which the key could still be used. They replace the ranges of the key. */
  allowedCidrs?: string[];
  /** A lifetime, from the creation of each key. A request or a delivery breaks it if it was made later than that. */
  expiresInDays?: number;
}

/** The choice for the keys of a leaving member. */
export interface KeysChoice {
  /** The keys that this member created, in every environment: keep or revoke them. */
  keys: 'keep' | 'revoke';
}

/** A session of the signed-in person. */
export interface ListedSession {
  /** The session. */
  id: string;
  /** When the session was opened. */
  createdAt: string;
  /** When the session was last used, to the day. */
  usedAt: string;
  /** When the session ends, unless it is used before. */
  expiresAt: string;
  /** The client address that opened the session. */
  address: string;
  /** The User-Agent header of the browser. */
  userAgent: string;
  /** True if the session belongs to this request. */
  isCurrent: boolean;
}

/** The access that is approved for an app in production. */
export interface LiveAccess {
  /** The sandbox app. */
  appId: string;
  /** The production app that was created from the sandbox app. */
  productionAppId: string;
  /** Status of the app in production. `suspended` and `revoked` stop all calls and deliveries of the app there. One of `active`, `suspended`, `revoked`; more may be added. */
  status: 'active' | 'suspended' | 'revoked';
  /** Approved scopes. A key gives access only to scopes in this list. */
  scopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[];
  /** Maximum number of servers on which the app may be installed. Null for no limit. */
  maxServers: number | null;
  reason: string | null;
  /** True if production has confirmed this state. The Console repeats its report until production confirms it. */
  isConfirmed: boolean;
}

/** The approved part of a request. */
export interface LiveAccessApproval {
  /** Version of the request. Each change increments it. */
  version: number;
  /** Approved scopes: all requested scopes, or some of them. */
  scopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>))[];
  /** Maximum number of servers on which the app may be installed. Null for no limit. */
  maxServers: number | null;
}

/** The decision that you read. */
export interface LiveAccessDecisionRead {
  /** `decidedAt` of the request that you read. If a later decision exists, the call is refused. */
  decidedAt: string;
}

/** A page of live access. */
export interface LiveAccessList {
  /** Newest first. */
  data: LiveAccess[];
  nextCursor: string | null;
}

/** The changes that a reviewer requests, or the reason for a rejection. */
export interface LiveAccessRefusal {
  /** Version of the request. Each change increments it. */
  version: number;
  /** Reason for the decision. The organisation and the audit log receive it. */
  reason: string;
}

/** A request for live access. */
export interface LiveAccessRequest {
  /** Identifier of the request. */
  id: string;
  /** The organisation's identifier. */
  organisationId: string;
  /** The sandbox app. */
  appId: string;
  /** Name of the app when the request was drafted. */
  appName: string;
  /** State of the request. One of `draft`, `submitted`, `changes_requested`, `approved`, `rejected`, `withdrawn`; more may be added. */
  state: 'draft' | 'submitted' | 'changes_requested' | 'approved' | 'rejected' | 'withdrawn';
  /** Version of the request. Each change increments it. */
  version: number;
  /** Requested scopes, each at most once. */
  scopes: ({
    /** A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`, `workflows:run`; more may be added. */
    scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run';
    /** Purpose for which the app needs the scope. */
    purpose: string;
    /** Data that the app reads or writes with the scope, where the app stores them, and for how long. */
    dataUse: string;
  })[];
  submittedAt: string | null;
  submittedBy: string | null;
  decidedAt: string | null;
  decisionReadAt: string | null;
  decisionReadBy: string | null;
  approvedScopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[] | null;
  reason: string | null;
  /** Member who drafted the request. */
  createdBy: string;
  /** Time at which the request was drafted. */
  createdAt: string;
}

/** The complete new content of the request. `version` is the version that you read. */
export interface LiveAccessRequestChange {
  /** Version of the request. Each change increments it. */
  version: number;
  /** Requested scopes, each at most once. */
  scopes: ({
    /** A scope. */
    scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>);
    /** Purpose for which the app needs the scope. */
    purpose: string;
    /** Data that the app reads or writes with the scope, where the app stores them, and for how long. */
    dataUse: string;
  })[];
  /** Contacts for the app in production. */
  contacts: ({
    /** Responsibility of the contact. */
    kind: 'technical' | 'security' | 'privacy';
    /** Name of a person or a team. */
    name: string;
    /** E-mail address of the contact. */
    email: string;
  })[];
}

/** A request for live access with its submission, its history and the resulting live access. */
export interface LiveAccessRequestDetail {
  /** Identifier of the request. */
  id: string;
  /** The organisation's identifier. */
  organisationId: string;
  /** The sandbox app. */
  appId: string;
  /** Name of the app when the request was drafted. */
  appName: string;
  /** State of the request. One of `draft`, `submitted`, `changes_requested`, `approved`, `rejected`, `withdrawn`; more may be added. */
  state: 'draft' | 'submitted' | 'changes_requested' | 'approved' | 'rejected' | 'withdrawn';
  /** Version of the request. Each change increments it. */
  version: number;
  /** Requested scopes, each at most once. */
  scopes: ({
    /** A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`, `workflows:run`; more may be added. */
    scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run';
    /** Purpose for which the app needs the scope. */
    purpose: string;
    /** Data that the app reads or writes with the scope, where the app stores them, and for how long. */
    dataUse: string;
  })[];
  submittedAt: string | null;
  submittedBy: string | null;
  decidedAt: string | null;
  decisionReadAt: string | null;
  decisionReadBy: string | null;
  approvedScopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[] | null;
  reason: string | null;
  /** Member who drafted the request. */
  createdBy: string;
  /** Time at which the request was drafted. */
  createdAt: string;
  /** Contacts for the app in production. */
  contacts: ({
    /** Responsibility of the contact. One of `technical`, `security`, `privacy`; more may be added. */
    kind: 'technical' | 'security' | 'privacy';
    /** Name of a person or a team. */
    name: string;
    /** E-mail address of the contact. */
    email: string;
  })[];
  submission: {
    /** The submission as canonical JSON: the content of the request, and the evidence. */
    document: string;
    /** SHA-256 of the UTF-8 bytes of `document`, in hexadecimal. */
    sha256: string;
    evidence: Evidence;
  } | null;
  liveAccess: LiveAccess | null;
  /** Latest steps, oldest first. */
  history: ({
    /** When. */
    at: string;
    /** Side of the person who took the step. One of `member`, `reviewer`; more may be added. */
    by: 'member' | 'reviewer';
    /** Who. */
    actor: string;
    /** Action of the person. */
    action: string;
    text: string | null;
    /** Scopes that the step concerns. */
    scopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[];
    sha256: string | null;
  })[];
}

/** The app for which to draft a request. */
export interface LiveAccessRequestInput {
  /** The sandbox app. */
  appId: string;
}

/** A page of requests for live access. */
export interface LiveAccessRequestList {
  /** Newest first. */
  data: LiveAccessRequest[];
  nextCursor: string | null;
}

/** A request in the form for reviewers. */
export interface LiveAccessReview {
  request: LiveAccessRequestDetail;
  /** Name of the organisation. */
  organisationName: string;
  /** True if the reviewer edited or submitted the request, or belongs to the organisation. Another reviewer has to decide then. */
  isOwn: boolean;
}

export interface LiveAccessReviewList {
  /** Newest first. */
  data: LiveAccessRequest[];
}

/** The scopes to revoke, and the reason. */
export interface LiveAccessRevocation {
  /** Reason for the decision. The organisation and the audit log receive it. */
  reason: string;
  /** Revoked scopes. Without this field, all scopes are revoked. */
  scopes?: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>))[];
}

/** The version of the request that you read. If the request has changed since, it is refused. */
export interface LiveAccessStep {
  /** Version of the request. Each change increments it. */
  version: number;
}

/** The reason for a suspension of live access. */
export interface LiveAccessSuspension {
  /** Reason for the decision. The organisation and the audit log receive it. */
  reason: string;
}

/** The link in the mail about a removal. */
export interface MailedRemoval {
  /** The token of the link. */
  token: string;
}

/** A person who belongs to an organisation. */
export interface Member {
  /** The member's identifier. */
  id: string;
  /** The e-mail address of the member. */
  email: string;
  /** The name of the member. */
  name: string;
  /** A role in an organisation. One of `owner`, `admin`, `developer`, `auditor`, `viewer`; more may be added. */
  role: 'owner' | 'admin' | 'developer' | 'auditor' | 'viewer';
  /** Since when the person is a member. */
  joinedAt: string;
  suspendedAt: string | null;
}

/** The new role of a member. */
export interface MemberChange {
  /** A role in an organisation. */
  role: 'owner' | 'admin' | 'developer' | 'auditor' | 'viewer';
}

/** A page of members. */
export interface MemberList {
  /** Newest first. */
  data: Member[];
  nextCursor: string | null;
}

/** An organisation that the person belongs to. */
export interface Membership {
  /** The organisation's identifier. */
  id: string;
  /** The organisation's name. */
  name: string;
  /** A role in an organisation. One of `owner`, `admin`, `developer`, `auditor`, `viewer`; more may be added. */
  role: 'owner' | 'admin' | 'developer' | 'auditor' | 'viewer';
}

/** A message in the outbox, without its text. */
export interface Message {
  /** Identifier of the message. */
  id: string;
  /** E-mail address of the recipient. */
  to: string;
  /** Subject of the message. */
  subject: string;
  /** State of the message: `waiting` until it is sent or has finally failed. One of `waiting`, `sent`, `failed`; more may be added. */
  state: 'waiting' | 'sent' | 'failed';
  /** Number of attempts to send the message. */
  attempts: number;
  lastError: string | null;
  /** Time at which the message was queued. */
  queuedAt: string;
  endedAt: string | null;
}

export interface MessageList {
  /** Newest first. */
  data: Message[];
}

/** A message in the outbox. */
export interface MessageWithText {
  /** Identifier of the message. */
  id: string;
  /** E-mail address of the recipient. */
  to: string;
  /** Subject of the message. */
  subject: string;
  /** State of the message: `waiting` until it is sent or has finally failed. One of `waiting`, `sent`, `failed`; more may be added. */
  state: 'waiting' | 'sent' | 'failed';
  /** Number of attempts to send the message. */
  attempts: number;
  lastError: string | null;
  /** Time at which the message was queued. */
  queuedAt: string;
  endedAt: string | null;
  /** Text of the message. A link in it gives as much access as a password. */
  text: string;
}

/** A scope that events require and that a server does not grant. */
export interface MissingEventGrant {
  /** The identifier of the server. */
  serverId: string;
  /** The server's display name. */
  serverName: string;
  /** A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`, `workflows:run`; more may be added. */
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run';
  /** The reason for the missing scope. `not_approved`: the app is not approved for it. One of `absent`, `paused`, `revoked`, `not_approved`; more may be added. */
  grant: 'absent' | 'paused' | 'revoked' | 'not_approved';
  /** The number of withheld events. */
  events: number;
  /** The time of the latest withheld event. */
  latestAt: string;
}

/** An account to create. */
export interface NewAccount {
  /** The token of the link. */
  token: string;
  /** Your name. */
  name: string;
  /** A password of at least 12 characters. */
  password: string;
}

/** The new state of a grant, and the reason. */
export interface NewGrantState {
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. */
  state: 'authorised' | 'paused' | 'revoked';
  /** The reason, for readers of the history. */
  reason?: string;
}

/** An organisation to create. */
export interface NewOrganisation {
  /** The name of the organisation. */
  name: string;
}

/** The member who becomes the owner. */
export interface NewOwner {
  /** The member's identifier. */
  memberId: string;
}

/** A password to set. */
export interface NewPassword {
  /** The new password: at least 12 characters. */
  password: string;
  /** The current password, if there is one. */
  currentPassword?: string;
}

/** A link to the identity provider to begin. */
export interface NewProviderLink {
  /** Your password, if you have one. */
  currentPassword?: string;
}

/** A second factor to set up. */
export interface NewSecondFactor {
  /** Your password, if you have one. */
  currentPassword?: string;
}

/** A notice to an organisation about a key, an endpoint or the upstream API. */
export interface Notice {
  /** The notice's identifier. */
  id: string;
  /** `key_expires`: the key is about to expire. `key_leaked`: a holder of the key reported it, and it was revoked immediately. `endpoint_failing`: every attempt at the endpoint has failed for days. `endpoint_recovered`: an attempt succeeded after such a notice, or a member enabled the endpoint after a notice of a failure. `endpoint_disabled`: the endpoint was disabled, but not by a member. `delivery_exhausted`: the last attempt of a delivery failed; written once an hour for each endpoint. `installation_paused`, `installation_revoked`: in production, the upstream API reported that a server paused or revoked the app; written once an hour for each kind and server. `endpoint_keys_end`: the last valid key of the endpoint expires within 7 days. `key_in_browser`: a page in a browser used the key and was refused. `event_scopes`: from `enforcedFrom` on, the rule about event scopes withholds events that the app receives today. `deprecation_announced`: the app uses a deprecated part of the API, at the announcement and 90, 30 and 7 days before the end. `platform_failing`: in production, a response of the upstream API to a call of the app did not fit the contract. One of `key_expires`, `key_leaked`, `endpoint_failing`, `endpoint_disabled`, `key_in_browser`, `event_scopes`, `endpoint_keys_end`, `endpoint_recovered`, `delivery_exhausted`, `installation_paused`, `installation_revoked`, `deprecation_announced`, `platform_failing`; more may be added. */
  kind: 'key_expires' | 'key_leaked' | 'endpoint_failing' | 'endpoint_disabled' | 'key_in_browser' | 'event_scopes' | 'endpoint_keys_end' | 'endpoint_recovered' | 'delivery_exhausted' | 'installation_paused' | 'installation_revoked' | 'deprecation_announced' | 'platform_failing';
  daysAhead: number | null;
  /** The app's identifier. */
  appId: string;
  /** Name of the app when the notice was created. */
  appName: string;
  /** The key. For an endpoint: the key through which it delivers, or its last valid key. For `platform_failing`: the key of the request. For `event_scopes`: the newest key that reads events. For an installation or a deprecation: the newest key of the app. */
  keyId: string;
  /** Name of the key when the notice was created. */
  keyName: string;
  /** The public part of the key. */
  kid: string;
  /** When the key expires. */
  expiresAt: string;
  endpointId: string | null;
  endpointHost: string | null;
  daysFailing: number | null;
  disabledReason: string | null;
  /** When it was written. */
  createdAt: string;
  leakUrl: string | null;
  operationId: string | null;
  requestId: string | null;
  pageOrigin: string | null;
  deliveryId: string | null;
  server: {
    /** The server. */
    id: string;
    /** Name of the server when the notice was created. */
    name: string;
  } | null;
  withheld: {
    /** Number of the newest events that the rule would withhold. */
    events: number;
    /** Number of the newest deliveries that belong to such events. */
    deliveries: number;
    /** The day from which the rule is enforced. */
    enforcedFrom: string;
  } | null;
  deprecation: {
    /** Identifies the deprecation. */
    id: string;
    /** The deprecated part of the API. */
    title: string;
    /** The action that replaces it. */
    replacement: string;
    /** The day on which it ends. */
    ends: string;
    daysAhead: number | null;
    /** Number of requests of the last 30 days that use it. */
    requests: number;
    /** The newest of these requests. */
    requestIds: string[];
    /** Number of endpoints that receive the deprecated events. */
    endpoints: number;
    /** The newest of these endpoints. */
    endpointIds: string[];
  } | null;
  readAt: string | null;
  readBy: string | null;
}

/** The latest attempt to send a message to a destination. */
export interface NoticeAttempt {
  /** When the attempt ended. */
  at: string;
  /** `succeeded`: the receiver accepted the message. `waiting`: the attempt failed, and another one follows. `failed`: the attempt failed, and none follows. One of `succeeded`, `waiting`, `failed`; more may be added. */
  outcome: 'succeeded' | 'waiting' | 'failed';
  status: number | null;
  detail: string | null;
}

/** A destination of notices, without its address and secret. */
export interface NoticeDestination {
  /** The destination's identifier. */
  id: string;
  /** `webhook`: a request that is signed by Standard Webhooks. `slack`: an incoming webhook of Slack. `teams`: a workflow of Microsoft Teams that begins with a webhook request. `pagerduty`: the Events API v2 of PagerDuty. One of `webhook`, `slack`, `teams`, `pagerduty`; more may be added. */
  kind: 'webhook' | 'slack' | 'teams' | 'pagerduty';
  /** The name of the destination. */
  name: string;
  /** The host of the address. */
  host: string;
  /** The environments whose notices the destination receives. Only a webhook receives notices of the sandbox, because a cause in the sandbox has no real effect. */
  environments: ('sandbox' | 'production')[];
  /** The kinds of notices that the destination does not receive. */
  mutedKinds: ('key_expires' | 'key_leaked' | 'endpoint_failing' | 'endpoint_disabled' | 'key_in_browser' | 'event_scopes' | 'endpoint_keys_end' | 'endpoint_recovered' | 'delivery_exhausted' | 'installation_paused' | 'installation_revoked' | 'deprecation_announced' | 'live_access_decided')[];
  /** A disabled destination receives nothing. One of `enabled`, `disabled`; more may be added. */
  state: 'enabled' | 'disabled';
  disabledReason: string | null;
  lastAttempt: NoticeAttempt | null;
  lastSuccessAt: string | null;
  /** The member or token that created the destination. */
  createdBy: string;
  /** When the destination was created. */
  createdAt: string;
}

/** The changes to a destination. A property that is left out stays unchanged. */
export interface NoticeDestinationChange {
  /** The name of the destination. */
  name?: string;
  /** The environments whose notices the destination receives. Only a webhook receives notices of the sandbox, because a cause in the sandbox has no real effect. */
  environments?: ('sandbox' | 'production')[];
  /** The kinds of notices that the destination does not receive. */
  mutedKinds?: ('key_expires' | 'key_leaked' | 'endpoint_failing' | 'endpoint_disabled' | 'key_in_browser' | 'event_scopes' | 'endpoint_keys_end' | 'endpoint_recovered' | 'delivery_exhausted' | 'installation_paused' | 'installation_revoked' | 'deprecation_announced' | 'live_access_decided')[];
  /** A disabled destination receives nothing. */
  state?: 'enabled' | 'disabled';
}

/** A destination to create. */
export interface NoticeDestinationInput {
  /** `webhook`: a request that is signed by Standard Webhooks. `slack`: an incoming webhook of Slack. `teams`: a workflow of Microsoft Teams that begins with a webhook request. `pagerduty`: the Events API v2 of PagerDuty. */
  kind: 'webhook' | 'slack' | 'teams' | 'pagerduty';
  /** The name of the destination. */
  name: string;
  /** The address to which messages are sent, at most 2,048 characters. It cannot be read or changed later. */
  url: string;
  /** The integration key of PagerDuty; required for `pagerduty`, and not allowed for other kinds. */
  routingKey?: string;
  /** The environments whose notices the destination receives. Only a webhook receives notices of the sandbox, because a cause in the sandbox has no real effect. */
  environments?: ('sandbox' | 'production')[];
  /** The kinds of notices that the destination does not receive. */
  mutedKinds?: ('key_expires' | 'key_leaked' | 'endpoint_failing' | 'endpoint_disabled' | 'key_in_browser' | 'event_scopes' | 'endpoint_keys_end' | 'endpoint_recovered' | 'delivery_exhausted' | 'installation_paused' | 'installation_revoked' | 'deprecation_announced' | 'live_access_decided')[];
}

/** A page of destinations. */
export interface NoticeDestinationList {
  /** Newest first. */
  data: NoticeDestination[];
  nextCursor: string | null;
}

/** A page of notices. */
export interface NoticeList {
  /** Newest first. */
  data: Notice[];
  nextCursor: string | null;
}

/** How you receive the notices of an organisation by mail. */
export interface NoticeMailSettings {
  timing: 'immediately' | 'daily' | 'never' | null;
  /** The kinds of notices that you do not receive by mail. */
  mutedKinds: ('key_expires' | 'key_leaked' | 'endpoint_failing' | 'endpoint_disabled' | 'key_in_browser' | 'event_scopes' | 'endpoint_keys_end' | 'endpoint_recovered' | 'delivery_exhausted' | 'installation_paused' | 'installation_revoked' | 'deprecation_announced' | 'live_access_decided')[];
}

/** How you receive the notices of an organisation by mail. */
export interface NoticeMailSettingsInput {
  timing: 'immediately' | 'daily' | 'never' | null;
  /** The kinds of notices that you do not receive by mail. */
  mutedKinds: ('key_expires' | 'key_leaked' | 'endpoint_failing' | 'endpoint_disabled' | 'key_in_browser' | 'event_scopes' | 'endpoint_keys_end' | 'endpoint_recovered' | 'delivery_exhausted' | 'installation_paused' | 'installation_revoked' | 'deprecation_announced' | 'live_access_decided')[];
}

/** A server that the list omits, and the first rule that it breaks. */
export interface OmittedServer {
  /** The identifier of the server. */
  serverId: string;
  /** The server's display name. */
  serverName: string;
  /** The scope that the rule concerns. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`, `workflows:run`; more may be added. */
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run';
  /** The rule. Rules are listed in the order of their evaluation. One of `key_exists`, `key_not_revoked`, `key_not_expired`, `app_active`, `key_has_scope`, `server_exists`, `installation_exists`, `server_not_revoked_by_organisation`, `installation_not_revoked`, `server_not_paused_by_organisation`, `installation_within_cap`, `installation_not_paused`, `scope_not_revoked_by_organisation`, `scope_authorised`, `scope_not_revoked`, `scope_not_paused_by_organisation`, `scope_not_paused`, `resource_scope_approved`, `resource_scope_not_revoked_by_organisation`, `resource_scope_authorised`, `resource_scope_not_revoked`, `resource_scope_not_paused_by_organisation`, `resource_scope_not_paused`; more may be added. */
  rule: 'key_exists' | 'key_not_revoked' | 'key_not_expired' | 'app_active' | 'key_has_scope' | 'server_exists' | 'installation_exists' | 'server_not_revoked_by_organisation' | 'installation_not_revoked' | 'server_not_paused_by_organisation' | 'installation_within_cap' | 'installation_not_paused' | 'scope_not_revoked_by_organisation' | 'scope_authorised' | 'scope_not_revoked' | 'scope_not_paused_by_organisation' | 'scope_not_paused' | 'resource_scope_approved' | 'resource_scope_not_revoked_by_organisation' | 'resource_scope_authorised' | 'resource_scope_not_revoked' | 'resource_scope_not_paused_by_organisation' | 'resource_scope_not_paused';
  /** The problem code of a request that breaks the rule. One of `invalid_key`, `revoked_key`, `expired_key`, `app_suspended`, `missing_scope`, `not_found`, `installation_revoked`, `installation_paused`, `scope_not_authorised`; more may be added. */
  code: 'invalid_key' | 'revoked_key' | 'expired_key' | 'app_suspended' | 'missing_scope' | 'not_found' | 'installation_revoked' | 'installation_paused' | 'scope_not_authorised';
}

/** The facts about an organisation that operators may see. */
export interface OperatedOrganisation {
  /** The organisation's identifier. */
  id: string;
  /** Name of the organisation. */
  name: string;
  /** Time at which the organisation was created. */
  createdAt: string;
  /** Number of members. */
  memberCount: number;
  suspendedAt: string | null;
  suspendedReason: string | null;
  quotas: Quotas;
}

export interface OperatedOrganisationList {
  /** Newest first. */
  data: OperatedOrganisation[];
}

/** A change of an organisation. */
export interface OrganisationChange {
  /** The new name of the organisation. */
  name: string;
}

/** The deletion of an organisation, and the environments that have confirmed it. */
export interface OrganisationDeletion {
  /** The organisation's identifier. */
  id: string;
  eraseAt: string | null;
  /** All environments. */
  environments: EnvironmentStatus[];
}

/** The organisation to delete. */
export interface OrganisationDeletionInput {
  /** Name of the organisation, as a confirmation. */
  organisationName: string;
}

/** A passkey of the signed-in person. */
export interface Passkey {
  /** The passkey's identifier. */
  id: string;
  /** The name that the person gave to the passkey. */
  name: string;
  /** When the passkey was registered. */
  createdAt: string;
  lastUsedAt: string | null;
}

/** The signature of a passkey over a challenge. */
export interface PasskeyAssertion {
  /** The authenticator's identifier of the passkey, in base64url. */
  id: string;
  /** The `clientDataJSON` that the browser signed, in base64url. */
  clientDataJSON: string;
  /** The `authenticatorData` of the response, in base64url. */
  authenticatorData: string;
  /** The signature, in base64url. */
  signature: string;
}

/** A new passkey, as its authenticator states it. */
export interface PasskeyAttestation {
  /** The authenticator's identifier of the passkey, in base64url. */
  id: string;
  /** The `clientDataJSON` that the browser signed, in base64url. */
  clientDataJSON: string;
  /** The `attestationObject` of the response, in base64url. */
  attestationObject: string;
  /** The ways to reach the authenticator. */
  transports: string[];
}

/** The options of `navigator.credentials.create`, in the JSON form of WebAuthn. */
export interface PasskeyCreationOptions {
  /** The challenge to sign, in base64url. It is valid once, for five minutes. */
  challenge: string;
  rp: {
    /** The host name of the Console. */
    id: string;
    /** The name of the product. */
    name: string;
  };
  user: {
    /** An opaque identifier of the person, in base64url. */
    id: string;
    /** The e-mail address of the person. */
    name: string;
    /** The name of the person. */
    displayName: string;
  };
  /** The accepted algorithms, the preferred one first. */
  pubKeyCredParams: {
    /** The type of the credential. */
    type: 'public-key';
    /** A COSE algorithm. */
    alg: number;
  }[];
  /** The time to answer, in milliseconds. */
  timeout: number;
  /** No proof of the make of the authenticator is requested. */
  attestation: 'none';
  authenticatorSelection: {
    /** The passkey need not be found without its identifier. */
    residentKey: 'discouraged';
    /** The authenticator verifies the person by PIN or biometrics. */
    userVerification: 'required';
  };
  /** The person's passkeys, whose authenticators are refused. */
  excludeCredentials: PasskeyCredential[];
}

/** A registered passkey, for the browser. */
export interface PasskeyCredential {
  /** The authenticator's identifier of the passkey, in base64url. */
  id: string;
  /** The type of the credential. */
  type: 'public-key';
  /** The ways to reach the authenticator. */
  transports: string[];
}

/** A passkey to register. */
export interface PasskeyInput {
  /** The name by which the person recognises the passkey. */
  name: string;
  credential: PasskeyAttestation;
}

export interface PasskeyList {
  /** The passkeys. */
  data: Passkey[];
}

/** A passkey to register. */
export interface PasskeyRegistrationInput {
  /** Your password, if you have one. */
  currentPassword?: string;
}

/** The options of `navigator.credentials.get`, in the JSON form of WebAuthn. */
export interface PasskeyRequestOptions {
  /** The challenge to sign, in base64url. It is valid once, for five minutes. */
  challenge: string;
  /** The host name of the Console. */
  rpId: string;
  /** The time to answer, in milliseconds. */
  timeout: number;
  /** The authenticator verifies the person by PIN or biometrics. */
  userVerification: 'required';
  /** The person's passkeys. */
  allowCredentials: PasskeyCredential[];
}

/** A password to set with a mailed link. */
export interface PasswordReset {
  /** The token of the link. */
  token: string;
  /** A password of at least 12 characters. */
  password: string;
}

/** The signed-in person. */
export interface Person {
  /** The e-mail address of the person. */
  email: string;
  /** The name of the person. */
  name: string;
  /** True if the person can sign in with a password. */
  hasPassword: boolean;
  /** True if a sign-in also requires a second factor. */
  hasSecondFactor: boolean;
  /** The means that prove the second factor. Empty if none is required. */
  secondFactorMethods: ('authenticator' | 'passkey')[];
  secondFactorRemoval: SecondFactorRemoval | null;
  /** True if the identity provider signs the person in. */
  isLinkedToProvider: boolean;
}

/** A change of your profile. */
export interface PersonChange {
  /** Your new name. */
  name: string;
}

/** The state of a sign-in. */
export interface PolledDeviceSignIn {
  /** The states of RFC 8628: no person has decided yet; the terminal polls too often; the sign-in was denied; the code is unknown, used or expired; the sign-in was approved. One of `authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `approved`; more may be added. */
  state: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'approved';
  /** The minimum time before the next poll. */
  intervalSeconds: number;
  accessToken: AccessToken | null;
  token: string | null;
}

/** An event in the pinned version and in a newer version, with the difference. */
export interface PreviewedEvent {
  /** The type of the event. One of `publication.published`, `publication.updated`, `publication.archived`, `roadmap.item_created`, `roadmap.item_moved`, `ticket.created`, `ticket.updated`, `ticket.closed`, `workflow_run.started`, `workflow_run.succeeded`, `workflow_run.failed`, `server.updated`, `installation.paused`, `installation.resumed`, `installation.scope_changed`, `ping`; more may be added. */
  type: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping';
  /** The version to which the endpoint is pinned. */
  pinnedVersion: number;
  /** The newer version. */
  schemaVersion: number;
  pinned: Event;
  newer: Event;
  /** Values that only the newer version has. */
  added: string[];
  /** Values that only the pinned version has. */
  removed: string[];
  /** Values that differ between the versions. */
  changed: string[];
}

/** A problem (RFC 9457). */
export interface Problem {
  /** The address of the page about this problem. */
  type: string;
  /** A short title. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** The machine-readable code. One of `missing_key`, `invalid_key`, `expired_key`, `revoked_key`, `wrong_environment`, `missing_scope`, `scope_not_authorised`, `installation_paused`, `installation_revoked`, `app_suspended`, `address_not_allowed`, `browser_use`, `invalid_request`, `not_found`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `conflict`, `quota_exceeded`, `idempotency_in_progress`, `gone`, `body_too_large`, `uri_too_long`, `unsupported_media_type`, `idempotency_key_reused`, `workflow_input_invalid`, `rate_limited`, `headers_too_large`, `internal_error`, `upstream_invalid`, `unavailable`, `timeout`, `sign_in_required`, `sign_in_failed`, `invalid_access_token`, `access_token_not_allowed`, `role_not_allowed`, `invitation_not_yours`, `invitation_used`, `invitation_expired`, `invitation_revoked`, `cross_site_request`, `email_not_verified`, `second_factor_failed`, `second_factor_required`, `fresh_sign_in_required`, `link_invalid`, `provider_sign_in_failed`, `provider_not_linked`, `provider_link_taken`, `sign_up_closed`, `operator_required`, `reviewer_not_independent`, `organisation_suspended`; more may be added. */
  code: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'upstream_invalid' | 'unavailable' | 'timeout' | 'sign_in_required' | 'sign_in_failed' | 'invalid_access_token' | 'access_token_not_allowed' | 'role_not_allowed' | 'invitation_not_yours' | 'invitation_used' | 'invitation_expired' | 'invitation_revoked' | 'cross_site_request' | 'email_not_verified' | 'second_factor_failed' | 'second_factor_required' | 'fresh_sign_in_required' | 'link_invalid' | 'provider_sign_in_failed' | 'provider_not_linked' | 'provider_link_taken' | 'sign_up_closed' | 'operator_required' | 'reviewer_not_independent' | 'organisation_suspended';
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

/** The parameters with which a browser returns from the identity provider. */
export interface ProviderCallback {
  /** The parameter `code` of the address to which the provider sent the browser. */
  code: string;
  /** The parameter `state` of the same address. */
  state: string;
}

/** A sign-in that has begun. */
export interface ProviderSignIn {
  /** The provider's address, created for this sign-in. */
  url: string;
}

/** Limits of an organisation. A field that is left out has its default. */
export interface Quotas {
  /** Maximum number of apps of the organisation. */
  apps?: number;
  /** Maximum number of active keys of an app. */
  keysPerApp?: number;
  /** Maximum number of webhook endpoints of an app. */
  endpointsPerApp?: number;
  /** Number of days for which the requests of the organisation are kept, at most the retention period of the installation. */
  requestDays?: number;
}

/** Limits of an organisation. A field that is left out has its default. */
export interface QuotasInput {
  /** Maximum number of apps of the organisation. */
  apps?: number;
  /** Maximum number of active keys of an app. */
  keysPerApp?: number;
  /** Maximum number of webhook endpoints of an app. */
  endpointsPerApp?: number;
  /** Number of days for which the requests of the organisation are kept, at most the retention period of the installation. */
  requestDays?: number;
}

/** A message as a receiver got it. It is not stored. */
export interface ReceivedMessage {
  /** The body, byte for byte as your code verifies it, in base64. */
  bodyBase64: string;
  /** The headers as your code received them, by name. */
  headers: Record<string, string>;
  /** The time on your clock when the message arrived. Without this time the clock is not checked. */
  receivedAt?: string;
  /** The signature that your code computed. Detects mistakes in how you compute the signature. */
  computedSignature?: string;
}

/** A minute in which requests were answered without a record. */
export interface RecordGap {
  /** Start of the minute. */
  minute: string;
  /** Number of requests without a record. */
  lost: number;
}

/** The gaps in the records of an app. */
export interface RecordGapList {
  /** Newest first. */
  data: RecordGap[];
  /** Number of missing records in the whole retention period. */
  lost: number;
}

/** A job that redelivers many deliveries. */
export interface Redelivery {
  /** The identifier of the redelivery job. */
  id: string;
  /** The state of the redelivery job. A paused job can be resumed; a cancelled or finished job cannot. One of `running`, `paused`, `cancelled`, `finished`; more may be added. */
  state: 'running' | 'paused' | 'cancelled' | 'finished';
  /** The filter for the deliveries that had ended, or waited for a retry, when the redelivery job was created. A null property matches every delivery. */
  filter: {
    /** Events that occurred at this time or later. */
    since: string;
    until: string | null;
    endpointId: string | null;
    eventType: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | null;
    /** Deliveries that ended with one of these statuses. `pending` selects the deliveries that wait for a retry: the retry becomes due now. */
    statuses: ('failed' | 'skipped' | 'cancelled' | 'pending')[];
    reason: string | null;
  };
  /** How many deliveries are made per second. The endpoints’ own rate limits apply too. */
  ratePerSecond: number;
  /** How many deliveries matched when the redelivery job was created. A delivery that is redelivered in another way in the meantime is left out. */
  total: number;
  /** True if `total` is exact. Otherwise there were at least `total` deliveries. */
  isTotalExact: boolean;
  /** How many deliveries have been redelivered so far, including retries that were made due. */
  done: number;
  /** How many of those were recorded as skipped, with the reason, and not sent. */
  skipped: number;
  /** The member or token that started the redelivery job. */
  createdBy: string;
  /** When the redelivery job was started. */
  createdAt: string;
  finishedBy: string | null;
  finishedAt: string | null;
}

/** The changes to a redelivery job. A property that is left out stays unchanged. */
export interface RedeliveryChange {
  /** `running` resumes a paused job. */
  state?: 'running' | 'paused' | 'cancelled';
  /** How many deliveries are made per second. The endpoints’ own rate limits apply too. */
  ratePerSecond?: number;
}

/** A redelivery job with the outcomes of its deliveries. */
export interface RedeliveryDetail {
  /** The identifier of the redelivery job. */
  id: string;
  /** The state of the redelivery job. A paused job can be resumed; a cancelled or finished job cannot. One of `running`, `paused`, `cancelled`, `finished`; more may be added. */
  state: 'running' | 'paused' | 'cancelled' | 'finished';
  /** The filter for the deliveries that had ended, or waited for a retry, when the redelivery job was created. A null property matches every delivery. */
  filter: {
    /** Events that occurred at this time or later. */
    since: string;
    until: string | null;
    endpointId: string | null;
    eventType: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | null;
    /** Deliveries that ended with one of these statuses. `pending` selects the deliveries that wait for a retry: the retry becomes due now. */
    statuses: ('failed' | 'skipped' | 'cancelled' | 'pending')[];
    reason: string | null;
  };
  /** How many deliveries are made per second. The endpoints’ own rate limits apply too. */
  ratePerSecond: number;
  /** How many deliveries matched when the redelivery job was created. A delivery that is redelivered in another way in the meantime is left out. */
  total: number;
  /** True if `total` is exact. Otherwise there were at least `total` deliveries. */
  isTotalExact: boolean;
  /** How many deliveries have been redelivered so far, including retries that were made due. */
  done: number;
  /** How many of those were recorded as skipped, with the reason, and not sent. */
  skipped: number;
  /** The member or token that started the redelivery job. */
  createdBy: string;
  /** When the redelivery job was started. */
  createdAt: string;
  finishedBy: string | null;
  finishedAt: string | null;
  /** The outcomes of the deliveries so far. */
  deliveries: ({
    /** The status of these deliveries. One of `pending`, `held`, `succeeded`, `failed`, `cancelled`, `skipped`; more may be added. */
    status: 'pending' | 'held' | 'succeeded' | 'failed' | 'cancelled' | 'skipped';
    reason: string | null;
    /** The number of these deliveries. */
    count: number;
  })[];
  /** True if all deliveries were counted. Otherwise only the first ones were. */
  isCountComplete: boolean;
}

/** The deliveries to redeliver. The default for `statuses` is `failed`; with a `reason` it is `skipped` and `cancelled`. Deliveries that were redelivered since, and deliveries of test events, are left out. Deliveries that the filter of their endpoint withheld are included only with the `reason` `filtered`. The default for `ratePerSecond` is 100. */
export interface RedeliveryInput {
  /** Deliveries of events that occurred at this time or later. A delivery fails at the end of its schedule, which is 75 hours or more after the event, or earlier with a faster schedule or after a response with 410. Until then it is `pending`. */
  since: string;
  /** Deliveries of events that occurred before this time. */
  until?: string;
  /** The endpoint's identifier. */
  endpointId?: string;
  /** Deliveries of events of this type. */
  eventType?: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>);
  /** Deliveries that ended with one of these statuses. `pending` selects the deliveries that wait for a retry: the retry becomes due now. */
  statuses?: ('failed' | 'skipped' | 'cancelled' | 'pending')[];
  /** Deliveries that were skipped or cancelled for this reason. */
  reason?: string;
  /** How many deliveries are made per second. The endpoints’ own rate limits apply too. */
  ratePerSecond?: number;
  /** Returns what would be redelivered, and redelivers nothing. */
  isDryRun?: boolean;
}

/** A page of redelivery jobs. */
export interface RedeliveryList {
  /** Newest first. */
  data: Redelivery[];
  nextCursor: string | null;
}

/** The preview of a redelivery job. */
export interface RedeliveryPreview {
  /** How many deliveries would be redelivered. */
  total: number;
  /** How many of these wait for a retry, which would become due now. */
  waiting: number;
  /** True if `total` is exact. Otherwise there are at least `total` deliveries. */
  isTotalExact: boolean;
  firstAt: string | null;
  lastAt: string | null;
  /** How many deliveries are made per second. The endpoints’ own rate limits apply too. */
  ratePerSecond: number;
  /** The minimum duration at that rate, in seconds. */
  durationSeconds: number;
}

/** A request that the listener forwards. */
export interface Relay {
  /** The relay's identifier. */
  id: string;
  /** The headers to send, signature included. */
  headers: Record<string, string>;
  /** The body to send, byte for byte. */
  body: string;
}

export type RelayAnswer = {
  /** The relay's identifier. */
  id: string;
  /** The HTTP status of the response. */
  status: number;
  /** The headers of the response. */
  headers: Record<string, string>;
  /** The beginning of the response’s body, in base64. */
  bodyBase64: string;
  /** True if the body was cut. */
  isBodyTruncated: boolean;
} | {
  /** The relay's identifier. */
  id: string;
  /** The kind of failure. */
  failure: 'connect' | 'timeout' | 'protocol';
  /** The failure, as a sentence. */
  detail: string;
};

/** The results of a listener, and how many more requests it takes. */
export interface RelayExchange {
  /** The results of requests that were taken earlier. */
  answers: RelayAnswer[];
  /** Requests that were taken and have no response yet. A request that was taken and is missing here counts as lost and is handed out again. */
  inFlightIds: string[];
  /** The maximum number of requests to take. */
  limit: number;
}

/** The response to the replayed request. */
export interface Replay {
  /** The request’s identifier, as in its Request-Id header. */
  requestId: string;
  /** The HTTP status of the response. */
  status: number;
  /** From the call to its response, in milliseconds. */
  durationMs: number;
  /** The headers of the response. */
  headers: Record<string, string>;
  /** The body of the response, unchanged. */
  body: string;
  /** Parts of the original request that were not sent again, although its response depended on them: values that the record does not store, and a simulated fault, which applies only on request. To send such a part, include it in the replay. */
  omittedParts: ('address' | 'body' | 'fault' | 'Accept' | 'Idempotency-Key' | 'If-None-Match' | 'Origin' | 'Sec-Fetch-Site')[];
}

/** The parts of a replay that its record does not provide. */
export interface ReplayInput {
  /** Another key of the app to use instead of the original one. */
  keyId?: string;
  /** The headers to send. Other headers cannot be set. */
  headers?: {
    /** The accepted media types of the response. */
    Accept?: string;
    /** Makes a retry of the same mutation idempotent for 24 hours. */
    'Idempotency-Key'?: string;
    /** The ETag of an earlier response. */
    'If-None-Match'?: string;
    /** A problem or a latency to simulate. */
    'Sandbox-Simulate'?: string;
    /** The trace of the call (W3C Trace Context). */
    traceparent?: string;
  };
  /** The body to send. Without it, the stored body of the request is sent, if its capture has it whole and unmasked (`capture.requestBody` is `whole`). Otherwise a mutation that had a body requires it. */
  body?: string;
  /** The query to send, if the record masks a parameter of it: percent-encoded, with each masked parameter replaced or left out. */
  query?: string;
  /** JSON Pointers, such as `/body/subject`, of values that look like a mask of the Request Inspector, such as `[string of 12 characters]`, but are meant literally. Without its pointer, such a value is refused, because a mask is not the value that was sent. */
  literals?: string[];
}

/** The requests of one interval. */
export interface RequestBucket {
  /** Start of the interval. */
  at: string;
  /** Number of requests that arrived. */
  count: number;
  /** Number of requests answered with 4xx or 5xx. */
  errors: number;
  /** Number of requests answered with 5xx. */
  serverErrors: number;
  /** Number of requests without a response: a reset was simulated, or the caller disconnected before the request was complete. */
  unanswered: number;
  durations: {
    /** 50th percentile. */
    p50Ms: number;
    /** 95th percentile. */
    p95Ms: number;
    /** 99th percentile. */
    p99Ms: number;
  } | null;
}

/** All stored fields of a request, the requests that replay it, and its masked values. */
export interface RequestDetail {
  /** The request’s identifier, as in its Request-Id header. */
  id: string;
  /** When the response was ready, before it was sent. */
  at: string;
  status: number | null;
  code: string | null;
  operationId: string | null;
  /** The HTTP method. */
  method: string;
  /** The path, without the query. */
  path: string;
  /** From arrival to response, in milliseconds. */
  durationMs: number;
  keyId: string | null;
  serverId: string | null;
  simulated: string | null;
  query: string | null;
  /** Part of the duration spent on authentication and authorisation, in milliseconds. */
  authorityMs: number;
  operationMs: number | null;
  apiVersion: string | null;
  clientAddress: string | null;
  calledBy: string | null;
  calledByTokenId: string | null;
  userAgent: string | null;
  traceId: string | null;
  parentSpanId: string | null;
  requestBytes: number | null;
  /** The size of the response body. */
  responseBytes: number;
  idempotencyHash: string | null;
  /** True if the response is the stored one of an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
  originalRequestId: string | null;
  parentRequestId: string | null;
  errorContext: Record<string, unknown> | null;
  /** The requests that replay it, newest first; the latest 20. */
  replayIds: string[];
  /** The values of `errorContext.body` that the record does not store. A mask, such as `[string of 12 characters]`, stands in place of each. A string in that body has this form only if it is a mask. */
  maskedPointers: string[];
  /** The parameters of `query` that the record does not store as they were sent, such as `limit=*`. A replay requires a `query` in which each is replaced or left out. */
  maskedParameters: string[];
  /** True if the record stores the complete path. Otherwise the request cannot be replayed. */
  isPathComplete: boolean;
  capture: CaptureStatus;
}

/** Requests of one operation that ended in the same problem. */
export interface RequestGroup {
  /** The problem’s code. */
  code: string;
  operationId: string | null;
  /** Number of requests. */
  count: number;
  /** When the first of them was answered. */
  firstAt: string;
  /** When the last of them was answered. */
  lastAt: string;
  /** The request’s identifier, as in its Request-Id header. */
  sampleId: string;
}

/** The problems that requests ended in. */
export interface RequestGroups {
  /** The largest group first. */
  data: RequestGroup[];
  /** Start of the period. */
  since: string;
  /** End of the period. */
  until: string;
  searchedUntil: string | null;
}

/** Number of requests per interval. */
export interface RequestHistogram {
  /** Oldest first. */
  data: RequestBucket[];
  /** Start of the period. */
  since: string;
  /** End of the period. */
  until: string;
  searchedUntil: string | null;
}

/** A page of requests. */
export interface RequestList {
  /** Newest first. */
  data: RequestRecord[];
  nextCursor: string | null;
  searchedUntil: string | null;
}

/** A request and its outcome. */
export interface RequestRecord {
  /** The request’s identifier, as in its Request-Id header. */
  id: string;
  /** When the response was ready, before it was sent. */
  at: string;
  status: number | null;
  code: string | null;
  operationId: string | null;
  /** The HTTP method. */
  method: string;
  /** The path, without the query. */
  path: string;
  /** From arrival to response, in milliseconds. */
  durationMs: number;
  keyId: string | null;
  serverId: string | null;
  simulated: string | null;
}

/** A request as code. The code reads the key from `SLIPWAY_KEY`. */
export interface RequestSnippets {
  /** A command for a POSIX shell. */
  curl: string;
  /** JavaScript for Node, as a module. */
  fetch: string;
  sdk: string | null;
  /** True if the code repeats the request completely. Records do not store bodies: the code contains the example of the contract instead, and no body for GET and HEAD. Only the code that `revealCapture` returns can have the real body. Masked or truncated parts of the address are missing, as are headers that affect the response, such as `If-None-Match` for a 304. */
  isComplete: boolean;
}

/** The values that requests of the app have, for a filter. */
export interface RequestValues {
  /** Statuses. */
  statuses: number[];
  /** Problem codes. */
  codes: string[];
  /** Operations; `none` stands for requests that matched no operation. */
  operationIds: string[];
  /** HTTP methods. */
  methods: string[];
  /** Keys. */
  keyIds: string[];
  /** Servers. */
  serverIds: string[];
  /** Start of the period. */
  since: string;
  /** End of the period. */
  until: string;
  searchedUntil: string | null;
}

/** A signed receipt of revocations. */
export interface RevocationReceipt {
  /** The identifier of the receipt of a revocation. */
  id: string;
  /** The app's identifier. */
  appId: string;
  requestId: string | null;
  /** The time of the revocation, before its commit. */
  createdAt: string;
  signedAt: string | null;
  /** The revoked keys, at most 10. */
  keyIds: string[];
  /** The number of revoked keys. */
  keys: number;
  /** The servers with a revoked grant, at most 10. */
  serverIds: string[];
  /** The number of servers with a revoked grant. */
  servers: number;
  jws: string | null;
  /** The public address of the keys that verify receipts of this environment, as a JSON Web Key Set. */
  keysUrl: string;
}

/** A page of receipts. */
export interface RevocationReceiptList {
  /** Newest first. */
  data: RevocationReceiptSummary[];
  nextCursor: string | null;
}

/** A receipt in a list. */
export interface RevocationReceiptSummary {
  /** The identifier of the receipt of a revocation. */
  id: string;
  /** The app's identifier. */
  appId: string;
  requestId: string | null;
  /** The time of the revocation, before its commit. */
  createdAt: string;
  signedAt: string | null;
  /** The revoked keys, at most 10. */
  keyIds: string[];
  /** The number of revoked keys. */
  keys: number;
  /** The servers with a revoked grant, at most 10. */
  serverIds: string[];
  /** The number of servers with a revoked grant. */
  servers: number;
}

/** A revoked key. */
export interface RevokedKey {
  /** The key's identifier. */
  id: string;
  /** The public half of the key's text, which logs contain. */
  kid: string;
  /** The purpose of the key. */
  name: string;
  note: string | null;
  /** The scopes of the key. Grant only the scopes that it needs. */
  scopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[];
  allowedCidrs: string[] | null;
  /** Only an `active` key gives access. One of `active`, `expired`, `revoked`; more may be added. */
  state: 'active' | 'expired' | 'revoked';
  /** The person who generated the key. */
  createdBy: string;
  /** The time of the generation. */
  createdAt: string;
  /** The time of the expiry. */
  expiresAt: string;
  endsAt: string | null;
  revokedAt: string | null;
  predecessorId: string | null;
  successorId: string | null;
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
  /** The uses of each scope by requests and deliveries in the last 30 days, including those of the keys that this key replaced. The counts are delayed by some seconds. */
  scopeUses: ScopeUse[];
  unusedScopes: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run')[] | null;
  /** The enabled endpoints of the key that continue to deliver through their next key. */
  continuingEndpoints: {
    /** The endpoint's identifier. */
    endpointId: string;
    /** The URL of the endpoint. */
    url: string;
    /** The key through which it delivers now. */
    keyId: string;
  }[];
  /** The identifier of the receipt of a revocation. */
  receiptId: string;
}

/** The number of revoked keys. */
export interface RevokedKeys {
  /** The number of keys that were active. */
  revoked: number;
}

/** A role and its actions. */
export interface RoleActions {
  /** A role in an organisation. One of `owner`, `admin`, `developer`, `auditor`, `viewer`; more may be added. */
  role: 'owner' | 'admin' | 'developer' | 'auditor' | 'viewer';
  /** All actions that the role allows. */
  actions: ('organisation.leave' | 'organisation.change' | 'organisation.transfer' | 'organisation.delete' | 'organisation.export' | 'members.read' | 'members.invite' | 'members.change' | 'members.remove' | 'tokens.read' | 'tokens.create' | 'tokens.revoke' | 'tokens.manage' | 'apps.read' | 'apps.create' | 'apps.change' | 'apps.suspend' | 'apps.delete' | 'keys.read' | 'keys.create' | 'keys.change' | 'keys.rotate' | 'keys.revoke' | 'production_keys.create' | 'keys.use' | 'notices.read' | 'notices.change' | 'notices.follow' | 'installations.read' | 'installations.change' | 'endpoints.read' | 'endpoints.change' | 'endpoints.reveal' | 'endpoints.rotate' | 'deliveries.read' | 'deliveries.redeliver' | 'requests.read' | 'requests.reveal' | 'views.read' | 'views.change' | 'faults.read' | 'faults.change' | 'world.read' | 'world.change' | 'live_access.read' | 'live_access.request' | 'audit.read' | 'receipts.read')[];
}

export interface RoleList {
  /** Each role. */
  data: RoleActions[];
}

/** The successor with its secret, and the rotated key. */
export interface RotatedKey {
  key: Key;
  /** The complete key. It is shown only in this response. */
  token: string;
  predecessor: Key;
  receiptId: string | null;
}

/** The rotation of a key. */
export interface Rotation {
  /** The number of days until the key expires. The expiry is fixed and cannot be changed. */
  expiresInDays: number;
  /** The number of hours during which the old key still works, at most until its expiry. 0 revokes it immediately. */
  overlapHours: number;
  /** The scopes of the successor; all scopes of the key by default. Each must be a scope of the key. A key with endpoints must keep `events:read`. */
  scopes?: ('servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>))[];
}

/** A saved view: a name for the filters of a list. */
export interface SavedView {
  /** The view's identifier. */
  id: string;
  /** The app's identifier. */
  appId: string;
  /** The list that the view filters. One of `requests`, `events`, `deliveries`; more may be added. */
  page: 'requests' | 'events' | 'deliveries';
  /** The name of the view. */
  name: string;
  /** The filters, as the query of the page's address without `?`. */
  filters: string;
}

/** A view to save. */
export interface SavedViewInput {
  /** The app's identifier. */
  appId: string;
  /** The list that the view filters. */
  page: 'requests' | 'events' | 'deliveries';
  /** The name of the view. */
  name: string;
  /** The filters, as the query of the page's address without `?`. */
  filters: string;
}

/** Your saved views in an organisation. */
export interface SavedViewList {
  /** The views, in the order of their names. */
  data: SavedView[];
}

/** The changes that a newer schema version would make. */
export interface SchemaVersionPreview {
  /** The events, newest first. */
  data: PreviewedEvent[];
}

/** The grant of one scope by a server. */
export interface ScopeGrant {
  /** A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`, `workflows:run`; more may be added. */
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run';
  /** `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of `authorised`, `paused`, `revoked`; more may be added. */
  state: 'authorised' | 'paused' | 'revoked';
}

/** The uses of a scope in the last 30 days. */
export interface ScopeUse {
  /** A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`, `workflows:run`; more may be added. */
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run';
  /** The number of uses. */
  uses: number;
  lastUsedOn: string | null;
}

/** A second factor that must be confirmed by a code of the authenticator, or by a passkey. */
export interface SecondFactorEnrolment {
  /** The address `otpauth://...` with the secret, for an authenticator. Show it as a QR code or a link. */
  uri: string;
  /** Each code signs in once in place of an authenticator code. They are shown only in this response; only hashes are stored. */
  recoveryCodes: string[];
}

/** A proof of the second factor: exactly one of `code` and `passkey`. */
export interface SecondFactorProofInput {
  /** The six digits of the authenticator, or a recovery code. */
  code?: string;
  passkey?: PasskeyAssertion;
}

/** The removal of a second factor without a code. */
export interface SecondFactorRemoval {
  /** Pending until `dueAt`, or removed at that time. In both states the person cannot create production keys. One of `pending`, `removed`; more may be added. */
  state: 'pending' | 'removed';
  /** When the second factor is removed, or was removed. */
  dueAt: string;
  productionKeysOpenAt: string | null;
}

/** A request to remove the second factor. */
export interface SecondFactorRemovalInput {
  /** Your password, if you have one. */
  currentPassword?: string;
}

/** How to rotate a signing secret. */
export interface SecretRotation {
  /** For how many hours the previous secret still signs deliveries too. 0 ends the previous secret immediately. */
  overlapHours?: number;
}

/** The signed-in person and their organisations. */
export interface Session {
  person: Person;
  /** The organisations of the person, oldest first. */
  organisations: Membership[];
  /** The organisations in which the membership of the person is suspended. */
  suspendedIn: SuspendedMembership[];
  /** True if the person is an operator of the installation, who may call the operations of operators. */
  isOperator: boolean;
}

export interface SessionList {
  /** Each session that has not ended. */
  data: ListedSession[];
}

/** A one-time sign-in link. */
export interface SignInLink {
  /** The token of the link. */
  token: string;
}

/** The step that remains before a session is open. */
export interface SignInStep {
  /** A second factor is required, or the provider was linked to the account of the session. One of `second_factor`, `account`; more may be added. */
  next: 'second_factor' | 'account';
  /** The means that prove the second factor. Empty if none is required. */
  methods?: ('authenticator' | 'passkey')[];
}

/** The sign-up policy. */
export interface SignUpPolicy {
  /** The people who may sign up: all, only invited people, or also people with an address of one of the domains. One of `open`, `invited`, `domain`; more may be added. */
  policy: 'open' | 'invited' | 'domain';
  /** The domains of the policy `domain`. A subdomain must be listed separately. */
  domains: string[];
}

/** The sign-up policy. */
export interface SignUpPolicyInput {
  /** The people who may sign up: all, only invited people, or also people with an address of one of the domains. */
  policy: 'open' | 'invited' | 'domain';
  /** The domains of the policy `domain`. A subdomain must be listed separately. */
  domains: string[];
}

/** The reasons why a message does not verify. */
export interface SignatureDiagnosis {
  /** True if a correct receiver accepts the message. */
  verifies: boolean;
  /** The mistakes. Empty if the message verifies. */
  findings: ({
    /** The code of the mistake. One of `missing_header`, `wrong_header`, `malformed_timestamp`, `clock_outside_tolerance`, `malformed_signature`, `version_prefix_missing`, `signature_in_hex`, `signatures_not_split`, `older_secret`, `another_endpoints_secret`, `unknown_secret`, `secret_as_text`, `secret_prefix_kept`, `content_wrong`, `body_empty`, `body_reserialised`, `body_whitespace`, `body_encoded`, `body_truncated`, `body_differs`; more may be added. */
    mistake: 'missing_header' | 'wrong_header' | 'malformed_timestamp' | 'clock_outside_tolerance' | 'malformed_signature' | 'version_prefix_missing' | 'signature_in_hex' | 'signatures_not_split' | 'older_secret' | 'another_endpoints_secret' | 'unknown_secret' | 'secret_as_text' | 'secret_prefix_kept' | 'content_wrong' | 'body_empty' | 'body_reserialised' | 'body_whitespace' | 'body_encoded' | 'body_truncated' | 'body_differs';
    /** The observation. */
    detail: string;
    /** How to fix the mistake. */
    fix: string;
    endpointId: string | null;
  })[];
}

/** The signing secret of an endpoint. */
export interface SigningSecret {
  /** The secret that signs deliveries. */
  signingSecret: string;
  rotatedAt: string | null;
  previousEndsAt: string | null;
}

/** A started sign-in of a terminal. */
export interface StartedDeviceSignIn {
  /** The code with which the terminal polls. The terminal must not show it. */
  deviceCode: string;
  /** The code that the terminal shows, for a person to enter in the Console. */
  userCode: string;
  /** The page of the Console on which a person enters the code. */
  verificationUrl: string;
  /** The lifetime of both codes. */
  expiresInSeconds: number;
  /** The minimum time between two polls. */
  intervalSeconds: number;
}

/** An app without access, and the activity that was stopped. */
export interface StoppedApp {
  app: App;
  stopped: AppStop;
}

/** An organisation in which the membership of the person is suspended. */
export interface SuspendedMembership {
  /** The organisation's identifier. */
  id: string;
  /** The organisation's name. */
  name: string;
  /** The time of the suspension. */
  suspendedAt: string;
  /** The reason: the operator restored a backup, and a backup can revive members who were removed since. */
  reason: 'restore';
  /** Owners who can reinstate the member: those who were members at the time of the suspension. */
  owners: string[];
}

export interface Suspension {
  /** Reason for the suspension. The members and the audit log receive it. */
  reason: string;
}

/** The requests to forward. */
export interface TakenRelays {
  /** The requests that were taken by this call, oldest first. No other listener receives them. */
  data: Relay[];
  /** The results that came too late, because their attempts had ended. */
  late: string[];
}

/** A test event to send. The endpoint must receive its type. */
export interface TestEvent {
  /** The type of the event. */
  type: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>);
}

/** A request with the events, deliveries and attempts that it caused. `requestId` is null if no request caused the event. `request` is null if its record is not in the Request Inspector. */
export interface Trace {
  requestId: string | null;
  request: RequestRecord | null;
  /** In the order in which they happened. */
  events: ({
    /** The identifier of the event, identical in the feed and in every delivery. */
    id: string;
    /** The type of the event. One of `publication.published`, `publication.updated`, `publication.archived`, `roadmap.item_created`, `roadmap.item_moved`, `ticket.created`, `ticket.updated`, `ticket.closed`, `workflow_run.started`, `workflow_run.succeeded`, `workflow_run.failed`, `server.updated`, `installation.paused`, `installation.resumed`, `installation.scope_changed`, `ping`; more may be added. */
    type: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping';
    /** When it happened. */
    occurredAt: string;
    /** The identifier of the event’s subject. */
    subject: string;
    actor: string | null;
    /** In the order in which they were made. */
    deliveries: ({
      /** The delivery. */
      id: string;
      /** The endpoint's identifier. */
      endpointId: string;
      /** The state of the delivery. One of `pending`, `held`, `succeeded`, `failed`, `cancelled`, `skipped`; more may be added. */
      status: 'pending' | 'held' | 'succeeded' | 'failed' | 'cancelled' | 'skipped';
      reason: string | null;
      /** When the delivery was created. */
      createdAt: string;
      finishedAt: string | null;
      redeliveryOf: string | null;
      /** In the order in which they were made. */
      attempts: ({
        /** Number of the attempt, starting with 1. */
        number: number;
        /** When the attempt began. */
        startedAt: string;
        /** Duration in milliseconds. */
        durationMs: number;
        /** `response`, or the kind of failure. One of `response`, `timeout`, `dns`, `tls`, `connect`, `blocked_address`, `redirect`, `protocol`, `interrupted`, `aborted_by_revoke`; more may be added. */
        outcome: 'response' | 'timeout' | 'dns' | 'tls' | 'connect' | 'blocked_address' | 'redirect' | 'protocol' | 'interrupted' | 'aborted_by_revoke';
        status: number | null;
      })[];
    })[];
  })[];
  payloads: {
    /** The version of `data`. */
    schemaVersion: number;
    /** The exact bytes of the event in this version. */
    body: string;
  }[] | null;
  /** True if the trace is truncated. */
  isTruncated: boolean;
}

/** A code that a person has entered. */
export interface TypedUserCode {
  /** The code that the terminal shows, in upper or lower case, with or without the dash. */
  userCode: string;
}

/** Unauthenticated requests that were only counted, because their number exceeded the limit. */
export interface UnauthenticatedCount {
  network: string | null;
  code: string | null;
  /** Number of requests. */
  requests: number;
  /** When the first of them was answered. */
  firstAt: string;
  /** When the last of them was answered. */
  lastAt: string;
}

/** A request to /v1 that was not authenticated by a key. */
export interface UnauthenticatedRequest {
  /** The request’s identifier, as in its Request-Id header. */
  id: string;
  /** When the response was ready, before it was sent. */
  at: string;
  /** The HTTP status. */
  status: number;
  code: string | null;
  operationId: string | null;
  method: string | null;
  path: string | null;
  /** From arrival to response, in milliseconds. */
  durationMs: number;
  clientAddress: string | null;
  userAgent: string | null;
  requestBytes: number | null;
}

/** Requests to /v1 that were not authenticated by a key. */
export interface UnauthenticatedRequestList {
  /** The time from which these requests are stored. They are stored for as many days as other requests of the environment. */
  since: string;
  /** Newest first. */
  data: UnauthenticatedRequest[];
  /** The requests of the last 24 hours that were only counted; the largest group first. */
  counts: UnauthenticatedCount[];
}

/** The failures of one operation of the upstream API in one hour. */
export interface UpstreamFailure {
  /** The hour of the failures. */
  hour: string;
  /** The `/v1` operation that failed. */
  operationId: string;
  /** The kind of the last failure. `unreachable`: no connection. `timeout`: no response in time. `broken`: the response ended early. `too_large`: the response exceeds the limit. `status`: an unexpected status. `configuration`: the upstream API rejected the credentials of Slipway. `form`: the response violates the contract. One of `unreachable`, `timeout`, `broken`, `too_large`, `status`, `configuration`, `form`; more may be added. */
  kind: 'unreachable' | 'timeout' | 'broken' | 'too_large' | 'status' | 'configuration' | 'form';
  status: number | null;
  /** The number of failures in that hour. */
  count: number;
  /** The time of the last failure. */
  lastAt: string;
  /** The request of the last failure. */
  requestId: string;
}

export interface UpstreamFailureList {
  /** Newest first, at most 100. */
  data: UpstreamFailure[];
}

/** An event that the rule would withhold. */
export interface WithheldEvent {
  /** The identifier of the event, identical in the feed and in every delivery. */
  eventId: string;
  /** The type of the event. One of `publication.published`, `publication.updated`, `publication.archived`, `roadmap.item_created`, `roadmap.item_moved`, `ticket.created`, `ticket.updated`, `ticket.closed`, `workflow_run.started`, `workflow_run.succeeded`, `workflow_run.failed`, `server.updated`, `installation.paused`, `installation.resumed`, `installation.scope_changed`, `ping`; more may be added. */
  type: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping';
  /** The identifier of the server. */
  serverId: string;
  /** A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`, `workflows:run`; more may be added. */
  scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run';
  /** The time of the event. */
  createdAt: string;
  /** The newest deliveries of the event. */
  deliveryIds: string[];
}

/** The input of the run. It must match the workflow’s schema. */
export type WorkflowInput = Record<string, unknown>;

/** An app's synthetic world. */
export interface World {
  /** The amount of content: nothing; five servers; many objects and much activity; texts in many scripts; 10,000 servers. One of `empty`, `small`, `busy`, `unicode`, `large`; more may be added. */
  preset: 'empty' | 'small' | 'busy' | 'unicode' | 'large';
  /** The seed that the world is derived from: equal seeds produce equal worlds. */
  seed: string;
  /** Distinguishes worlds with the same seed: another epoch gives each object another identifier. */
  epoch: number;
  /** When the world was created or last reset. */
  createdAt: string;
  counts: WorldCounts;
  clock: WorldClock;
}

/** The world's clock. */
export interface WorldClock {
  /** Speed of the world, as a multiple of its normal speed. One of `paused`, `1x`, `10x`, `60x`, `3600x`; more may be added. */
  speed: 'paused' | '1x' | '10x' | '60x' | '3600x';
  speedUntil: string | null;
  /** Simulated time since the world was created. */
  elapsedSeconds: number;
  nextTickAt: string | null;
}

/** The speed to set. */
export interface WorldClockSetting {
  /** Speed of the world, as a multiple of its normal speed. */
  speed: 'paused' | '1x' | '10x' | '60x' | '3600x';
}

/** The number of objects in the world. */
export interface WorldCounts {
  /** Number of servers. */
  servers: number;
  /** Number of publications. */
  publications: number;
  /** Number of roadmap items. */
  roadmapItems: number;
  /** Number of tickets. */
  tickets: number;
  /** Number of workflows. */
  workflows: number;
  /** Number of workflow runs. */
  workflowRuns: number;
}

/** An object of the sandbox data. */
export interface WorldObject {
  /** The identifier of the object. */
  id: string;
  /** The kind of object. One of `server`, `publication`, `roadmap_item`, `ticket`, `workflow`, `workflow_run`; more may be added. */
  kind: 'server' | 'publication' | 'roadmap_item' | 'ticket' | 'workflow' | 'workflow_run';
  /** The identifier of the server. */
  serverId: string;
  /** The name, the title or the subject. A run has the name of its workflow. */
  title: string;
  status: string | null;
  /** The creation time. */
  createdAt: string;
}

/** An object of the sandbox data, with its resource. */
export interface WorldObjectDetail {
  /** The identifier of the object. */
  id: string;
  /** The kind of object. One of `server`, `publication`, `roadmap_item`, `ticket`, `workflow`, `workflow_run`; more may be added. */
  kind: 'server' | 'publication' | 'roadmap_item' | 'ticket' | 'workflow' | 'workflow_run';
  /** The identifier of the server. */
  serverId: string;
  /** The name, the title or the subject. A run has the name of its workflow. */
  title: string;
  status: string | null;
  /** The creation time. */
  createdAt: string;
  /** The operation of /v1 that returns the resource. */
  operationId: string;
  /** The path of that operation for this object. */
  path: string;
  /** The resource as /v1 returns it. */
  resource: Record<string, unknown>;
}

/** A page of objects. */
export interface WorldObjectList {
  /** Newest first. */
  data: WorldObject[];
  nextCursor: string | null;
}

/** The world to create. A field that is left out keeps its value; an empty body recreates the same world. */
export interface WorldReset {
  /** The amount of content: nothing; five servers; many objects and much activity; texts in many scripts; 10,000 servers. */
  preset?: 'empty' | 'small' | 'busy' | 'unicode' | 'large' | (string & Record<never, never>);
  /** The seed that the world is derived from: equal seeds produce equal worlds. */
  seed?: string;
  /** Distinguishes worlds with the same seed: another epoch gives each object another identifier. */
  epoch?: number;
}

/** The event in the body of a webhook; `type` distinguishes the types. */
export type WebhookEvent = Event;

export interface Operations {
  /** Get the session. Returns the signed-in person, the person's organisations, and the organisations in which the membership is suspended. Access: A signed-in person. */
  getSession: {
    input: Record<never, never>;
    output: Session;
  };
  /** Sign in. Signs in with e-mail address and password. The session is a cookie. Access: Any client. */
  createSession: {
    input: {
      body: Credentials;
    };
    output: SignInStep | undefined;
  };
  /** Sign out. Ends the session. Access: A signed-in person. */
  deleteSession: {
    input: Record<never, never>;
    output: undefined;
  };
  /** Change your name. Changes the name that the other members of your organisations see. The e-mail address, the sessions and the access tokens are unchanged. The audit log of each of your organisations records the old and the new name. Access: A signed-in person. */
  updatePerson: {
    input: {
      body: PersonChange;
    };
    output: undefined;
  };
  /** Get the caller. Returns the person of this call, the access token if there is one, and the organisations that the caller can access. A terminal calls this operation first. Access: A signed-in person, or an access token. */
  getCaller: {
    input: Record<never, never>;
    output: Caller;
  };
  /** Complete a sign-in. Completes a sign-in that requires a second factor, with a code of the authenticator, a recovery code or a passkey. A passkey signs the challenge of `beginPasskeySignIn`. The step must follow the first step within ten minutes. Access: Any client. */
  completeSignIn: {
    input: {
      body: SecondFactorProofInput;
    };
    output: undefined;
  };
  /** Sign in with a link. Signs in with a one-time link. The link works once; opening its page does not consume it. Access: Any client. */
  redeemSignInLink: {
    input: {
      body: SignInLink;
    };
    output: SignInStep | undefined;
  };
  /** Set the password. Sets the password of the signed-in person, and ends the person's other sessions and each sign-in that waits for the second factor. A change requires the current password. A first password requires a sign-in within the last ten minutes. Access: A signed-in person. */
  setPassword: {
    input: {
      body: NewPassword;
    };
    output: undefined;
  };
  /** List your sessions. Lists the sessions of the signed-in person. Access: A signed-in person. */
  listSessions: {
    input: Record<never, never>;
    output: SessionList;
  };
  /** Sign out everywhere. Ends all sessions of the signed-in person, including this one, all their access tokens in every organisation, and each approved sign-in of a terminal that has no token yet. It cancels a pending removal of the second factor. It also unlinks the identity provider, if the person has a password; otherwise the link stays and the response lists it. Access: A signed-in person. */
  endSessions: {
    input: Record<never, never>;
    output: EndedAccess;
  };
  /** End one of your sessions. Ends a session of the signed-in person. Its browser is signed out immediately. Access: A signed-in person. */
  endSession: {
    input: {
      /** The session. */
      sessionId: string;
    };
    output: undefined;
  };
  /** Set up a second factor. Creates a secret for an authenticator (TOTP) and recovery codes. A sign-in requires them after `confirmSecondFactor` has confirmed the authenticator with a code, or after `createPasskey` has registered a passkey. A call before the confirmation of the authenticator replaces the secret and the codes. It requires your password, or a sign-in within the last ten minutes if you have none: an open session is not sufficient. A person who has a passkey confirms it first (`verifySecondFactor`). The person receives a mail when the factor is on. Access: A signed-in person. */
  enrolSecondFactor: {
    input: {
      body: NewSecondFactor;
    };
    output: SecondFactorEnrolment;
  };
  /** Confirm the second factor. Confirms the authenticator with a code. From then on, each sign-in requires a second factor. The other sessions of the person end. Access: A signed-in person. */
  confirmSecondFactor: {
    input: {
      body: AuthenticatorCode;
    };
    output: undefined;
  };
  /** Verify the second factor again. Verifies a code of the authenticator or a passkey in this session, for operations that require it: within ten minutes a production key can be created. Signing in with a code or a passkey counts too; a recovery code does not. A passkey signs a challenge of `createPasskeyChallenge`. Access: A signed-in person. */
  verifySecondFactor: {
    input: {
      body: SecondFactorProofInput;
    };
    output: undefined;
  };
  /** Disable the second factor. Requires a code of the authenticator, a recovery code or a passkey; neither an open session nor the password is sufficient. It removes the authenticator, the recovery codes and all passkeys. A passkey signs a challenge of `createPasskeyChallenge`. A person who has none of them requests a removal (`requestSecondFactorRemoval`). The person receives a mail. Access: A signed-in person. */
  disableSecondFactor: {
    input: {
      body: SecondFactorProofInput;
    };
    output: undefined;
  };
  /** Request the removal of a lost second factor. Removes the second factor after 24 hours, for a person who has neither the authenticator nor a recovery code. It requires the password, or a sign-in within the last ten minutes if there is no password. A mail announces the removal and can cancel it. The person cannot create production keys from the request until a new second factor is 24 hours old. A second request returns the pending removal. After five new requests in one UTC day, further requests are refused with `rate_limited` until the next day. Access: A signed-in person. */
  requestSecondFactorRemoval: {
    input: {
      body: SecondFactorRemovalInput;
    };
    output: SecondFactorRemoval;
  };
  /** Cancel the removal of the second factor. Cancels the pending removal. The second factor stays, and the person can create production keys again. Access: A signed-in person. */
  cancelSecondFactorRemoval: {
    input: Record<never, never>;
    output: undefined;
  };
  /** Cancel a removal with the mailed link. Cancels the pending removal of a second factor, with the link that was mailed after the request. It requires no session and opens none. Access: Any client. */
  cancelMailedRemoval: {
    input: {
      body: MailedRemoval;
    };
    output: undefined;
  };
  /** Begin a sign-in with a passkey. Returns a challenge that a passkey of the person signs, for a sign-in that waits for the second factor. The challenge works once, in `completeSignIn` of the same sign-in, within five minutes. A new challenge voids the previous one. Access: Any client. */
  beginPasskeySignIn: {
    input: Record<never, never>;
    output: PasskeyRequestOptions;
  };
  /** List your passkeys. Lists the passkeys of the signed-in person, oldest first. Access: A signed-in person. */
  listPasskeys: {
    input: Record<never, never>;
    output: PasskeyList;
  };
  /** Register a passkey. Registers a passkey that signed the challenge of `beginPasskeyRegistration`. The first passkey switches the second factor on, unless an authenticator did: each sign-in then requires a second factor, and the other sessions of the person end. The person receives a mail. The audit log of each organisation of the person records the change. Access: A signed-in person. */
  createPasskey: {
    input: {
      body: PasskeyInput;
    };
    output: Passkey;
  };
  /** Begin the registration of a passkey. Returns a challenge that a new passkey signs. The challenge works once, in `createPasskey`, within five minutes. It requires recovery codes, which `enrolSecondFactor` issues. It requires your password, or a sign-in within the last ten minutes if you have none, and your second factor if it is on (`verifySecondFactor`). Access: A signed-in person. */
  beginPasskeyRegistration: {
    input: {
      body: PasskeyRegistrationInput;
    };
    output: PasskeyCreationOptions;
  };
  /** Create a challenge for a passkey. Returns a challenge that a passkey of the signed-in person signs, for `verifySecondFactor`, `disableSecondFactor` or `removePasskey`. The challenge works once, in the same session, within five minutes. A new challenge voids the previous one. Access: A signed-in person. */
  createPasskeyChallenge: {
    input: Record<never, never>;
    output: PasskeyRequestOptions;
  };
  /** Remove a passkey. Removes a passkey of the signed-in person. It requires a code of the authenticator, a recovery code or a passkey, which signs a challenge of `createPasskeyChallenge`. The only second factor is removed by `disableSecondFactor`. A person who has none of the proofs requests a removal (`requestSecondFactorRemoval`). The person receives a mail. Access: A signed-in person. */
  removePasskey: {
    input: {
      /** The passkey's identifier. */
      passkeyId: string;
      body: SecondFactorProofInput;
    };
    output: undefined;
  };
  /** List access tokens. Lists your own access tokens in this organisation, newest first, without their secrets. If your role allows `tokens.manage`, it lists the tokens of all members. Access: A member whose role allows `tokens.read`: owner, admin, developer, auditor, viewer. */
  listAccessTokens: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: AccessTokenList;
    item: AccessToken;
  };
  /** Create an access token. Creates a token for your terminals and scripts, sent as `Authorization: Bearer`. The token acts in your name in this organisation, within its scope and your current role, and ends with your membership. You receive a mail. The token cannot change people, accounts or tokens. Access: A member whose role allows `tokens.create`: owner, admin, developer, auditor, viewer. */
  createAccessToken: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: AccessTokenInput;
    };
    output: CreatedAccessToken;
  };
  /** Revoke an access token. Revokes an access token from the next request on, permanently. You can revoke your own tokens and, if your role allows `tokens.manage`, the tokens of members whose role has no more permissions than yours. Access: A member whose role allows `tokens.revoke`: owner, admin, developer, auditor, viewer. */
  revokeAccessToken: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The access token's identifier. */
      accessTokenId: string;
    };
    output: undefined;
  };
  /** List identity providers. Lists the identity providers that sign people in: one, or none. `sendsMail` states whether requested links are mailed. Access: Any client. */
  listProviders: {
    input: Record<never, never>;
    output: IdentityProviderList;
  };
  /** Begin a sign-in with the provider. Returns the address of the identity provider, for the browser to open. The browser must return within ten minutes. Access: Any client. */
  beginProviderSignIn: {
    input: Record<never, never>;
    output: ProviderSignIn;
  };
  /** Complete a sign-in with the provider. Signs in the person with the linked identity, by issuer and subject; an address never decides. A new identity gets an account if the provider has verified its address, no account has that address, and the sign-up policy or an invitation admits it. The second factor is required as for each sign-in. After `beginProviderLink` it links the identity to the account of the session, at most five times in one UTC day. Access: Any client. */
  completeProviderSignIn: {
    input: {
      body: ProviderCallback;
    };
    output: SignInStep | undefined;
  };
  /** Link the identity provider. Returns the address of the identity provider, for the browser to open. `completeProviderSignIn` then links the returned identity to your account, and the identity signs you in from then on. It requires your password, or a sign-in within the last ten minutes if you have none. Access: A signed-in person. */
  beginProviderLink: {
    input: {
      body: NewProviderLink;
    };
    output: ProviderSignIn;
  };
  /** Unlink the identity provider. Unlinks the identity provider, which no longer signs you in to this account. You receive a mail. Access: A signed-in person. */
  removeProviderLink: {
    input: Record<never, never>;
    output: undefined;
  };
  /** Ask to sign up. Mails a sign-up link if the address may sign up, or a notice if it already has an account. The response is the same for each address, so it does not reveal whether the address may sign up, is invited or has an account. Access: Any client. */
  requestSignUp: {
    input: {
      body: EmailToMail;
    };
    output: undefined;
  };
  /** Sign up. Creates an account and signs in, with the link that was mailed to the address. The link verifies the address. It is the link of a sign-up or of an invitation. Access: Any client. */
  createAccount: {
    input: {
      body: NewAccount;
    };
    output: SignInStep | undefined;
  };
  /** Ask for a new password. Mails a link to choose a new password, if this address has an account. The response is the same without an account. Access: Any client. */
  requestPasswordReset: {
    input: {
      body: EmailToMail;
    };
    output: undefined;
  };
  /** Set a new password with a link. Sets the password with the mailed link. It ends all sessions of the person, all their access tokens in every organisation, and each approved sign-in of a terminal that has no token yet. It cancels a pending removal of the second factor, and unlinks the identity provider. It opens no session: sign in with the new password, and with the second factor if there is one. Access: Any client. */
  resetPassword: {
    input: {
      body: PasswordReset;
    };
    output: EndedAccess;
  };
  /** Request a new e-mail address. Mails a link to the new address. The address changes when you confirm the link in a session of yours (`confirmEmailChange`). It requires your password, or a sign-in within the last ten minutes if you have no password. It also requires a recently confirmed second factor, if you have or had one. The response is the same for each address: if the address has an account, it receives a notice in place of the link. A new request voids the previous link. After five requests in one UTC day, further requests are refused with `rate_limited` until the next day. Access: A signed-in person. */
  requestEmailChange: {
    input: {
      body: EmailChangeInput;
    };
    output: undefined;
  };
  /** Confirm a new e-mail address. Changes the address with the link that was mailed to the new address, in a session of the person who requested it. It ends the other sessions of the person, and voids sign-in links and password links of both addresses. Access tokens, memberships and links to the identity provider stay. The audit log of each organisation of the person records both addresses. The previous address receives a link that restores it within 72 hours (`undoEmailChange`). Access: A signed-in person. */
  confirmEmailChange: {
    input: {
      body: EmailConfirmation;
    };
    output: undefined;
  };
  /** Restore the previous e-mail address. Restores the address with the link that was mailed to it after a change, within 72 hours, and sets a new password, because a person who changed the address knew the previous one. It ends all other access as `resetPassword` does, and voids the links of later changes; links of earlier changes stay valid. It fails with `conflict` if another account has the address meanwhile. It opens no session. The audit log of each organisation of the person records both addresses. Access: Any client. */
  undoEmailChange: {
    input: {
      body: EmailRestoration;
    };
    output: EndedAccess;
  };
  /** Start a terminal's sign-in. Starts the sign-in of a terminal, which receives an access token after an approval (RFC 8628). The terminal shows `userCode` and `verificationUrl`, and polls with `deviceCode` until a person has decided. Both codes are valid for ten minutes. Access: Any client. */
  startDeviceSignIn: {
    input: {
      body: DeviceSignInInput;
    };
    output: StartedDeviceSignIn;
  };
  /** Poll a terminal's sign-in. A terminal calls this operation every `intervalSeconds`. A terminal that calls earlier gets `slow_down`, and waits five seconds longer from then on. After the approval one response contains the access token; the code is invalid afterwards. Access: Any client. */
  pollDeviceSignIn: {
    input: {
      body: DeviceCode;
    };
    output: PolledDeviceSignIn;
  };
  /** Find the terminal that shows a code. Returns the terminal that shows the code, and its address, to be checked before the approval. The code is in the body, because URLs appear in logs. Access: A signed-in person. */
  findDeviceSignIn: {
    input: {
      body: TypedUserCode;
    };
    output: DeviceSignIn;
  };
  /** Sign in a terminal. Approves an access token in your name and this organisation for the terminal that shows the code, like `createAccessToken`. The token is created when the terminal polls next. Until then, the approval ends with your membership and with the code. Access: A member whose role allows `tokens.create`: owner, admin, developer, auditor, viewer. */
  approveDeviceSignIn: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: ApprovedDeviceSignIn;
    };
    output: undefined;
  };
  /** Deny a terminal. Denies the sign-in of the terminal that shows the code. The next poll of the terminal returns `access_denied`, and the code is no longer valid. Access: A signed-in person. */
  denyDeviceSignIn: {
    input: {
      body: TypedUserCode;
    };
    output: undefined;
  };
  /** List the outbox. Lists the messages in the outbox, newest first, without their texts. To get the next page, send the last identifier as `before`. Access: An operator of this Slipway. */
  listMessages: {
    input: {
      /** Maximum number of entries. */
      limit?: number;
      /** Identifier of the message. */
      before?: string;
      /** State of the message: `waiting` until it is sent or has finally failed. */
      state?: 'waiting' | 'sent' | 'failed';
    };
    output: MessageList;
  };
  /** Read a message. Returns the text of a message that waits because no mail server is configured. The operator then passes the message to its recipient. The record of operators stores who read the message. Access: An operator of this Slipway. */
  getMessage: {
    input: {
      /** Identifier of the message. */
      messageId: string;
    };
    output: MessageWithText;
  };
  /** Get the sign-up policy. Returns who may sign up. Access: An operator of this Slipway. */
  getSignUpPolicy: {
    input: Record<never, never>;
    output: SignUpPolicy;
  };
  /** Set the sign-up policy. Sets who may sign up. Links that were mailed earlier keep working. Access: An operator of this Slipway. */
  setSignUpPolicy: {
    input: {
      body: SignUpPolicyInput;
    };
    output: SignUpPolicy;
  };
  /** List organisations. Lists all organisations, newest first, with the facts that operators may see. To get the next page, send the last identifier as `before`. Access: An operator of this Slipway. */
  listOrganisations: {
    input: {
      /** Maximum number of entries. */
      limit?: number;
      /** The organisation's identifier. */
      before?: string;
    };
    output: OperatedOrganisationList;
  };
  /** Suspend an organisation. Suspends an organisation. From the next request on its members can neither read nor change anything, and its apps are stopped in every environment. Access: An operator of this Slipway. */
  suspendOrganisation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: Suspension;
    };
    output: OperatedOrganisation;
  };
  /** Resume an organisation. Ends the suspension of an organisation. Access: An operator of this Slipway. */
  resumeOrganisation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
    };
    output: OperatedOrganisation;
  };
  /** Set an organisation's quotas. Replaces all quotas of an organisation. A quota that is left out returns to its default. Access: An operator of this Slipway. */
  setQuotas: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: QuotasInput;
    };
    output: OperatedOrganisation;
  };
  /** List requests without a valid key. Lists requests to `/v1` of an environment that came without a key, with a wrong key, or as invalid HTTP. No organisation sees these requests. For each address a limited number is recorded individually; the list shows these, newest first. Further requests are only counted, by network and problem. Queries, headers and bodies are not recorded. To get the next page, send the last identifier as `before`. Access: An operator of this Slipway. */
  listUnauthenticatedRequests: {
    input: {
      /** Environment of the requests. The default is the sandbox. */
      environment?: 'sandbox' | 'production';
      /** Maximum number of entries. */
      limit?: number;
      /** The request’s identifier, as in its Request-Id header. */
      before?: string;
    };
    output: UnauthenticatedRequestList;
  };
  /** List failures of the upstream API. Lists invalid or missing responses of the upstream API behind production: the operation of `/v1`, the kind of failure and the number per hour. Apps received a problem response in each case. The content of the responses is not stored. Without production the list is empty. Access: An operator of this Slipway. */
  listUpstreamFailures: {
    input: Record<never, never>;
    output: UpstreamFailureList;
  };
  /** List roles. Lists each role with the actions that it allows. The same table decides each request, so a client can check in advance whether a request would be refused. Access: A signed-in person. */
  listRoles: {
    input: Record<never, never>;
    output: RoleList;
  };
  /** Create an organisation. Creates an organisation. The signed-in person becomes its owner. Access: A signed-in person. */
  createOrganisation: {
    input: {
      body: NewOrganisation;
    };
    output: Membership;
  };
  /** Rename an organisation. Changes the name of an organisation in every environment. Its identifier and all its data are unchanged. Access: A member whose role allows `organisation.change`: owner, admin. */
  updateOrganisation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: OrganisationChange;
    };
    output: Membership;
  };
  /** Leave an organisation. Ends your own membership, as `removeMember` does. The last owner cannot leave. To revoke the keys that you made, your role must allow `keys.revoke`. Access: A member whose role allows `organisation.leave`: owner, admin, developer, auditor, viewer. */
  leaveOrganisation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: KeysChoice;
    };
    output: EndedMembership;
  };
  /** Transfer ownership. Makes another member an owner and you an admin, in one transaction. Other owners keep their role. It requires a second factor that was confirmed within ten minutes, if there is production or you have a second factor. The owners receive a mail, at most once an hour for each person and role. Access: A member whose role allows `organisation.transfer`: owner. */
  transferOwnership: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: NewOwner;
    };
    output: Member;
  };
  /** List members. Lists the members of the organisation, newest first. Access: A member whose role allows `members.read`: owner, admin, developer, auditor, viewer. */
  listMembers: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: MemberList;
    item: Member;
  };
  /** Change a member's role. Gives a member another role, which applies from the member's next request on. A role with more permissions than your own can be neither given nor changed: only owners make owners, and only owners change owners. The last owner keeps the role. A role, also the same role, reinstates a member who was suspended after a restore. Invitations that the member sent and may no longer send are revoked. A role that can create production keys requires a second factor that was confirmed within ten minutes, if there is production or you have a second factor. The owners receive a mail, at most once an hour for each person and role. Access: A member whose role allows `members.change`: owner, admin. */
  changeMember: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The member's identifier. */
      memberId: string;
      body: MemberChange;
    };
    output: Member;
  };
  /** Remove a member. Ends a membership immediately: the next request of each of the member's sessions and tokens finds nothing in the organisation. Invitations of the member are revoked. A member with more permissions than your own cannot be removed, and the last owner stays. The keys that the member created are kept or revoked, as requested. Access: A member whose role allows `members.remove`: owner, admin. */
  removeMember: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The member's identifier. */
      memberId: string;
      body: KeysChoice;
    };
    output: EndedMembership;
  };
  /** List invitations. Lists the invitations of the organisation, newest first, without their links. Access: A member whose role allows `members.read`: owner, admin, developer, auditor, viewer. */
  listInvitations: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: InvitationList;
    item: Invitation;
  };
  /** Invite a person. Sends a link to an address. A person with this verified address can accept it once, within seven days. The mailed link differs from the link in the response: it verifies the address, so its holder can create the account. Without a mail server, an operator who invites receives the mailed link. A new invitation of an address revokes the earlier one. A role with more permissions than your own cannot be given. A role that can create production keys requires a second factor that was confirmed within ten minutes, if there is production or you have a second factor. All organisations together mail an address at most ten times a day; beyond that, the link works without a mail. Access: A member whose role allows `members.invite`: owner, admin. */
  createInvitation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: InvitationInput;
    };
    output: CreatedInvitation;
  };
  /** Revoke an invitation. Revokes the link of an open invitation. Revoking an invitation again changes nothing. An accepted invitation cannot be revoked. Access: A member whose role allows `members.invite`: owner, admin. */
  revokeInvitation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The invitation's identifier. */
      invitationId: string;
    };
    output: Invitation;
  };
  /** Accept an invitation. Makes the signed-in person a member, if the invitation is addressed to them. It works once. Owners receive a mail about a new owner or admin. Only the addressee learns the state of an invitation; for another person, an invitation that is not open does not exist. Access: A signed-in person. */
  acceptInvitation: {
    input: {
      body: InvitationToken;
    };
    output: Membership;
  };
  /** Preview an invitation. Returns the organisation and the role of an open invitation to the holder of its link. The holder of the mailed link, who reads the mail of the address, also learns the address, whether it has an account, and the state of a closed invitation. With the other link, an invitation that is no longer open is not found. Access: Any client. */
  previewInvitation: {
    input: {
      body: InvitationToken;
    };
    output: InvitationPreview;
  };
  /** Delete an organisation. Stops all apps of the organisation in every environment immediately, and schedules the erasure for seven days later. Until then you can undo the deletion with `restoreOrganisation`, and export all data with `exportOrganisation`. Then all data of the organisation is erased in every environment and in the Console. An unreachable environment is notified as soon as it can be reached. The Console keeps the organisation until every environment has confirmed the erasure. Deleting the organisation again does not change the date. Access: A member whose role allows `organisation.delete`: owner. */
  deleteOrganisation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: OrganisationDeletionInput;
    };
    output: OrganisationDeletion;
  };
  /** Restore an organisation. Undoes the deletion of an organisation within its grace period. Its apps stay suspended; `resumeApp` resumes each app. Access: A member whose role allows `organisation.delete`: owner. */
  restoreOrganisation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
    };
    output: OrganisationDeletion;
  };
  /** Get the deletion of an organisation. Returns if an organisation is being deleted, until when it can be restored, and which environments have confirmed it. Access: A member whose role allows `members.read`: owner, admin, developer, auditor, viewer. */
  getOrganisationDeletion: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
    };
    output: OrganisationDeletion;
  };
  /** Export an organisation. Exports all data of an organisation as lines of JSON: members, requests for live access, apps with their keys, installations and endpoints in every environment, and the audit log. The export contains no secrets. Each line has a `kind`. The last line has the kind `end`; an export without it is incomplete. You can export an organisation until it is erased. The audit log records each export. Access: A member whose role allows `organisation.export`: owner. */
  exportOrganisation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
    };
    output: string;
  };
  /** List live access. The access that apps of the organisation have in production, with the sandbox app of each. An app without live access is not in the list. Access: A member whose role allows `live_access.read`: owner, admin, developer, auditor, viewer. */
  listLiveAccess: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
      /** Returns only the entry of this sandbox app. */
      appId?: string;
      /** Returns only the entry of this production app. */
      productionAppId?: string;
    };
    output: LiveAccessList;
    item: LiveAccess;
  };
  /** List requests for live access. Lists the requests of the organisation, newest first. `appId` selects one app. Access: A member whose role allows `live_access.read`: owner, admin, developer, auditor, viewer. */
  listLiveAccessRequests: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
      /** Returns only entries of this sandbox app. */
      appId?: string;
    };
    output: LiveAccessRequestList;
    item: LiveAccessRequest;
  };
  /** Draft a request for live access. Creates a draft of a request for one sandbox app. Only the organisation can see a draft. An app has at most one undecided request. After an approval, a new request can ask for further scopes; approved scopes stay approved. Access: A member whose role allows `live_access.request`: owner, admin. */
  createLiveAccessRequest: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: LiveAccessRequestInput;
    };
    output: LiveAccessRequestDetail;
  };
  /** Get a request for live access. Returns a request with its submission, its history and the resulting live access. `submission.sha256` is the SHA-256 of the bytes of `submission.document`, so that every reader can verify it. Access: A member whose role allows `live_access.read`: owner, admin, developer, auditor, viewer. */
  getLiveAccessRequest: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Identifier of the request. */
      liveAccessRequestId: string;
    };
    output: LiveAccessRequestDetail;
  };
  /** Edit a request for live access. Replaces the content of a draft, or of a request whose reviewer requested changes. Texts may be empty until you submit the request. A submitted request is frozen. `version` is the version that you read. If another member has changed the request since, your edit is refused and overwrites nothing. Access: A member whose role allows `live_access.request`: owner, admin. */
  updateLiveAccessRequest: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Identifier of the request. */
      liveAccessRequestId: string;
      body: LiveAccessRequestChange;
    };
    output: LiveAccessRequestDetail;
  };
  /** Submit a request for live access. Gathers the evidence from the sandbox, and freezes it together with the content of the request as one canonical JSON text. Reviewers receive this text and its SHA-256. Missing evidence does not prevent the submission, but the reviewer sees it. After the submission you can edit the request only if a reviewer requests changes. Access: A member whose role allows `live_access.request`: owner, admin. */
  submitLiveAccessRequest: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Identifier of the request. */
      liveAccessRequestId: string;
      body: LiveAccessStep;
    };
    output: LiveAccessRequestDetail;
  };
  /** Withdraw a request for live access. Withdraws an undecided request. Earlier approvals stay in effect. Access: A member whose role allows `live_access.request`: owner, admin. */
  withdrawLiveAccessRequest: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Identifier of the request. */
      liveAccessRequestId: string;
      body: LiveAccessStep;
    };
    output: LiveAccessRequestDetail;
  };
  /** Mark a decision about live access as read. Marks the last decision about a request as read for the whole organisation. The decision keeps the name of its first reader. Access: A member whose role allows `notices.change`: owner, admin, developer. */
  readLiveAccessDecision: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Identifier of the request. */
      liveAccessRequestId: string;
      body: LiveAccessDecisionRead;
    };
    output: LiveAccessRequest;
  };
  /** List requests to review. Lists the requests for live access of all organisations, newest first. By default it lists the submitted requests, which wait for a decision. It never returns a request that was not submitted. To get the next page, send the last identifier as `before`. Access: An operator of this Slipway. */
  listLiveAccessReviews: {
    input: {
      /** Maximum number of entries. */
      limit?: number;
      /** Identifier of the request. */
      before?: string;
      /** State of the requests. The default is `submitted`. */
      state?: 'draft' | 'submitted' | 'changes_requested' | 'approved' | 'rejected' | 'withdrawn';
    };
    output: LiveAccessReviewList;
  };
  /** Get a request to review. Returns the submitted request with its frozen evidence and its history. While the organisation edits a returned request, this operation still returns the submitted version. Access: An operator of this Slipway. */
  getLiveAccessReview: {
    input: {
      /** Identifier of the request. */
      liveAccessRequestId: string;
    };
    output: LiveAccessReview;
  };
  /** Request changes. Returns a submitted request to its organisation, with the changes that the reviewer requests. The organisation can edit the request and submit it again, with new evidence. Access: An operator of this Slipway. */
  requestLiveAccessChanges: {
    input: {
      /** Identifier of the request. */
      liveAccessRequestId: string;
      body: LiveAccessRefusal;
    };
    output: LiveAccessReview;
  };
  /** Approve live access. Approves a submitted request, or some of its scopes. Creates the app in production if it does not exist there. Earlier approved scopes stay approved. `maxServers` replaces the earlier limit on servers. A reviewer who edited or submitted the request, or who belongs to the organisation, cannot approve it. Access: An operator of this Slipway. */
  approveLiveAccess: {
    input: {
      /** Identifier of the request. */
      liveAccessRequestId: string;
      body: LiveAccessApproval;
    };
    output: LiveAccessReview;
  };
  /** Reject a request for live access. Rejects a submitted request. The organisation may draft another request. Access: An operator of this Slipway. */
  rejectLiveAccessRequest: {
    input: {
      /** Identifier of the request. */
      liveAccessRequestId: string;
      body: LiveAccessRefusal;
    };
    output: LiveAccessReview;
  };
  /** Suspend live access. Suspends the app in production immediately: calls are refused, and deliveries are held. `resumeLiveAccess` ends the suspension. Access: An operator of this Slipway. */
  suspendLiveAccess: {
    input: {
      /** Identifier of the request. */
      liveAccessRequestId: string;
      body: LiveAccessSuspension;
    };
    output: LiveAccessReview;
  };
  /** Resume live access. Ends the suspension of the app in production: its keys give access again, and held deliveries are sent. A reviewer who edited or submitted the request, or who belongs to the organisation, cannot resume it. Access: An operator of this Slipway. */
  resumeLiveAccess: {
    input: {
      /** Identifier of the request. */
      liveAccessRequestId: string;
    };
    output: LiveAccessReview;
  };
  /** Revoke live access. Revokes some scopes of the app in production, or all of its live access, immediately. Keys keep their scopes but give access only to approved scopes. If no approved scope is left, the keys are revoked too. To get a revoked scope back, the organisation has to request it again. Access: An operator of this Slipway. */
  revokeLiveAccess: {
    input: {
      /** Identifier of the request. */
      liveAccessRequestId: string;
      body: LiveAccessRevocation;
    };
    output: LiveAccessReview;
  };
  /** Get your mail settings for notices. Returns how you receive the notices of the organisation by mail, for every environment. Access: A member whose role allows `notices.read`: owner, admin, developer, auditor, viewer. */
  getNoticeMailSettings: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
    };
    output: NoticeMailSettings;
  };
  /** Set your mail settings for notices. Sets how you receive the notices of the organisation by mail, for every environment. The settings apply to later notices. With `never`, waiting mails about notices are dropped. The Console lists every notice, regardless of these settings. Access: A member whose role allows `notices.follow`: owner, admin, developer, auditor, viewer. */
  setNoticeMailSettings: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: NoticeMailSettingsInput;
    };
    output: NoticeMailSettings;
  };
  /** List destinations of notices. Lists the destinations that receive the notices of the organisation, newest first, with the result of the latest attempt and without their addresses and secrets. Access: A member whose role allows `endpoints.read`: owner, admin, developer, auditor, viewer. */
  listNoticeDestinations: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: NoticeDestinationList;
    item: NoticeDestination;
  };
  /** Create a destination of notices. Creates a destination that receives the notices of the organisation: at most one message an hour about one cause. A webhook is signed by Standard Webhooks with the secret of the response, which is shown only once. Slack, Microsoft Teams and PagerDuty receive messages in their own formats, and notices of production only. The address and the routing key are stored encrypted and cannot be read later. Without `environments`, a webhook receives the notices of the sandbox and of production. An organisation has at most 50 destinations. Access: A member whose role allows `endpoints.change`: owner, admin, developer. */
  createNoticeDestination: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: NoticeDestinationInput;
    };
    output: CreatedNoticeDestination;
  };
  /** Change a destination of notices. Changes the name, the environments, the muted kinds or the state of a destination. To disable a destination cancels its waiting messages; an attempt in progress is aborted within a few seconds. To change the address, create another destination and delete this one. Access: A member whose role allows `endpoints.change`: owner, admin, developer. */
  updateNoticeDestination: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The destination's identifier. */
      destinationId: string;
      body: NoticeDestinationChange;
    };
    output: NoticeDestination;
  };
  /** Delete a destination of notices. Deletes a destination with its address, its secret and its waiting messages. An attempt in progress is aborted within a few seconds. Access: A member whose role allows `endpoints.change`: owner, admin, developer. */
  deleteNoticeDestination: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The destination's identifier. */
      destinationId: string;
    };
    output: undefined;
  };
  /** Send a test message. Sends a test message to the destination, in one attempt. `listNoticeDestinations` returns its result as `lastAttempt`. A disabled destination, and one whose previous test message is still waiting, answer 409. Access: A member whose role allows `endpoints.change`: owner, admin, developer. */
  testNoticeDestination: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The destination's identifier. */
      destinationId: string;
    };
    output: undefined;
  };
  /** List environments. Lists the environments that this Console manages, with the addresses of their APIs. Access: A signed-in person, or an access token. */
  listEnvironments: {
    input: Record<never, never>;
    output: EnvironmentList;
  };
  /** List the audit log. Lists the actions in the organisation, from the Console and from each environment, newest first. `heads` are the ends of the chains: a client that stores them can detect later that a chain was cut off. Access: A member whose role allows `audit.read`: owner, admin, auditor. */
  listAuditLog: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
      /** Only the entry with this identifier. */
      entryId?: string;
      /** Name of the actor; the e-mail address of a person. */
      actor?: string;
      /** The action. */
      action?: string;
      /** The identifier of the target of the action. */
      target?: string;
      /** The app's identifier. */
      appId?: string;
      /** Only entries at or after this time. */
      from?: string;
      /** Only entries before this time. */
      to?: string;
    };
    output: AuditLog;
    item: AuditEntry;
  };
  /** Export the audit log. Exports the log as JSON Lines, chain by chain: first the head of the chain, then its entries, oldest first. `slipway-server audit-verify` detects entries that were removed, changed, moved, inserted or cut off. An export with a filter is a selection: its entries can be verified, but missing entries cannot be detected. Access: A member whose role allows `audit.read`: owner, admin, auditor. */
  exportAuditLog: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Only the entry with this identifier. */
      entryId?: string;
      /** Name of the actor; the e-mail address of a person. */
      actor?: string;
      /** The action. */
      action?: string;
      /** The identifier of the target of the action. */
      target?: string;
      /** The app's identifier. */
      appId?: string;
      /** Only entries at or after this time. */
      from?: string;
      /** Only entries before this time. */
      to?: string;
    };
    output: string;
  };
  /** Export the audit log as a table. Exports the log as CSV (RFC 4180) for a spreadsheet, chain by chain, oldest first. A value that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. Access: A member whose role allows `audit.read`: owner, admin, auditor. */
  exportAuditTable: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Only the entry with this identifier. */
      entryId?: string;
      /** Name of the actor; the e-mail address of a person. */
      actor?: string;
      /** The action. */
      action?: string;
      /** The identifier of the target of the action. */
      target?: string;
      /** The app's identifier. */
      appId?: string;
      /** Only entries at or after this time. */
      from?: string;
      /** Only entries before this time. */
      to?: string;
    };
    output: string;
  };
  /** List your saved views. Lists the views that you saved in the organisation, for every app. Access: A member whose role allows `views.read`: owner, admin, developer, auditor, viewer. */
  listSavedViews: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
    };
    output: SavedViewList;
  };
  /** Save a view. Saves the filters of a list under a name, in place of your view with the same app, page and name. Only you can read and delete the view. You can save up to 100 views in an organisation. Views of erased apps do not count: at the limit they are deleted. A view ends with your membership. Access: A member whose role allows `views.change`: owner, admin, developer, auditor, viewer. */
  saveView: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: SavedViewInput;
    };
    output: SavedView;
  };
  /** Delete a saved view. Deletes one of your saved views. Access: A member whose role allows `views.change`: owner, admin, developer, auditor, viewer. */
  deleteSavedView: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The view's identifier. */
      savedViewId: string;
    };
    output: undefined;
  };
  /** List apps. Lists the organisation's apps in this environment, newest first. Access: A member whose role allows `apps.read`: owner, admin, developer, auditor, viewer. */
  listApps: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: AppList;
    item: App;
  };
  /** Register an app. Registers an app in the sandbox. The app immediately gets a small synthetic world: servers that have authorised it with all scopes of the contract. Access: A member whose role allows `apps.create`: owner, admin, developer. */
  createApp: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: AppInput;
    };
    output: App;
  };
  /** Get an app. Returns one app of the organisation. Access: A member whose role allows `apps.read`: owner, admin, developer, auditor, viewer. */
  getApp: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: App;
  };
  /** Change an app. Changes the name of an app, or whether the sandbox stores the headers and bodies of its requests. Its identifier and all its data are unchanged. `capturesBodies: true` applies to requests that arrive after the response; `false` also makes stored headers and bodies unreadable before the response. It is refused in production, and if the operator forbids it. Access: A member whose role allows `apps.change`: owner, admin, developer. */
  updateApp: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: AppChange;
    };
    output: App;
  };
  /** Suspend an app. Stops all activity of an app. After the response, every call with its keys returns `app_suspended`, also a person’s call by a key’s id. Calls that began earlier write nothing, and no delivery starts. Pending and new deliveries are held, and its sandbox data and workflow runs are paused. Keys are not revoked, and keep their expiry. Access: A member whose role allows `apps.suspend`: owner, admin, developer. */
  suspendApp: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: StoppedApp;
  };
  /** Resume an app. Ends a suspension. Keys that are still valid give access again. The sandbox data and the workflow runs continue. Held deliveries are sent, unless another condition holds them. Restore an app that is being deleted first. Only the operator of Slipway can resume an app whose organisation is suspended. Access: A member whose role allows `apps.suspend`: owner, admin, developer. */
  resumeApp: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: App;
  };
  /** Delete an app. Stops all activity of an app immediately, like `suspendApp`, and sets the time of its erasure. Until then, `restoreApp` cancels the deletion. After that time the app does not exist, and all its data except the audit log is erased. A repeated deletion does not change the time. Access: A member whose role allows `apps.delete`: owner, admin. */
  deleteApp: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: AppDeletion;
    };
    output: StoppedApp;
  };
  /** Restore an app. Cancels a deletion within its grace period, except in its last minute. The app has all its previous data and is suspended. Before `resumeApp`, check its keys and revoke those that must not give access again. Access: A member whose role allows `apps.delete`: owner, admin. */
  restoreApp: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: App;
  };
  /** List keys. Lists the app's keys without their secrets, newest first. Access: A member whose role allows `keys.read`: owner, admin, developer, auditor, viewer. */
  listKeys: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: KeyList;
    item: Key;
  };
  /** Generate a key. Generates a key. The response contains its secret. Slipway stores only a verifier of the secret, so no later call can return it. Select the scopes individually or with a preset, which contains the minimum for a task. Access: A member whose role allows `keys.create`: owner, admin, developer. */
  createKey: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: KeyInput;
    };
    output: CreatedKey;
  };
  /** Change the name or the note of a key. Changes the name or the note of a key, also of a revoked or expired key. The scopes and the expiry are fixed: generate a new key to change them. Access: A member whose role allows `keys.change`: owner, admin, developer. */
  updateKey: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The key's identifier. */
      keyId: string;
      body: KeyChange;
    };
    output: Key;
  };
  /** Rotate a key. Generates a successor with the same name and note and with the selected scopes, and sets the end of the key. Only this response contains the successor’s secret. With 0 hours the key is revoked immediately, like `revokeKey`. Otherwise both keys work until the end, and after the end the old key returns `revoked_key`. `revokeKey` can bring the end forward; the end cannot be postponed or cancelled. The key’s endpoints and their pending deliveries use the successor from now on. A key that is revoked or expired, or has a successor, cannot be rotated. Access: A member whose role allows `keys.rotate`: owner, admin, developer. */
  rotateKey: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The key's identifier. */
      keyId: string;
      body: Rotation;
    };
    output: RotatedKey;
  };
  /** Revoke a key. Revokes a key permanently. After the response, no request with the key is accepted and no delivery through it starts. Its attempts in flight are stopped. An endpoint with another usable key continues through that key and is listed in `continuingEndpoints`. Pending deliveries of the other endpoints are cancelled. Access: A member whose role allows `keys.revoke`: owner, admin, developer. */
  revokeKey: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The key's identifier. */
      keyId: string;
    };
    output: RevokedKey;
  };
  /** Revoke all keys of a person. Revokes permanently every key in the organisation’s apps that this person generated or got from a rotation, like `revokeKey`. Name earlier addresses of the person in `earlier`. The operation revokes all keys or, if it fails, none. It runs when a member is removed, and is idempotent. Access: A member whose role allows `keys.revoke`: owner, admin, developer. */
  revokeKeysMadeBy: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      body: KeyMaker;
    };
    output: RevokedKeys;
  };
  /** List notices. Lists notices to the organisation, newest first. A notice reports one of these cases: a key expires in 7 days, and again in 1 day; a key was reported as leaked; a page in a browser used a key (at most one notice a day for each key and page origin, and five a day for each key); the rule about event scopes will withhold events from an app (once for each app); an app uses a deprecated part of the API, at the announcement and 90, 30 and 7 days before the end; all attempts at an endpoint have failed for 1 day, and again for 3 days; an endpoint works again after such a notice; an endpoint was disabled after 5 such days or because the receiver answered 410; the last valid key of an endpoint expires within 7 days (once for each key); the last attempt of a delivery failed (at most one notice an hour for each endpoint); in production, a server paused or revoked the app; in production, a response of the upstream API did not fit the contract and the app received a 502 (once a day for each app). Owners, admins and the member who generated the key or added the endpoint also receive each notice by mail, except the last kind; `setNoticeMailSettings` changes that. Notices are kept for 90 days. The expiry of a key is not reported if the key was rotated or revoked, or if its whole lifetime is not longer than the 7 days or 1 day. Access: A member whose role allows `notices.read`: owner, admin, developer, auditor, viewer. */
  listNotices: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
      /** True: only unread notices. */
      unread?: boolean;
    };
    output: NoticeList;
    item: Notice;
  };
  /** Mark a notice as read. Marks a notice as read for the whole organisation. The notice keeps the name of its first reader. Access: A member whose role allows `notices.change`: owner, admin, developer. */
  readNotice: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The notice's identifier. */
      noticeId: string;
    };
    output: Notice;
  };
  /** List servers and their grants. Lists every server of the app, with its latest installation and the state of each scope. Access: A member whose role allows `installations.read`: owner, admin, developer, auditor, viewer. */
  listInstallations: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: InstallationList;
    item: Installation;
  };
  /** List changes of installations. Lists the history of grants to the app, newest first, including servers that no longer exist. Each change is written in the transaction that makes it and is immutable. `serverId` selects one server. `scope` selects one scope, together with changes of its installation as a whole. Access: A member whose role allows `installations.read`: owner, admin, developer, auditor, viewer. */
  listInstallationChanges: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
      /** The identifier of the server. */
      serverId?: string;
      /** A scope. */
      scope?: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>);
    };
    output: InstallationChangeList;
    item: InstallationChange;
  };
  /** Change many installations. Gives many grants one state, all of them or none: of the named servers, or of every server, as a whole or in some scopes. Each grant follows the rules of `setInstallation` and `setInstallationScope`. A grant that cannot have the state is reported and does not affect the others. Revoked grants stay revoked without `includeRevoked` or `from: revoked`. Each changed installation emits one event. After the response, pauses and revocations apply to calls and deliveries. A dry run changes nothing and waits for no lock. In production the operation changes your organisation’s restrictions, and `to` is the effective state afterwards. Access: A member whose role allows `installations.change`: owner, admin, developer. */
  changeInstallations: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: BulkChange;
    };
    output: BulkResult;
  };
  /** Explain the access of a key to an operation. Explains why a request with the key would be allowed or rejected now, rule by rule. Requests are checked with the same rules. Without `keyId`, only the grants of the server are explained. An operation on a server requires `serverId`. For another object, send the server of the object; an event without a resource requires no grant. If the account of the app grants the operation, `serverId` is ignored and the response names the account. With `eventType`, an operation that reads events is explained for an event of that type: the server must also authorise the scope of its resource. A list over all servers returns the servers that it omits, because they do not grant each scope of the operation, or with `serverId` whether it omits that server. Access: A member whose role allows `installations.read`: owner, admin, developer, auditor, viewer. */
  explainAccess: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** An operation of /v1. */
      operationId: 'getMe' | 'listServers' | 'getServer' | 'listPublications' | 'getPublication' | 'listRoadmap' | 'getRoadmapItem' | 'listTickets' | 'createTicket' | 'getTicket' | 'listWorkflows' | 'createWorkflowRun' | 'getWorkflowRun' | 'listEvents' | 'getEvent' | (string & Record<never, never>);
      /** The key's identifier. */
      keyId?: string;
      /** The identifier of the server. */
      serverId?: string;
      /** The type of the event. */
      eventType?: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>);
    };
    output: AccessExplanation;
  };
  /** Authorise, pause or revoke an installation. In the sandbox, acts as the owner of the server. Authorising a server without an installation, or with a revoked one, creates a new installation with all six scopes. In production, changes your organisation’s restriction: the effective state is the strictest of the upstream API’s statement, the cap on servers and the restriction. There, `authorised` lifts the restriction and grants no more than the upstream API allows; after a revoked restriction it creates a new grant. After the response, pauses and revocations apply to calls and deliveries. Emits `installation.paused`, `installation.resumed` or, for a new or revoked installation, `installation.scope_changed`. Access: A member whose role allows `installations.change`: owner, admin, developer. */
  setInstallation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The identifier of the server. */
      serverId: string;
      body: NewGrantState;
    };
    output: ChangedInstallation;
  };
  /** Authorise, pause or revoke one scope of an installation. In the sandbox, acts as the owner of the server for one scope. The other scopes are unchanged, and the installation must not be revoked. In production, changes your organisation’s restriction of the scope, like `setInstallation` for the server. Emits `installation.scope_changed`. Access: A member whose role allows `installations.change`: owner, admin, developer. */
  setInstallationScope: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The identifier of the server. */
      serverId: string;
      /** A scope. */
      scope: 'servers:read' | 'publications:read' | 'events:read' | 'roadmap:read' | 'tickets:create' | 'workflows:run' | (string & Record<never, never>);
      body: NewGrantState;
    };
    output: ChangedInstallation;
  };
  /** List endpoints. Lists the app’s endpoints, newest first, without their signing secrets. Access: A member whose role allows `endpoints.read`: owner, admin, developer, auditor, viewer. */
  listEndpoints: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: EndpointList;
    item: Endpoint;
  };
  /** Add an endpoint. Adds an endpoint with its own signing secret. Events that occur from now on are delivered to it. An event of these types that `serverIds` or `conditions` of the endpoint withhold becomes a skipped delivery with the reason `filtered`, which can be redelivered. Access: A member whose role allows `endpoints.change`: owner, admin, developer. */
  createEndpoint: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: EndpointInput;
    };
    output: CreatedEndpoint;
  };
  /** Get an endpoint. Returns an endpoint, without its signing secret and without the values of its headers. Access: A member whose role allows `endpoints.read`: owner, admin, developer, auditor, viewer. */
  getEndpoint: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
    };
    output: Endpoint;
  };
  /** Change an endpoint. Changes the given settings, and disables or enables the endpoint. After this call returns, no request begins under the old URL, key or headers. In-flight attempts are stopped and made again with the new settings. A key that is added at the end of the list does not stop in-flight attempts. Waiting deliveries use the new keys and keep their schema version; if a revocation left the endpoint without a usable key, they are cancelled instead. Waiting retries move to a new schedule speed within seconds. A changed filter (`eventTypes`, `serverIds`, `conditions`) applies to later events. Disabling the endpoint cancels its waiting deliveries; later events are recorded as skipped. Enabling an endpoint whose failures a notice reported writes the notice `endpoint_recovered`. For a URL on another host, every header must be set again or be null. A listener receives no custom headers: an address `listener:NAME` drops them all, and `headerNames` in the response is empty. Access: A member whose role allows `endpoints.change`: owner, admin, developer. */
  updateEndpoint: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
      body: EndpointChange;
    };
    output: Endpoint;
  };
  /** Delete an endpoint. Deletes the endpoint and cancels its waiting deliveries. After this call returns, no new request to the endpoint begins. The record of its deliveries is kept. Access: A member whose role allows `endpoints.change`: owner, admin, developer. */
  deleteEndpoint: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
    };
    output: undefined;
  };
  /** Get a histogram of attempts. Returns how many delivery attempts to the endpoint succeeded and failed over time. The default period is the last 24 hours; set `since` and `until` to change it. Access: A member whose role allows `endpoints.read`: owner, admin, developer, auditor, viewer. */
  getAttemptHistogram: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
      /** Only attempts that began at this time or later. */
      since?: string;
      /** Only attempts that began before this time. */
      until?: string;
      /** The number of equal intervals into which the period is divided. */
      buckets?: number;
    };
    output: AttemptHistogram;
  };
  /** Preview a newer schema version. Shows how a newer schema version would change the endpoint’s own recent events. Each event is shown in the pinned version and in the newer version, with the difference. Without `type`, the preview covers every type that has a newer version than the pinned one. It searches the last 1,000 deliveries. It leaves out events that were skipped, cancelled or held, that are older than the version, or that the app cannot read now. It changes nothing. Access: A member whose role allows `deliveries.read`: owner, admin, developer, auditor, viewer. */
  previewSchemaVersion: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
      /** The type of the event. */
      type?: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>);
      /** A version of `type` that is newer than the pinned version. The default is the newest version. */
      schemaVersion?: number;
    };
    output: SchemaVersionPreview;
  };
  /** Preview the filter of an endpoint. Counts how many events of the last 30 days an endpoint with this filter would have received, and how many events there were. If events are stored for a shorter time, the count covers that time. Counts only events that the app may read now, and no test events. Counts at most 20000 events within two seconds, newest first; `since` states how far the count reached. Stores nothing. Access: A member whose role allows `deliveries.read`: owner, admin, developer, auditor, viewer. */
  previewFilter: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: FilterToPreview;
    };
    output: FilterPreview;
  };
  /** Send a test event. Sends an example of the event type to this endpoint only, in the pinned schema version. The delivery is signed, retried and recorded like any other, with `Slipway-Trigger: test`. The event refers to nothing that exists, and it appears in no feed. Returns the delivery. If the state of the endpoint, its key or the app does not allow the delivery, it is skipped or held, with the reason. No server’s authorisation is checked, because the event belongs to no server. Access: A member whose role allows `endpoints.change`: owner, admin, developer. */
  sendTestEvent: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
      body: TestEvent;
    };
    output: Delivery;
  };
  /** Send an event to an endpoint. Creates a delivery of the event to the endpoint, which is due immediately. The endpoint also receives an event of a type that it does not select, an event that its filter withholds, and an event that is older than the endpoint. The delivery has the schema version to which the endpoint is pinned. The rate of the endpoint and the order of the subject apply. Access is judged as for a redelivery: the delivery is held if the app is suspended, or if the installation or the scope is paused. Refused with `conflict`: a test event, an event whose earlier delivery to the endpoint has not ended, and a delivery that is not allowed now. Access: A member whose role allows `deliveries.redeliver`: owner, admin, developer. */
  sendEvent: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The identifier of the event, identical in the feed and in every delivery. */
      eventId: string;
      body: EventDeliveryInput;
    };
    output: Delivery;
  };
  /** Reveal a signing secret. Returns the secret that signs the endpoint’s deliveries, and records in the audit log who saw it. It requires a signed-in member; access tokens are refused. Access: A member whose role allows `endpoints.reveal`: owner, admin, developer. */
  revealSigningSecret: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
    };
    output: SigningSecret;
  };
  /** Rotate a signing secret. Creates a new signing secret. During the overlap (24 hours by default, at most 7 days) deliveries carry a signature by the new secret and one by the previous secret. A receiver that has either secret can verify them. When the overlap ends, the previous secret is erased. Requests that are in flight can still be signed by the previous secret alone. At most two secrets sign: another rotation during the overlap is refused, unless its own overlap is 0 hours, which ends both earlier secrets. Access: A member whose role allows `endpoints.rotate`: owner, admin, developer. */
  rotateSigningSecret: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
      body: SecretRotation;
    };
    output: SigningSecret;
  };
  /** End the overlap of a rotation. Erases the previous signing secret, so that only the current secret signs from now on. Requests that are in flight can still carry both signatures. If the overlap has already ended, nothing changes. Access: A member whose role allows `endpoints.rotate`: owner, admin, developer. */
  endPreviousSecret: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
    };
    output: undefined;
  };
  /** Find out why a message does not verify. Finds the mistakes that prevent a received message from verifying, such as a reserialised body, a wrong secret, a wrong clock or a missing header. Send the body and the headers as your receiver got them. If you also send the signature that your code computed, the diagnosis covers mistakes in the computation. The request is not stored, and the response contains neither a secret nor a signature. Secrets that were erased after a rotation are unknown. The body is compared with the event only if the app can read the event now, or if a delivery of the event could have reached this endpoint. A truncated or reserialised body is recognised only if the signature is correct for the body that was sent. Access: A member whose role allows `endpoints.read`: owner, admin, developer, auditor, viewer. */
  diagnoseSignature: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
      body: ReceivedMessage;
    };
    output: SignatureDiagnosis;
  };
  /** List deliveries. Lists the app’s deliveries, newest first. Skipped and cancelled deliveries are included, with the reason. With `status` or `eventType`, a page examines a bounded number of deliveries (with the status `failing`, of deliveries that have not ended): while `nextCursor` is set, continue to read, even if a page is empty. Access: A member whose role allows `deliveries.read`: owner, admin, developer, auditor, viewer. */
  listDeliveries: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
      /** The endpoint's identifier. */
      endpointId?: string;
      /** Only deliveries in this status. `failing` selects the pending deliveries with a failed attempt. */
      status?: 'pending' | 'held' | 'succeeded' | 'failed' | 'cancelled' | 'skipped' | 'failing';
      /** The identifier of the redelivery job. */
      redeliveryId?: string;
      /** Only deliveries of events of this type. */
      eventType?: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>);
      /** Only deliveries of this event. */
      eventId?: string;
      /** Only deliveries that were created at or after this time. */
      since?: string;
      /** Only deliveries that were created before this time. */
      until?: string;
    };
    output: DeliveryList;
    item: Delivery;
  };
  /** Get a delivery. Returns a delivery with the exact body that is sent and all attempts. Access: A member whose role allows `deliveries.read`: owner, admin, developer, auditor, viewer. */
  getDelivery: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The delivery's identifier. */
      deliveryId: string;
    };
    output: DeliveryDetail;
  };
  /** Listen for deliveries. Reports the responses to requests that were taken earlier, and takes the requests that wait. The endpoint’s address must be a listener (`listener:NAME`, only in the sandbox). Each request is a delivery attempt that a worker is making now, signed and permitted like every other attempt. A request fails if it is not taken within five seconds, or if no response is reported within fifteen seconds. The reported response is recorded as the attempt’s response. A request that was taken a second ago and is missing from `inFlightIds` is handed out again, so run one listener at a time. `slipway listen` calls this operation several times a second. Access: A member whose role allows `endpoints.change`: owner, admin, developer. */
  exchangeRelays: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
      body: RelayExchange;
    };
    output: TakenRelays;
  };
  /** List drills. Lists the latest drills of an endpoint, newest first. The last 20 are kept. Access: A member whose role allows `endpoints.read`: owner, admin, developer, auditor, viewer. */
  listDrills: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: DrillList;
    item: Drill;
  };
  /** Start a drill. Tests how the endpoint’s receiver handles correct and faulty messages. The drill sends a correct event, duplicates, a delayed event, events out of order, two signatures, a stale timestamp, a wrong signature, no signature, and a body that was changed after it was signed. These events have the `type` `drill` and appear in no feed. For each step the report says whether the receiver passed, and what to change. Only the receiver knows whether it processed a duplicate twice: it can report that in the response header `Slipway-Drill: processed=N, sequence=S`. An endpoint has at most one running drill. Access: A member whose role allows `endpoints.change`: owner, admin, developer. */
  createDrill: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The endpoint's identifier. */
      endpointId: string;
    };
    output: DrillDetail;
  };
  /** Get a drill. Returns a drill with its report so far. Access: A member whose role allows `endpoints.read`: owner, admin, developer, auditor, viewer. */
  getDrill: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The drill's identifier. */
      drillId: string;
    };
    output: DrillDetail;
  };
  /** Redeliver a delivery. Sends one event to one endpoint now. If the delivery waits for an attempt, that attempt becomes due now: the delivery keeps its identifier and its remaining attempts, and the rate and order of its endpoint still apply. If the delivery has ended with any status, a new delivery is created, which is due immediately. Each request has the same event identifier and the same bytes, in the schema version that was first sent, and a new timestamp and signature. A new delivery is held if the app is suspended, or if the installation or the scope is paused. The redelivery of a test event is a test event too. Refused with `conflict`: a delivery that is held, that is being sent, or that waits for an earlier event of its subject, and a redelivery that is not allowed now. Access: A member whose role allows `deliveries.redeliver`: owner, admin, developer. */
  redeliverDelivery: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The delivery's identifier. */
      deliveryId: string;
    };
    output: Delivery;
  };
  /** List redelivery jobs. Lists the redelivery jobs of the app, newest first, with their progress. Access: A member whose role allows `deliveries.read`: owner, admin, developer, auditor, viewer. */
  listRedeliveries: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: RedeliveryList;
    item: Redelivery;
  };
  /** Redeliver many deliveries. Starts a job that redelivers deliveries at a limited rate: deliveries that ended without success, and with the status `pending` also those that wait for a retry. A waiting retry becomes due now and stays the same delivery: rate, order and holds of its endpoint still apply. Deliveries that are held, in flight or behind an earlier event of their subject are left out. Call it with `isDryRun` first to learn how many deliveries match. The job includes the matching deliveries that ended before its creation and were not redelivered, and the matching retries of deliveries that were created before it. When the job creates a delivery, it checks the access. For a delivery that was skipped or cancelled for another reason than `filtered`, it also evaluates the current filter of the endpoint. A refused delivery is recorded as skipped, with the reason. An app can have at most 3 running or paused redelivery jobs. Access: A member whose role allows `deliveries.redeliver`: owner, admin, developer. */
  createRedelivery: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: RedeliveryInput;
    };
    output: RedeliveryPreview | Redelivery;
  };
  /** Get a redelivery job. Returns the progress of a redelivery job and the outcomes of its deliveries so far. `listDeliveries` lists the deliveries themselves. Access: A member whose role allows `deliveries.read`: owner, admin, developer, auditor, viewer. */
  getRedelivery: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The identifier of the redelivery job. */
      redeliveryId: string;
    };
    output: RedeliveryDetail;
  };
  /** Pause, resume or cancel a redelivery job. Pauses, resumes or cancels a redelivery job, or changes its rate. After this call returns, a paused job creates no delivery. Deliveries that it created before continue; at most 1000 of them were not attempted yet. A cancelled job cannot be resumed. Its deliveries that wait, for a first attempt or for a retry, are cancelled within seconds with the reason `redelivery_cancelled`. Another job can select them by that reason. Access: A member whose role allows `deliveries.redeliver`: owner, admin, developer. */
  updateRedelivery: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The identifier of the redelivery job. */
      redeliveryId: string;
      body: RedeliveryChange;
    };
    output: Redelivery;
  };
  /** List requests. Lists the calls that the app made with its keys, newest first, accepted and refused. A page scans a bounded number of records. With a selective filter a page can therefore be short or empty: `searchedUntil` is the time that the scan reached. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  listRequests: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
      /** Only requests that arrived at or after this time. */
      since?: string;
      /** Only requests that arrived before this time. */
      until?: string;
      /** Only requests of a status class: 4 for 4xx, 5 for 5xx. */
      statusClass?: number;
      /** Only requests with this status. */
      status?: number;
      /** Only requests that ended in this problem. */
      code?: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'upstream_invalid' | 'unavailable' | 'timeout' | 'sign_in_required' | 'sign_in_failed' | 'invalid_access_token' | 'access_token_not_allowed' | 'role_not_allowed' | 'invitation_not_yours' | 'invitation_used' | 'invitation_expired' | 'invitation_revoked' | 'cross_site_request' | 'email_not_verified' | 'second_factor_failed' | 'second_factor_required' | 'fresh_sign_in_required' | 'link_invalid' | 'provider_sign_in_failed' | 'provider_not_linked' | 'provider_link_taken' | 'sign_up_closed' | 'operator_required' | 'reviewer_not_independent' | 'organisation_suspended';
      /** Only requests of this operation; `none` selects requests that matched no operation. */
      operationId?: string;
      /** Only requests with this method. */
      method?: string;
      /** The key's identifier. */
      keyId?: string;
      /** The identifier of the server. */
      serverId?: string;
      /** The request’s identifier, as in its Request-Id header. */
      requestId?: string;
      /** Only requests of this trace (W3C Trace Context). */
      traceId?: string;
      /** Only requests with at least this duration. */
      minDurationMs?: number;
      /** True: only requests with a simulated fault. False: only requests without one. */
      simulated?: boolean;
      /** Only requests whose path contains this text. Case is ignored. */
      path?: string;
    };
    output: RequestList;
    item: RequestRecord;
  };
  /** Get a request. Returns all stored fields of one request, the requests that replay it, and which values of its query and body are masked. `capture` says whether its headers and bodies are stored; `revealCapture` returns them. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  getRequest: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The request’s identifier, as in its Request-Id header. */
      requestId: string;
    };
    output: RequestDetail;
  };
  /** Get requests in groups. Groups the requests that ended in a problem by problem and operation. Each group has the number of requests, the times of the first and the last, and the newest request as a sample. Without `since` and `until`, covers the last 24 hours. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  getRequestGroups: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Only requests that arrived at or after this time. */
      since?: string;
      /** Only requests that arrived before this time. */
      until?: string;
      /** Only requests of a status class: 4 for 4xx, 5 for 5xx. */
      statusClass?: number;
      /** Only requests with this status. */
      status?: number;
      /** Only requests that ended in this problem. */
      code?: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'upstream_invalid' | 'unavailable' | 'timeout' | 'sign_in_required' | 'sign_in_failed' | 'invalid_access_token' | 'access_token_not_allowed' | 'role_not_allowed' | 'invitation_not_yours' | 'invitation_used' | 'invitation_expired' | 'invitation_revoked' | 'cross_site_request' | 'email_not_verified' | 'second_factor_failed' | 'second_factor_required' | 'fresh_sign_in_required' | 'link_invalid' | 'provider_sign_in_failed' | 'provider_not_linked' | 'provider_link_taken' | 'sign_up_closed' | 'operator_required' | 'reviewer_not_independent' | 'organisation_suspended';
      /** Only requests of this operation; `none` selects requests that matched no operation. */
      operationId?: string;
      /** Only requests with this method. */
      method?: string;
      /** The key's identifier. */
      keyId?: string;
      /** The identifier of the server. */
      serverId?: string;
      /** The request’s identifier, as in its Request-Id header. */
      requestId?: string;
      /** Only requests of this trace (W3C Trace Context). */
      traceId?: string;
      /** Only requests with at least this duration. */
      minDurationMs?: number;
      /** True: only requests with a simulated fault. False: only requests without one. */
      simulated?: boolean;
      /** Only requests whose path contains this text. Case is ignored. */
      path?: string;
    };
    output: RequestGroups;
  };
  /** Get a histogram of requests. Returns, per interval, the number of requests, the number that ended in an error or without a response, and the durations. Without `since` and `until`, covers the last 24 hours. If `until` is before `since`, there are no intervals. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  getRequestHistogram: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Only requests that arrived at or after this time. */
      since?: string;
      /** Only requests that arrived before this time. */
      until?: string;
      /** Only requests of a status class: 4 for 4xx, 5 for 5xx. */
      statusClass?: number;
      /** Only requests with this status. */
      status?: number;
      /** Only requests that ended in this problem. */
      code?: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'upstream_invalid' | 'unavailable' | 'timeout' | 'sign_in_required' | 'sign_in_failed' | 'invalid_access_token' | 'access_token_not_allowed' | 'role_not_allowed' | 'invitation_not_yours' | 'invitation_used' | 'invitation_expired' | 'invitation_revoked' | 'cross_site_request' | 'email_not_verified' | 'second_factor_failed' | 'second_factor_required' | 'fresh_sign_in_required' | 'link_invalid' | 'provider_sign_in_failed' | 'provider_not_linked' | 'provider_link_taken' | 'sign_up_closed' | 'operator_required' | 'reviewer_not_independent' | 'organisation_suspended';
      /** Only requests of this operation; `none` selects requests that matched no operation. */
      operationId?: string;
      /** Only requests with this method. */
      method?: string;
      /** The key's identifier. */
      keyId?: string;
      /** The identifier of the server. */
      serverId?: string;
      /** The request’s identifier, as in its Request-Id header. */
      requestId?: string;
      /** Only requests of this trace (W3C Trace Context). */
      traceId?: string;
      /** Only requests with at least this duration. */
      minDurationMs?: number;
      /** True: only requests with a simulated fault. False: only requests without one. */
      simulated?: boolean;
      /** Only requests whose path contains this text. Case is ignored. */
      path?: string;
      /** Number of intervals of equal length. */
      buckets?: number;
    };
    output: RequestHistogram;
  };
  /** Get the values of requests. Returns the statuses, problem codes, operations, methods, keys and servers that requests of the app have: the choices of a filter. Without `since` and `until`, covers the stored requests of the last 30 days. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  getRequestValues: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Only requests that arrived at or after this time. */
      since?: string;
      /** Only requests that arrived before this time. */
      until?: string;
    };
    output: RequestValues;
  };
  /** List gaps of the records. Lists the minutes in which requests of the app were answered without a record, newest first. A record is lost if the database does not commit it within 500 ms: a response waits no longer. Gaps are kept as long as records. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  listRecordGaps: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: RecordGapList;
  };
  /** Forecast what a change would break. Counts the requests and deliveries of the last 30 days that a change would refuse: a key that is revoked, or that loses scopes, addresses or lifetime; grants that are paused or revoked; an endpoint that is disabled, or whose filter changes. If requests or deliveries are stored for a shorter time, their count covers that time and begins at their `since`. Evaluates the rules of access for each record, in the current state and after the change. A record that the current state refuses already is not counted. A request of a key that has ended counts for the key that its rotation created. Requests that did not succeed are not counted. A change of a filter compares both filters; for any other change, the filter is not evaluated again. Counts for about a second, newest records first, and returns the totals so far: while `nextCursor` is set, send it with the same change to continue. Stores and changes nothing. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  forecastAccess: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: AccessChangeInput;
    };
    output: AccessForecast;
  };
  /** Get the activity of a key. Returns everything that was done with a key since a time: its requests by operation, server, address and member, the events that they caused with their objects, the receivers of these events, and the receivers of deliveries that the key authorised. Reads for about a second, newest records first, and returns one part: while `nextCursor` is set, send it with the same query to continue, and add up the parts. Records do not state which objects a read returned. Events and deliveries count if they are still stored. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  getKeyActivity: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The key's identifier. */
      keyId: string;
      /** Only requests that arrived, and deliveries that were created, at or after this time. Default: the creation of the key. */
      since?: string;
      /** Cursor of the part: the `nextCursor` of the previous part. */
      cursor?: string;
    };
    output: KeyActivity;
  };
  /** Get a trace. Returns a request with the events that it caused, their deliveries and attempts. The identifier of an event or of a delivery returns the same trace, from the request that caused it. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  getTrace: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** A request, an event or a delivery. */
      tracedId: string;
    };
    output: Trace;
  };
  /** List the events of an app. Lists the events of the app, newest first, with their causes and without their payloads. `getTrace` returns the payloads of one event, its deliveries and their attempts. Test events are left out. The filters combine. With two of the filters `type`, `serverId` and `subject`, a page examines a bounded number of events: while `nextCursor` is set, continue to read, even if a page is empty. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  listAppEvents: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
      /** The type of the event. */
      type?: 'publication.published' | 'publication.updated' | 'publication.archived' | 'roadmap.item_created' | 'roadmap.item_moved' | 'ticket.created' | 'ticket.updated' | 'ticket.closed' | 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | 'server.updated' | 'installation.paused' | 'installation.resumed' | 'installation.scope_changed' | 'ping' | (string & Record<never, never>);
      /** The identifier of the server. */
      serverId?: string;
      /** The object that an event is about, such as a ticket, a server or an installation. */
      subject?: string;
      /** Only events that Slipway stored at or after this time. */
      since?: string;
      /** Only events that Slipway stored before this time. */
      until?: string;
    };
    output: AppEventList;
    item: AppEvent;
  };
  /** Get the types of events. Returns the types of the events that Slipway stores for the app: the choices of a filter of events and deliveries. A type whose events are past their retention is left out. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  getEventTypes: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: AppEventTypes;
  };
  /** Get a request as code. Returns the request as a curl command, as a call of fetch and as a call of the SDK. The code does not contain a key: it reads the key from the variable `SLIPWAY_KEY`. The header `Sandbox-Simulate` repeats a simulated fault. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  getRequestSnippets: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The request’s identifier, as in its Request-Id header. */
      requestId: string;
    };
    output: RequestSnippets;
  };
  /** List deprecated uses. Lists the deprecated parts of the API that the app still uses: the number and the newest of its requests in the last 30 days, and the enabled endpoints that receive deprecated events. For a deprecated field of a response, every successful call of an operation that returns it counts: Slipway does not know which fields the app reads. For deprecated events, every read of the feed that can return them counts, and every read of one of them. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  listDeprecatedUses: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: DeprecatedUseList;
  };
  /** Acknowledge or snooze a deprecation. Acknowledges or snoozes the notices about a deprecation for the app. The deprecation itself ends on its day. Access: A member whose role allows `notices.change`: owner, admin, developer. */
  answerDeprecation: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Which deprecation. */
      deprecationId: string;
      body: {
        /** `acknowledged`: Slipway writes no further notice about the deprecation to the app. `snoozed`: no notice before `snoozedUntil`. `unanswered`: removes an earlier answer. */
        status: 'unanswered' | 'acknowledged' | 'snoozed';
        snoozedUntil: string | null;
      };
    };
    output: DeprecationAnswer;
  };
  /** Get the rule about the scopes of events. Returns whether the app’s events require the grant of their resource’s scope in addition to `events:read`, and the events and deliveries that the rule would withhold from the announced day on. Counts the 10000 newest events and as many deliveries. For an app that enforces the rule it counts nothing. Access: A member whose role allows `installations.read`: owner, admin, developer, auditor, viewer. */
  getEventScopes: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: EventScopes;
  };
  /** Enforce the scopes of events. Enables the new rule for the app before the announced day: an event with a resource requires the grant of the resource’s scope in addition to `events:read`. After the response, no event is read or delivered with `events:read` only. The rule cannot be disabled. The operation is idempotent. Access: A member whose role allows `apps.change`: owner, admin, developer. */
  enforceEventScopes: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: EventScopes;
  };
  /** List audit entries of an environment. Lists the entries of the organisation’s chain in this environment: newest first or, with `after`, oldest first. The audit log merges these entries with those of the Console. Access: A member whose role allows `audit.read`: owner, admin, auditor. */
  listAuditEntries: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Only entries with a lower sequence, newest first. */
      before?: number;
      /** Only entries with a higher sequence, oldest first. */
      after?: number;
      /** Only the entry with this identifier. */
      entryId?: string;
      /** Name of the actor; the e-mail address of a person. */
      actor?: string;
      /** The action. */
      action?: string;
      /** The identifier of the target of the action. */
      target?: string;
      /** The app's identifier. */
      appId?: string;
      /** Only entries at or after this time. */
      from?: string;
      /** Only entries before this time. */
      to?: string;
    };
    output: AuditEntries;
  };
  /** List revocation receipts. Lists the receipts of revoked keys, installations and scopes, newest first, including those of erased apps. Receipts are kept as long as the audit log. `getRevocationReceipt` returns the signed receipt. Access: A member whose role allows `receipts.read`: owner, admin, developer, auditor, viewer. */
  listRevocationReceipts: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
      /** Only receipts of this app. */
      appId?: string;
    };
    output: RevocationReceiptList;
    item: RevocationReceiptSummary;
  };
  /** Get a revocation receipt. Returns a signed receipt. It can be verified without Slipway, with the public key at `keysUrl`. The signature follows the answer of the revocation, usually within some milliseconds: while `jws` is null, request the receipt again. If the process that handled the revocation has ended, a worker signs the receipt after five minutes. Access: A member whose role allows `receipts.read`: owner, admin, developer, auditor, viewer. */
  getRevocationReceipt: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The identifier of the receipt of a revocation. */
      receiptId: string;
    };
    output: RevocationReceipt;
  };
  /** Get the contract of /v1. Returns the OpenAPI 3.1 document of the API of this environment, as served at `/v1/openapi.json`. Access: A member whose role allows `apps.read`: owner, admin, developer, auditor, viewer. */
  getContract: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
    };
    output: {
      /** The OpenAPI version of the document. */
      openapi: '3.1.0';
    };
  };
  /** Get the world of an app. Returns the inputs of the app’s synthetic world, the number of its objects, and its clock. Access: A member whose role allows `world.read`: owner, admin, developer, auditor, viewer. */
  getWorld: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: World;
  };
  /** Reset the world of an app. Replaces the complete world in one step. Equal preset, seed and epoch give the same objects with the same identifiers. Keys, request records and past events remain. Installations remain for servers that exist in the new world; installations of other servers end, and pending deliveries of their events are cancelled. New servers have authorised the app. Each installation that begins or ends emits `installation.scope_changed`. Tickets and workflow runs are deleted. Access: A member whose role allows `world.change`: owner, admin, developer. */
  resetWorld: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: WorldReset;
    };
    output: World;
  };
  /** Set the world's clock. Sets how fast tickets are answered, publications appear and roadmap items move. A faster clock returns to `1x` after one hour. Access: A member whose role allows `world.change`: owner, admin, developer. */
  setWorldClock: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: WorldClockSetting;
    };
    output: World;
  };
  /** Trigger an event. Makes the change that the event type reports, and so creates the event: for example, archives a publication, answers a ticket, lets a run fail or pauses an installation. Returns the event as it is delivered. Access: A member whose role allows `world.change`: owner, admin, developer. */
  triggerEvent: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: EventTrigger;
    };
    output: Event;
  };
  /** List the objects of a world. Lists the objects of one kind in the app’s synthetic world, newest first, of all servers or of one. Objects on servers that do not authorise the app are included. `listAppEvents` with an object as `subject` returns its events and their causes, and `triggerEvent` creates and changes objects. Access: A member whose role allows `world.read`: owner, admin, developer, auditor, viewer. */
  listWorldObjects: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
      /** The kind of object. */
      kind?: 'server' | 'publication' | 'roadmap_item' | 'ticket' | 'workflow' | 'workflow_run' | (string & Record<never, never>);
      /** The identifier of the server. */
      serverId?: string;
    };
    output: WorldObjectList;
    item: WorldObject;
  };
  /** Get an object of a world. Returns an object of the app’s synthetic world as /v1 returns it, with the operation that returns it there. The object is returned even if its server does not authorise the app. Access: A member whose role allows `world.read`: owner, admin, developer, auditor, viewer. */
  getWorldObject: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The identifier of the object. */
      objectId: string;
    };
    output: WorldObjectDetail;
  };
  /** Make a call with a key. Calls /v1 with one of the app’s keys, named by its identifier. The key is checked at the time of the call, as if the key itself were sent: a refusal is the response that the caller would receive. The record of the request names the member who made the call. A retry makes another call, unless the headers contain `Idempotency-Key`. Access: A member whose role allows `keys.use`: owner, admin, developer. */
  createCall: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: CallInput;
    };
    output: Call;
  };
  /** Replay a request. Sends the request again as a new one, with the same key or with another key. The key, its scopes and the grants of the server are checked as of now. The record of the new request names the member and the replayed request. A stored body is sent again if its capture has it whole and unmasked; otherwise include the body in the replay. A body that still contains a mask of the record is refused with the JSON Pointer of each mask. If the record masks a query parameter, include the query. A request whose path is not stored completely cannot be replayed. A simulated fault is not repeated, unless the headers contain `Sandbox-Simulate`. `omittedParts` lists the parts that were not sent again. Access: A member whose role allows `keys.use`: owner, admin, developer. */
  replayRequest: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The request’s identifier, as in its Request-Id header. */
      requestId: string;
      body: ReplayInput;
    };
    output: Replay;
  };
  /** Reveal the headers and bodies of a request. Returns the stored headers and bodies of a request, and records in the audit log who saw them. Credentials, cookies and values that the contract marks as sensitive are masked. If nothing is stored, `status` has the reason, and the audit log gets no entry. Access: A member whose role allows `requests.reveal`: owner, admin, developer. */
  revealCapture: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The request’s identifier, as in its Request-Id header. */
      requestId: string;
    };
    output: Capture;
  };
  /** Get the evidence of an app. Returns evidence of the app’s behaviour in the sandbox in the last 30 days, or since its requests are stored: `since` states the start. The evidence covers successful calls per scope, recovery after errors, safe repetition, webhook receivers, keys in browsers and deprecated versions. Each check reads a bounded number of records. Submitting a request for live access freezes the evidence. Access: A member whose role allows `requests.read`: owner, admin, developer, auditor, viewer. */
  getEvidence: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
    };
    output: Evidence;
  };
  /** List fault rules. Lists the rules that simulate faults for the app’s calls, newest first. Access: A member whose role allows `faults.read`: owner, admin, developer, auditor, viewer. */
  listFaults: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Maximum number of items to return. */
      limit?: number;
      /** Cursor of the page: the `nextCursor` of the previous page. */
      cursor?: string;
    };
    output: FaultList;
    item: Fault;
  };
  /** Add a fault rule. Adds a rule that simulates a fault for the given share of the app’s calls, from the response on. The response of such a call names the fault in the header `Sandbox-Simulated`, and the record of the request stores it. If several rules apply to a call, the longest latency applies, and of the other effects that of the oldest rule. Access: A member whose role allows `faults.change`: owner, admin, developer. */
  createFault: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      body: FaultInput;
    };
    output: Fault;
  };
  /** Change a fault rule. Enables or disables the rule, or changes its share. For another operation or effect, add a new rule. Access: A member whose role allows `faults.change`: owner, admin, developer. */
  updateFault: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The rule's identifier. */
      faultId: string;
      body: FaultChange;
    };
    output: Fault;
  };
  /** Delete a fault rule. Deletes the rule. The rule does not apply to calls that begin after the response. Access: A member whose role allows `faults.change`: owner, admin, developer. */
  deleteFault: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The rule's identifier. */
      faultId: string;
    };
    output: undefined;
  };
  /** Export requests. Exports the requests that the list returns for the same filter, newest first, with all stored fields, as JSON Lines. If the export fails, the connection closes before the end of the body: an export that ends normally is complete. Access: A member of the organisation. */
  exportRequests: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Only requests that arrived at or after this time. */
      since?: string;
      /** Only requests that arrived before this time. */
      until?: string;
      /** Only requests of a status class: 4 for 4xx, 5 for 5xx. */
      statusClass?: number;
      /** Only requests with this status. */
      status?: number;
      /** Only requests that ended in this problem. */
      code?: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'upstream_invalid' | 'unavailable' | 'timeout' | 'sign_in_required' | 'sign_in_failed' | 'invalid_access_token' | 'access_token_not_allowed' | 'role_not_allowed' | 'invitation_not_yours' | 'invitation_used' | 'invitation_expired' | 'invitation_revoked' | 'cross_site_request' | 'email_not_verified' | 'second_factor_failed' | 'second_factor_required' | 'fresh_sign_in_required' | 'link_invalid' | 'provider_sign_in_failed' | 'provider_not_linked' | 'provider_link_taken' | 'sign_up_closed' | 'operator_required' | 'reviewer_not_independent' | 'organisation_suspended';
      /** Only requests of this operation; `none` selects requests that matched no operation. */
      operationId?: string;
      /** Only requests with this method. */
      method?: string;
      /** The key's identifier. */
      keyId?: string;
      /** The identifier of the server. */
      serverId?: string;
      /** The request’s identifier, as in its Request-Id header. */
      requestId?: string;
      /** Only requests of this trace (W3C Trace Context). */
      traceId?: string;
      /** Only requests with at least this duration. */
      minDurationMs?: number;
      /** True: only requests with a simulated fault. False: only requests without one. */
      simulated?: boolean;
      /** Only requests whose path contains this text. Case is ignored. */
      path?: string;
    };
    output: string;
  };
  /** Export requests as a table. Exports the requests that the list returns for the same filter, newest first, with all stored fields, as CSV (RFC 4180) for a spreadsheet. A value that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. If the export fails, the connection closes before the end of the body. Access: A member of the organisation. */
  exportRequestTable: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Only requests that arrived at or after this time. */
      since?: string;
      /** Only requests that arrived before this time. */
      until?: string;
      /** Only requests of a status class: 4 for 4xx, 5 for 5xx. */
      statusClass?: number;
      /** Only requests with this status. */
      status?: number;
      /** Only requests that ended in this problem. */
      code?: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'upstream_invalid' | 'unavailable' | 'timeout' | 'sign_in_required' | 'sign_in_failed' | 'invalid_access_token' | 'access_token_not_allowed' | 'role_not_allowed' | 'invitation_not_yours' | 'invitation_used' | 'invitation_expired' | 'invitation_revoked' | 'cross_site_request' | 'email_not_verified' | 'second_factor_failed' | 'second_factor_required' | 'fresh_sign_in_required' | 'link_invalid' | 'provider_sign_in_failed' | 'provider_not_linked' | 'provider_link_taken' | 'sign_up_closed' | 'operator_required' | 'reviewer_not_independent' | 'organisation_suspended';
      /** Only requests of this operation; `none` selects requests that matched no operation. */
      operationId?: string;
      /** Only requests with this method. */
      method?: string;
      /** The key's identifier. */
      keyId?: string;
      /** The identifier of the server. */
      serverId?: string;
      /** The request’s identifier, as in its Request-Id header. */
      requestId?: string;
      /** Only requests of this trace (W3C Trace Context). */
      traceId?: string;
      /** Only requests with at least this duration. */
      minDurationMs?: number;
      /** True: only requests with a simulated fault. False: only requests without one. */
      simulated?: boolean;
      /** Only requests whose path contains this text. Case is ignored. */
      path?: string;
    };
    output: string;
  };
}

export const operations = {
  getSession: { method: 'GET', path: '/api/session', isSessionOnly: true },
  createSession: { method: 'POST', path: '/api/session' },
  deleteSession: { method: 'DELETE', path: '/api/session', isSessionOnly: true },
  updatePerson: { method: 'PATCH', path: '/api/person', isSessionOnly: true },
  getCaller: { method: 'GET', path: '/api/caller' },
  completeSignIn: { method: 'POST', path: '/api/session/second-factor' },
  redeemSignInLink: { method: 'POST', path: '/api/sign-in-link' },
  setPassword: { method: 'PUT', path: '/api/password', isSessionOnly: true },
  listSessions: { method: 'GET', path: '/api/sessions', isSessionOnly: true },
  endSessions: { method: 'DELETE', path: '/api/sessions', isSessionOnly: true },
  endSession: { method: 'DELETE', path: '/api/sessions/{sessionId}', isSessionOnly: true },
  enrolSecondFactor: { method: 'POST', path: '/api/second-factor', isSessionOnly: true },
  confirmSecondFactor: { method: 'POST', path: '/api/second-factor/confirm', isSessionOnly: true },
  verifySecondFactor: { method: 'POST', path: '/api/second-factor/verify', isSessionOnly: true },
  disableSecondFactor: { method: 'POST', path: '/api/second-factor/disable', isSessionOnly: true },
  requestSecondFactorRemoval: { method: 'POST', path: '/api/second-factor/removal', isSessionOnly: true },
  cancelSecondFactorRemoval: { method: 'DELETE', path: '/api/second-factor/removal', isSessionOnly: true },
  cancelMailedRemoval: { method: 'POST', path: '/api/second-factor-removals/cancel' },
  beginPasskeySignIn: { method: 'POST', path: '/api/session/passkey-challenge' },
  listPasskeys: { method: 'GET', path: '/api/passkeys', isSessionOnly: true },
  createPasskey: { method: 'POST', path: '/api/passkeys', isSessionOnly: true },
  beginPasskeyRegistration: { method: 'POST', path: '/api/passkeys/registration', isSessionOnly: true },
  createPasskeyChallenge: { method: 'POST', path: '/api/passkeys/challenges', isSessionOnly: true },
  removePasskey: { method: 'POST', path: '/api/passkeys/{passkeyId}/remove', isSessionOnly: true },
  listAccessTokens: { method: 'GET', path: '/api/organisations/{organisationId}/access-tokens', query: ['limit', 'cursor'], page: 'cursor' },
  createAccessToken: { method: 'POST', path: '/api/organisations/{organisationId}/access-tokens', isSessionOnly: true },
  revokeAccessToken: { method: 'DELETE', path: '/api/organisations/{organisationId}/access-tokens/{accessTokenId}', isSessionOnly: true },
  listProviders: { method: 'GET', path: '/api/providers' },
  beginProviderSignIn: { method: 'POST', path: '/api/provider-sign-ins' },
  completeProviderSignIn: { method: 'PUT', path: '/api/provider-sign-ins' },
  beginProviderLink: { method: 'POST', path: '/api/provider-links', isSessionOnly: true },
  removeProviderLink: { method: 'DELETE', path: '/api/provider-links', isSessionOnly: true },
  requestSignUp: { method: 'POST', path: '/api/sign-ups' },
  createAccount: { method: 'POST', path: '/api/accounts' },
  requestPasswordReset: { method: 'POST', path: '/api/password-resets' },
  resetPassword: { method: 'PUT', path: '/api/password-resets' },
  requestEmailChange: { method: 'POST', path: '/api/email-changes', isSessionOnly: true },
  confirmEmailChange: { method: 'PUT', path: '/api/email-changes', isSessionOnly: true },
  undoEmailChange: { method: 'POST', path: '/api/email-changes/undo' },
  startDeviceSignIn: { method: 'POST', path: '/api/device-sign-ins' },
  pollDeviceSignIn: { method: 'POST', path: '/api/device-sign-ins/poll' },
  findDeviceSignIn: { method: 'POST', path: '/api/device-sign-ins/find', isSessionOnly: true },
  approveDeviceSignIn: { method: 'POST', path: '/api/organisations/{organisationId}/device-sign-ins', isSessionOnly: true },
  denyDeviceSignIn: { method: 'POST', path: '/api/device-sign-ins/deny', isSessionOnly: true },
  listMessages: { method: 'GET', path: '/api/operator/messages', query: ['limit', 'before', 'state'], isSessionOnly: true },
  getMessage: { method: 'GET', path: '/api/operator/messages/{messageId}', isSessionOnly: true },
  getSignUpPolicy: { method: 'GET', path: '/api/operator/sign-up-policy', isSessionOnly: true },
  setSignUpPolicy: { method: 'PUT', path: '/api/operator/sign-up-policy', isSessionOnly: true },
  listOrganisations: { method: 'GET', path: '/api/operator/organisations', query: ['limit', 'before'], isSessionOnly: true },
  suspendOrganisation: { method: 'POST', path: '/api/operator/organisations/{organisationId}/suspend', isSessionOnly: true },
  resumeOrganisation: { method: 'POST', path: '/api/operator/organisations/{organisationId}/resume', isSessionOnly: true },
  setQuotas: { method: 'PUT', path: '/api/operator/organisations/{organisationId}/quotas', isSessionOnly: true },
  listUnauthenticatedRequests: { method: 'GET', path: '/api/operator/unauthenticated-requests', query: ['environment', 'limit', 'before'], isSessionOnly: true },
  listUpstreamFailures: { method: 'GET', path: '/api/operator/upstream-failures', isSessionOnly: true },
  listRoles: { method: 'GET', path: '/api/roles', isSessionOnly: true },
  createOrganisation: { method: 'POST', path: '/api/organisations', isSessionOnly: true },
  updateOrganisation: { method: 'PATCH', path: '/api/organisations/{organisationId}' },
  leaveOrganisation: { method: 'POST', path: '/api/organisations/{organisationId}/leave', isSessionOnly: true },
  transferOwnership: { method: 'POST', path: '/api/organisations/{organisationId}/transfer', isSessionOnly: true },
  listMembers: { method: 'GET', path: '/api/organisations/{organisationId}/members', query: ['limit', 'cursor'], page: 'cursor' },
  changeMember: { method: 'PATCH', path: '/api/organisations/{organisationId}/members/{memberId}', isSessionOnly: true },
  removeMember: { method: 'POST', path: '/api/organisations/{organisationId}/members/{memberId}/remove', isSessionOnly: true },
  listInvitations: { method: 'GET', path: '/api/organisations/{organisationId}/invitations', query: ['limit', 'cursor'], page: 'cursor' },
  createInvitation: { method: 'POST', path: '/api/organisations/{organisationId}/invitations', isSessionOnly: true },
  revokeInvitation: { method: 'POST', path: '/api/organisations/{organisationId}/invitations/{invitationId}/revoke', isSessionOnly: true },
  acceptInvitation: { method: 'POST', path: '/api/invitations/accept', isSessionOnly: true },
  previewInvitation: { method: 'POST', path: '/api/invitations/preview' },
  deleteOrganisation: { method: 'POST', path: '/api/organisations/{organisationId}/delete', isSessionOnly: true },
  restoreOrganisation: { method: 'POST', path: '/api/organisations/{organisationId}/restore', isSessionOnly: true },
  getOrganisationDeletion: { method: 'GET', path: '/api/organisations/{organisationId}/deletion', isSessionOnly: true },
  exportOrganisation: { method: 'POST', path: '/api/organisations/{organisationId}/export', isText: true, isSessionOnly: true },
  listLiveAccess: { method: 'GET', path: '/api/organisations/{organisationId}/live-access', query: ['limit', 'cursor', 'appId', 'productionAppId'], page: 'cursor' },
  listLiveAccessRequests: { method: 'GET', path: '/api/organisations/{organisationId}/live-access-requests', query: ['limit', 'cursor', 'appId'], page: 'cursor' },
  createLiveAccessRequest: { method: 'POST', path: '/api/organisations/{organisationId}/live-access-requests', isSessionOnly: true },
  getLiveAccessRequest: { method: 'GET', path: '/api/organisations/{organisationId}/live-access-requests/{liveAccessRequestId}' },
  updateLiveAccessRequest: { method: 'PUT', path: '/api/organisations/{organisationId}/live-access-requests/{liveAccessRequestId}', isSessionOnly: true },
  submitLiveAccessRequest: { method: 'POST', path: '/api/organisations/{organisationId}/live-access-requests/{liveAccessRequestId}/submit', isSessionOnly: true },
  withdrawLiveAccessRequest: { method: 'POST', path: '/api/organisations/{organisationId}/live-access-requests/{liveAccessRequestId}/withdraw', isSessionOnly: true },
  readLiveAccessDecision: { method: 'POST', path: '/api/organisations/{organisationId}/live-access-requests/{liveAccessRequestId}/read', isSessionOnly: true },
  listLiveAccessReviews: { method: 'GET', path: '/api/operator/live-access-requests', query: ['limit', 'before', 'state'], isSessionOnly: true },
  getLiveAccessReview: { method: 'GET', path: '/api/operator/live-access-requests/{liveAccessRequestId}', isSessionOnly: true },
  requestLiveAccessChanges: { method: 'POST', path: '/api/operator/live-access-requests/{liveAccessRequestId}/request-changes', isSessionOnly: true },
  approveLiveAccess: { method: 'POST', path: '/api/operator/live-access-requests/{liveAccessRequestId}/approve', isSessionOnly: true },
  rejectLiveAccessRequest: { method: 'POST', path: '/api/operator/live-access-requests/{liveAccessRequestId}/reject', isSessionOnly: true },
  suspendLiveAccess: { method: 'POST', path: '/api/operator/live-access-requests/{liveAccessRequestId}/suspend', isSessionOnly: true },
  resumeLiveAccess: { method: 'POST', path: '/api/operator/live-access-requests/{liveAccessRequestId}/resume', isSessionOnly: true },
  revokeLiveAccess: { method: 'POST', path: '/api/operator/live-access-requests/{liveAccessRequestId}/revoke', isSessionOnly: true },
  getNoticeMailSettings: { method: 'GET', path: '/api/organisations/{organisationId}/notice-mail-settings' },
  setNoticeMailSettings: { method: 'PUT', path: '/api/organisations/{organisationId}/notice-mail-settings', isSessionOnly: true },
  listNoticeDestinations: { method: 'GET', path: '/api/organisations/{organisationId}/notice-destinations', query: ['limit', 'cursor'], page: 'cursor' },
  createNoticeDestination: { method: 'POST', path: '/api/organisations/{organisationId}/notice-destinations' },
  updateNoticeDestination: { method: 'PATCH', path: '/api/organisations/{organisationId}/notice-destinations/{destinationId}' },
  deleteNoticeDestination: { method: 'DELETE', path: '/api/organisations/{organisationId}/notice-destinations/{destinationId}' },
  testNoticeDestination: { method: 'POST', path: '/api/organisations/{organisationId}/notice-destinations/{destinationId}/test' },
  listEnvironments: { method: 'GET', path: '/api/environments' },
  listAuditLog: { method: 'GET', path: '/api/organisations/{organisationId}/audit-log', query: ['limit', 'cursor', 'entryId', 'actor', 'action', 'target', 'appId', 'from', 'to'], page: 'cursor' },
  exportAuditLog: { method: 'GET', path: '/api/organisations/{organisationId}/audit-log.ndjson', query: ['entryId', 'actor', 'action', 'target', 'appId', 'from', 'to'], isText: true },
  exportAuditTable: { method: 'GET', path: '/api/organisations/{organisationId}/audit-log.csv', query: ['entryId', 'actor', 'action', 'target', 'appId', 'from', 'to'], isText: true },
  listSavedViews: { method: 'GET', path: '/api/organisations/{organisationId}/saved-views' },
  saveView: { method: 'PUT', path: '/api/organisations/{organisationId}/saved-views', isSessionOnly: true },
  deleteSavedView: { method: 'DELETE', path: '/api/organisations/{organisationId}/saved-views/{savedViewId}', isSessionOnly: true },
  listApps: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps', query: ['limit', 'cursor'], page: 'cursor' },
  createApp: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps', isSandboxOnly: true },
  getApp: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}' },
  updateApp: { method: 'PATCH', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}' },
  suspendApp: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/suspend' },
  resumeApp: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/resume' },
  deleteApp: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/delete' },
  restoreApp: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/restore' },
  listKeys: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/keys', query: ['limit', 'cursor'], page: 'cursor' },
  createKey: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/keys' },
  updateKey: { method: 'PATCH', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/keys/{keyId}' },
  rotateKey: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/keys/{keyId}/rotate' },
  revokeKey: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/keys/{keyId}/revoke' },
  revokeKeysMadeBy: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/keys/revoke' },
  listNotices: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/notices', query: ['limit', 'cursor', 'unread'], page: 'cursor' },
  readNotice: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/notices/{noticeId}/read' },
  listInstallations: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/installations', query: ['limit', 'cursor'], page: 'cursor' },
  listInstallationChanges: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/installation-changes', query: ['limit', 'cursor', 'serverId', 'scope'], page: 'cursor' },
  changeInstallations: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/installation-changes' },
  explainAccess: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/access/{operationId}', query: ['keyId', 'serverId', 'eventType'] },
  setInstallation: { method: 'PUT', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/servers/{serverId}/installation' },
  setInstallationScope: { method: 'PUT', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/servers/{serverId}/installation/scopes/{scope}' },
  listEndpoints: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints', query: ['limit', 'cursor'], page: 'cursor' },
  createEndpoint: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints' },
  getEndpoint: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}' },
  updateEndpoint: { method: 'PATCH', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}' },
  deleteEndpoint: { method: 'DELETE', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}' },
  getAttemptHistogram: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/attempt-histogram', query: ['since', 'until', 'buckets'] },
  previewSchemaVersion: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/preview', query: ['type', 'schemaVersion'] },
  previewFilter: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/filter-previews' },
  sendTestEvent: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/test' },
  sendEvent: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/events/{eventId}/deliveries' },
  revealSigningSecret: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/secret/reveal' },
  rotateSigningSecret: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/secret/rotate' },
  endPreviousSecret: { method: 'DELETE', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/secret/previous' },
  diagnoseSignature: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/diagnose-signature' },
  listDeliveries: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/deliveries', query: ['limit', 'cursor', 'endpointId', 'status', 'redeliveryId', 'eventType', 'eventId', 'since', 'until'], page: 'cursor' },
  getDelivery: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/deliveries/{deliveryId}' },
  exchangeRelays: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/relays' },
  listDrills: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/drills', query: ['limit', 'cursor'], page: 'cursor' },
  createDrill: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/drills' },
  getDrill: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/drills/{drillId}' },
  redeliverDelivery: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/deliveries/{deliveryId}/redeliver' },
  listRedeliveries: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/redeliveries', query: ['limit', 'cursor'], page: 'cursor' },
  createRedelivery: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/redeliveries' },
  getRedelivery: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/redeliveries/{redeliveryId}' },
  updateRedelivery: { method: 'PATCH', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/redeliveries/{redeliveryId}' },
  listRequests: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/requests', query: ['limit', 'cursor', 'since', 'until', 'statusClass', 'status', 'code', 'operationId', 'method', 'keyId', 'serverId', 'requestId', 'traceId', 'minDurationMs', 'simulated', 'path'], page: 'cursor' },
  getRequest: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/requests/{requestId}' },
  getRequestGroups: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/request-groups', query: ['since', 'until', 'statusClass', 'status', 'code', 'operationId', 'method', 'keyId', 'serverId', 'requestId', 'traceId', 'minDurationMs', 'simulated', 'path'] },
  getRequestHistogram: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/request-histogram', query: ['since', 'until', 'statusClass', 'status', 'code', 'operationId', 'method', 'keyId', 'serverId', 'requestId', 'traceId', 'minDurationMs', 'simulated', 'path', 'buckets'] },
  getRequestValues: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/request-values', query: ['since', 'until'] },
  listRecordGaps: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/record-gaps' },
  forecastAccess: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/access-forecasts' },
  getKeyActivity: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/keys/{keyId}/activity', query: ['since', 'cursor'] },
  getTrace: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/traces/{tracedId}' },
  listAppEvents: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/events', query: ['limit', 'cursor', 'type', 'serverId', 'subject', 'since', 'until'], page: 'cursor' },
  getEventTypes: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/event-types' },
  getRequestSnippets: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/requests/{requestId}/snippets' },
  listDeprecatedUses: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/deprecated-uses' },
  answerDeprecation: { method: 'PUT', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/deprecated-uses/{deprecationId}/answer' },
  getEventScopes: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/event-scopes' },
  enforceEventScopes: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/event-scopes/enforce' },
  listAuditEntries: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/audit-entries', query: ['limit', 'before', 'after', 'entryId', 'actor', 'action', 'target', 'appId', 'from', 'to'] },
  listRevocationReceipts: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/revocation-receipts', query: ['limit', 'cursor', 'appId'], page: 'cursor' },
  getRevocationReceipt: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/revocation-receipts/{receiptId}' },
  getContract: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/contract' },
  getWorld: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/world', isSandboxOnly: true },
  resetWorld: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/world/reset', isSandboxOnly: true },
  setWorldClock: { method: 'PUT', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/world/clock', isSandboxOnly: true },
  triggerEvent: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/world/events', isSandboxOnly: true },
  listWorldObjects: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/world/objects', query: ['limit', 'cursor', 'kind', 'serverId'], page: 'cursor', isSandboxOnly: true },
  getWorldObject: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/world/objects/{objectId}', isSandboxOnly: true },
  createCall: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/calls', isSandboxOnly: true },
  replayRequest: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/requests/{requestId}/replay', isSandboxOnly: true },
  revealCapture: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/requests/{requestId}/capture/reveal', isSandboxOnly: true },
  getEvidence: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/evidence', isSandboxOnly: true },
  listFaults: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/faults', query: ['limit', 'cursor'], page: 'cursor', isSandboxOnly: true },
  createFault: { method: 'POST', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/faults', isSandboxOnly: true },
  updateFault: { method: 'PATCH', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/faults/{faultId}', isSandboxOnly: true },
  deleteFault: { method: 'DELETE', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/faults/{faultId}', isSandboxOnly: true },
  exportRequests: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/requests.ndjson', query: ['since', 'until', 'statusClass', 'status', 'code', 'operationId', 'method', 'keyId', 'serverId', 'requestId', 'traceId', 'minDurationMs', 'simulated', 'path'], isText: true },
  exportRequestTable: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/requests.csv', query: ['since', 'until', 'statusClass', 'status', 'code', 'operationId', 'method', 'keyId', 'serverId', 'requestId', 'traceId', 'minDurationMs', 'simulated', 'path'], isText: true },
} as const;

/** Operations that return a stream of events, which does not end by itself. */
export interface Streams {
  /** Tail requests. Streams the requests of the app as they are answered, accepted and refused, as server-sent events, with the filter of the list. The event `requests` has `{ data, missed }`. `data` are records as in the list. `missed` is null or, if the reader fell too far behind, `{ count, since, until }`: the number of omitted requests and the period in which the list returns them. `count` is null if the period began more than ten minutes ago. The `id` of an event is a resume position. Send it as `Last-Event-ID` or as `after`, with the same filter, to resume: no request is repeated, and every omission is reported in `missed`. A request that takes longer than three seconds appears up to two seconds late. A request that takes longer than 90 seconds does not appear. The permission to read is checked every second; the stream ends when it is revoked. Access: A member of the organisation. */
  tailRequests: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** Only requests of a status class: 4 for 4xx, 5 for 5xx. */
      statusClass?: number;
      /** Only requests with this status. */
      status?: number;
      /** Only requests that ended in this problem. */
      code?: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key' | 'wrong_environment' | 'missing_scope' | 'scope_not_authorised' | 'installation_paused' | 'installation_revoked' | 'app_suspended' | 'address_not_allowed' | 'browser_use' | 'invalid_request' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'quota_exceeded' | 'idempotency_in_progress' | 'gone' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'idempotency_key_reused' | 'workflow_input_invalid' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'upstream_invalid' | 'unavailable' | 'timeout' | 'sign_in_required' | 'sign_in_failed' | 'invalid_access_token' | 'access_token_not_allowed' | 'role_not_allowed' | 'invitation_not_yours' | 'invitation_used' | 'invitation_expired' | 'invitation_revoked' | 'cross_site_request' | 'email_not_verified' | 'second_factor_failed' | 'second_factor_required' | 'fresh_sign_in_required' | 'link_invalid' | 'provider_sign_in_failed' | 'provider_not_linked' | 'provider_link_taken' | 'sign_up_closed' | 'operator_required' | 'reviewer_not_independent' | 'organisation_suspended';
      /** Only requests of this operation; `none` selects requests that matched no operation. */
      operationId?: string;
      /** Only requests with this method. */
      method?: string;
      /** The key's identifier. */
      keyId?: string;
      /** The identifier of the server. */
      serverId?: string;
      /** Only requests of this trace (W3C Trace Context). */
      traceId?: string;
      /** Only requests with at least this duration. */
      minDurationMs?: number;
      /** True: only requests with a simulated fault. False: only requests without one. */
      simulated?: boolean;
      /** Only requests whose path contains this text. Case is ignored. */
      path?: string;
      /** Resume position: the `id` of the last received event. */
      after?: string;
    };
  };
  /** Follow changes. Streams, as server-sent events, which reads of the app have a new result. The event `changed` has `{ reads }`: the reads to fetch again. The first event names all reads. The `id` of an event is a resume position. Send it as `Last-Event-ID` or as `after` to resume: the stream reports the changes since then. You can change the reads when you resume; a new read counts as changed. A change that is reverted before the next check is not reported. For a list, only the requested page is compared. The permission to read is checked every second; the stream ends when it is revoked. You can follow a read whose resource does not exist, as long as the app exists. Access: A member of the organisation. */
  followChanges: {
    input: {
      /** The organisation's identifier. */
      organisationId: string;
      /** The app's identifier. */
      appId: string;
      /** The reads to follow, at most 10, separated by commas. Each is the address of a GET of this API relative to the address of the app, with its query. */
      reads?: string;
      /** Resume position: the `id` of the last received event. */
      after?: string;
    };
  };
}

export const streams = {
  tailRequests: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/request-tail', query: ['statusClass', 'status', 'code', 'operationId', 'method', 'keyId', 'serverId', 'traceId', 'minDurationMs', 'simulated', 'path', 'after'], isText: true },
  followChanges: { method: 'GET', path: '/api/sandbox/organisations/{organisationId}/apps/{appId}/changes', query: ['reads', 'after'], isText: true },
} as const;
