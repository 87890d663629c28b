"""Verifies webhooks (Standard Webhooks) over the raw bytes of the body.

A body that was parsed and serialised again has other bytes.
https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, cast

from ._events import UnknownEvent
from ._json import decode
from .models import EVENT_TYPES, WebhookEvent

__all__ = ["WebhookEvent", "WebhookFault", "WebhookVerificationError", "verify"]

WebhookFault = Literal[
    "missing_header",
    "malformed_header",
    "timestamp_too_old",
    "timestamp_too_new",
    "no_matching_signature",
    "malformed_body",
]
"""The reason for a failed verification. Respond with 400: the message is forged, changed or too old."""

_TOLERANCE_SECONDS = 300
_SECRET_PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """A message did not verify. ``code`` has the reason."""

    code: WebhookFault

    def __init__(self, code: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.code = code


def verify(
    raw_body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now: datetime | None = None,
) -> WebhookEvent:
    """Returns the event of a delivery after verifying its signature and age.

    During a rotation of the signing secret, pass both secrets: a message passes if any of its signatures matches any of
    the secrets. ``now`` replaces the current time, to verify a stored message. Raises ``WebhookVerificationError`` if
    the message does not verify.
    """
    if not isinstance(raw_body, (bytes, bytearray, memoryview, str)):
        raise TypeError("raw_body must be the body as it arrived, as bytes or text, and not a parsed value.")
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    keys = _keys_of(secret)
    message_id = _header_of(headers, "webhook-id")
    timestamp = _header_of(headers, "webhook-timestamp")
    signatures = _header_of(headers, "webhook-signature").encode("utf-8", "surrogateescape").split(b" ")
    # With a dot in the id, two different messages could have the same signature.
    if "." in message_id:
        raise WebhookVerificationError("malformed_header", "webhook-id must not contain a dot.")
    _refuse_unless_recent(timestamp, tolerance_seconds, time.time() if now is None else now.timestamp())
    content = f"{message_id}.{timestamp}.".encode("utf-8", "surrogateescape") + body
    if not any(_is_signed(content, key, signatures) for key in keys):
        raise WebhookVerificationError("no_matching_signature", "No signature matches a given secret.")
    return _parse(body)


def _is_signed(content: bytes, key: bytes, signatures: list[bytes]) -> bool:
    expected = b"v1," + base64.b64encode(hmac.digest(key, content, hashlib.sha256))
    return any(hmac.compare_digest(expected, signature) for signature in signatures)


def _keys_of(secret: Any) -> list[bytes]:
    # An environment variable that is not set is None, whatever the annotation says.
    secrets = [secret] if isinstance(secret, str) else secret
    is_list = isinstance(secrets, Sequence) and len(secrets) > 0 and all(isinstance(one, str) for one in secrets)
    if not is_list:
        raise TypeError("secret must be a signing secret or a list of them.")
    return [_key_of(one) for one in secrets]


def _key_of(secret: str) -> bytes:
    # The decoder must be strict: a malformed secret would be another key, and every message would look forged. An error
    # never contains the secret.
    encoded = secret.removeprefix(_SECRET_PREFIX) if secret.startswith(_SECRET_PREFIX) else ""
    try:
        key = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key or base64.b64encode(key).decode() != encoded:
        # Without the decoder's error, which would be printed as the cause.
        raise TypeError(f"A signing secret must be {_SECRET_PREFIX} and base64, as the Console shows it.") from None
    return key


def _header_of(headers: Mapping[str, str], name: str) -> str:
    for header_name, value in headers.items():
        if header_name.lower() == name and isinstance(value, str) and value:
            return value
    raise WebhookVerificationError("missing_header", f"The header {name} is missing.")


def _refuse_unless_recent(timestamp: str, tolerance_seconds: float, now_seconds: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("malformed_header", "webhook-timestamp must be in whole seconds.")
    age_seconds = int(now_seconds) - int(timestamp)
    if age_seconds > tolerance_seconds:
        raise WebhookVerificationError("timestamp_too_old", f"The message is {age_seconds} seconds old.")
    if age_seconds < -tolerance_seconds:
        raise WebhookVerificationError(
            "timestamp_too_new", f"The message is {-age_seconds} seconds ahead of this clock."
        )


def _parse(body: bytes) -> WebhookEvent:
    # The signature proves that Slipway wrote the body.
    try:
        value = json.loads(body.decode())
        return cast(WebhookEvent, decode(_kind_of(value), value))
    except ValueError:
        raise WebhookVerificationError("malformed_body", "The body is signed, but it is not an event.") from None


def _kind_of(value: Any) -> Any:
    fields = value if isinstance(value, dict) else {}
    type_, schema_version = fields.get("type"), fields.get("schemaVersion")
    if not isinstance(type_, str) or not isinstance(schema_version, int):
        return UnknownEvent
    return EVENT_TYPES.get((type_, schema_version), UnknownEvent)
