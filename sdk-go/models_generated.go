// Code generated from contract/openapi.json by npm run contract. DO NOT EDIT.

package slipway

import (
	"time"
)

// ApiCatalog: The APIs of this host (RFC 9727), as a set of links (RFC 9264).
type ApiCatalog struct {
	// One entry per API.
	Linkset []map[string]any `json:"linkset"`
}

// Category: The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added.
type Category string

const (
	CategoryQuestion Category = "question"
	CategoryBug      Category = "bug"
	CategoryFeedback Category = "feedback"
	CategoryBilling  Category = "billing"
	CategoryOther    Category = "other"
)

// Environment: The environment of the event. One of `sandbox`, `production`; more may be added.
type Environment string

const (
	EnvironmentSandbox    Environment = "sandbox"
	EnvironmentProduction Environment = "production"
)

// Event: An event of a server of the app. A webhook delivers the same bytes, in the schema version to which its
// endpoint is pinned.
type Event struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The type of the event. One of `publication.published`, `publication.updated`, `publication.archived`,
	// `roadmap.item_created`, `roadmap.item_moved`, `ticket.created`, `ticket.updated`, `ticket.closed`,
	// `workflow_run.started`, `workflow_run.succeeded`, `workflow_run.failed`, `server.updated`,
	// `installation.paused`, `installation.resumed`, `installation.scope_changed`, `ping`; more may be added.
	Type EventType `json:"type"`
	// The version of `data` for this type.
	SchemaVersion int `json:"schemaVersion"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The resource at the time of the event, in this schema version.
	Data map[string]any `json:"data"`
}

// EventList: A page of the feed.
type EventList struct {
	// Oldest first.
	Data []Event `json:"data"`
	// Cursor for the next events, now or after further events; null before the first event. The cursor also passes
	// events that are withheld from the app.
	NextAfter *string `json:"nextAfter"`
	// True if further events may follow `nextAfter`: continue to read, also after a page without events. False at
	// the end of the feed.
	HasMore bool `json:"hasMore"`
}

// EventSubject: The resource that the event is about.
type EventSubject struct {
	// The kind of resource.
	Type string `json:"type"`
	// The resource's identifier.
	ID string `json:"id"`
}

// EventType: The type of the event. One of `publication.published`, `publication.updated`,
// `publication.archived`, `roadmap.item_created`, `roadmap.item_moved`, `ticket.created`, `ticket.updated`,
// `ticket.closed`, `workflow_run.started`, `workflow_run.succeeded`, `workflow_run.failed`, `server.updated`,
// `installation.paused`, `installation.resumed`, `installation.scope_changed`, `ping`; more may be added.
type EventType string

const (
	EventTypePublicationPublished     EventType = "publication.published"
	EventTypePublicationUpdated       EventType = "publication.updated"
	EventTypePublicationArchived      EventType = "publication.archived"
	EventTypeRoadmapItemCreated       EventType = "roadmap.item_created"
	EventTypeRoadmapItemMoved         EventType = "roadmap.item_moved"
	EventTypeTicketCreated            EventType = "ticket.created"
	EventTypeTicketUpdated            EventType = "ticket.updated"
	EventTypeTicketClosed             EventType = "ticket.closed"
	EventTypeWorkflowRunStarted       EventType = "workflow_run.started"
	EventTypeWorkflowRunSucceeded     EventType = "workflow_run.succeeded"
	EventTypeWorkflowRunFailed        EventType = "workflow_run.failed"
	EventTypeServerUpdated            EventType = "server.updated"
	EventTypeInstallationPaused       EventType = "installation.paused"
	EventTypeInstallationResumed      EventType = "installation.resumed"
	EventTypeInstallationScopeChanged EventType = "installation.scope_changed"
	EventTypePing                     EventType = "ping"
)

// InstallationPausedV1: A server paused the app. In schema version 1.
type InstallationPausedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// Empty: the event has no resource.
	Data map[string]any `json:"data"`
}

// InstallationResumedV1: A server resumed the app after a pause. In schema version 1.
type InstallationResumedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// Empty: the event has no resource.
	Data map[string]any `json:"data"`
}

// InstallationScopeChangedV1: The scopes that a server grants to the app changed, individually or because the
// installation is new or was revoked. In schema version 1.
type InstallationScopeChangedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// The changed scopes of an installation, with the state of each before and after the change. A new or a revoked
	// installation changes each of its scopes.
	Data ScopeChange `json:"data"`
}

// LeakReport: A leaked key.
type LeakReport struct {
	// The complete key.
	Key string `json:"key"`
}

// LeakedKey: The current state of a key that was reported as leaked.
type LeakedKey struct {
	// The public half of the key's text.
	Kid string `json:"kid"`
	// The current state: `expired` if the key had expired before the report. One of `revoked`, `expired`; more may
	// be added.
	State LeakedKeyState `json:"state"`
}

// LeakedKeyState: The current state: `expired` if the key had expired before the report. One of `revoked`,
// `expired`; more may be added.
type LeakedKeyState string

const (
	LeakedKeyStateRevoked LeakedKeyState = "revoked"
	LeakedKeyStateExpired LeakedKeyState = "expired"
)

// Me: The calling key and its app.
type Me struct {
	// The environment of the key. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The key's identifier.
	KeyID string `json:"keyId"`
	// The public part of the key.
	Kid string `json:"kid"`
	// The effective scopes of the key.
	Scopes []Scope `json:"scopes"`
	// The expiry of the key.
	ExpiresAt time.Time `json:"expiresAt"`
}

// PingV1: A test event without a resource. In schema version 1.
type PingV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// Empty: the event has no resource.
	Data map[string]any `json:"data"`
}

// Priority: The priority. One of `low`, `normal`, `high`, `urgent`; more may be added.
type Priority string

const (
	PriorityLow    Priority = "low"
	PriorityNormal Priority = "normal"
	PriorityHigh   Priority = "high"
	PriorityUrgent Priority = "urgent"
)

// ProblemCode: The machine-readable code. One of `missing_key`, `invalid_key`, `expired_key`, `revoked_key`,
// `wrong_environment`, `missing_scope`, `scope_not_authorised`, `installation_paused`, `installation_revoked`,
// `app_suspended`, `address_not_allowed`, `browser_use`, `invalid_request`, `not_found`, `method_not_allowed`,
// `not_acceptable`, `request_timeout`, `conflict`, `quota_exceeded`, `idempotency_in_progress`, `gone`,
// `body_too_large`, `uri_too_long`, `unsupported_media_type`, `idempotency_key_reused`,
// `workflow_input_invalid`, `rate_limited`, `headers_too_large`, `internal_error`, `upstream_invalid`,
// `unavailable`, `timeout`; more may be added.
type ProblemCode string

const (
	ProblemCodeMissingKey            ProblemCode = "missing_key"
	ProblemCodeInvalidKey            ProblemCode = "invalid_key"
	ProblemCodeExpiredKey            ProblemCode = "expired_key"
	ProblemCodeRevokedKey            ProblemCode = "revoked_key"
	ProblemCodeWrongEnvironment      ProblemCode = "wrong_environment"
	ProblemCodeMissingScope          ProblemCode = "missing_scope"
	ProblemCodeScopeNotAuthorised    ProblemCode = "scope_not_authorised"
	ProblemCodeInstallationPaused    ProblemCode = "installation_paused"
	ProblemCodeInstallationRevoked   ProblemCode = "installation_revoked"
	ProblemCodeAppSuspended          ProblemCode = "app_suspended"
	ProblemCodeAddressNotAllowed     ProblemCode = "address_not_allowed"
	ProblemCodeBrowserUse            ProblemCode = "browser_use"
	ProblemCodeInvalidRequest        ProblemCode = "invalid_request"
	ProblemCodeNotFound              ProblemCode = "not_found"
	ProblemCodeMethodNotAllowed      ProblemCode = "method_not_allowed"
	ProblemCodeNotAcceptable         ProblemCode = "not_acceptable"
	ProblemCodeRequestTimeout        ProblemCode = "request_timeout"
	ProblemCodeConflict              ProblemCode = "conflict"
	ProblemCodeQuotaExceeded         ProblemCode = "quota_exceeded"
	ProblemCodeIdempotencyInProgress ProblemCode = "idempotency_in_progress"
	ProblemCodeGone                  ProblemCode = "gone"
	ProblemCodeBodyTooLarge          ProblemCode = "body_too_large"
	ProblemCodeUriTooLong            ProblemCode = "uri_too_long"
	ProblemCodeUnsupportedMediaType  ProblemCode = "unsupported_media_type"
	ProblemCodeIdempotencyKeyReused  ProblemCode = "idempotency_key_reused"
	ProblemCodeWorkflowInputInvalid  ProblemCode = "workflow_input_invalid"
	ProblemCodeRateLimited           ProblemCode = "rate_limited"
	ProblemCodeHeadersTooLarge       ProblemCode = "headers_too_large"
	ProblemCodeInternalError         ProblemCode = "internal_error"
	ProblemCodeUpstreamInvalid       ProblemCode = "upstream_invalid"
	ProblemCodeUnavailable           ProblemCode = "unavailable"
	ProblemCodeTimeout               ProblemCode = "timeout"
)

// ProblemError: A type of the contract.
type ProblemError struct {
	// JSON Pointer to the invalid part.
	Pointer string `json:"pointer"`
	// The expected value.
	Detail string `json:"detail"`
}

// Publication: A post in one of a community’s channels.
type Publication struct {
	// The identifier of the publication.
	ID string `json:"id"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The channel of the publication.
	Channel string `json:"channel"`
	// The headline.
	Title string `json:"title"`
	// The text, in Markdown (CommonMark).
	BodyMarkdown string `json:"bodyMarkdown"`
	// The status. Members see published publications, and archived ones on request. One of `draft`, `scheduled`,
	// `published`, `archived`; more may be added.
	Status PublicationStatus `json:"status"`
	// The name of the author.
	Author string `json:"author"`
	// The tags.
	Tags []string `json:"tags"`
	// The time of publication, in the future for a scheduled publication; null for a draft.
	PublishedAt *time.Time `json:"publishedAt"`
	// The creation time of the first draft.
	CreatedAt time.Time `json:"createdAt"`
}

// PublicationArchivedV1: A publication was archived. In schema version 1.
type PublicationArchivedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A post in one of a community’s channels.
	Data Publication `json:"data"`
}

// PublicationList: A page of publications.
type PublicationList struct {
	// Newest first.
	Data []Publication `json:"data"`
	// Cursor of the next page; null on the last page.
	NextCursor *string `json:"nextCursor"`
}

// PublicationPublishedV1: A publication was published. In schema version 1.
type PublicationPublishedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A post in one of a community’s channels.
	Data Publication `json:"data"`
}

// PublicationStatus: The status. Members see published publications, and archived ones on request. One of
// `draft`, `scheduled`, `published`, `archived`; more may be added.
type PublicationStatus string

const (
	PublicationStatusDraft     PublicationStatus = "draft"
	PublicationStatusScheduled PublicationStatus = "scheduled"
	PublicationStatusPublished PublicationStatus = "published"
	PublicationStatusArchived  PublicationStatus = "archived"
)

// PublicationUpdatedV1: A publication was edited. In schema version 1.
type PublicationUpdatedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A post in one of a community’s channels.
	Data Publication `json:"data"`
}

// ReceiptKeys: A JSON Web Key Set (RFC 7517).
type ReceiptKeys struct {
	// The current key, and all earlier keys that signed a receipt.
	Keys []ReceiptKeysKey `json:"keys"`
}

// ReceiptKeysKey: A type of the contract.
type ReceiptKeysKey struct {
	// The type of the key.
	Kty string `json:"kty"`
	// The curve of the key.
	Crv string `json:"crv"`
	// The public key in base64url.
	X string `json:"x"`
	// The identifier of the key: its thumbprint (RFC 7638).
	Kid string `json:"kid"`
	// The algorithm of its signatures.
	Alg string `json:"alg"`
	// The use of the key.
	Use string `json:"use"`
}

// RoadmapItem: A plan of a community.
type RoadmapItem struct {
	// The identifier of the roadmap item.
	ID string `json:"id"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The title, in one line.
	Title string `json:"title"`
	// The expected benefit.
	Description string `json:"description"`
	// The status. One of `idea`, `planned`, `in_progress`, `shipped`, `declined`; more may be added.
	Status RoadmapItemStatus `json:"status"`
	// The area of the community.
	Category string `json:"category"`
	// The place on the board, from 0 at the top.
	Position int `json:"position"`
	// The number of members who voted for the item.
	VoteCount int `json:"voteCount"`
	// The planned quarter, for example `2027-Q1`; null without a plan.
	TargetQuarter *string `json:"targetQuarter"`
	// The creation time.
	CreatedAt time.Time `json:"createdAt"`
}

// RoadmapItemCreatedV1: A roadmap item was created. In schema version 1.
type RoadmapItemCreatedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A plan of a community.
	Data RoadmapItem `json:"data"`
}

// RoadmapItemList: A page of roadmap items.
type RoadmapItemList struct {
	// Newest first.
	Data []RoadmapItem `json:"data"`
	// Cursor of the next page; null on the last page.
	NextCursor *string `json:"nextCursor"`
}

// RoadmapItemMovedV1: A roadmap item moved to another status. In schema version 1.
type RoadmapItemMovedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A plan of a community.
	Data RoadmapItem `json:"data"`
}

// RoadmapItemStatus: The status. One of `idea`, `planned`, `in_progress`, `shipped`, `declined`; more may be
// added.
type RoadmapItemStatus string

const (
	RoadmapItemStatusIdea       RoadmapItemStatus = "idea"
	RoadmapItemStatusPlanned    RoadmapItemStatus = "planned"
	RoadmapItemStatusInProgress RoadmapItemStatus = "in_progress"
	RoadmapItemStatusShipped    RoadmapItemStatus = "shipped"
	RoadmapItemStatusDeclined   RoadmapItemStatus = "declined"
)

// Scope: A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`,
// `workflows:run`; more may be added.
type Scope string

const (
	ScopeServersRead      Scope = "servers:read"
	ScopePublicationsRead Scope = "publications:read"
	ScopeEventsRead       Scope = "events:read"
	ScopeRoadmapRead      Scope = "roadmap:read"
	ScopeTicketsCreate    Scope = "tickets:create"
	ScopeWorkflowsRun     Scope = "workflows:run"
)

// ScopeChange: The changed scopes of an installation, with the state of each before and after the change. A new
// or a revoked installation changes each of its scopes.
type ScopeChange struct {
	// The changed scopes.
	Scopes []Scope `json:"scopes"`
	// The state of each scope in `scopes`. A scope that was never granted is `revoked`.
	From ScopeStates `json:"from"`
	// The state of each scope in `scopes`. A scope that was never granted is `revoked`.
	To ScopeStates `json:"to"`
}

// ScopeGrant: The grant of one scope by a server.
type ScopeGrant struct {
	// A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`,
	// `workflows:run`; more may be added.
	Scope Scope `json:"scope"`
	// `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of
	// `authorised`, `paused`, `revoked`; more may be added.
	State ScopeGrantState `json:"state"`
}

// ScopeGrantState: `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is
// final. One of `authorised`, `paused`, `revoked`; more may be added.
type ScopeGrantState string

const (
	ScopeGrantStateAuthorised ScopeGrantState = "authorised"
	ScopeGrantStatePaused     ScopeGrantState = "paused"
	ScopeGrantStateRevoked    ScopeGrantState = "revoked"
)

// ScopeStates: The state of each scope in `scopes`. A scope that was never granted is `revoked`.
type ScopeStates map[string]ScopeGrantState

// SecretScanningFeedback: The classification of the matches. Keys of the other environment are omitted, because
// GitHub reports them there.
type SecretScanningFeedback []SecretScanningFeedbackItem

// SecretScanningFeedbackItem: The classification of a match.
type SecretScanningFeedbackItem struct {
	// SHA-256 of the token, in hex.
	TokenHash string `json:"token_hash"`
	// The type that GitHub assigned.
	TokenType string `json:"token_type"`
	// `true_positive`: the token is a key of this environment. One of `true_positive`, `false_positive`; more may be
	// added.
	Label SecretScanningFeedbackItemLabel `json:"label"`
}

// SecretScanningFeedbackItemLabel: `true_positive`: the token is a key of this environment. One of
// `true_positive`, `false_positive`; more may be added.
type SecretScanningFeedbackItemLabel string

const (
	SecretScanningFeedbackItemLabelTruePositive  SecretScanningFeedbackItemLabel = "true_positive"
	SecretScanningFeedbackItemLabelFalsePositive SecretScanningFeedbackItemLabel = "false_positive"
)

// SecretScanningMatches: The tokens that GitHub found.
type SecretScanningMatches []SecretScanningMatchesItem

// SecretScanningMatchesItem: A token that resembles a key.
type SecretScanningMatchesItem struct {
	// The token that GitHub found.
	Token string `json:"token"`
	// The type that GitHub assigned.
	Type string `json:"type"`
	// The address of the location; may be empty.
	URL string `json:"url,omitempty"`
	// The kind of the location.
	Source string `json:"source,omitempty"`
}

// Server: A community on a chat platform.
type Server struct {
	// The identifier of the server.
	ID string `json:"id"`
	// The display name.
	Name string `json:"name"`
	// The name in addresses.
	Slug string `json:"slug"`
	// The description of the community.
	Description string `json:"description"`
	// The address of the icon.
	IconURL string `json:"iconUrl"`
	// The language (BCP 47).
	Locale string `json:"locale"`
	// The time zone (IANA).
	Timezone string `json:"timezone"`
	// The number of members.
	MemberCount int `json:"memberCount"`
	// The creation time of the community.
	CreatedAt time.Time `json:"createdAt"`
	// The installation of this app on the server.
	Installation ServerInstallation `json:"installation"`
}

// ServerInstallation: The installation of this app on the server.
type ServerInstallation struct {
	// The identifier of the installation.
	ID string `json:"id"`
	// `authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of
	// `authorised`, `paused`, `revoked`; more may be added.
	State ScopeGrantState `json:"state"`
	// Every scope that the server has granted in this installation.
	Scopes []ScopeGrant `json:"scopes"`
}

// ServerList: A page of servers.
type ServerList struct {
	// Newest first.
	Data []Server `json:"data"`
	// Cursor of the next page; null on the last page.
	NextCursor *string `json:"nextCursor"`
}

// ServerUpdatedV1: The description of a server or its number of members changed. In schema version 1.
type ServerUpdatedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A community on a chat platform.
	Data Server `json:"data"`
}

// Ticket: A ticket that this app created. In the sandbox, also a ticket of the sandbox data or of a triggered
// event.
type Ticket struct {
	// The identifier of the ticket.
	ID string `json:"id"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the ticket on its server.
	Number int `json:"number"`
	// The subject, in one line.
	Subject string `json:"subject"`
	// The full text.
	Body string `json:"body"`
	// The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added.
	Category Category `json:"category"`
	// The priority. One of `low`, `normal`, `high`, `urgent`; more may be added.
	Priority Priority `json:"priority"`
	// The status. One of `open`, `pending`, `resolved`, `closed`; more may be added.
	Status TicketStatus `json:"status"`
	// The requester.
	Requester *TicketRequester `json:"requester"`
	// The labels that you assign.
	Labels []string `json:"labels"`
	// Names and values that you assign. They are stored unchanged.
	Metadata map[string]string `json:"metadata"`
	// The creation time.
	CreatedAt time.Time `json:"createdAt"`
}

// TicketClosedV1: A ticket was closed. In schema version 1.
type TicketClosedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A ticket that this app created. In the sandbox, also a ticket of the sandbox data or of a triggered event.
	Data Ticket `json:"data"`
}

// TicketCreatedDataV1: A ticket at its creation.
type TicketCreatedDataV1 struct {
	// The identifier of the ticket.
	ID string `json:"id"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the ticket on its server.
	Number int `json:"number"`
	// The subject, in one line.
	Subject string `json:"subject"`
	// The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added.
	Category Category `json:"category"`
	// The priority. One of `low`, `normal`, `high`, `urgent`; more may be added.
	Priority Priority `json:"priority"`
	// The status. One of `open`, `pending`, `resolved`, `closed`; more may be added.
	Status TicketStatus `json:"status"`
	// The labels that you assign.
	Labels []string `json:"labels"`
	// Names and values that you assign. They are stored unchanged.
	Metadata map[string]string `json:"metadata"`
	// The creation time.
	CreatedAt time.Time `json:"createdAt"`
	// The full text.
	Body string `json:"body"`
	// The requester.
	Requester *TicketCreatedDataV1Requester `json:"requester"`
}

// TicketCreatedDataV1Requester: The requester.
type TicketCreatedDataV1Requester struct {
	// The name.
	Name string `json:"name"`
	// The identifier in your system.
	ExternalID string `json:"externalId,omitempty"`
}

// TicketCreatedDataV2: A ticket at its creation. `body` is called `bodyMarkdown`, as in publications, and the
// requester’s `externalId` is called `reference`.
type TicketCreatedDataV2 struct {
	// The identifier of the ticket.
	ID string `json:"id"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the ticket on its server.
	Number int `json:"number"`
	// The subject, in one line.
	Subject string `json:"subject"`
	// The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added.
	Category Category `json:"category"`
	// The priority. One of `low`, `normal`, `high`, `urgent`; more may be added.
	Priority Priority `json:"priority"`
	// The status. One of `open`, `pending`, `resolved`, `closed`; more may be added.
	Status TicketStatus `json:"status"`
	// The labels that you assign.
	Labels []string `json:"labels"`
	// Names and values that you assign. They are stored unchanged.
	Metadata map[string]string `json:"metadata"`
	// The creation time.
	CreatedAt time.Time `json:"createdAt"`
	// The full text.
	BodyMarkdown string `json:"bodyMarkdown"`
	// The requester.
	Requester *TicketCreatedDataV2Requester `json:"requester"`
}

// TicketCreatedDataV2Requester: The requester.
type TicketCreatedDataV2Requester struct {
	// The name.
	Name string `json:"name"`
	// The identifier in your system.
	Reference string `json:"reference,omitempty"`
}

// TicketCreatedV1: A ticket was created. In schema version 1.
type TicketCreatedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A ticket at its creation.
	Data TicketCreatedDataV1 `json:"data"`
}

// TicketCreatedV2: A ticket was created. In schema version 2.
type TicketCreatedV2 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A ticket at its creation. `body` is called `bodyMarkdown`, as in publications, and the requester’s
	// `externalId` is called `reference`.
	Data TicketCreatedDataV2 `json:"data"`
}

// TicketInput: A ticket to create. The category defaults to `question` and the priority to `normal`.
type TicketInput struct {
	// The subject, in one line.
	Subject string `json:"subject"`
	// The full text.
	Body string `json:"body"`
	// The category.
	Category Category `json:"category,omitempty"`
	// The priority.
	Priority Priority `json:"priority,omitempty"`
	// The requester.
	Requester *TicketRequesterInput `json:"requester,omitempty"`
	// The labels that you assign.
	Labels []string `json:"labels,omitempty"`
	// Names and values that you assign. They are stored unchanged.
	Metadata map[string]string `json:"metadata,omitempty"`
}

// TicketList: A page of tickets.
type TicketList struct {
	// Newest first.
	Data []Ticket `json:"data"`
	// Cursor of the next page; null on the last page.
	NextCursor *string `json:"nextCursor"`
}

// TicketRequester: The requester.
type TicketRequester struct {
	// The name.
	Name string `json:"name"`
	// The identifier in your system.
	Reference string `json:"reference,omitempty"`
	// The deprecated name of `reference`. Deprecated.
	ExternalID string `json:"externalId,omitempty"`
}

// TicketRequesterInput: The requester.
type TicketRequesterInput struct {
	// The name.
	Name string `json:"name"`
	// The identifier in your system.
	Reference string `json:"reference,omitempty"`
	// The deprecated name of `reference`. Deprecated.
	ExternalID string `json:"externalId,omitempty"`
}

// TicketStatus: The status. One of `open`, `pending`, `resolved`, `closed`; more may be added.
type TicketStatus string

const (
	TicketStatusOpen     TicketStatus = "open"
	TicketStatusPending  TicketStatus = "pending"
	TicketStatusResolved TicketStatus = "resolved"
	TicketStatusClosed   TicketStatus = "closed"
)

// TicketUpdatedV1: A ticket was answered or resolved. In schema version 1.
type TicketUpdatedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A ticket that this app created. In the sandbox, also a ticket of the sandbox data or of a triggered event.
	Data Ticket `json:"data"`
}

// Workflow: A procedure that a community’s team has prepared and allows apps to run.
type Workflow struct {
	// The identifier of the workflow.
	ID string `json:"id"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The name.
	Name string `json:"name"`
	// The effect of a run.
	Description string `json:"description"`
	// The JSON Schema (2020-12) of a run’s input.
	InputSchema map[string]any `json:"inputSchema"`
	// True if the workflow can be run.
	Enabled bool `json:"enabled"`
	// The creation time.
	CreatedAt time.Time `json:"createdAt"`
}

// WorkflowInput: The input of the run. It must match the workflow’s schema.
type WorkflowInput map[string]any

// WorkflowList: A page of workflows.
type WorkflowList struct {
	// Newest first.
	Data []Workflow `json:"data"`
	// Cursor of the next page; null on the last page.
	NextCursor *string `json:"nextCursor"`
}

// WorkflowRun: A run of a workflow.
type WorkflowRun struct {
	// The identifier of the run.
	ID string `json:"id"`
	// The identifier of the workflow.
	WorkflowID string `json:"workflowId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The status. One of `queued`, `running`, `succeeded`, `failed`; more may be added.
	Status WorkflowRunStatus `json:"status"`
	// The input of the run. It must match the workflow’s schema.
	Input WorkflowInput `json:"input"`
	// The output of a succeeded run, or null.
	Output map[string]any `json:"output"`
	// The steps, in the order of execution.
	Steps []WorkflowRunStep `json:"steps"`
	// The creation time.
	CreatedAt time.Time `json:"createdAt"`
	// The end time, or null before the end.
	FinishedAt *time.Time `json:"finishedAt"`
}

// WorkflowRunFailedV1: A workflow run failed. In schema version 1.
type WorkflowRunFailedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A run of a workflow.
	Data WorkflowRun `json:"data"`
}

// WorkflowRunInput: A run to begin.
type WorkflowRunInput struct {
	// The input of the run. It must match the workflow’s schema.
	Input WorkflowInput `json:"input"`
}

// WorkflowRunStartedV1: A workflow run started. In schema version 1.
type WorkflowRunStartedV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A run of a workflow.
	Data WorkflowRun `json:"data"`
}

// WorkflowRunStatus: The status. One of `queued`, `running`, `succeeded`, `failed`; more may be added.
type WorkflowRunStatus string

const (
	WorkflowRunStatusQueued    WorkflowRunStatus = "queued"
	WorkflowRunStatusRunning   WorkflowRunStatus = "running"
	WorkflowRunStatusSucceeded WorkflowRunStatus = "succeeded"
	WorkflowRunStatusFailed    WorkflowRunStatus = "failed"
)

// WorkflowRunStep: A step of a run.
type WorkflowRunStep struct {
	// The name.
	Name string `json:"name"`
	// The status. The steps after a failed step are skipped. One of `waiting`, `running`, `succeeded`, `failed`,
	// `skipped`; more may be added.
	Status WorkflowRunStepStatus `json:"status"`
	// The start time, or null before the start.
	StartedAt *time.Time `json:"startedAt"`
	// The end time, or null before the end.
	FinishedAt *time.Time `json:"finishedAt"`
}

// WorkflowRunStepStatus: The status. The steps after a failed step are skipped. One of `waiting`, `running`,
// `succeeded`, `failed`, `skipped`; more may be added.
type WorkflowRunStepStatus string

const (
	WorkflowRunStepStatusWaiting   WorkflowRunStepStatus = "waiting"
	WorkflowRunStepStatusRunning   WorkflowRunStepStatus = "running"
	WorkflowRunStepStatusSucceeded WorkflowRunStepStatus = "succeeded"
	WorkflowRunStepStatusFailed    WorkflowRunStepStatus = "failed"
	WorkflowRunStepStatusSkipped   WorkflowRunStepStatus = "skipped"
)

// WorkflowRunSucceededV1: A workflow run succeeded. In schema version 1.
type WorkflowRunSucceededV1 struct {
	// The identifier of the event, identical in the feed and in every delivery.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurredAt"`
	// The environment of the event. One of `sandbox`, `production`; more may be added.
	Environment Environment `json:"environment"`
	// The app's identifier.
	AppID string `json:"appId"`
	// The identifier of the server.
	ServerID string `json:"serverId"`
	// The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet.
	Sequence int `json:"sequence"`
	// The request that caused the event, or null.
	RequestID *string `json:"requestId"`
	// The type of the event.
	Type string `json:"type"`
	// The version of `data`.
	SchemaVersion int `json:"schemaVersion"`
	// The resource that the event is about.
	Subject EventSubject `json:"subject"`
	// A run of a workflow.
	Data WorkflowRun `json:"data"`
}

// Info returns the fields that all events have.
func (e *InstallationPausedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *InstallationResumedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *InstallationScopeChangedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *PingV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *PublicationArchivedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *PublicationPublishedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *PublicationUpdatedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *RoadmapItemCreatedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *RoadmapItemMovedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *ServerUpdatedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *TicketClosedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *TicketCreatedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *TicketCreatedV2) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *TicketUpdatedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *WorkflowRunFailedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *WorkflowRunStartedV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// Info returns the fields that all events have.
func (e *WorkflowRunSucceededV1) Info() EventInfo {
	return EventInfo{Type: EventType(e.Type), ID: e.ID, SchemaVersion: e.SchemaVersion, OccurredAt: e.OccurredAt, Environment: e.Environment, AppID: e.AppID, ServerID: e.ServerID, Subject: e.Subject, Sequence: e.Sequence, RequestID: e.RequestID}
}

// newEvent returns an empty event of a type in a schema version.
func newEvent(key eventKey) WebhookEvent {
	switch key {
	case eventKey{"installation.paused", 1}:
		return &InstallationPausedV1{}
	case eventKey{"installation.resumed", 1}:
		return &InstallationResumedV1{}
	case eventKey{"installation.scope_changed", 1}:
		return &InstallationScopeChangedV1{}
	case eventKey{"ping", 1}:
		return &PingV1{}
	case eventKey{"publication.archived", 1}:
		return &PublicationArchivedV1{}
	case eventKey{"publication.published", 1}:
		return &PublicationPublishedV1{}
	case eventKey{"publication.updated", 1}:
		return &PublicationUpdatedV1{}
	case eventKey{"roadmap.item_created", 1}:
		return &RoadmapItemCreatedV1{}
	case eventKey{"roadmap.item_moved", 1}:
		return &RoadmapItemMovedV1{}
	case eventKey{"server.updated", 1}:
		return &ServerUpdatedV1{}
	case eventKey{"ticket.closed", 1}:
		return &TicketClosedV1{}
	case eventKey{"ticket.created", 1}:
		return &TicketCreatedV1{}
	case eventKey{"ticket.created", 2}:
		return &TicketCreatedV2{}
	case eventKey{"ticket.updated", 1}:
		return &TicketUpdatedV1{}
	case eventKey{"workflow_run.failed", 1}:
		return &WorkflowRunFailedV1{}
	case eventKey{"workflow_run.started", 1}:
		return &WorkflowRunStartedV1{}
	case eventKey{"workflow_run.succeeded", 1}:
		return &WorkflowRunSucceededV1{}
	}
	return &UnknownEvent{}
}
