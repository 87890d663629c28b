"""The type of events that this version of the SDK does not know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar


@dataclass(frozen=True, kw_only=True, slots=True)
class UnknownEventSubject:
    """The resource of an event."""

    type: str
    id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class UnknownEvent:
    """An event whose type or schema version is newer than this version of the SDK."""

    id: str
    type: str
    schema_version: int
    occurred_at: datetime
    environment: str
    app_id: str
    server_id: str
    subject: UnknownEventSubject
    sequence: int
    request_id: str | None
    data: dict[str, Any]

    _json_names: ClassVar[dict[str, str]] = {
        "schema_version": "schemaVersion",
        "occurred_at": "occurredAt",
        "app_id": "appId",
        "server_id": "serverId",
        "request_id": "requestId",
    }
