# Generated from contract/openapi.json by `npm run contract`. Do not edit.
"""Types of the API. A newer API can return further fields, which are ignored, and further values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Literal, Union

from ._events import UnknownEvent

__all__ = [
    "ApiCatalog",
    "Category",
    "Environment",
    "Event",
    "EventList",
    "EventSubject",
    "EventType",
    "InstallationPausedV1",
    "InstallationResumedV1",
    "InstallationScopeChangedV1",
    "LeakReport",
    "LeakedKey",
    "LeakedKeyState",
    "Me",
    "PingV1",
    "Priority",
    "Problem",
    "ProblemCode",
    "ProblemError",
    "Publication",
    "PublicationArchivedV1",
    "PublicationList",
    "PublicationPublishedV1",
    "PublicationStatus",
    "PublicationUpdatedV1",
    "ReceiptKeys",
    "ReceiptKeysKey",
    "RoadmapItem",
    "RoadmapItemCreatedV1",
    "RoadmapItemList",
    "RoadmapItemMovedV1",
    "RoadmapItemStatus",
    "Scope",
    "ScopeChange",
    "ScopeGrant",
    "ScopeGrantState",
    "ScopeStates",
    "SecretScanningFeedback",
    "SecretScanningFeedbackItem",
    "SecretScanningFeedbackItemLabel",
    "SecretScanningMatches",
    "SecretScanningMatchesItem",
    "Server",
    "ServerInstallation",
    "ServerList",
    "ServerUpdatedV1",
    "Ticket",
    "TicketClosedV1",
    "TicketCreatedDataV1",
    "TicketCreatedDataV1Requester",
    "TicketCreatedDataV2",
    "TicketCreatedDataV2Requester",
    "TicketCreatedV1",
    "TicketCreatedV2",
    "TicketInput",
    "TicketList",
    "TicketRequester",
    "TicketRequesterInput",
    "TicketStatus",
    "TicketUpdatedV1",
    "WebhookEvent",
    "Workflow",
    "WorkflowInput",
    "WorkflowList",
    "WorkflowRun",
    "WorkflowRunFailedV1",
    "WorkflowRunInput",
    "WorkflowRunStartedV1",
    "WorkflowRunStatus",
    "WorkflowRunStep",
    "WorkflowRunStepStatus",
    "WorkflowRunSucceededV1",
]

Category = Literal[
    "question",
    "bug",
    "feedback",
    "billing",
    "other",
]
"""The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added."""

Environment = Literal[
    "sandbox",
    "production",
]
"""The environment of the event. One of `sandbox`, `production`; more may be added."""

EventType = Literal[
    "publication.published",
    "publication.updated",
    "publication.archived",
    "roadmap.item_created",
    "roadmap.item_moved",
    "ticket.created",
    "ticket.updated",
    "ticket.closed",
    "workflow_run.started",
    "workflow_run.succeeded",
    "workflow_run.failed",
    "server.updated",
    "installation.paused",
    "installation.resumed",
    "installation.scope_changed",
    "ping",
]
"""The type of the event. One of `publication.published`, `publication.updated`, `publication.archived`,
`roadmap.item_created`, `roadmap.item_moved`, `ticket.created`, `ticket.updated`, `ticket.closed`,
`workflow_run.started`, `workflow_run.succeeded`, `workflow_run.failed`, `server.updated`,
`installation.paused`, `installation.resumed`, `installation.scope_changed`, `ping`; more may be added.
"""

LeakedKeyState = Literal[
    "revoked",
    "expired",
]
"""The current state: `expired` if the key had expired before the report. One of `revoked`, `expired`; more may
be added.
"""

Priority = Literal[
    "low",
    "normal",
    "high",
    "urgent",
]
"""The priority. One of `low`, `normal`, `high`, `urgent`; more may be added."""

ProblemCode = Literal[
    "missing_key",
    "invalid_key",
    "expired_key",
    "revoked_key",
    "wrong_environment",
    "missing_scope",
    "scope_not_authorised",
    "installation_paused",
    "installation_revoked",
    "app_suspended",
    "address_not_allowed",
    "browser_use",
    "invalid_request",
    "not_found",
    "method_not_allowed",
    "not_acceptable",
    "request_timeout",
    "conflict",
    "quota_exceeded",
    "idempotency_in_progress",
    "gone",
    "body_too_large",
    "uri_too_long",
    "unsupported_media_type",
    "idempotency_key_reused",
    "workflow_input_invalid",
    "rate_limited",
    "headers_too_large",
    "internal_error",
    "upstream_invalid",
    "unavailable",
    "timeout",
]
"""The machine-readable code. One of `missing_key`, `invalid_key`, `expired_key`, `revoked_key`,
`wrong_environment`, `missing_scope`, `scope_not_authorised`, `installation_paused`, `installation_revoked`,
`app_suspended`, `address_not_allowed`, `browser_use`, `invalid_request`, `not_found`, `method_not_allowed`,
`not_acceptable`, `request_timeout`, `conflict`, `quota_exceeded`, `idempotency_in_progress`, `gone`,
`body_too_large`, `uri_too_long`, `unsupported_media_type`, `idempotency_key_reused`,
`workflow_input_invalid`, `rate_limited`, `headers_too_large`, `internal_error`, `upstream_invalid`,
`unavailable`, `timeout`; more may be added.
"""

PublicationStatus = Literal[
    "draft",
    "scheduled",
    "published",
    "archived",
]
"""The status. Members see published publications, and archived ones on request. One of `draft`, `scheduled`,
`published`, `archived`; more may be added.
"""

RoadmapItemStatus = Literal[
    "idea",
    "planned",
    "in_progress",
    "shipped",
    "declined",
]
"""The status. One of `idea`, `planned`, `in_progress`, `shipped`, `declined`; more may be added."""

Scope = Literal[
    "servers:read",
    "publications:read",
    "events:read",
    "roadmap:read",
    "tickets:create",
    "workflows:run",
]
"""A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`,
`workflows:run`; more may be added.
"""

ScopeGrantState = Literal[
    "authorised",
    "paused",
    "revoked",
]
"""`authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of
`authorised`, `paused`, `revoked`; more may be added.
"""

SecretScanningFeedbackItemLabel = Literal[
    "true_positive",
    "false_positive",
]
"""`true_positive`: the token is a key of this environment. One of `true_positive`, `false_positive`; more may be
added.
"""

TicketStatus = Literal[
    "open",
    "pending",
    "resolved",
    "closed",
]
"""The status. One of `open`, `pending`, `resolved`, `closed`; more may be added."""

WorkflowRunStatus = Literal[
    "queued",
    "running",
    "succeeded",
    "failed",
]
"""The status. One of `queued`, `running`, `succeeded`, `failed`; more may be added."""

WorkflowRunStepStatus = Literal[
    "waiting",
    "running",
    "succeeded",
    "failed",
    "skipped",
]
"""The status. The steps after a failed step are skipped. One of `waiting`, `running`, `succeeded`, `failed`,
`skipped`; more may be added.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiCatalog:
    """The APIs of this host (RFC 9727), as a set of links (RFC 9264)."""

    linkset: list[dict[str, Any]]
    """One entry per API."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """An event of a server of the app. A webhook delivers the same bytes, in the schema version to which its
    endpoint is pinned.
    """

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    type: EventType
    """The type of the event. One of `publication.published`, `publication.updated`, `publication.archived`,
    `roadmap.item_created`, `roadmap.item_moved`, `ticket.created`, `ticket.updated`, `ticket.closed`,
    `workflow_run.started`, `workflow_run.succeeded`, `workflow_run.failed`, `server.updated`,
    `installation.paused`, `installation.resumed`, `installation.scope_changed`, `ping`; more may be added.
    """
    schema_version: int
    """The version of `data` for this type."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    subject: EventSubject
    """The resource that the event is about."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    data: dict[str, Any]
    """The resource at the time of the event, in this schema version."""

    _json_names: ClassVar[dict[str, str]] = {"schema_version": "schemaVersion", "occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId"}


@dataclass(frozen=True, kw_only=True, slots=True)
class EventList:
    """A page of the feed."""

    data: list[Event]
    """Oldest first."""
    next_after: str | None
    """Cursor for the next events, now or after further events; null before the first event. The cursor also
    passes events that are withheld from the app.
    """
    has_more: bool
    """True if further events may follow `nextAfter`: continue to read, also after a page without events. False
    at the end of the feed.
    """

    _json_names: ClassVar[dict[str, str]] = {"next_after": "nextAfter", "has_more": "hasMore"}


@dataclass(frozen=True, kw_only=True, slots=True)
class EventSubject:
    """The resource that the event is about."""

    type: str
    """The kind of resource."""
    id: str
    """The resource's identifier."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InstallationPausedV1:
    """A server paused the app. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["installation.paused"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: dict[str, Any]
    """Empty: the event has no resource."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class InstallationResumedV1:
    """A server resumed the app after a pause. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["installation.resumed"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: dict[str, Any]
    """Empty: the event has no resource."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class InstallationScopeChangedV1:
    """The scopes that a server grants to the app changed, individually or because the installation is new or was
    revoked. In schema version 1.
    """

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["installation.scope_changed"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: ScopeChange
    """The changed scopes of an installation, with the state of each before and after the change. A new or a
    revoked installation changes each of its scopes.
    """

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class LeakReport:
    """A leaked key."""

    key: str
    """The complete key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LeakedKey:
    """The current state of a key that was reported as leaked."""

    kid: str
    """The public half of the key's text."""
    state: LeakedKeyState
    """The current state: `expired` if the key had expired before the report. One of `revoked`, `expired`; more
    may be added.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class Me:
    """The calling key and its app."""

    environment: Environment
    """The environment of the key. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    key_id: str
    """The key's identifier."""
    kid: str
    """The public part of the key."""
    scopes: list[Scope]
    """The effective scopes of the key."""
    expires_at: datetime
    """The expiry of the key."""

    _json_names: ClassVar[dict[str, str]] = {"app_id": "appId", "key_id": "keyId", "expires_at": "expiresAt"}


@dataclass(frozen=True, kw_only=True, slots=True)
class PingV1:
    """A test event without a resource. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["ping"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: dict[str, Any]
    """Empty: the event has no resource."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """A problem (RFC 9457)."""

    type: str
    """The address of the page about this problem."""
    title: str
    """A short title."""
    status: int
    """The HTTP status."""
    code: ProblemCode
    """The machine-readable code. One of `missing_key`, `invalid_key`, `expired_key`, `revoked_key`,
    `wrong_environment`, `missing_scope`, `scope_not_authorised`, `installation_paused`,
    `installation_revoked`, `app_suspended`, `address_not_allowed`, `browser_use`, `invalid_request`,
    `not_found`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `conflict`, `quota_exceeded`,
    `idempotency_in_progress`, `gone`, `body_too_large`, `uri_too_long`, `unsupported_media_type`,
    `idempotency_key_reused`, `workflow_input_invalid`, `rate_limited`, `headers_too_large`, `internal_error`,
    `upstream_invalid`, `unavailable`, `timeout`; more may be added.
    """
    request_id: str
    """The request."""
    detail: str | None = None
    """The error in this case, or the fix. `missing_scope` has none."""
    errors: list[ProblemError] | None = None
    """Each invalid part of the request."""

    _json_names: ClassVar[dict[str, str]] = {"request_id": "requestId"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ProblemError:
    pointer: str
    """JSON Pointer to the invalid part."""
    detail: str
    """The expected value."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Publication:
    """A post in one of a community’s channels."""

    id: str
    """The identifier of the publication."""
    server_id: str
    """The identifier of the server."""
    channel: str
    """The channel of the publication."""
    title: str
    """The headline."""
    body_markdown: str
    """The text, in Markdown (CommonMark)."""
    status: PublicationStatus
    """The status. Members see published publications, and archived ones on request. One of `draft`, `scheduled`,
    `published`, `archived`; more may be added.
    """
    author: str
    """The name of the author."""
    tags: list[str]
    """The tags."""
    published_at: datetime | None
    """The time of publication, in the future for a scheduled publication; null for a draft."""
    created_at: datetime
    """The creation time of the first draft."""

    _json_names: ClassVar[dict[str, str]] = {"server_id": "serverId", "body_markdown": "bodyMarkdown", "published_at": "publishedAt", "created_at": "createdAt"}


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicationArchivedV1:
    """A publication was archived. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["publication.archived"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: Publication
    """A post in one of a community’s channels."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicationList:
    """A page of publications."""

    data: list[Publication]
    """Newest first."""
    next_cursor: str | None
    """Cursor of the next page; null on the last page."""

    _json_names: ClassVar[dict[str, str]] = {"next_cursor": "nextCursor"}


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicationPublishedV1:
    """A publication was published. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["publication.published"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: Publication
    """A post in one of a community’s channels."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicationUpdatedV1:
    """A publication was edited. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["publication.updated"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: Publication
    """A post in one of a community’s channels."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceiptKeys:
    """A JSON Web Key Set (RFC 7517)."""

    keys: list[ReceiptKeysKey]
    """The current key, and all earlier keys that signed a receipt."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceiptKeysKey:
    kty: Literal["OKP"]
    """The type of the key."""
    crv: Literal["Ed25519"]
    """The curve of the key."""
    x: str
    """The public key in base64url."""
    kid: str
    """The identifier of the key: its thumbprint (RFC 7638)."""
    alg: Literal["EdDSA"]
    """The algorithm of its signatures."""
    use: Literal["sig"]
    """The use of the key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RoadmapItem:
    """A plan of a community."""

    id: str
    """The identifier of the roadmap item."""
    server_id: str
    """The identifier of the server."""
    title: str
    """The title, in one line."""
    description: str
    """The expected benefit."""
    status: RoadmapItemStatus
    """The status. One of `idea`, `planned`, `in_progress`, `shipped`, `declined`; more may be added."""
    category: str
    """The area of the community."""
    position: int
    """The place on the board, from 0 at the top."""
    vote_count: int
    """The number of members who voted for the item."""
    target_quarter: str | None
    """The planned quarter, for example `2027-Q1`; null without a plan."""
    created_at: datetime
    """The creation time."""

    _json_names: ClassVar[dict[str, str]] = {"server_id": "serverId", "vote_count": "voteCount", "target_quarter": "targetQuarter", "created_at": "createdAt"}


@dataclass(frozen=True, kw_only=True, slots=True)
class RoadmapItemCreatedV1:
    """A roadmap item was created. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["roadmap.item_created"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: RoadmapItem
    """A plan of a community."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class RoadmapItemList:
    """A page of roadmap items."""

    data: list[RoadmapItem]
    """Newest first."""
    next_cursor: str | None
    """Cursor of the next page; null on the last page."""

    _json_names: ClassVar[dict[str, str]] = {"next_cursor": "nextCursor"}


@dataclass(frozen=True, kw_only=True, slots=True)
class RoadmapItemMovedV1:
    """A roadmap item moved to another status. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["roadmap.item_moved"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: RoadmapItem
    """A plan of a community."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ScopeChange:
    """The changed scopes of an installation, with the state of each before and after the change. A new or a
    revoked installation changes each of its scopes.
    """

    scopes: list[Scope]
    """The changed scopes."""
    from_: ScopeStates
    """The state of each scope in `scopes`. A scope that was never granted is `revoked`."""
    to: ScopeStates
    """The state of each scope in `scopes`. A scope that was never granted is `revoked`."""

    _json_names: ClassVar[dict[str, str]] = {"from_": "from"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ScopeGrant:
    """The grant of one scope by a server."""

    scope: Scope
    """A scope. One of `servers:read`, `publications:read`, `events:read`, `roadmap:read`, `tickets:create`,
    `workflows:run`; more may be added.
    """
    state: ScopeGrantState
    """`authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of
    `authorised`, `paused`, `revoked`; more may be added.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class SecretScanningFeedbackItem:
    """The classification of a match."""

    token_hash: str
    """SHA-256 of the token, in hex."""
    token_type: str
    """The type that GitHub assigned."""
    label: SecretScanningFeedbackItemLabel
    """`true_positive`: the token is a key of this environment. One of `true_positive`, `false_positive`; more
    may be added.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class SecretScanningMatchesItem:
    """A token that resembles a key."""

    token: str
    """The token that GitHub found."""
    type: str
    """The type that GitHub assigned."""
    url: str | None = None
    """The address of the location; may be empty."""
    source: str | None = None
    """The kind of the location."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """A community on a chat platform."""

    id: str
    """The identifier of the server."""
    name: str
    """The display name."""
    slug: str
    """The name in addresses."""
    description: str
    """The description of the community."""
    icon_url: str
    """The address of the icon."""
    locale: str
    """The language (BCP 47)."""
    timezone: str
    """The time zone (IANA)."""
    member_count: int
    """The number of members."""
    created_at: datetime
    """The creation time of the community."""
    installation: ServerInstallation
    """The installation of this app on the server."""

    _json_names: ClassVar[dict[str, str]] = {"icon_url": "iconUrl", "member_count": "memberCount", "created_at": "createdAt"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerInstallation:
    """The installation of this app on the server."""

    id: str
    """The identifier of the installation."""
    state: ScopeGrantState
    """`authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final. One of
    `authorised`, `paused`, `revoked`; more may be added.
    """
    scopes: list[ScopeGrant]
    """Every scope that the server has granted in this installation."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerList:
    """A page of servers."""

    data: list[Server]
    """Newest first."""
    next_cursor: str | None
    """Cursor of the next page; null on the last page."""

    _json_names: ClassVar[dict[str, str]] = {"next_cursor": "nextCursor"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerUpdatedV1:
    """The description of a server or its number of members changed. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["server.updated"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: Server
    """A community on a chat platform."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Ticket:
    """A ticket that this app created. In the sandbox, also a ticket of the sandbox data or of a triggered event."""

    id: str
    """The identifier of the ticket."""
    server_id: str
    """The identifier of the server."""
    number: int
    """The number of the ticket on its server."""
    subject: str
    """The subject, in one line."""
    body: str
    """The full text."""
    category: Category
    """The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added."""
    priority: Priority
    """The priority. One of `low`, `normal`, `high`, `urgent`; more may be added."""
    status: TicketStatus
    """The status. One of `open`, `pending`, `resolved`, `closed`; more may be added."""
    requester: TicketRequester | None
    """The requester."""
    labels: list[str]
    """The labels that you assign."""
    metadata: dict[str, str]
    """Names and values that you assign. They are stored unchanged."""
    created_at: datetime
    """The creation time."""

    _json_names: ClassVar[dict[str, str]] = {"server_id": "serverId", "created_at": "createdAt"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketClosedV1:
    """A ticket was closed. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["ticket.closed"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: Ticket
    """A ticket that this app created. In the sandbox, also a ticket of the sandbox data or of a triggered event."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketCreatedDataV1:
    """A ticket at its creation."""

    id: str
    """The identifier of the ticket."""
    server_id: str
    """The identifier of the server."""
    number: int
    """The number of the ticket on its server."""
    subject: str
    """The subject, in one line."""
    category: Category
    """The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added."""
    priority: Priority
    """The priority. One of `low`, `normal`, `high`, `urgent`; more may be added."""
    status: TicketStatus
    """The status. One of `open`, `pending`, `resolved`, `closed`; more may be added."""
    labels: list[str]
    """The labels that you assign."""
    metadata: dict[str, str]
    """Names and values that you assign. They are stored unchanged."""
    created_at: datetime
    """The creation time."""
    body: str
    """The full text."""
    requester: TicketCreatedDataV1Requester | None
    """The requester."""

    _json_names: ClassVar[dict[str, str]] = {"server_id": "serverId", "created_at": "createdAt"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketCreatedDataV1Requester:
    """The requester."""

    name: str
    """The name."""
    external_id: str | None = None
    """The identifier in your system."""

    _json_names: ClassVar[dict[str, str]] = {"external_id": "externalId"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketCreatedDataV2:
    """A ticket at its creation. `body` is called `bodyMarkdown`, as in publications, and the requester’s
    `externalId` is called `reference`.
    """

    id: str
    """The identifier of the ticket."""
    server_id: str
    """The identifier of the server."""
    number: int
    """The number of the ticket on its server."""
    subject: str
    """The subject, in one line."""
    category: Category
    """The category. One of `question`, `bug`, `feedback`, `billing`, `other`; more may be added."""
    priority: Priority
    """The priority. One of `low`, `normal`, `high`, `urgent`; more may be added."""
    status: TicketStatus
    """The status. One of `open`, `pending`, `resolved`, `closed`; more may be added."""
    labels: list[str]
    """The labels that you assign."""
    metadata: dict[str, str]
    """Names and values that you assign. They are stored unchanged."""
    created_at: datetime
    """The creation time."""
    body_markdown: str
    """The full text."""
    requester: TicketCreatedDataV2Requester | None
    """The requester."""

    _json_names: ClassVar[dict[str, str]] = {"server_id": "serverId", "created_at": "createdAt", "body_markdown": "bodyMarkdown"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketCreatedDataV2Requester:
    """The requester."""

    name: str
    """The name."""
    reference: str | None = None
    """The identifier in your system."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketCreatedV1:
    """A ticket was created. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["ticket.created"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: TicketCreatedDataV1
    """A ticket at its creation."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketCreatedV2:
    """A ticket was created. In schema version 2."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["ticket.created"]
    """The type of the event."""
    schema_version: Literal[2]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: TicketCreatedDataV2
    """A ticket at its creation. `body` is called `bodyMarkdown`, as in publications, and the requester’s
    `externalId` is called `reference`.
    """

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketInput:
    """A ticket to create. The category defaults to `question` and the priority to `normal`."""

    subject: str
    """The subject, in one line."""
    body: str
    """The full text."""
    category: Category | None = None
    """The category."""
    priority: Priority | None = None
    """The priority."""
    requester: TicketRequesterInput | None = None
    """The requester."""
    labels: list[str] | None = None
    """The labels that you assign."""
    metadata: dict[str, str] | None = None
    """Names and values that you assign. They are stored unchanged."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketList:
    """A page of tickets."""

    data: list[Ticket]
    """Newest first."""
    next_cursor: str | None
    """Cursor of the next page; null on the last page."""

    _json_names: ClassVar[dict[str, str]] = {"next_cursor": "nextCursor"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketRequester:
    """The requester."""

    name: str
    """The name."""
    reference: str | None = None
    """The identifier in your system."""
    external_id: str | None = None
    """The deprecated name of `reference`. Deprecated."""

    _json_names: ClassVar[dict[str, str]] = {"external_id": "externalId"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketRequesterInput:
    """The requester."""

    name: str
    """The name."""
    reference: str | None = None
    """The identifier in your system."""
    external_id: str | None = None
    """The deprecated name of `reference`. Deprecated."""

    _json_names: ClassVar[dict[str, str]] = {"external_id": "externalId"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketUpdatedV1:
    """A ticket was answered or resolved. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["ticket.updated"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: Ticket
    """A ticket that this app created. In the sandbox, also a ticket of the sandbox data or of a triggered event."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Workflow:
    """A procedure that a community’s team has prepared and allows apps to run."""

    id: str
    """The identifier of the workflow."""
    server_id: str
    """The identifier of the server."""
    name: str
    """The name."""
    description: str
    """The effect of a run."""
    input_schema: dict[str, Any]
    """The JSON Schema (2020-12) of a run’s input."""
    enabled: bool
    """True if the workflow can be run."""
    created_at: datetime
    """The creation time."""

    _json_names: ClassVar[dict[str, str]] = {"server_id": "serverId", "input_schema": "inputSchema", "created_at": "createdAt"}


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkflowList:
    """A page of workflows."""

    data: list[Workflow]
    """Newest first."""
    next_cursor: str | None
    """Cursor of the next page; null on the last page."""

    _json_names: ClassVar[dict[str, str]] = {"next_cursor": "nextCursor"}


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkflowRun:
    """A run of a workflow."""

    id: str
    """The identifier of the run."""
    workflow_id: str
    """The identifier of the workflow."""
    server_id: str
    """The identifier of the server."""
    status: WorkflowRunStatus
    """The status. One of `queued`, `running`, `succeeded`, `failed`; more may be added."""
    input: WorkflowInput
    """The input of the run. It must match the workflow’s schema."""
    output: dict[str, Any] | None
    """The output of a succeeded run, or null."""
    steps: list[WorkflowRunStep]
    """The steps, in the order of execution."""
    created_at: datetime
    """The creation time."""
    finished_at: datetime | None
    """The end time, or null before the end."""

    _json_names: ClassVar[dict[str, str]] = {"workflow_id": "workflowId", "server_id": "serverId", "created_at": "createdAt", "finished_at": "finishedAt"}


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkflowRunFailedV1:
    """A workflow run failed. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["workflow_run.failed"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: WorkflowRun
    """A run of a workflow."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkflowRunInput:
    """A run to begin."""

    input: WorkflowInput
    """The input of the run. It must match the workflow’s schema."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkflowRunStartedV1:
    """A workflow run started. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["workflow_run.started"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: WorkflowRun
    """A run of a workflow."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkflowRunStep:
    """A step of a run."""

    name: str
    """The name."""
    status: WorkflowRunStepStatus
    """The status. The steps after a failed step are skipped. One of `waiting`, `running`, `succeeded`, `failed`,
    `skipped`; more may be added.
    """
    started_at: datetime | None
    """The start time, or null before the start."""
    finished_at: datetime | None
    """The end time, or null before the end."""

    _json_names: ClassVar[dict[str, str]] = {"started_at": "startedAt", "finished_at": "finishedAt"}


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkflowRunSucceededV1:
    """A workflow run succeeded. In schema version 1."""

    id: str
    """The identifier of the event, identical in the feed and in every delivery."""
    occurred_at: datetime
    """The time of the event."""
    environment: Environment
    """The environment of the event. One of `sandbox`, `production`; more may be added."""
    app_id: str
    """The app's identifier."""
    server_id: str
    """The identifier of the server."""
    sequence: int
    """The number of the event for its subject, contiguous from 1. A gap means that an event has not arrived yet."""
    request_id: str | None
    """The request that caused the event, or null."""
    type: Literal["workflow_run.succeeded"]
    """The type of the event."""
    schema_version: Literal[1]
    """The version of `data`."""
    subject: EventSubject
    """The resource that the event is about."""
    data: WorkflowRun
    """A run of a workflow."""

    _json_names: ClassVar[dict[str, str]] = {"occurred_at": "occurredAt", "app_id": "appId", "server_id": "serverId", "request_id": "requestId", "schema_version": "schemaVersion"}


ScopeStates = dict[str, ScopeGrantState]
"""The state of each scope in `scopes`. A scope that was never granted is `revoked`."""

SecretScanningFeedback = list[SecretScanningFeedbackItem]
"""The classification of the matches. Keys of the other environment are omitted, because GitHub reports them
there.
"""

SecretScanningMatches = list[SecretScanningMatchesItem]
"""The tokens that GitHub found."""

WorkflowInput = dict[str, Any]
"""The input of the run. It must match the workflow’s schema."""

WebhookEvent = Union[
    InstallationPausedV1,
    InstallationResumedV1,
    InstallationScopeChangedV1,
    PingV1,
    PublicationArchivedV1,
    PublicationPublishedV1,
    PublicationUpdatedV1,
    RoadmapItemCreatedV1,
    RoadmapItemMovedV1,
    ServerUpdatedV1,
    TicketClosedV1,
    TicketCreatedV1,
    TicketCreatedV2,
    TicketUpdatedV1,
    WorkflowRunFailedV1,
    WorkflowRunStartedV1,
    WorkflowRunSucceededV1,
    UnknownEvent,
]
"""The content of a webhook. `type` and `schema_version` distinguish the types."""

EVENT_TYPES: dict[tuple[str, int], Any] = {
    ("installation.paused", 1): InstallationPausedV1,
    ("installation.resumed", 1): InstallationResumedV1,
    ("installation.scope_changed", 1): InstallationScopeChangedV1,
    ("ping", 1): PingV1,
    ("publication.archived", 1): PublicationArchivedV1,
    ("publication.published", 1): PublicationPublishedV1,
    ("publication.updated", 1): PublicationUpdatedV1,
    ("roadmap.item_created", 1): RoadmapItemCreatedV1,
    ("roadmap.item_moved", 1): RoadmapItemMovedV1,
    ("server.updated", 1): ServerUpdatedV1,
    ("ticket.closed", 1): TicketClosedV1,
    ("ticket.created", 1): TicketCreatedV1,
    ("ticket.created", 2): TicketCreatedV2,
    ("ticket.updated", 1): TicketUpdatedV1,
    ("workflow_run.failed", 1): WorkflowRunFailedV1,
    ("workflow_run.started", 1): WorkflowRunStartedV1,
    ("workflow_run.succeeded", 1): WorkflowRunSucceededV1,
}
"""The type of each event in each schema version."""
